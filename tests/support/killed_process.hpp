/// A process that does something and is killed: what it leaves behind is what a crash leaves.
#pragma once

#include <csignal>
#include <stdexcept>
#include <sys/wait.h>
#include <unistd.h>

namespace troupe::test {

/// Runs `work` in a child process, which then dies of SIGKILL without a destructor. Returns its wait status: anything but
/// death by SIGKILL means that `work` ended the process. There must be no recorder active here.
template <class Work>
int run_and_kill(Work work) {
  const auto child = fork();
  if (child < 0)
    throw std::runtime_error("fork failed");
  if (child == 0) {
    work();
    std::raise(SIGKILL);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return status;
}

} // namespace troupe::test
