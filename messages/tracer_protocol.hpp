/// TRACER keeps what the actors' hooks record: it drains the rings into the trace file.
///   supervisor -- finish --> tracer          once, when all others have ended
///   supervisor -- flight_wanted --> tracer   when nothing moves any more, or somebody asks
/// Nobody sends it data: the rings are memory, and no actor ever waits for it.
#pragma once

#include "messages/failure.hpp"

#include <caf/allowed_unsafe_message_type.hpp>
#include <caf/atom.hpp>
#include <caf/meta/type_name.hpp>
#include <caf/replies_to.hpp>
#include <caf/typed_actor.hpp>

#include <cstdint>
#include <string>

namespace troupe {

/// The tracer's books at the end.
struct trace_counts {
  std::uint64_t recorded = 0;  ///< Records taken; in `full` mode all of them are in the files, but for those cut.
  std::uint64_t dropped = 0;   ///< Records lost: no room in a ring, no ring, or a write that failed.
  std::uint64_t io_errors = 0; ///< Writes that failed.
  std::uint64_t cut = 0;       ///< Records that went with the oldest files.
  std::string problem;         ///< The first thing that went wrong; empty: nothing.
};

template <class Inspector>
typename Inspector::result_type inspect(Inspector& f, trace_counts& x) {
  return f(caf::meta::type_name("trace_counts"), x.recorded, x.dropped, x.io_errors, x.cut, x.problem);
}

/// Asks for the flight recorder: a file with the newest records, all counts and what everybody is at.
struct flight_wanted {
  std::string reason; ///< Why: is written into the file.
};

/// The flight recorder is on the disk.
struct flight_written {
  std::string path;
  failure error; ///< `none`, or why there is no file.
};

namespace trace_verbs {
using finish_atom = caf::atom_constant<caf::atom("finish")>;
using drain_atom = caf::atom_constant<caf::atom("drain")>;
using tally_atom = caf::atom_constant<caf::atom("tally")>;
} // namespace trace_verbs

} // namespace troupe

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::flight_wanted)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::flight_written)

namespace troupe {

using tracer_actor = caf::typed_actor<
  // Ends the recording, stores what is left, closes the file, answers, and quits.
  caf::replies_to<trace_verbs::finish_atom>::with<trace_counts>,
  // Writes the flight recorder; the recording goes on.
  caf::replies_to<flight_wanted>::with<flight_written>,
  // To itself: time to empty the rings (`full` mode).
  caf::reacts_to<trace_verbs::drain_atom>,
  // To itself: time to write the counts.
  caf::reacts_to<trace_verbs::tally_atom>>;

} // namespace troupe
