#include "app/trace_tools/remake/shown_batch.hpp"
#include "app/trace_tools/story/record_text.hpp"
#include "app/trace_tools/text/trace_text.hpp"

#include <nlohmann/json.hpp>

#include <ostream>

namespace troupe {

void print_text(const shown_batch& batch, std::ostream& out) {
  out << "batch " << batch.batch << ": epoch " << batch.epoch + 1 << " of " << batch.num_epochs << ", batch "
      << batch.index + 1 << " of " << batch.batches_per_epoch;
  if (batch.step)
    out << ", step " << *batch.step;
  if (batch.loss)
    out << ", loss " << value_text(*batch.loss);
  out << '\n';
  print_text(batch.check, batch.why_unchecked, out);
  for (const auto& notice : batch.notices)
    out << "note: " << notice << '\n';
  if (batch.own_share < 1)
    out << "own share of each sample's label: " << value_text(batch.own_share) << '\n';
  out << '\n';
  print_samples(batch.samples, out);
}

void print_json(const shown_batch& batch, std::ostream& out) {
  nlohmann::ordered_json json = {{"batch", batch.batch}, {"epoch", batch.epoch + 1}, {"index", batch.index},
                                 {"step", nullptr},      {"loss", nullptr},          {"own_share", batch.own_share}};
  if (batch.step)
    json["step"] = *batch.step;
  if (batch.loss)
    json["loss"] = *batch.loss;
  json["notices"] = batch.notices;
  json["why_unchecked"] = batch.why_unchecked;
  add_json(batch.check, batch.samples, json);
  print_json(json, out);
}

} // namespace troupe
