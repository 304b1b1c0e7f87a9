/// One message of a run, handled once more: by the augmenter's logic alone, on the calling thread, without actors.
#pragma once

#include "app/trace_tools/remake/comparison.hpp"
#include "app/trace_tools/remake/recorded_chunk.hpp"
#include "app/trace_tools/remake/run_data.hpp"

#include <cstdint>
#include <functional>
#include <iosfwd>
#include <string>
#include <vector>

namespace troupe {

struct replayed_chunk {
  recorded_chunk recorded;
  std::uint64_t epoch = 0;            ///< 0-based.
  std::vector<remade_sample> samples; ///< In slot order, without pictures and notes.
  comparison check;
  double seconds = 0;        ///< That it took now, reading left out.
  std::string why_unchecked; ///< Why there are samples without a recorded hash; empty: there are none.
};

/// Told which sample is in work, before it is: where the program dies, that one was it.
using replay_watcher = std::function<void(std::uint64_t id, const std::string& name)>;

/// Reads the samples of the chunk and fills a slice with them. Which ones they are is what was recorded of them; what
/// is missing there, as after a crash, follows from the plan. Errors: mismatch if the data are not those of the run.
[[nodiscard]] expected<replayed_chunk> replay(const run_data& data, recorded_chunk recorded,
                                              const replay_watcher& watch);

/// Which message it was, and whether it did the same again.
void print_text(const replayed_chunk& chunk, std::ostream& out);
void print_json(const replayed_chunk& chunk, std::ostream& out);

} // namespace troupe
