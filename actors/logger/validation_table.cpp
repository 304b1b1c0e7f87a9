#include "actors/logger/validation_table.hpp"

namespace troupe {

csv_fields validation_columns(const std::vector<std::string>& classes) {
  csv_fields columns{"step", "epoch", "version", "samples", "loss", "top1", "topk", "k"};
  for (const auto& name : classes)
    columns.push_back("acc_" + name);
  columns.emplace_back("seconds");
  return columns;
}

expected<csv_fields> validation_fields(const validation_report& report, std::size_t num_classes) {
  if (!report.snapshot)
    return failure{ec::bad_data, "logger: a validation report names no snapshot"};
  const auto& tag = report.snapshot->tag;
  if (report.class_accuracy.size() != num_classes)
    return failure{ec::mismatch, "logger: the validation report of step " + std::to_string(tag.step) + " has "
                                   + std::to_string(report.class_accuracy.size()) + " classes, expected "
                                   + std::to_string(num_classes)};
  csv_fields fields{std::to_string(tag.step),    std::to_string(tag.epoch),
                    std::to_string(tag.version), std::to_string(report.num_samples),
                    csv_number(report.loss),     csv_number(report.top1),
                    csv_number(report.topk),     std::to_string(report.k)};
  for (const double recall : report.class_accuracy)
    fields.push_back(csv_number(recall));
  fields.push_back(csv_number(report.seconds));
  return fields;
}

} // namespace troupe
