/// A folder of a test's own, gone when the test is.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>

namespace troupe {

class scratch_folder {
public:
  scratch_folder() {
    auto pattern = (std::filesystem::temp_directory_path() / "troupe-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr)
      throw std::runtime_error("cannot make a folder like " + pattern);
    path_ = pattern;
  }
  scratch_folder(const scratch_folder&) = delete;
  scratch_folder& operator=(const scratch_folder&) = delete;
  ~scratch_folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  [[nodiscard]] const std::string& path() const noexcept { return path_; }
  [[nodiscard]] std::string operator/(std::string_view name) const { return path_ + "/" + std::string{name}; }

private:
  std::string path_;
};

[[nodiscard]] inline std::string bytes_of(const std::string& path) {
  std::ifstream in{path, std::ios::binary};
  return {std::istreambuf_iterator<char>{in}, {}};
}

/// Puts a file with these bytes at `path`, or in its place.
inline void put_file(const std::string& path, std::string_view bytes) {
  std::filesystem::remove(path); // Some file systems wait for the device when a file is emptied and written again.
  std::ofstream{path, std::ios::binary} << bytes;
}

} // namespace troupe
