/// Which images a tar archive holds, with their labels, and where.
#pragma once

#include "actors/loader/datasets/path_list.hpp"
#include "actors/support/expected.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace troupe {

/// Members that are no part of a sample.
struct tar_leftovers {
  std::uint64_t count = 0;
  std::string example; ///< The first.

  void add(const std::string& name) {
    if (count++ == 0)
      example = name;
  }
};

/// The samples of one archive, in its order.
struct tar_index {
  path_list images;                   ///< Names of the members.
  std::vector<std::uint64_t> offsets; ///< Of each image's first byte, in the archive; or in `inflated`.
  std::vector<std::uint64_t> sizes;   ///< Bytes of each image.
  path_list labels;                   ///< As the archive spells them.
  std::shared_ptr<const std::vector<std::byte>> inflated; ///< All images, if the archive is compressed; else null.

  tar_leftovers images_alone; ///< Images without a label.
  tar_leftovers labels_alone; ///< Labels without an image.
  tar_leftovers others;       ///< Files that are neither, or a second image.
};

/// Returns the index of an archive that follows the convention of WebDataset: members with the same path up to the first
/// dot of the name are one sample, the rest of the name says what each is: an image (`is_image_name`), `cls` (a text: class
/// id or name) or `json` (an object with the key label, cls or class). Formats: ustar, pax, GNU, plain or gzip.
/// Reads all of it once if it is compressed, else the headers and labels. The images of a compressed archive are kept in
/// memory. Errors name path and offset: not_found, io_error, bad_data for what is no tar, breaks off or has a label that
/// is none; unsupported if the images would take more than `max_inflated_bytes`.
[[nodiscard]] expected<tar_index> read_tar_index(const std::string& path, std::uint64_t max_inflated_bytes);

} // namespace troupe
