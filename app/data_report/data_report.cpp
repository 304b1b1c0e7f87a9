#include "app/data_report/data_report.hpp"

#include "app/bad_sample_budget.hpp"

#include <algorithm>
#include <utility>

namespace troupe {

namespace {

std::string source_text(const dataset_config& config) {
  auto out = config.dataset;
  for (const auto& each : {config.root, config.file, config.images})
    if (!each.empty())
      out += " " + each;
  if (config.part != data_part::whole)
    out += config.part == data_part::kept ? ", without what is held out" : ", held out of the training data";
  return out;
}

bool stops_the_run(const std::vector<bad_entry>& bad, const pipeline_section& pipeline, std::uint64_t num_samples) {
  if (pipeline.bad_samples == bad_sample_policy::fail)
    return !bad.empty();
  bad_sample_budget budget(pipeline.max_bad_samples, pipeline.max_bad_share, num_samples);
  for (const auto& each : bad)
    budget.add(each.id);
  return budget.spent();
}

std::vector<class_row> count_classes(const opened_set& set) {
  std::vector<class_row> out;
  for (const auto& name : set.class_names)
    out.push_back({name, 0});
  for (std::uint64_t id = 0; id < set.data->num_samples(); ++id)
    ++out[static_cast<std::size_t>(set.data->label(id))].num_samples;
  return out;
}

set_report sum_up(const opened_set& set, sample_survey& survey, const pipeline_section& pipeline) {
  set_report out;
  out.name = set.name;
  out.source = source_text(set.source);
  out.num_samples = set.data->num_samples();
  out.num_examined = survey.samples.size();
  out.notices = set.data->notices();
  out.classes = count_classes(set);
  out.images = sum_up_images(*set.data, survey);
  out.too_many_bad = stops_the_run(survey.bad, pipeline, out.num_samples);
  out.bad = std::move(survey.bad);
  return out;
}

/// Names of the group's samples that are in set `set`.
copies_of_one part_in(std::uint32_t set, const copy_group& group, const opened_set& opened) {
  copies_of_one out;
  std::int64_t first_label = -1;
  for (const auto& each : group) {
    if (each.set != set)
      continue;
    const auto label = opened.data->label(each.id);
    if (out.names.empty())
      first_label = label;
    out.differ_in_class = out.differ_in_class || label != first_label;
    out.names.push_back(opened.data->sample_name(each.id));
  }
  return out;
}

void note_copies(const std::vector<copy_group>& groups, const std::vector<opened_set>& sets, data_report& out) {
  for (const auto& group : groups) {
    std::vector<copies_of_one> parts;
    for (std::uint32_t set = 0; set < sets.size(); ++set)
      parts.push_back(part_in(set, group, sets[set]));
    if (sets.size() == 2 && !parts[0].names.empty() && !parts[1].names.empty())
      out.leaks.push_back({parts[0].names, parts[1].names});
    for (std::size_t set = 0; set < sets.size(); ++set)
      if (parts[set].names.size() > 1)
        out.sets[set].copies.push_back(std::move(parts[set]));
  }
}

work_force force_for(const report_order& order, std::string_view what, std::uint64_t total) {
  if (!order.progress)
    return {order.num_threads, {}};
  return {order.num_threads, [&order, what, total](std::uint64_t done) { order.progress(what, done, total); }};
}

} // namespace

bool data_report::too_many_bad() const noexcept {
  return std::any_of(sets.begin(), sets.end(), [](const set_report& set) { return set.too_many_bad; });
}

data_report report_on(const std::vector<opened_set>& sets, const run_config& config, const report_order& order) {
  data_report out;
  std::vector<sample_survey> surveys;
  for (const auto& set : sets) {
    const auto all = set.data->num_samples();
    const auto num_samples = order.limit == 0 ? all : std::min(order.limit, all);
    surveys.push_back(survey_samples(*set.data, *set.transforms, {num_samples, config.data.decode, surveys.empty()},
                                     force_for(order, set.name, num_samples)));
  }
  for (std::size_t i = 0; i < sets.size(); ++i)
    out.sets.push_back(sum_up(sets[i], surveys[i], config.pipeline));
  out.channels = sum_up_channels(surveys.front().moments);
  std::vector<surveyed_set> surveyed;
  for (std::size_t i = 0; i < sets.size(); ++i)
    surveyed.push_back({sets[i].data.get(), &surveys[i]});
  note_copies(find_copies(surveyed, {order.num_threads, {}}), sets, out);
  out.cost = measure_pipeline(*sets.front().data, *sets.front().transforms, config, order.num_cores);
  return out;
}

} // namespace troupe
