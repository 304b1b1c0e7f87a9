#include "app/signal_mask.hpp"

#include <pthread.h>

namespace troupe {

sigset_t watched_signals() noexcept {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  sigaddset(&set, SIGTERM);
  sigaddset(&set, SIGQUIT);
  return set;
}

void take_over_signals() noexcept {
  const auto set = watched_signals();
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
}

void release_signals() noexcept {
  const auto set = watched_signals();
  pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
}

} // namespace troupe
