#include "app/signal_watch.hpp"

#include "actors/glue/thread_identity.hpp"
#include "app/signal_mask.hpp"

#include <caf/send.hpp>

#include <csignal>
#include <ctime>
#include <unistd.h>

namespace troupe {

namespace {

void watch(std::stop_token stop, const supervisor_actor& supervisor) {
  name_thread("signals");
  const auto set = watched_signals();
  const timespec patience{0, 100'000'000}; // How often it looks whether it is still wanted.
  bool told = false;
  while (!stop.stop_requested()) {
    const int number = sigtimedwait(&set, nullptr, &patience);
    if (number <= 0)
      continue;
    const bool ends = number != SIGQUIT;
    if (ends && told)
      _exit(128 + number);
    told = told || ends;
    caf::anon_send<caf::message_priority::high>(supervisor, signal_received{number});
  }
}

} // namespace

signal_watch::signal_watch(supervisor_actor supervisor)
  : thread_([supervisor = std::move(supervisor)](std::stop_token stop) { watch(std::move(stop), supervisor); }) {}

signal_watch::~signal_watch() = default;

} // namespace troupe
