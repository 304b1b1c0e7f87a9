#include "actors/loader/datasets/file_index.hpp"

#include "actors/loader/datasets/class_folder_scan.hpp"
#include "actors/loader/datasets/file_names.hpp"
#include "actors/loader/datasets/folder_reader.hpp"
#include "actors/loader/datasets/parallel_tasks.hpp"

#include <algorithm>

namespace troupe {

namespace {

/// What lies directly in the root: adds it to `out` and returns the names of the class folders.
expected<std::vector<std::string>> scan_root(folder_reader& root, file_index& out) {
  std::vector<std::string> classes;
  const auto pass = [&out](passed_by reason, const char* name) {
    out.passed[static_cast<std::size_t>(reason)].add(name);
  };
  for (;;) {
    auto entry = root.next();
    if (!entry)
      return entry.error();
    if (*entry == nullptr)
      break;
    const char* name = (*entry)->d_name;
    if (is_clutter(name)) {
      pass(passed_by::clutter, name);
      continue;
    }
    const auto about = root.about(name);
    if (!about)
      pass(passed_by::dead_link, name);
    else if (!S_ISDIR(about->st_mode))
      pass(passed_by::outside_class, name);
    else if (identity_of(*about) == identity_of(root.about()))
      pass(passed_by::known_folder, name);
    else
      classes.emplace_back(name);
  }
  std::sort(classes.begin(), classes.end());
  return classes;
}

} // namespace

void passed_tally::add(std::string_view path) {
  if (count == 0 || path < example)
    example = path;
  ++count;
}

void passed_tally::add(const passed_tally& other) {
  if (other.count == 0)
    return;
  if (count == 0 || other.example < example)
    example = other.example;
  count += other.count;
}

expected<file_index> scan_class_folders(const std::string& root) {
  auto top = folder_reader::open(root);
  if (!top)
    return top.error();
  file_index out;
  out.folders.push_back({"", mtime_ns_of(top->about())});
  auto classes = scan_root(*top, out);
  if (!classes)
    return classes.error();
  const auto scans = parallel_tasks(
    classes->size(), [&](std::size_t i) { return scan_class(root, (*classes)[i], identity_of(top->about())); });
  std::size_t num_files = 0;
  std::size_t num_bytes = 0;
  for (const auto& scan : scans) {
    if (!scan)
      return scan.error();
    num_files += scan->files.size();
    num_bytes += scan->files.bytes().size();
  }
  out.files.reserve(num_files, num_bytes);
  out.sizes.reserve(num_files);
  for (std::size_t i = 0; i < scans.size(); ++i) {
    const auto& scan = *scans[i];
    out.classes.push_back({(*classes)[i], scan.files.size()});
    out.files.append(scan.files);
    out.sizes.insert(out.sizes.end(), scan.sizes.begin(), scan.sizes.end());
    out.folders.insert(out.folders.end(), scan.folders.begin(), scan.folders.end());
    for (std::size_t reason = 0; reason < num_passed_by; ++reason)
      out.passed[reason].add(scan.passed[reason]);
  }
  return out;
}

std::vector<std::string> describe(const passed_tallies& passed) {
  struct wording {
    passed_by reason;
    const char* one;
    const char* many;
  };
  constexpr wording wordings[] = {
    {passed_by::not_an_image, "file that is not an image", "files that are not images"},
    {passed_by::clutter, "hidden entry", "hidden entries"},
    {passed_by::outside_class, "file beside the class folders (move it into the folder of its class)",
     "files beside the class folders (move them into the folders of their classes)"},
    {passed_by::dead_link, "link that leads nowhere", "links that lead nowhere"},
    {passed_by::known_folder, "link back to a folder that is there already",
     "links back to folders that are there already"},
    {passed_by::not_a_file, "entry that is named like an image but is not a file",
     "entries that are named like images but are not files"},
  };
  std::vector<std::string> out;
  for (const auto& [reason, one, many] : wordings)
    if (const auto& tally = passed[static_cast<std::size_t>(reason)]; tally.count > 0)
      out.push_back("ignored " + std::to_string(tally.count) + " " + (tally.count == 1 ? one : many) + ", e.g. "
                    + printable_path(tally.example));
  return out;
}

} // namespace troupe
