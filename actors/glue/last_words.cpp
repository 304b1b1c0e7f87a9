#include "actors/glue/last_words.hpp"

#include "actors/glue/trace_recorder.hpp"

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <string_view>

namespace troupe {

namespace {

std::terminate_handler previous_handler = nullptr;

void say(std::string_view words) noexcept {
  auto* recorder = trace_recorder::active();
  if (recorder == nullptr)
    return;
  auto& header = recorder->map().header();
  const auto num_bytes = std::min(words.size(), header.last_words.size());
  std::memcpy(header.last_words.data(), words.data(), num_bytes);
  header.last_words_bytes.store(static_cast<std::uint32_t>(num_bytes), std::memory_order_release);
}

/// Async-signal-safe: stores into memory that is there.
extern "C" void note_signal(int number) {
  if (auto* recorder = trace_recorder::active())
    recorder->map().header().fatal_signal.store(static_cast<std::uint32_t>(number), std::memory_order_release);
  std::raise(number); // The handler was reset (SA_RESETHAND): this time the signal kills.
}

[[noreturn]] void note_exception() {
  if (auto thrown = std::current_exception()) {
    try {
      std::rethrow_exception(thrown);
    } catch (const std::exception& error) {
      say(error.what());
    } catch (...) {
      say("an exception that is no std::exception");
    }
  } else {
    say("std::terminate without an exception");
  }
  if (previous_handler != nullptr)
    previous_handler();
  std::abort();
}

} // namespace

void keep_last_words() {
  previous_handler = std::set_terminate(note_exception);
  for (const int number : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT}) {
    struct sigaction now {
    }, before{};
    if (sigaction(number, nullptr, &before) != 0 || before.sa_handler != SIG_DFL)
      continue; // Somebody else's, a sanitizer's for example.
    now.sa_handler = note_signal;
    now.sa_flags = SA_RESETHAND | SA_NODEFER;
    sigaction(number, &now, nullptr);
  }
}

} // namespace troupe
