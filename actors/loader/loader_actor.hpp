/// The loader's actor: opens the data set, hands chunks to whichever augmenter asks.
#pragma once

#include "actors/glue/traced.hpp"
#include "actors/loader/loader_config.hpp"
#include "messages/collator_protocol.hpp"
#include "messages/loader_protocol.hpp"
#include "messages/supervisor_protocol.hpp"

#include <caf/actor_addr.hpp>

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace troupe {

class chunk_dispatcher;
class dataset;
class pixel_cache;

/// What one loader needs to know.
struct loader_setup {
  loader_config config;
  std::string name = "loader"; ///< In the trace and in errors.
  supervisor_actor supervisor; ///< Hears of every bad sample.
  // How samples are drawn; of no account without `config.shuffle`.
  bool sampling_changes = false;             ///< Somebody will tell for each epoch (`sampling_settled`).
  std::vector<sample_weights> sampling = {}; ///< What is settled already.
};

struct loader_state {
  static inline const char* name = "loader";
  loader_setup setup;
  std::shared_ptr<const dataset> data;
  std::shared_ptr<pixel_cache> cache; ///< Null: nothing is cached.
  std::string cache_notice;           ///< What the user should know of it; empty: nothing.
  std::unique_ptr<chunk_dispatcher> chunks;
  std::deque<augmenter_actor> idle;
  std::deque<reader_actor> idle_readers;
  /// What each reader was last given (batch, position); none: it is idle.
  std::map<caf::actor_addr, std::optional<std::pair<std::uint64_t, std::uint64_t>>> reading;
  std::deque<reader_actor> readers; ///< All that are known; the next to read what another actor wants in front.
  collator_actor collator;          ///< Null until the flow is complete.
  std::uint64_t chunks_done = 0;

  loader_state();
  ~loader_state();
};

/// Runs detached: it reads files.
loader_actor::behavior_type loader(traced_pointer<loader_actor, loader_state> self, loader_setup setup);

} // namespace troupe
