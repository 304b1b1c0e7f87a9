/// Files and folders to make data sets of, and what tests ask of data sets.
#pragma once

#include "actors/loader/datasets/dataset.hpp"
#include "tests/support/scratch_folder.hpp"

#include <filesystem>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/doctest.hpp"

namespace troupe::testing {

/// Writes a file, and the folders above it.
inline std::string add_file(const scratch_folder& folder, const std::string& name, std::string_view bytes = "image") {
  const auto path = folder / name;
  std::filesystem::create_directories(std::filesystem::path(path).parent_path());
  put_file(path, bytes);
  return path;
}

inline std::string text_of(const encoded_sample& sample) {
  return {reinterpret_cast<const char*>(sample.bytes.data()), sample.bytes.size()};
}

inline std::vector<std::int64_t> labels_of(const dataset& data) {
  std::vector<std::int64_t> out;
  for (std::uint64_t id = 0; id < data.num_samples(); ++id)
    out.push_back(data.label(id));
  return out;
}

/// Returns the names of all samples, without `root` and the slash behind it.
inline std::vector<std::string> names_of(const dataset& data, const std::string& root) {
  std::vector<std::string> out;
  for (std::uint64_t id = 0; id < data.num_samples(); ++id)
    out.push_back(data.sample_name(id).substr(root.size() + 1));
  return out;
}

template <class T>
void check_failed(const expected<T>& result, ec code, std::initializer_list<std::string_view> parts) {
  REQUIRE_FALSE(result);
  const auto& text = result.error().context;
  CAPTURE(text);
  CHECK(result.error().code == code);
  for (auto part : parts) {
    CAPTURE(part);
    CHECK(text.find(part) != std::string::npos);
  }
}

template <class T>
T take(expected<T> result) {
  REQUIRE_MESSAGE(result, (result ? std::string() : result.error().context));
  return std::move(*result);
}

} // namespace troupe::testing
