/// The same job for many ids, on all cores.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <functional>
#include <future>
#include <vector>

namespace troupe {

/// What all jobs of a report run with.
struct work_force {
  int num_threads = 1;
  /// Called now and then, by the thread that asked for the work, with how many ids are done. May be empty.
  std::function<void(std::uint64_t)> progress;
};

/// Calls `make_job()` once per thread and what it returns, `job(id)`, once for every id below `num_ids`; returns when all
/// is done. The calling thread is one of the threads. Which thread takes which id is left to chance, so a job should put
/// its result where only the id counts. Exceptions of jobs come out here.
template <class MakeJob>
void on_all_cores(std::uint64_t num_ids, const work_force& force, const MakeJob& make_job) {
  constexpr std::uint64_t block = 8;
  std::atomic<std::uint64_t> next = 0, done = 0;
  const auto work = [&](bool tells) {
    auto job = make_job();
    for (auto first = next.fetch_add(block); first < num_ids; first = next.fetch_add(block)) {
      const auto end = std::min(first + block, num_ids);
      for (auto id = first; id < end; ++id)
        job(id);
      const auto so_far = done.fetch_add(end - first) + (end - first);
      if (tells && force.progress)
        force.progress(so_far);
    }
  };
  std::vector<std::future<void>> others; // The last to go: futures wait for their threads, whatever is thrown.
  for (int i = 1; i < force.num_threads; ++i)
    others.push_back(std::async(std::launch::async, work, false));
  work(true);
  for (auto& each : others)
    each.get();
}

} // namespace troupe
