#include "actors/glue/last_words.hpp"

#include "actors/glue/trace_recorder.hpp"
#include "tests/support/scratch_folder.hpp"

#include <csignal>
#include <filesystem>
#include <functional>
#include <stdexcept>
#include <string>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include "tests/support/doctest.hpp"

using namespace troupe;

namespace {

struct death {
  int status = 0;
  int signal = 0;    ///< What the mapping says.
  std::string words; ///< Likewise.
};

/// A process that records, keeps its last words, and dies of `cause`.
death die_of(const std::function<void()>& cause) {
  const scratch_folder folder;
  const auto child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    const rlimit no_core{0, 0};
    setrlimit(RLIMIT_CORE, &no_core);
    std::freopen("/dev/null", "w", stderr); // std::terminate tells what it is about.
    for (const int number : {SIGSEGV, SIGABRT})
      std::signal(number, SIG_DFL); // doctest's
    const auto recorder = trace_recorder::start({.folder = folder.path(), .num_rings = 1, .ring_capacity = 16});
    keep_last_words();
    cause();
    _exit(0);
  }
  death found;
  waitpid(child, &found.status, 0);
  for (const auto& entry : std::filesystem::directory_iterator{folder.path()}) {
    const auto map = trace_map::open(entry.path().string());
    REQUIRE(map);
    const auto& header = (*map)->header();
    found.signal = static_cast<int>(header.fatal_signal.load());
    found.words.assign(header.last_words.data(), header.last_words_bytes.load());
  }
  return found;
}

/// As a thread does whose function throws.
void throw_uncaught(const std::string& text) {
  std::thread([&text] { throw std::runtime_error(text); }).join();
}

} // namespace

TEST_SUITE_BEGIN("actors/glue");

TEST_CASE("a process that dies of a signal leaves the signal behind, and dies of it") {
  const auto found = die_of([] { std::raise(SIGSEGV); });
  CHECK(WIFSIGNALED(found.status));
  CHECK(WTERMSIG(found.status) == SIGSEGV);
  CHECK(found.signal == SIGSEGV);
  CHECK(found.words.empty());
}

TEST_CASE("an exception that nobody caught leaves its text behind") {
  const auto found = die_of([] { throw_uncaught("no such tensor"); });
  CHECK(WTERMSIG(found.status) == SIGABRT);
  CHECK(found.signal == SIGABRT);
  CHECK(found.words == "no such tensor");
}

TEST_CASE("what is longer than its place is cut off") {
  const auto found = die_of([] { throw_uncaught(std::string(1000, 'x')); });
  CHECK(found.words == std::string(240, 'x'));
}

TEST_CASE("SIGKILL leaves no word") {
  const auto found = die_of([] { std::raise(SIGKILL); });
  CHECK(found.signal == 0);
  CHECK(found.words.empty());
}

TEST_SUITE_END();
