/// SIGINT, SIGTERM and SIGQUIT as messages. They must be blocked in all threads: see signal_mask.hpp.
#pragma once

#include "messages/supervisor_protocol.hpp"

#include <thread>

namespace troupe {

/// Sends every SIGQUIT, and the first of the others, to the supervisor. A second one of the others ends the process at once,
/// with 128 plus its number: what is durable by then is intact.
class signal_watch {
public:
  explicit signal_watch(supervisor_actor supervisor);
  ~signal_watch();

private:
  std::jthread thread_;
};

} // namespace troupe
