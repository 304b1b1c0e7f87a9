#include "app/trace_tools/story/lost_messages.hpp"

#include "app/trace_tools/analysis/actor_role.hpp"

#include <algorithm>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>

namespace troupe {

namespace {

/// Messages, or other records, of one kind as the counts tell.
struct tally {
  std::uint64_t total = 0;
  std::uint64_t handled = 0;

  [[nodiscard]] std::uint64_t lost() const noexcept { return total - handled; }
};

using row_condition = std::function<bool(const actor_role& sender, const actor_role& receiver)>;

tally count(const recorded_process& process, trace_kind kind, std::string_view name, const row_condition& condition) {
  tally found;
  for (const auto& [key, stats] : process.stats) {
    if (key.kind != kind || process.name(key.type) != name
        || !condition(role_of(process.name(key.sender)), role_of(process.name(key.receiver))))
      continue;
    found.total += stats.count();
    found.handled += stats.outcomes[static_cast<std::size_t>(trace_outcome::handled)];
  }
  return found;
}

row_condition from(std::string role, bool in_validation) {
  return [role = std::move(role), in_validation](const actor_role& sender, const actor_role&) {
    return sender.role == role && sender.in_validation == in_validation;
  };
}

row_condition to(std::string role, bool in_validation = false) {
  return [role = std::move(role), in_validation](const actor_role&, const actor_role& receiver) {
    return receiver.role == role && receiver.in_validation == in_validation;
  };
}

std::string text(std::uint64_t number) {
  return std::to_string(number);
}

/// While a process is at work, the rest may be under way.
void allow_under_way(const recorded_process& process, book_check& check) {
  if (check.adds_up || process.state == process_state::finished)
    return;
  check.adds_up = true;
  check.note = "the rest was under way when the process was last heard of";
}

void check_chunks(const recorded_process& process, std::size_t index, bool in_validation,
                  std::vector<book_check>& out) {
  const std::string pipeline = in_validation ? "validation " : "";
  const auto given = count(process, trace_kind::message, "chunk_ready", to("augmenter", in_validation));
  if (given.total == 0)
    return;
  const auto done = count(process, trace_kind::message, "chunk_done", from("augmenter", in_validation));
  const auto slices = count(process, trace_kind::message, "slice_filled", from("augmenter", in_validation));
  book_check chunks{index,
                    pipeline + "chunks handed to augmenters = told done + not handled",
                    text(given.total) + " = " + text(done.total) + " + " + text(given.lost()),
                    given.total == done.total + given.lost(),
                    {}};
  allow_under_way(process, chunks);
  out.push_back(std::move(chunks));
  book_check filled{index,
                    pipeline + "slices filled = chunks handled",
                    text(slices.total) + " = " + text(given.handled),
                    slices.total == given.handled,
                    {}};
  allow_under_way(process, filled);
  out.push_back(std::move(filled));
}

/// What the trainer was handed against what it says that it trained on. Once it was told to stop, it gives back what still
/// comes; a batch before one that it trained on is never given back.
void check_batches(const recorded_process& process, std::size_t index, std::vector<book_check>& out) {
  const auto taken = count(process, trace_kind::message, "batch_ready", to("trainer"));
  const auto trained = count(process, trace_kind::span, "trains", to("trainer")).total;
  if (taken.total == 0 && trained == 0)
    return;
  const auto rest = taken.handled - std::min(taken.handled, trained);
  const auto stopped = count(process, trace_kind::message, "stop_training", to("trainer")).handled > 0;
  book_check check{index,
                   "batches handed to the trainer = trained on + given back + not handled",
                   text(taken.total) + " = " + text(trained) + " + " + text(stopped ? rest : 0) + " + "
                     + text(taken.lost()),
                   trained <= taken.handled && (rest == 0 || stopped),
                   {}};
  allow_under_way(process, check);
  out.push_back(std::move(check));
}

/// The saver writes what the trainer asks for, and may be asked by the validator: for what it judged best, or did not
/// get to judge. One that failed may be written after all: it has two marks.
void check_checkpoints(const recorded_process& process, std::size_t index, std::vector<book_check>& out) {
  const auto marks = [&](std::string_view name) { return count(process, trace_kind::mark, name, to("saver")).total; };
  const auto by = [&](const std::string& sender, std::string_view type) {
    return count(
             process, trace_kind::message, type,
             [&](const actor_role& who, const actor_role& whom) { return who.role == sender && whom.role == "saver"; })
      .handled;
  };
  const auto asked = by("trainer", "snapshot");
  const auto maybe = by("validator", "snapshot") + by("validator", "validation_report");
  const auto durable = marks("checkpoint durable");
  const auto superseded = marks("checkpoint superseded");
  const auto failed = marks("checkpoint failed");
  if (asked + maybe + durable + superseded + failed == 0)
    return;
  const auto settled = durable + superseded + failed;
  book_check check{index,
                   "snapshots that the trainer asked to save + others = durable + superseded + failed",
                   text(asked) + " + " + text(settled - std::min(settled, asked)) + " = " + text(durable) + " + "
                     + text(superseded) + " + " + text(failed),
                   settled >= asked && settled <= asked + maybe + failed,
                   {}};
  if (check.adds_up && settled > asked)
    check.note = "others: the validator's best or unjudged ones, or a second try";
  allow_under_way(process, check);
  out.push_back(std::move(check));
}

} // namespace

std::optional<run_books> read_books(const std::string& run_folder) {
  std::ifstream in{run_folder + "/summary.json", std::ios::binary};
  const auto document = nlohmann::json::parse(in, nullptr, false);
  const auto number = [&](const char* key) -> std::optional<std::uint64_t> {
    if (!document.is_object() || !document.contains(key) || !document[key].is_number_unsigned())
      return std::nullopt;
    return document[key].get<std::uint64_t>();
  };
  const auto trained = number("samples_trained");
  const auto skipped = number("samples_skipped");
  return trained && skipped ? std::optional{run_books{*trained, *skipped}} : std::nullopt;
}

std::vector<book_check> check_books(const recorded_trace& trace, const std::optional<run_books>& books) {
  std::vector<book_check> checks;
  for (std::size_t i = 0; i < trace.processes.size(); ++i) {
    const auto& process = trace.processes[i];
    for (const bool in_validation : {false, true})
      check_chunks(process, i, in_validation, checks);
    check_batches(process, i, checks);
    check_checkpoints(process, i, checks);
  }
  if (books)
    check_samples(trace, *books, checks);
  return checks;
}

} // namespace troupe
