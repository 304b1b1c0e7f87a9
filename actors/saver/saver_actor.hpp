/// The saver's actor.
#pragma once

#include "actors/glue/traced.hpp"
#include "actors/saver/saver_config.hpp"
#include "messages/logger_protocol.hpp"
#include "messages/saver_protocol.hpp"
#include "messages/supervisor_protocol.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace troupe {

class checkpoint_keeper;

/// What one saver needs to know.
struct saver_setup {
  saver_config config;
  std::string config_yaml; ///< The resolved config, stored in every checkpoint.
  std::vector<std::string> classes;
  std::map<std::string, std::string> notes; ///< Stored in every checkpoint; those resumed from bring back the best.
  std::string resumed_from;                 ///< Name of a checkpoint that is never deleted; empty: none.
  logger_actor logger;
  supervisor_actor supervisor;
};

struct saver_state {
  static inline const char* name = "saver";
  saver_setup setup;
  std::unique_ptr<checkpoint_keeper> keeper;
  std::optional<snapshot_ptr> waiting; ///< Not begun; a newer one takes its place.
  snapshot_ptr to_retry;               ///< The newest asked for, if it could not be written.
  std::uint64_t newest_asked = 0;      ///< Version of the newest snapshot with training state.
  checkpoint_counts counts;

  saver_state();
  ~saver_state();
};

/// Runs detached: it waits for disks.
saver_actor::behavior_type saver(traced_pointer<saver_actor, saver_state> self, saver_setup setup);

} // namespace troupe
