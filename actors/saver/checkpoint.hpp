/// Writes and reads one checkpoint: a folder that is there with all that belongs to it, verified, or not at all.
#pragma once

#include "actors/saver/checkpoint_folder.hpp"
#include "actors/support/expected.hpp"
#include "messages/snapshot.hpp"

#include <chrono>
#include <map>
#include <string>
#include <vector>

namespace troupe {

/// What a run stores beside the snapshot.
struct checkpoint_extra {
  std::string config_yaml;                  ///< The resolved config, byte for byte.
  std::vector<std::string> classes;         ///< Names in the order of their indices; none may hold a line break.
  std::map<std::string, std::string> notes; ///< Whatever must survive a resume, such as the best metric so far.
};

/// Writes the snapshot to `folder`, which must exist, and returns when it is durable: all files and folders synced, the
/// name final. It is not linked to yet (see `publish_link`). `nonfinite` if a weight or a number of the optimizer is
/// NaN or infinite; `mismatch` for texts and tensors that the formats cannot hold; else what the file system says.
/// After a failure nothing of it is visible. Safe to call from several threads for snapshots of different versions.
expected<checkpoint_entry> write_checkpoint(const std::string& folder, const snapshot& state,
                                            const checkpoint_extra& extra, std::chrono::system_clock::time_point now);

struct loaded_checkpoint {
  checkpoint_entry entry;
  snapshot state; ///< Tensors in their original order, each with memory of its own.
  checkpoint_extra extra;
};

/// Reads the checkpoint at `path` (a link will do) if every file has the size and the checksum that the manifest says.
/// `not_found` if there is nothing at `path`; `corrupt` if anything does not verify.
expected<loaded_checkpoint> load_checkpoint(const std::string& path);

/// Reads the newest checkpoint in `folder` that has training state and verifies. Each one passed over for not verifying
/// adds a sentence to `warnings`. `not_found`: none with training state was ever finished here. `corrupt`: there are
/// some and none verifies; starting afresh would throw a run away, so somebody must look.
expected<loaded_checkpoint> load_newest(const std::string& folder, std::vector<std::string>* warnings);

} // namespace troupe
