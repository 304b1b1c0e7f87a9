/// A part of a data set: its first samples, or what a seeded split keeps or holds out.
#pragma once

#include "actors/loader/datasets/dataset.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace troupe {

/// Returns the samples `ids` of `whole`, as ids 0, 1, ... `part` tells the part's fingerprint from those of other parts:
/// "first=100". @pre Each id is below whole->num_samples(), and there is at least one.
[[nodiscard]] std::unique_ptr<dataset> make_subset(std::unique_ptr<dataset> whole, std::vector<std::uint32_t> ids,
                                                   const std::string& part);

/// Returns the first `num_samples` samples; in a set that is sorted by class, those of the first classes. `whole` itself
/// if it has no more.
[[nodiscard]] std::unique_ptr<dataset> first_samples(std::unique_ptr<dataset> whole, std::uint64_t num_samples);

struct split_ids {
  std::vector<std::uint32_t> kept; ///< Both rise.
  std::vector<std::uint32_t> held_out;
};

/// Returns the ids below `whole.num_samples()`, each in one of the two parts. Of n samples of a class, `share` times n,
/// rounded, are held out; at least one if n is 2 or more, never all. Which ones is a pure function of seed, class and n.
/// @pre 0 < share < 1
[[nodiscard]] split_ids split_by_class(const dataset& whole, double share, std::uint64_t seed);

} // namespace troupe
