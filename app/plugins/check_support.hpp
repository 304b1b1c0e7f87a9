/// What the checks share: work spread over threads, the verdict that it is the same every time, and speed.
#pragma once

#include "app/plugins/check_log.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace troupe {

/// Returns f(0), ..., f(n - 1), made by that many threads in no particular order. Throws what `f` throws.
template <class F>
auto by_threads(unsigned num_threads, std::uint64_t n, const F& f) {
  std::vector<decltype(f(n))> out(n);
  std::vector<std::exception_ptr> thrown(num_threads);
  const auto work = [&](unsigned first) {
    try {
      for (std::uint64_t i = first; i < n; i += num_threads)
        out[i] = f(i);
    } catch (...) {
      thrown[first] = std::current_exception();
    }
  };
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < num_threads; ++i)
    threads.emplace_back(work, i);
  for (auto& each : threads)
    each.join();
  for (const auto& each : thrown)
    if (each)
      std::rethrow_exception(each);
  return out;
}

template <class T>
void say_same(check_log& log, const std::string& property, const std::vector<T>& found, const std::vector<T>& before) {
  const auto [first, other] = std::mismatch(before.begin(), before.end(), found.begin(), found.end());
  log.say(property, first == before.end(), fmt::format("number {} came out otherwise", first - before.begin()));
}

/// Whether f(i) is what it was in `first`: once more from the last to the first, and from 1, 2 and 8 threads. `prefix` goes
/// before the properties' names.
template <class T, class F>
void check_sameness(check_log& log, const std::string& prefix, const std::vector<T>& first, const F& f) {
  log.survives(prefix + "the same again", [&] {
    std::vector<T> again(first.size());
    for (auto i = first.size(); i > 0; --i)
      again[i - 1] = f(i - 1);
    say_same(log, prefix + "the same again", again, first);
  });
  for (const unsigned num_threads : {1U, 2U, 8U}) {
    const auto property = fmt::format("{}the same from {} thread{}", prefix, num_threads, num_threads == 1 ? "" : "s");
    log.survives(property, [&] { say_same(log, property, by_threads(num_threads, first.size(), f), first); });
  }
}

/// Adds up the time of calls.
class call_timer {
public:
  template <class F>
  void time(F&& f) {
    const auto begun = std::chrono::steady_clock::now();
    std::forward<F>(f)();
    spent_ += std::chrono::steady_clock::now() - begun;
    ++num_calls_;
  }

  /// "812 ns per sample, 965 MB/s"
  [[nodiscard]] std::string text(const char* unit, std::size_t bytes_per_call) const {
    const auto ns = static_cast<double>(std::chrono::nanoseconds(spent_).count()) / static_cast<double>(num_calls_);
    return fmt::format("{:.0f} ns per {}, {:.0f} MB/s", ns, unit, static_cast<double>(bytes_per_call) * 1e3 / ns);
  }

private:
  std::chrono::steady_clock::duration spent_{};
  std::uint64_t num_calls_ = 0;
};

} // namespace troupe
