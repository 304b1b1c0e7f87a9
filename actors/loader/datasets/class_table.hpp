/// Which class has which id. By name wherever there are names, so that a validation set which lacks a class, or has its
/// classes in another order, is still judged by the right ids.
#pragma once

#include "actors/support/expected.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace troupe {

/// The labels of the samples of a source as it spells them, each different one once.
class label_list {
public:
  /// Adds the label of the next sample.
  void push_back(std::string_view text);

  /// Adds a label that `num_samples` samples have, but not which. Returns its place in `texts()`.
  std::uint32_t add(std::string_view text, std::uint64_t num_samples);

  [[nodiscard]] const std::vector<std::string>& texts() const noexcept { return texts_; }
  [[nodiscard]] const std::vector<std::uint32_t>& of_samples() const noexcept { return of_samples_; } ///< In texts().
  [[nodiscard]] std::uint64_t count(std::uint32_t text) const noexcept { return counts_[text]; }

private:
  std::vector<std::string> texts_;
  std::vector<std::uint64_t> counts_;
  std::vector<std::uint32_t> of_samples_;
  std::unordered_map<std::string, std::uint32_t> known_;
};

/// What the texts of a `label_list` may be.
enum class label_style : std::uint8_t {
  names,        ///< Names, also "7": folders are.
  names_or_ids, ///< Ids if all of them are whole numbers and they are not the names that are given.
};

struct class_table {
  std::vector<std::string> names; ///< By id; none if the labels are ids and no names are given.
  std::uint32_t num_classes = 0;
  std::vector<std::uint32_t> ids;   ///< Class id of the label at each place of `texts()`.
  std::vector<std::string> notices; ///< Classes without samples.
};

/// Returns the classes of `labels`. With `given` names those are the table, whether they have samples or not; without, it
/// is the texts in order of their bytes, or all ids up to the highest. Messages begin with `source`, a path, and say
/// `sample_name(i)` for sample i.
/// Errors: mismatch for a text that is not among the names; bad_data for an id that no class has.
[[nodiscard]] expected<class_table> make_class_table(const label_list& labels, label_style style,
                                                     const std::vector<std::string>& given, const std::string& source,
                                                     const std::function<std::string(std::uint64_t)>& sample_name);

} // namespace troupe
