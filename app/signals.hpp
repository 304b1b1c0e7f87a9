/// SIGINT and SIGTERM as messages. Only the binary touches signals; no library does.
#pragma once

#include "messages/supervisor_protocol.hpp"

#include <thread>

namespace troupe {

/// Blocks SIGINT and SIGTERM for the calling thread and all that it starts, and ignores SIGPIPE and SIGXFSZ, so that a
/// write that fails says so. To be called before any other thread exists.
void take_over_signals();

/// Sends the first signal to the supervisor. A second one ends the process at once, with 128 plus its number: what is
/// durable by then is intact.
class signal_watch {
public:
  explicit signal_watch(supervisor_actor supervisor);
  ~signal_watch();

private:
  std::jthread thread_;
};

} // namespace troupe
