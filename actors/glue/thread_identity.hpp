/// Names and places the calling thread. For actors with a thread of their own, from their behaviour function.
#pragma once

#include <string>
#include <vector>

namespace troupe {

/// Gives the calling thread a name that debuggers and `top -H` show; cut to 15 characters.
void name_thread(const std::string& name);

/// Keeps the calling thread, and those it starts from now on (OpenMP's helpers), on the given CPUs. Empty: anywhere.
/// A mask that the system refuses is ignored: placement helps, nothing depends on it.
void pin_thread(const std::vector<int>& cpus);

/// The first `count` of the CPUs that the calling thread may use; none if it may use no more than that anyway.
[[nodiscard]] std::vector<int> first_usable_cpus(int count);

/// Lets threads with a lower niceness go first where they compete for a core. 0: changes nothing.
void lower_priority(int niceness);

} // namespace troupe
