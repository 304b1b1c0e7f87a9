/// Made-up surroundings of a run: a folder and a validation.
#pragma once

#include "messages/metric.hpp"

#include <string>

namespace troupe {

/// A run folder in the system's folder for temporary files, gone at the end. Making it throws std::runtime_error.
class check_folder {
public:
  check_folder();
  check_folder(const check_folder&) = delete;
  check_folder& operator=(const check_folder&) = delete;
  ~check_folder();

  [[nodiscard]] const std::string& path() const noexcept { return path_; }

private:
  std::string path_;
};

/// Of two classes, after step 2.
[[nodiscard]] validation_report made_up_validation();

} // namespace troupe
