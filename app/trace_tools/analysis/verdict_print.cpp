#include "app/trace_tools/analysis/verdict.hpp"
#include "app/trace_tools/text/trace_text.hpp"

#include <nlohmann/json.hpp>

#include <ostream>

namespace troupe {

namespace {

/// "41.0 -> 31.0 ms/step"; of a step that is to stay as it is: "41.0 ms/step".
std::string step_text(const verdict& found) {
  const auto now = seconds_text(found.step_seconds) + "/step";
  if (found.expected_step_seconds >= found.step_seconds)
    return now;
  return seconds_text(found.step_seconds) + " -> " + (found.at_best ? "at best " : "")
         + seconds_text(found.expected_step_seconds) + "/step";
}

void print_stages(const verdict& found, std::ostream& out) {
  std::vector<std::vector<std::string>> rows = {{"stage", "actors", "busy", "per step"}};
  for (const auto& load : found.stages)
    rows.push_back(
      {load.stage, count_text(load.num_actors), share_text(load.busy), seconds_text(load.seconds_per_step)});
  out << '\n';
  print_table(rows, 1, out);
}

} // namespace

void print_text(const verdict& found, std::ostream& out) {
  out << "limited by: " << to_string(found.stage) << '\n' << found.finding << '\n';
  if (!found.advice.empty())
    out << "advice: " << found.advice << '\n';
  if (found.num_steps == 0)
    return;
  out << (found.expected_step_seconds < found.step_seconds ? "expected: " : "step: ") << step_text(found) << '\n';
  out << "judged by " << count_text(found.num_steps) << " steps of a process that "
      << (found.state == process_state::finished  ? "finished"
          : found.state == process_state::running ? "still runs"
                                                  : "died")
      << '\n';
  if (!found.stages.empty())
    print_stages(found, out);
}

void print_json(const verdict& found, std::ostream& out) {
  nlohmann::ordered_json result = {{"stage", to_string(found.stage)},
                                   {"code", static_cast<int>(found.stage)},
                                   {"finding", found.finding},
                                   {"advice", found.advice},
                                   {"state", to_string(found.state)},
                                   {"steps", found.num_steps},
                                   {"step_seconds", found.step_seconds},
                                   {"expected_step_seconds", found.expected_step_seconds},
                                   {"at_best", found.at_best},
                                   {"data_wait", found.data_wait},
                                   {"validator_wait", found.validator_wait},
                                   {"after_training", found.after_training},
                                   {"cores_in_use", nullptr},
                                   {"cores", found.num_cores},
                                   {"stages", nlohmann::ordered_json::array()}};
  if (found.cores_in_use)
    result["cores_in_use"] = *found.cores_in_use;
  for (const auto& load : found.stages)
    result["stages"].push_back({{"stage", load.stage},
                                {"actors", load.num_actors},
                                {"busy", load.busy},
                                {"seconds_per_step", load.seconds_per_step}});
  print_json(result, out);
}

} // namespace troupe
