/// The rows of validation.csv: one per report, with the recall of every class.
#pragma once

#include "actors/logger/csv_text.hpp"
#include "actors/support/expected.hpp"
#include "messages/metric.hpp"

#include <string>
#include <vector>

namespace troupe {

/// The header: step, epoch, version, samples, loss, top1, topk, k, then acc_<class> for each class, seconds last.
[[nodiscard]] csv_fields validation_columns(const std::vector<std::string>& classes);

/// The report as fields under `validation_columns` for `num_classes` classes. Every number reads back exactly; the
/// recall of a class without samples is "nan". Fails with `mismatch` where the report has another number of classes,
/// with `bad_data` where it names no snapshot.
[[nodiscard]] expected<csv_fields> validation_fields(const validation_report& report, std::size_t num_classes);

} // namespace troupe
