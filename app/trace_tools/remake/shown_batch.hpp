/// A training batch of a run, made again from ids alone and checked against what was recorded.
#pragma once

#include "actors/support/expected.hpp"
#include "actors/support/imaging/contact_sheet.hpp"
#include "actors/tracer/recorded_trace.hpp"
#include "app/trace_tools/remake/comparison.hpp"
#include "app/trace_tools/remake/run_data.hpp"

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

namespace troupe {

struct shown_batch {
  std::uint64_t batch = 0;
  std::uint64_t epoch = 0; ///< 0-based.
  std::uint64_t index = 0; ///< Within the epoch, 0-based.
  std::uint64_t batches_per_epoch = 1;
  std::uint64_t num_epochs = 1;
  std::optional<std::uint64_t> step;
  std::optional<double> loss;         ///< Of that step.
  float own_share = 1;                ///< Of its own label that each sample kept in MixUp or CutMix; 1: not mixed.
  std::vector<remade_sample> samples; ///< In slot order, before mixing.
  comparison check;
  std::string why_unchecked;        ///< Why there are samples without a recorded hash; empty: there are none.
  std::vector<std::string> notices; ///< What the reader should know.
};

/// Where a batch is looked for.
struct batch_source {
  const run_data& data;
  const recorded_trace* trace = nullptr; ///< nullptr: there is none.
  std::string run_folder;
};

/// Makes the batch `batch` again: of what was recorded, else of what the plan says. Errors: not_found if the run has no
/// such batch; corrupt or io_error for a `bad_samples.csv` that cannot be read.
[[nodiscard]] expected<shown_batch> show_batch(const batch_source& source, std::uint64_t batch);

/// Draws its samples, captions "slot class id".
[[nodiscard]] expected<png_image> draw_sheet(const shown_batch& batch, const run_data& data);

/// What it is, whether it was reproduced, and a table of its samples.
void print_text(const shown_batch& batch, std::ostream& out);
void print_json(const shown_batch& batch, std::ostream& out);

} // namespace troupe
