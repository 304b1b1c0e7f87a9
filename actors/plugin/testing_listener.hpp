/// Tells a plugin's listener how a run goes.
#pragma once

#include "actors/plugin/testing_company.hpp"
#include "actors/plugin/testing_values.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace troupe::testing {

/// What a listener is told when it is made.
struct listener_setup {
  std::string folder = {}; ///< The run folder.
  std::vector<std::string> class_names = {};
  std::uint64_t num_samples = 0;
  std::uint64_t seed = 1;
  std::string kept = {}; ///< What `keep` gave, if this is a resumed run.
  std::uint64_t resumed_step = 0;
  plugin_policy on_failure = plugin_policy::skip;
};

/// One listener, and a run that the test makes up:
///
///     listener_bench bench(offered(mine.actors.listeners, "hard_examples"), {{"top", 3}}, {folder.path(), {}, 10});
///     bench.step(1, 0, {{.id = 7, .label = 1, .predicted = 2, .loss = 3.5f}}, true);
///     const auto weights = bench.weigh(0);
///
/// Throws std::runtime_error where the listener answers by an error, with its text.
class listener_bench {
public:
  listener_bench(const listener_kind& kind, const settings& given, const listener_setup& setup);

  /// A training step is done. `epoch`: 0-based.
  void step(std::uint64_t number, std::uint64_t epoch, std::vector<sample_score> samples, bool last_in_epoch = false);
  void step(step_report report);
  void validation(const validation_report& report);

  /// Asks how samples are to be drawn from `epoch` + 2 on. Null: as before.
  [[nodiscard]] std::shared_ptr<const std::vector<float>> weigh(std::uint64_t epoch);
  /// Asks for what has to be remembered.
  [[nodiscard]] std::string keep();
  [[nodiscard]] actor_status status();

  // What it has said, and thrown.
  [[nodiscard]] const std::vector<notice>& notices() { return people_.memory().notices; }
  [[nodiscard]] const std::vector<end_wanted>& ends() { return people_.memory().ends; }
  [[nodiscard]] const std::vector<plugin_failure>& failures() { return people_.memory().failures; }

private:
  company people_;
  listener_actor listener_;
};

} // namespace troupe::testing
