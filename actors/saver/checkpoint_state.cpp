#include "actors/saver/checkpoint_state.hpp"

#include "actors/saver/exact_number.hpp"
#include "actors/saver/json_fields.hpp"

#include <nlohmann/json.hpp>

namespace troupe {

namespace {

using nlohmann::json;

json names_of(const std::vector<named_tensor>& tensors) {
  auto result = json::array();
  for (auto& x : tensors)
    result.push_back(x.name);
  return result;
}

json json_of(const std::vector<bad_sample>& samples) {
  auto result = json::array();
  for (auto& x : samples)
    result.push_back({{"id", x.id}, {"epoch", x.epoch}, {"stage", x.stage}, {"reason", x.reason}});
  return result;
}

// As text, since JSON has no infinity and no NaN.
json texts_of(const std::map<std::string, double>& numbers) {
  auto result = json::object();
  for (auto& [name, x] : numbers)
    result[name] = exact_text(x);
  return result;
}

std::map<std::string, double> numbers_at(const json& object, const char* key) {
  std::map<std::string, double> result;
  for (auto& [name, text] : object.at(key).items()) {
    auto x = exact_number(text.get<std::string>());
    if (!x)
      throw json::other_error::create(501, "'" + name + "' is not a number", &text);
    result[name] = *x;
  }
  return result;
}

std::map<std::string, std::int64_t> counters_at(const json& object, const char* key) {
  std::map<std::string, std::int64_t> result;
  for (auto& [name, x] : object.at(key).items()) {
    if (!x.is_number_integer())
      throw json::type_error::create(302, "'" + name + "' is not a whole number", &x);
    result[name] = x.get<std::int64_t>();
  }
  return result;
}

} // namespace

expected<std::string> to_json(const snapshot& state, const std::map<std::string, std::string>& notes) try {
  json result{{"tag", tag_json(state.tag)},
              {"has_training_state", state.has_training_state},
              {"next",
               {{"epoch", state.next.epoch},
                {"batch", state.next.batch},
                {"taken", state.next.taken},
                {"given", state.next.given}}},
              {"bad_samples", json_of(state.bad_samples)},
              {"batches_trained", state.batches_trained},
              {"samples_trained", state.samples_trained},
              {"samples_skipped", state.samples_skipped},
              {"sums", texts_of(state.sums)},
              {"optimizer_counters", json(state.optimizer_counters)},
              {"weights", names_of(state.weights)},
              {"optimizer_state", state.has_training_state ? names_of(state.optimizer_state) : json::array()},
              {"notes", json(notes)}};
  if (!state.attachments.empty())
    result["attachments"] = names_of(state.attachments);
  return result.dump(2) + "\n";
} catch (const json::exception& error) {
  return failure{ec::mismatch, std::string{"a name or a note is not UTF-8: "} + error.what()};
}

expected<checkpoint_state> parse_state(std::string_view text) try {
  auto x = json::parse(text);
  checkpoint_state result;
  result.counters.tag = tag_at(x, "tag");
  result.counters.has_training_state = bool_at(x, "has_training_state");
  const auto& next = x.at("next");
  result.counters.next = {unsigned_at(next, "epoch"), unsigned_at(next, "batch"), unsigned_at(next, "taken"),
                          unsigned_at(next, "given")};
  for (const auto& bad : x.at("bad_samples"))
    result.counters.bad_samples.push_back({unsigned_at(bad, "id"),
                                           0,
                                           {},
                                           bad.at("reason").get<std::string>(),
                                           bad.at("stage").get<std::string>(),
                                           unsigned_at(bad, "epoch")});
  result.counters.batches_trained = unsigned_at(x, "batches_trained");
  result.counters.samples_trained = unsigned_at(x, "samples_trained");
  result.counters.samples_skipped = unsigned_at(x, "samples_skipped");
  result.counters.sums = numbers_at(x, "sums");
  result.counters.optimizer_counters = counters_at(x, "optimizer_counters");
  x.at("weights").get_to(result.weights);
  x.at("optimizer_state").get_to(result.optimizer_state);
  if (x.contains("attachments"))
    x.at("attachments").get_to(result.attachments);
  x.at("notes").get_to(result.notes);
  return result;
} catch (const json::exception& error) {
  return failure{ec::corrupt, error.what()};
}

} // namespace troupe
