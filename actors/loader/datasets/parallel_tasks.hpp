/// The same job for many indices, on a few threads.
#pragma once

#include <algorithm>
#include <cstddef>
#include <future>
#include <thread>
#include <vector>

namespace troupe {

/// Returns {job(0), job(1), ... job(num_jobs - 1)}. Thread i of n does the jobs i, i + n, i + 2n, ...: nothing is shared.
/// Jobs wait for a disk more than they compute, so there are more threads than cores. Exceptions of jobs come out here.
template <class Job>
[[nodiscard]] auto parallel_tasks(std::size_t num_jobs, const Job& job) {
  using result = decltype(job(std::size_t{0}));
  const std::size_t num_cores = std::max(std::thread::hardware_concurrency(), 1u);
  const auto num_threads = std::min(num_jobs, std::clamp<std::size_t>(2 * num_cores, 4, 32));
  std::vector<std::future<std::vector<result>>> parts;
  for (std::size_t first = 0; first < num_threads; ++first)
    parts.push_back(std::async(std::launch::async, [&job, first, num_threads, num_jobs] {
      std::vector<result> out;
      for (auto i = first; i < num_jobs; i += num_threads)
        out.push_back(job(i));
      return out;
    }));
  std::vector<std::vector<result>> done;
  for (auto& part : parts)
    done.push_back(part.get());
  std::vector<result> out;
  out.reserve(num_jobs);
  for (std::size_t i = 0; i < num_jobs; ++i)
    out.push_back(std::move(done[i % num_threads][i / num_threads]));
  return out;
}

} // namespace troupe
