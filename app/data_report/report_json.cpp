#include "app/data_report/report_text.hpp"

#include <nlohmann/json.hpp>

namespace troupe {

namespace {

using json = nlohmann::ordered_json;

json to_value(const image_size& size) {
  return {{"width", size.width}, {"height", size.height}};
}

json to_value(const std::vector<class_row>& classes) {
  auto out = json::array();
  for (std::size_t id = 0; id < classes.size(); ++id)
    out.push_back({{"id", id}, {"name", classes[id].name}, {"samples", classes[id].num_samples}});
  return out;
}

json to_value(const image_statistics& x) {
  auto frequent = json::array();
  for (const auto& each : x.frequent)
    frequent.push_back({{"size", to_value(each.size)}, {"samples", each.num_samples}});
  auto formats = json::object();
  for (const auto& each : x.formats)
    formats[each.name] = each.num_samples;
  json out{{"samples", x.num_samples}, {"sizes", nullptr}, {"formats", formats}};
  if (x.num_samples > 0)
    out["sizes"] = {{"smallest", to_value(x.smallest)},
                    {"median", to_value(x.median)},
                    {"largest", to_value(x.largest)},
                    {"different", x.num_sizes},
                    {"frequent", frequent}};
  out["wrong_extensions"] = {{"samples", x.num_misnamed}, {"example", x.misnamed_example}};
  out["single_channel"] = x.num_single_channel;
  out["alpha"] = x.num_alpha;
  out["cmyk"] = x.num_cmyk;
  out["more_than_8_bits"] = x.num_deep;
  out["turned_by_exif"] = x.num_turned;
  return out;
}

json to_value(const set_report& x) {
  json out{{"name", x.name},
           {"source", x.source},
           {"samples", x.num_samples},
           {"examined", x.num_examined},
           {"notices", x.notices},
           {"classes", to_value(x.classes)},
           {"images", to_value(x.images)},
           {"copies", json::array()},
           {"bad_samples", json::array()},
           {"too_many_bad_samples", x.too_many_bad}};
  for (const auto& group : x.copies)
    out["copies"].push_back({{"samples", group.names}, {"differ_in_class", group.differ_in_class}});
  for (const auto& bad : x.bad)
    out["bad_samples"].push_back({{"id", bad.id}, {"sample", bad.name}, {"reason", bad.reason}});
  return out;
}

json to_value(const std::optional<pipeline_cost>& x) {
  if (!x)
    return nullptr;
  return {{"samples_measured", x->num_measured},
          {"seconds_per_sample", x->seconds_per_sample},
          {"samples_per_epoch", x->samples_per_epoch},
          {"core_seconds_per_epoch", x->core_seconds_per_epoch()},
          {"augmenters", x->num_augmenters},
          {"busy_cores", x->num_busy_cores},
          {"seconds_per_epoch", x->seconds_per_epoch()},
          {"samples_per_second", x->samples_per_second()}};
}

} // namespace

std::string to_json(const data_report& report) {
  json out{{"sets", json::array()},
           {"leaks", json::array()},
           {"normalize", {{"mean", report.channels.mean}, {"std", report.channels.std}}},
           {"cost", to_value(report.cost)}};
  for (const auto& set : report.sets)
    out["sets"].push_back(to_value(set));
  for (const auto& leak : report.leaks)
    out["leaks"].push_back({{"training", leak.training}, {"validation", leak.validation}});
  return out.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

} // namespace troupe
