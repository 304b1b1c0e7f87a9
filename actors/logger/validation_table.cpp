#include "actors/logger/validation_table.hpp"

namespace troupe {

namespace {

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const auto& name : names)
    text += (text.empty() ? "" : ", ") + name;
  return text.empty() ? "none" : text;
}

std::vector<std::string> names_of(const std::vector<named_figure>& figures) {
  std::vector<std::string> names;
  for (const auto& figure : figures)
    names.push_back(figure.name);
  return names;
}

} // namespace

csv_fields validation_columns(const std::vector<std::string>& classes, const std::vector<std::string>& figures) {
  csv_fields columns{"step", "epoch", "version", "samples", "loss", "top1", "topk", "k"};
  for (const auto& name : classes)
    columns.push_back("acc_" + name);
  columns.insert(columns.end(), figures.begin(), figures.end());
  columns.emplace_back("seconds");
  return columns;
}

expected<csv_fields> validation_fields(const validation_report& report, std::size_t num_classes,
                                       const std::vector<std::string>& figures) {
  if (!report.snapshot)
    return failure{ec::bad_data, "logger: a validation report names no snapshot"};
  const auto& tag = report.snapshot->tag;
  if (report.class_accuracy.size() != num_classes)
    return failure{ec::mismatch, "logger: the validation report of step " + std::to_string(tag.step) + " has "
                                   + std::to_string(report.class_accuracy.size()) + " classes, expected "
                                   + std::to_string(num_classes)};
  if (const auto found = names_of(report.figures); found != figures)
    return failure{ec::mismatch, "logger: the validation report of step " + std::to_string(tag.step)
                                   + " has the figures " + joined(found) + ", expected " + joined(figures)};
  csv_fields fields{std::to_string(tag.step),    std::to_string(tag.epoch),
                    std::to_string(tag.version), std::to_string(report.num_samples),
                    csv_number(report.loss),     csv_number(report.top1),
                    csv_number(report.topk),     std::to_string(report.k)};
  for (const double recall : report.class_accuracy)
    fields.push_back(csv_number(recall));
  for (const auto& figure : report.figures)
    fields.push_back(csv_number(figure.value));
  fields.push_back(csv_number(report.seconds));
  return fields;
}

} // namespace troupe
