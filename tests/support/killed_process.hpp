/// A process that does something and is killed: what it leaves behind is what a crash leaves.
#pragma once

#include <csignal>
#include <cstdlib>
#include <stdexcept>
#include <sys/wait.h>
#include <unistd.h>

namespace troupe::test {

/// For `run_and_kill`.
[[noreturn]] inline void kill_me() {
  std::raise(SIGKILL);
  std::abort();
}

/// Runs `work` in a child process, which dies of SIGKILL: where `work` calls `kill_me`, so that no destructor runs, or at
/// its end. Returns its wait status. There must be no recorder active here.
template <class Work>
int run_and_kill(Work work) {
  const auto child = fork();
  if (child < 0)
    throw std::runtime_error("fork failed");
  if (child == 0) {
    work();
    kill_me();
  }
  int status = 0;
  waitpid(child, &status, 0);
  return status;
}

} // namespace troupe::test
