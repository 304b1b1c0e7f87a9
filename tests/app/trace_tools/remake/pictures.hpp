/// A folder of image files in classes, made for a test.
#pragma once

#include "tests/app/data_report/memory_dataset.hpp"
#include "tests/support/scratch_folder.hpp"

#include <filesystem>
#include <string>

namespace troupe::test {

/// Puts `count` pictures into each of `<root>/cat` and `<root>/dog`: 00.ppm, 01.ppm ...
inline void put_pictures(const std::string& root, unsigned count) {
  for (const std::string folder : {"cat", "dog"}) {
    std::filesystem::create_directories(root + "/" + folder);
    for (unsigned i = 0; i < count; ++i)
      put_file(root + "/" + folder + "/" + (i < 10 ? "0" : "") + std::to_string(i) + ".ppm",
               noisy_ppm(10, 9, i + (folder == "cat" ? 0 : 100)));
  }
}

/// A config for them: batches of 8, crops and flips.
inline std::string picture_config(const std::string& root, const std::string& more = "") {
  return "data: {train: {dataset: image_folder, root: " + root
         + "}}, train: {epochs: 2}, transforms: {train: [{resize: {size: [8, 8]}}, {random_crop: {size: 8, padding: "
           "2}}, "
           "{random_horizontal_flip: {p: 0.5}}, {normalize: {mean: [0.5], std: [0.5]}}]}"
         + (more.empty() ? ", pipeline: {batch_size: 8}" : ", " + more);
}

} // namespace troupe::test
