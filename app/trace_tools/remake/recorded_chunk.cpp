#include "app/trace_tools/remake/recorded_chunk.hpp"

#include "app/trace_tools/analysis/actor_role.hpp"

#include <algorithm>
#include <optional>

namespace troupe {

namespace {

struct found_message {
  std::optional<trace_record> record;
  std::vector<recorded_sample> samples;
};

found_message find_in(const recorded_process& process, std::uint64_t message) {
  found_message out;
  visit_records(process, [&](const trace_record& record) {
    if (record.message != message)
      return;
    if (record.kind == trace_kind::message)
      out.record = record;
    else if (record.kind == trace_kind::sample)
      out.samples.push_back(to_sample(record));
  });
  std::sort(out.samples.begin(), out.samples.end(), [](const auto& a, const auto& b) { return a.slot < b.slot; });
  return out;
}

failure not_there(const recorded_trace& trace, std::uint64_t message) {
  const bool full = std::all_of(trace.processes.begin(), trace.processes.end(), [](auto& each) { return each.full; });
  return {ec::not_found,
          "message " + std::to_string(message) + ": is not in the trace"
            + (full ? "" : " (only the newest records are kept with trace.mode: flight; set trace.mode: full)")};
}

} // namespace

expected<recorded_chunk> find_chunk(const recorded_trace& trace, std::uint64_t message) {
  for (auto process = trace.processes.rbegin(); process != trace.processes.rend(); ++process) {
    auto found = find_in(*process, message);
    if (!found.record)
      continue;
    const auto& receiver = process->name(found.record->receiver);
    const auto& type = process->name(found.record->name);
    const auto actor = role_of(receiver);
    if (actor.role != "augmenter" || type != "chunk_ready")
      return failure{ec::bad_config, "replay makes augmenter messages (chunk_ready) again; message "
                                       + std::to_string(message) + " is a " + type + " for " + receiver};
    if (!actor.part.empty())
      return failure{ec::unsupported,
                     "message " + std::to_string(message) + " was handled by " + receiver
                       + ", an actor of a plugin: what it does depends on other actors of the run, so it "
                         "cannot be made again outside of one; expected a message of the program's own "
                         "augmenter"};
    return recorded_chunk{&*process, *found.record, receiver, actor.in_validation, std::move(found.samples)};
  }
  return not_there(trace, message);
}

} // namespace troupe
