#include "app/plugins/check_folder.hpp"

#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <utility>

namespace troupe {

check_folder::check_folder() {
  auto pattern = (std::filesystem::temp_directory_path() / "troupe-check-XXXXXX").string();
  if (::mkdtemp(pattern.data()) == nullptr)
    throw std::runtime_error("no temporary folder can be made: " + pattern);
  path_ = std::move(pattern);
}

check_folder::~check_folder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

validation_report made_up_validation() {
  auto judged = std::make_shared<snapshot>();
  judged->tag = {"check", 1, 2, 1};
  validation_report x;
  x.snapshot = std::move(judged);
  x.num_samples = 100;
  x.loss = 1.5;
  x.top1 = 0.5;
  x.topk = 0.9;
  x.k = 2;
  x.confusion = {30, 20, 30, 20};
  x.class_accuracy = {0.6, 0.4};
  x.seconds = 1;
  return x;
}

} // namespace troupe
