/// Which samples does the network find hardest? After each epoch the worst are written to hard_examples.csv in the run's
/// folder, where wrong labels show first. And they can be drawn more often: `boost` times as often, for the worst `share`.
///
/// It hears of every step, so it is a listener: {pipeline: {stages: [{hard_examples: {top: 20, boost: 2, share: 0.1}}]}}
#include "actors/plugin.hpp"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <numeric>
#include <sstream>
#include <stdexcept>

using namespace troupe;

namespace {

struct score {
  float loss = -1; // Below 0: not seen yet.
  std::int32_t label = 0;
  std::int32_t predicted = 0;
};

struct hard_state {
  static inline const char* name = "hard_examples";
  std::vector<score> scores; // By sample: the last one.
  std::string rows;          // Of the file, so far.
};

/// Up to `num` samples that were seen, by loss, the largest first; of equal ones the first in the data set.
std::vector<std::size_t> hardest(const std::vector<score>& scores, double num) {
  std::vector<std::size_t> ids(scores.size());
  std::iota(ids.begin(), ids.end(), std::size_t{0});
  std::erase_if(ids, [&](auto id) { return !(scores[id].loss >= 0); }); // Nor what is no number.
  std::stable_sort(ids.begin(), ids.end(), [&](auto a, auto b) { return scores[a].loss > scores[b].loss; });
  ids.resize(std::min(ids.size(), static_cast<std::size_t>(num)));
  return ids;
}

void write_file(const listener_role& role, const std::string& rows) {
  std::ofstream file(role.folder + "/hard_examples.csv");
  if (!(file << "id,label,predicted,loss,epoch\n" << rows << std::flush))
    throw std::runtime_error("cannot write hard_examples.csv"); // Told to the user; training goes on.
}

void hear(hard_state& state, const listener_role& role, const step_report& report) {
  for (const auto& x : report.samples)
    state.scores.at(x.id) = {x.loss, static_cast<std::int32_t>(x.label), static_cast<std::int32_t>(x.predicted)};
  if (!report.step.last_in_epoch)
    return;
  std::ostringstream rows;
  for (const auto id : hardest(state.scores, static_cast<double>(role.values.whole("top")))) {
    const auto& x = state.scores[id];
    rows << id << ',' << x.label << ',' << x.predicted << ',' << std::to_string(x.loss) << ',' << report.step.epoch
         << '\n';
  }
  state.rows += rows.str();
  write_file(role, state.rows);
}

sampling_answer weights(const hard_state& state, const listener_role& role) {
  const auto boost = static_cast<float>(role.values.number("boost"));
  if (boost == 1)
    return {}; // As before.
  std::vector<float> by_id(state.scores.size(), 1);
  for (const auto id : hardest(state.scores, role.values.number("share") * static_cast<double>(by_id.size())))
    by_id[id] = boost;
  return {std::make_shared<const std::vector<float>>(std::move(by_id))};
}

/// All that is remembered goes into every checkpoint: so a resumed run is exact, and no row comes twice.
std::string kept_of(hard_state& state) {
  const auto scores = std::as_bytes(std::span(state.scores));
  return std::string(reinterpret_cast<const char*>(scores.data()), scores.size()) + state.rows;
}
void restore(hard_state& state, const std::string& kept) {
  const auto scores = std::as_writable_bytes(std::span(state.scores));
  if (kept.size() < scores.size())
    throw std::invalid_argument("what it kept is of another data set");
  std::memcpy(scores.data(), kept.data(), scores.size());
  state.rows = kept.substr(scores.size());
}

listener_actor::behavior_type hard_examples(plugin_pointer<listener_actor, hard_state> self, listener_role role) {
  auto& state = self->state;
  state.scores.resize(role.num_samples);
  if (!role.kept.empty())
    restore(state, role.kept);
  write_file(role, state.rows);
  return {[&state, role](const step_report_ptr& report) { hear(state, role, *report); },
          [](const validation_report&) {}, [&state, role](weigh_atom, std::uint64_t) { return weights(state, role); },
          [&state](keep_atom) { return kept_state{kept_of(state)}; },
          [](status_atom) {
            return actor_status{"listens", 0, true};
          }};
}

} // namespace

TROUPE_PLUGIN(hard_examples, "1.0") {
  plugin.listener<hard_state>("hard_examples", "Finds the samples with the largest loss.",
                              {.how_many = instances::ordered, .weighs = true},
                              {param::whole("top", 20, 0, 100000, "Samples to write per epoch."),
                               param::number("boost", 1, 0.01, 100, "How often the worst are drawn; 1: as all others."),
                               param::number("share", 0.1, 0, 1, "Share of the samples that are the worst.")},
                              hard_examples);
}
