/// The rows of validation.csv: one per report, with the recall of every class.
#pragma once

#include "actors/logger/csv_text.hpp"
#include "actors/support/expected.hpp"
#include "messages/metric.hpp"

#include <string>
#include <vector>

namespace troupe {

/// The header: step, epoch, version, samples, loss, top1, topk, k, then acc_<class> for each class, then the figures of
/// plugins by name, seconds last.
[[nodiscard]] csv_fields validation_columns(const std::vector<std::string>& classes,
                                            const std::vector<std::string>& figures = {});

/// The report as fields under `validation_columns` for `num_classes` classes and these figures. Every number reads back
/// exactly; the recall of a class without samples is "nan", as is a figure that failed. Fails with `mismatch` where the
/// report has another number of classes or other figures, with `bad_data` where it names no snapshot.
[[nodiscard]] expected<csv_fields> validation_fields(const validation_report& report, std::size_t num_classes,
                                                     const std::vector<std::string>& figures = {});

} // namespace troupe
