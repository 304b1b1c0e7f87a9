/// Which signals come when, for the whole process. Only the binary calls this; no library touches signals.
#pragma once

#include <csignal>

namespace troupe {

/// SIGINT, SIGTERM and SIGQUIT: served by `signal_watch`, blocked everywhere else.
[[nodiscard]] sigset_t watched_signals() noexcept;

/// Blocks the watched signals for the calling thread and all that it starts, and ignores SIGPIPE and SIGXFSZ, so that a
/// write that fails says so. To be called before any other thread exists.
void take_over_signals() noexcept;

/// Gives the watched signals back to the system: from now on each ends the process at once.
void release_signals() noexcept;

} // namespace troupe
