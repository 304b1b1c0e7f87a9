#include "actors/loader/datasets/tar_index.hpp"

#include "actors/loader/datasets/file_names.hpp"
#include "actors/loader/datasets/tar_reader.hpp"

#include <nlohmann/json.hpp>

#include <string_view>
#include <unordered_map>
#include <utility>

namespace troupe {

namespace {

constexpr std::uint64_t max_label_bytes = 1 << 20;

/// A sample of which the archive's reader has seen a part, or all.
struct pending_sample {
  std::string image; ///< Empty: not seen.
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
  std::string label_file; ///< Empty: not seen.
  std::string label;
};

/// Splits "a/0001.seg.png" into "a/0001" and "seg.png".
std::pair<std::string, std::string> split_name(const std::string& path) {
  const auto name_start = path.rfind('/') + 1;
  const auto dot = path.find('.', name_start);
  if (dot == std::string::npos)
    return {path, {}};
  return {path.substr(0, dot), path.substr(dot + 1)};
}

std::string trimmed(const std::string& text) {
  const auto begin = text.find_first_not_of(" \t\r\n");
  return begin == std::string::npos ? "" : text.substr(begin, text.find_last_not_of(" \t\r\n") + 1 - begin);
}

/// Returns the label in a JSON text; empty if there is none.
std::string label_in_json(const std::string& text) {
  const auto tree = nlohmann::json::parse(text, nullptr, false);
  if (!tree.is_object())
    return {};
  for (const char* key : {"label", "cls", "class"})
    if (const auto found = tree.find(key); found != tree.end()) {
      if (found->is_string())
        return found->get<std::string>();
      return found->is_number_integer() ? found->dump() : std::string();
    }
  return {};
}

class tar_indexer {
public:
  tar_indexer(std::string path, std::uint64_t max_inflated_bytes)
    : path_(std::move(path)), max_inflated_bytes_(max_inflated_bytes) {}

  expected<tar_index> run() {
    auto archive = tar_reader::open(path_);
    if (!archive)
      return std::move(archive).error();
    for (;;) {
      auto member = archive->next();
      if (!member)
        return std::move(member).error();
      if (!*member)
        return finish(archive->compressed());
      if (auto ok = add(*archive, **member); !ok)
        return ok.error();
    }
  }

private:
  expected<void> add(tar_reader& archive, const tar_member& member) {
    const auto name = base_name(member.path);
    const auto [key, extension] = split_name(member.path);
    if (is_clutter(name))
      return pass(member);
    const bool image = is_image_name(name) && extension.find('.') == std::string::npos;
    if (!image && extension != "cls" && extension != "json")
      return pass(member);
    const auto [place, added] = by_key_.try_emplace(key, samples_.size());
    if (added)
      samples_.emplace_back();
    auto& sample = samples_[place->second];
    return image ? add_image(archive, member, sample) : add_label(archive, member, extension == "cls", sample);
  }

  expected<void> pass(const tar_member& member) {
    out_.others.add(member.path);
    return {};
  }

  expected<void> add_image(tar_reader& archive, const tar_member& member, pending_sample& sample) {
    if (!sample.image.empty())
      return pass(member);
    sample.image = member.path;
    sample.offset = member.offset;
    sample.size = member.size;
    order_.push_back(by_key_.at(split_name(member.path).first));
    if (!archive.compressed())
      return {};
    if (member.size > max_inflated_bytes_ - inflated_.size())
      return failure{ec::unsupported, "loader: " + printable_path(path_)
                                        + ": the images of compressed shards take more than "
                                        + std::to_string(max_inflated_bytes_)
                                        + " bytes, which is all that is left for them in memory; decompress the shards "
                                        + "(gunzip), expected .tar"};
    sample.offset = inflated_.size();
    return archive.read(member, inflated_);
  }

  /// What a `cls` says counts more than what a `json` says.
  expected<void> add_label(tar_reader& archive, const tar_member& member, bool plain, pending_sample& sample) {
    if (!sample.label_file.empty() && !plain)
      return {};
    if (member.size > max_label_bytes)
      return bad_label(member, "has " + std::to_string(member.size) + " bytes");
    std::string text;
    if (auto ok = archive.read(member, text); !ok)
      return ok;
    const auto label = plain ? trimmed(text) : label_in_json(text);
    if (label.empty() || label.find('\0') != std::string::npos)
      return bad_label(member, plain ? "is empty or binary" : "has no label");
    sample.label_file = member.path;
    sample.label = label;
    return {};
  }

  [[nodiscard]] failure bad_label(const tar_member& member, const std::string& what) const {
    return {ec::bad_data, "loader: " + printable_path(path_) + ": " + printable_path(member.path) + " at offset "
                            + std::to_string(member.offset) + " " + what
                            + ", expected a class id or name; in a .json as {\"label\": ...}, cls or class"};
  }

  tar_index finish(bool compressed) {
    for (auto place : order_) {
      auto& sample = samples_[place];
      if (sample.label_file.empty()) {
        out_.images_alone.add(sample.image);
        continue;
      }
      out_.images.push_back(sample.image);
      out_.offsets.push_back(sample.offset);
      out_.sizes.push_back(sample.size);
      out_.labels.push_back(sample.label);
    }
    for (auto& sample : samples_)
      if (sample.image.empty())
        out_.labels_alone.add(sample.label_file);
    if (compressed)
      out_.inflated = std::make_shared<const std::vector<std::byte>>(std::move(inflated_));
    return std::move(out_);
  }

  std::string path_;
  std::uint64_t max_inflated_bytes_;
  tar_index out_;
  std::vector<pending_sample> samples_;
  std::unordered_map<std::string, std::size_t> by_key_;
  std::vector<std::size_t> order_; ///< Places of `samples_` in the order of their images.
  std::vector<std::byte> inflated_;
};

} // namespace

expected<tar_index> read_tar_index(const std::string& path, std::uint64_t max_inflated_bytes) {
  return tar_indexer(path, max_inflated_bytes).run();
}

} // namespace troupe
