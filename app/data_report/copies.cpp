#include "app/data_report/copies.hpp"

#include <algorithm>
#include <iterator>
#include <span>
#include <tuple>
#include <utility>

namespace troupe {

namespace {

struct candidate {
  std::uint64_t num_bytes = 0;
  std::uint32_t checksum = 0;
  sample_ref sample;
  [[nodiscard]] auto key() const noexcept { return std::tuple(num_bytes, checksum); }
};

std::vector<candidate> list_candidates(const std::vector<surveyed_set>& sets) {
  std::vector<candidate> out;
  for (std::uint32_t set = 0; set < sets.size(); ++set) {
    const auto& samples = sets[set].survey->samples;
    for (std::uint32_t id = 0; id < samples.size(); ++id)
      if (samples[id].num_bytes > 0)
        out.push_back({samples[id].num_bytes, samples[id].checksum, {set, id}});
  }
  std::sort(out.begin(), out.end(),
            [](auto& a, auto& b) { return std::tuple(a.key(), a.sample) < std::tuple(b.key(), b.sample); });
  return out;
}

/// Stretches of candidates of one size and checksum.
std::vector<std::span<const candidate>> list_lookalikes(const std::vector<candidate>& all) {
  std::vector<std::span<const candidate>> out;
  for (auto first = all.begin(); first != all.end();) {
    const auto end = std::find_if(first, all.end(), [&](auto& x) { return x.key() != first->key(); });
    if (end - first > 1)
      out.emplace_back(first, end);
    first = end;
  }
  return out;
}

/// Cuts candidates that look alike into groups that are alike.
std::vector<copy_group> compare(const std::vector<surveyed_set>& sets, std::span<const candidate> candidates) {
  std::vector<copy_group> groups;
  std::vector<encoded_sample> firsts; // Of each group.
  for (const auto& each : candidates) {
    auto sample = sets[each.sample.set].data->read(each.sample.id);
    if (!sample)
      continue; // It was there a moment ago.
    const auto same = std::find_if(firsts.begin(), firsts.end(), [&](const encoded_sample& first) {
      return std::ranges::equal(first.bytes, sample->bytes);
    });
    const auto group = static_cast<std::size_t>(same - firsts.begin());
    if (same == firsts.end()) {
      firsts.push_back(std::move(*sample));
      groups.emplace_back();
    }
    groups[group].push_back(each.sample);
  }
  std::erase_if(groups, [](const copy_group& group) { return group.size() < 2; });
  return groups;
}

} // namespace

std::vector<copy_group> find_copies(const std::vector<surveyed_set>& sets, const work_force& force) {
  const auto candidates = list_candidates(sets);
  const auto lookalikes = list_lookalikes(candidates);
  std::vector<std::vector<copy_group>> found(lookalikes.size());
  on_all_cores(lookalikes.size(), force,
               [&] { return [&](std::uint64_t i) { found[i] = compare(sets, lookalikes[i]); }; });
  std::vector<copy_group> out;
  for (auto& groups : found)
    std::move(groups.begin(), groups.end(), std::back_inserter(out));
  std::sort(out.begin(), out.end());
  return out;
}

} // namespace troupe
