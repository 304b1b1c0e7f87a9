#include "app/trace_tools/story/run_names.hpp"

#include "app/trace_tools/analysis/actor_role.hpp"

#include <algorithm>

namespace troupe {

run_names::run_names(const recorded_process& process) {
  const auto find = [&process](std::string_view name) {
    const auto found = std::find(process.names.begin(), process.names.end(), name);
    return found == process.names.end() ? no_name : static_cast<std::uint32_t>(found - process.names.begin());
  };
  trainer = find("trainer");
  saver = find("saver");
  logger = find("logger");
  validator = find("validator");
  chunk_wanted = find("chunk_wanted");
  chunk_read = find("chunk_read");
  chunk_ready = find("chunk_ready");
  slice_filled = find("slice_filled");
  chunk_done = find("chunk_done");
  batch_ready = find("batch_ready");
  step_completed = find("step_completed");
  snapshot = find("snapshot");
  snapshot_judged = find("snapshot_judged");
  validation_report = find("validation_report");
  durable = find("checkpoint durable");
  failed = find("checkpoint failed");
  superseded = find("checkpoint superseded");
  loss = find("loss");
  learning_rate = find("learning rate");
  top1 = find("top1");
  validation_loss = find("validation loss");
  waits_for_first_batch = find("waits for first batch");
  waits_for_batch = find("waits for batch");
  trains = find("trains");
  for (const auto& name : process.names)
    of_validation_.push_back(name == "validator" || role_of(name).in_validation);
}

} // namespace troupe
