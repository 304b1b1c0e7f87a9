/// What travels around the data loop: loader -> augmenters -> collator -> trainer or validator -> loader.
#pragma once

#include "messages/batch_buffer.hpp"
#include "messages/batch_ref.hpp"
#include "messages/failure.hpp"
#include "messages/lease.hpp"
#include "messages/sample.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace troupe {

/// A chunk of encoded samples and the slice of the batch that they belong into.
struct chunk_ready {
  chunk_ptr chunk;
  lease<batch_slice> slice;
};

/// An augmenter has handed its chunk's slice on, so that the loader may forget the encoded bytes.
struct chunk_done {
  std::uint64_t batch = 0;
  std::uint64_t position = 0;               ///< `encoded_chunk::position`
  std::vector<bad_sample> bad = {};         ///< Those that could not be made; without names, which the loader knows.
  std::vector<decoded_sample> decoded = {}; ///< Image files that were decoded, where the loader asks for them.
};

/// Asks a reader for a chunk.
struct chunk_wanted {
  std::uint64_t batch = 0;
  std::uint64_t position = 0;
  std::uint64_t first_sample = 0;      ///< Id of the chunk's first sample.
  std::function<encoded_chunk()> read; ///< Blocks on the disk; safe from any thread.
};

/// What a reader was asked for.
struct chunk_read {
  chunk_ptr chunk;
};

/// A slot whose sample is bad: it is to be filled with the sample that the slice names (`batch_slice::position`).
struct replacement_wanted {
  std::uint64_t batch = 0;
  lease<batch_slice> slice;
};

/// A slice whose samples are in place, but for those in `bad`.
struct slice_filled {
  lease<batch_slice> slice;
  std::vector<bad_sample> bad;
  std::uint64_t batch = 0; ///< `batch_ref::id`
};

/// A slice that somebody died with: it is to be filled by somebody else.
struct slice_dropped {
  lease<batch_slice> slice;
};

/// A whole batch. `batch.num_samples` slots are in use, from slot 0; the samples in `bad` are not among them.
struct batch_ready {
  batch_ref batch;
  lease<batch_buffer> buffer;
  std::vector<bad_sample> bad;
};

/// A buffer that may be filled again: one more batch of credit.
struct buffer_returned {
  lease<batch_buffer> buffer;
};

/// Asks for samples of the data set besides those of a chunk: what an actor needs to make one of several.
struct samples_wanted {
  std::uint64_t epoch = 0;        ///< Of the chunk that they are wanted for; copied into the answer.
  std::vector<std::uint64_t> ids; ///< Indices in the data set.
};

/// The samples that were asked for, in that order. Those with a failure have no bytes.
struct samples_found {
  std::uint64_t epoch = 0;
  std::vector<encoded_sample> samples;
  std::vector<failure> failures; ///< By sample; `none`: it could be read.
};

/// Asks a reader for samples in the loader's place.
struct samples_to_read {
  std::function<samples_found()> read; ///< Blocks on the disk; safe from any thread.
};

/// How often each sample is to be drawn, from one epoch on. Weights of 1 for all are as good as none.
struct sample_weights {
  std::uint64_t version = 0;                         ///< Ascending from 1, over all resumes.
  std::uint64_t from_epoch = 0;                      ///< 0-based: the first that is drawn by them.
  std::shared_ptr<const std::vector<float>> weights; ///< By id, each above 0. Immutable.
};

/// All that the order of epoch `epoch` + 2 depends on is known: `change`, or what was in force before.
struct sampling_settled {
  std::uint64_t epoch = 0; ///< 0-based; it has been trained.
  std::optional<sample_weights> change;
};

/// Asks for the batches from `first` to the end of epoch `end_epoch` - 1.
struct serve_range {
  data_position first;
  std::uint64_t end_epoch = 0;
};

/// What a loader found when it opened its data set; `error.code` is `none` if it could.
struct dataset_opened {
  std::uint64_t num_samples = 0;
  std::uint64_t samples_per_epoch = 0; ///< Fewer than there are if the last batch is dropped.
  std::uint64_t batches_per_epoch = 0;
  std::int64_t channels = 0; ///< Of a sample before any transform; all 0 for image files, which may differ.
  std::int64_t height = 0;
  std::int64_t width = 0;
  std::int64_t num_classes = 0;
  std::vector<std::string> class_names;    ///< By id; never empty on success.
  bool reads_files = false;                ///< Readers are worth their threads.
  std::vector<std::string> notices;        ///< What the user should know of how the data were found.
  std::vector<std::uint64_t> class_counts; ///< Samples of each class.
  std::string fingerprint;                 ///< Changes when the data change.
  failure error;
};

/// What an actor says when asked how it is.
struct actor_status {
  std::string doing;      ///< "waits for batch 17", "writes checkpoint of step 400"
  std::uint64_t done = 0; ///< Units of work so far; grows as long as there is progress.
  bool idle = false;      ///< Nothing to do and nothing expected.
};

} // namespace troupe
