/// Looks at every sample of a data set: can it be trained on, and what is it?
#pragma once

#include "actors/augmenter/transform_pipeline.hpp"
#include "actors/loader/datasets/dataset.hpp"
#include "actors/support/imaging/image_probe.hpp"
#include "app/data_report/all_cores.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace troupe {

/// What was found of one sample.
struct sample_facts {
  image_facts image;           ///< Of good ones only.
  std::uint64_t num_bytes = 0; ///< As they are stored; 0: it could not be read.
  std::uint32_t checksum = 0;  ///< Of these bytes.
  bool good = false;
};

/// A sample that training would leave out, and why.
struct bad_entry {
  std::uint64_t id = 0;
  std::string name;   ///< Path, or "images.gz[17]".
  std::string reason; ///< Without the name.
};

struct sample_survey {
  std::vector<sample_facts> samples;  ///< By id.
  std::vector<pixel_moments> moments; ///< By id, of good samples; empty if they were not asked for.
  std::vector<bad_entry> bad;         ///< By id.
};

struct survey_order {
  std::uint64_t num_samples = 0; ///< Look at the first so many; at most all.
  decode_config decode;
  bool wants_moments = false;
};

/// Reads and decodes the samples as training does, though always the whole image; `transforms` then tell whether they
/// take images of such sizes. The same for any number of threads. Blocks for as long as that takes.
[[nodiscard]] sample_survey survey_samples(const dataset& data, const transform_pipeline& transforms,
                                           const survey_order& order, const work_force& force);

} // namespace troupe
