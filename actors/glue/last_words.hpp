/// What a process says when it dies of a signal or of an exception that nobody caught: a word in the trace's mapping, which
/// outlives it.
#pragma once

namespace troupe {

/// From now on, death by SIGSEGV, SIGBUS, SIGILL, SIGFPE or SIGABRT, and std::terminate, leave their reason in the mapping
/// of the active recorder; the process then dies as it would have. A thread whose stack has run out can say nothing. Call it once, before there are
/// threads.
void keep_last_words();

} // namespace troupe
