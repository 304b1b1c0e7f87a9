/// What the actors of a run are doing right now, read from the memory of its trace: also when the process hangs.
#pragma once

#include "actors/tracer/recorded_trace.hpp"

#include <cstdint>
#include <iosfwd>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace troupe {

enum class run_condition : std::uint8_t {
  running,
  stopped,  ///< By SIGSTOP or a debugger.
  finished, ///< Ended in order.
  died,
};

[[nodiscard]] const char* to_string(run_condition condition) noexcept;

/// The message that an actor has in hand.
struct top_message {
  std::string type;
  double age_seconds = 0; ///< Since it was taken up.
  trace_ids ids;
};

struct top_actor {
  std::string name;
  std::uint64_t mailbox_depth = 0;
  double busy = 0; ///< Share of the interval that it handled messages, the one in hand included: 0..1.
  double messages_per_second = 0;
  std::optional<top_message> now; ///< None: idle.
};

struct top_view {
  std::string process;
  std::uint64_t pid = 0;
  run_condition condition = run_condition::running;
  double up_seconds = 0;       ///< Since the start.
  double interval_seconds = 0; ///< That the shares and rates are about.
  std::string last_words;      ///< Of a process that died: the signal, the exception.
  std::vector<top_actor> actors;
};

/// The counts of all actors at one moment. Two of them make a view.
struct top_look {
  struct actor {
    std::uint64_t num_messages = 0;
    std::uint64_t busy_ns = 0;
    std::uint64_t mailbox_depth = 0;
    std::optional<top_message> now;
  };
  std::int64_t at_ns = 0;
  std::map<std::string, actor> actors; ///< By name: actors of the same name add up.
};

/// @param now_ns On the clock of the records, that of this machine.
[[nodiscard]] top_look look_at(const trace_map& map, std::int64_t now_ns);

/// What happened from one look to the next.
[[nodiscard]] top_view view_between(const top_look& before, const top_look& after);

/// The whole life of a process that has ended: shares and rates over all of it, and what was in hand at the end.
[[nodiscard]] top_view view_of_end(const recorded_process& process);

/// The memory of the newest process of `folder` (`<run>/trace`) that is still there. `not_found` if all have ended.
[[nodiscard]] expected<std::shared_ptr<trace_map>> find_live_map(const std::string& folder);

/// Whether the process of a mapping runs; `died` if it is gone, however it went.
[[nodiscard]] run_condition condition_of(const trace_map& map);

/// Fills in which process it is and what `condition_of` says.
void describe_process(const trace_map& map, std::int64_t now_ns, top_view& view);

void print_text(const top_view& view, std::ostream& out);
void print_json(const top_view& view, std::ostream& out);

} // namespace troupe
