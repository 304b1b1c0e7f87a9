#include "actors/logger/event_file.hpp"

#include "actors/logger/protobuf_message.hpp"
#include "actors/support/crc32c.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

namespace troupe {

namespace {

constexpr std::string_view name_prefix = "events.out.tfevents.";

/// Masked because a CRC over data that holds its own CRC says little.
std::uint32_t masked_crc32c(std::string_view bytes) {
  const auto crc = crc32c(bytes);
  return ((crc >> 15) | (crc << 17)) + 0xa282ead8U;
}

/// The seconds in the name of an event file; nothing where it is another file.
std::optional<std::uint64_t> seconds_of(std::string_view name) {
  if (!name.starts_with(name_prefix))
    return std::nullopt;
  name.remove_prefix(name_prefix.size());
  std::uint64_t seconds = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), seconds);
  if (error != std::errc{} || end == name.data() + name.size() || *end != '.')
    return std::nullopt;
  return seconds;
}

/// `seconds`, or one more than the latest event file of the folder where that is not earlier.
std::uint64_t seconds_after_others(const std::string& folder, std::uint64_t seconds) {
  std::error_code unreadable; // Then creating the file says why.
  for (std::filesystem::directory_iterator i(folder, unreadable), end; !unreadable && i != end; i.increment(unreadable))
    if (const auto other = seconds_of(i->path().filename().native()))
      seconds = std::max(seconds, *other + 1);
  return seconds;
}

} // namespace

std::string event_record(std::string_view event) {
  std::string record;
  record.reserve(event.size() + 16);
  append_little_endian(record, event.size(), 8);
  append_little_endian(record, masked_crc32c(record), 4);
  record += event;
  append_little_endian(record, masked_crc32c(event), 4);
  return record;
}

std::string to_string(const event_file_name& name) {
  char seconds[24];
  std::snprintf(seconds, sizeof seconds, "%010llu", static_cast<unsigned long long>(name.seconds));
  return std::string(name_prefix) + seconds + '.' + name.host + '.' + std::to_string(name.process) + '.'
         + std::to_string(name.sequence);
}

expected<event_file> event_file::open(const std::string& folder, event_file_name name, double wall_time,
                                      std::uint64_t resumed_step) {
  name.seconds = seconds_after_others(folder, name.seconds);
  // A host name is a label in the file's name, never a path.
  std::replace(name.host.begin(), name.host.end(), '/', '_');
  auto file = append_file::open(folder + '/' + to_string(name), append_file::mode::create);
  if (!file)
    return std::move(file).error();
  event_file result(std::move(*file));
  // The first START of a run is no restart to readers: a fresh run writes one too, so that the next one counts.
  for (const auto& event : {version_event(wall_time), session_start_event(wall_time, resumed_step + 1)})
    if (auto done = result.append(event); !done)
      return done.error();
  return result;
}

std::vector<scalar> train_scalars(const metrics_row& row) {
  return {{"loss/train", row.loss},
          {"accuracy/train", row.accuracy},
          {"learning_rate", row.learning_rate},
          {"samples_per_second", row.samples_per_second},
          {"data_wait_share", row.data_wait_share}};
}

std::vector<scalar> validation_scalars(const validation_report& report) {
  std::vector<scalar> scalars{
    {"loss/validation", report.loss}, {"top1/validation", report.top1}, {"topk/validation", report.topk}};
  for (const auto& figure : report.figures)
    scalars.push_back({figure.name + "/validation", figure.value});
  return scalars;
}

} // namespace troupe
