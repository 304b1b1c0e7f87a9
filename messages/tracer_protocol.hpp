/// TRACER keeps what the actors' hooks record: it drains the rings into the trace file.
///   supervisor -- finish --> tracer     once, when all others have ended
/// Nobody sends it data: the rings are memory, and no actor ever waits for it.
#pragma once

#include <caf/atom.hpp>
#include <caf/meta/type_name.hpp>
#include <caf/replies_to.hpp>
#include <caf/typed_actor.hpp>

#include <cstdint>
#include <string>

namespace troupe {

/// The tracer's books at the end.
struct trace_counts {
  std::uint64_t recorded = 0;  ///< Records taken; in `full` mode all of them are in the file.
  std::uint64_t dropped = 0;   ///< Records lost: no room in a ring, no ring, or a write that failed.
  std::uint64_t io_errors = 0; ///< Writes that failed.
  std::string problem;         ///< The first thing that went wrong; empty: nothing.
};

template <class Inspector>
typename Inspector::result_type inspect(Inspector& f, trace_counts& x) {
  return f(caf::meta::type_name("trace_counts"), x.recorded, x.dropped, x.io_errors, x.problem);
}

namespace trace_verbs {
using finish_atom = caf::atom_constant<caf::atom("finish")>;
using drain_atom = caf::atom_constant<caf::atom("drain")>;
using tally_atom = caf::atom_constant<caf::atom("tally")>;
} // namespace trace_verbs

using tracer_actor = caf::typed_actor<
  // Ends the recording, stores what is left, closes the file, answers, and quits.
  caf::replies_to<trace_verbs::finish_atom>::with<trace_counts>,
  // To itself: time to empty the rings (`full` mode).
  caf::reacts_to<trace_verbs::drain_atom>,
  // To itself: time to write the counts.
  caf::reacts_to<trace_verbs::tally_atom>>;

} // namespace troupe
