#include "app/unjudged.hpp"

#include "actors/logger/csv_text.hpp"
#include "actors/saver/checkpoint.hpp"
#include "actors/support/file_io.hpp"

#include <charconv>
#include <string_view>

namespace troupe {

namespace {

constexpr std::uint64_t max_csv_bytes = std::uint64_t{1} << 30;

} // namespace

expected<std::set<std::uint64_t>> judged_steps(const std::string& path) {
  std::set<std::uint64_t> steps;
  auto text = read_file(path, max_csv_bytes);
  if (!text && text.error().code == ec::not_found)
    return steps;
  if (!text)
    return text.error();
  std::string_view rest = *text;
  while (auto record = first_csv_record(rest)) {
    rest.remove_prefix(record->num_bytes);
    std::uint64_t step = 0;
    const auto& field = record->fields.front(); // "step" stands first; its header is no number.
    const auto* end = field.data() + field.size();
    if (auto [stop, error] = std::from_chars(field.data(), end, step); error == std::errc{} && stop == end)
      steps.insert(step);
  }
  return steps;
}

bool validation_due(const snapshot& state, const interval& every, std::uint64_t num_epochs) noexcept {
  if (every.count == 0 || state.tag.step == 0)
    return false;
  if (state.next.epoch >= num_epochs)
    return true;
  if (!every.in_epochs)
    return state.tag.step % every.count == 0;
  return state.next.batch == 0 && state.tag.epoch > 0 && state.tag.epoch % every.count == 0;
}

std::vector<snapshot_ptr> find_unjudged(const std::string& folder, const snapshot_ptr& resumed, const interval& every,
                                        std::uint64_t num_epochs, const std::set<std::uint64_t>& judged) {
  std::vector<snapshot_ptr> found;
  auto entries = list_checkpoints(folder);
  if (entries)
    for (auto& entry : *entries) {
      if (!entry.damage.empty() || entry.tag.step >= resumed->tag.step || entry.tag.version >= resumed->tag.version
          || judged.contains(entry.tag.step))
        continue;
      auto loaded = load_checkpoint(entry.path);
      if (loaded && validation_due(loaded->state, every, num_epochs))
        found.push_back(std::make_shared<const snapshot>(std::move(loaded->state)));
    }
  if (validation_due(*resumed, every, num_epochs))
    found.push_back(resumed);
  return found;
}

} // namespace troupe
