#include "actors/loader/datasets/class_folder_scan.hpp"

#include "actors/loader/datasets/file_names.hpp"
#include "actors/loader/datasets/folder_reader.hpp"

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

namespace troupe {

namespace {

class class_scanner {
public:
  class_scanner(const std::string& root, folder_identity root_identity) : root_(root), visited_{root_identity} {}

  expected<class_scan> scan(const std::string& name) {
    // Folders first and links behind them, in order: which of several ways leads to a folder is not left to chance.
    std::vector<std::string> round{name};
    while (!round.empty()) {
      for (const auto& start : round)
        if (auto ok = scan_tree(start); !ok)
          return ok.error();
      round = std::exchange(links_, {});
      std::sort(round.begin(), round.end());
    }
    sort_files();
    return std::move(out_);
  }

private:
  expected<void> scan_tree(const std::string& start) {
    std::vector<std::string> waiting{start};
    while (!waiting.empty()) {
      const auto path = std::exchange(waiting.back(), {});
      waiting.pop_back();
      if (auto ok = scan_folder(path, waiting); !ok)
        return ok;
    }
    return {};
  }

  expected<void> scan_folder(const std::string& path, std::vector<std::string>& inner) {
    auto folder = folder_reader::open(root_ + "/" + path);
    if (!folder)
      return folder.error();
    if (!visited_.insert(identity_of(folder->about())).second) {
      tally(passed_by::known_folder).add(path);
      return {};
    }
    out_.folders.push_back({path, mtime_ns_of(folder->about())});
    const auto prefix = path + "/";
    for (;;) {
      auto entry = folder->next();
      if (!entry)
        return entry.error();
      if (*entry == nullptr)
        return {};
      add_entry(*folder, **entry, prefix, inner);
    }
  }

  void add_entry(const folder_reader& folder, const dirent& entry, const std::string& prefix,
                 std::vector<std::string>& inner) {
    const char* name = entry.d_name;
    if (is_clutter(name))
      return tally(passed_by::clutter).add(prefix + name);
    const bool image = is_image_name(name);
    if (!image && entry.d_type == DT_REG) // Most of all other files: not worth a system call.
      return tally(passed_by::not_an_image).add(prefix + name);
    if (entry.d_type == DT_DIR)
      return inner.push_back(prefix + name);
    const auto about = folder.about(name);
    if (!about)
      return tally(passed_by::dead_link).add(prefix + name);
    if (S_ISDIR(about->st_mode))
      return (entry.d_type == DT_UNKNOWN ? inner : links_).push_back(prefix + name);
    if (!image)
      return tally(passed_by::not_an_image).add(prefix + name);
    if (!S_ISREG(about->st_mode))
      return tally(passed_by::not_a_file).add(prefix + name);
    out_.files.push_back(prefix, name);
    out_.sizes.push_back(static_cast<std::uint64_t>(about->st_size));
  }

  void sort_files() {
    std::vector<std::uint32_t> order(out_.files.size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](auto a, auto b) { return out_.files[a] < out_.files[b]; });
    path_list files;
    files.reserve(order.size(), out_.files.bytes().size());
    std::vector<std::uint64_t> sizes;
    sizes.reserve(order.size());
    for (auto i : order) {
      files.push_back(out_.files[i]);
      sizes.push_back(out_.sizes[i]);
    }
    out_.files = std::move(files);
    out_.sizes = std::move(sizes);
  }

  passed_tally& tally(passed_by reason) { return out_.passed[static_cast<std::size_t>(reason)]; }

  const std::string& root_;
  std::set<folder_identity> visited_;
  std::vector<std::string> links_; ///< To folders, waiting for the next round.
  class_scan out_;
};

} // namespace

expected<class_scan> scan_class(const std::string& root, const std::string& name, folder_identity root_identity) {
  return class_scanner(root, root_identity).scan(name);
}

folder_identity identity_of(const struct stat& about) noexcept {
  return {about.st_dev, about.st_ino};
}

std::int64_t mtime_ns_of(const struct stat& about) noexcept {
  return std::int64_t{about.st_mtim.tv_sec} * 1'000'000'000 + about.st_mtim.tv_nsec;
}

} // namespace troupe
