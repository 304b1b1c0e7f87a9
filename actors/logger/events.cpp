#include "actors/logger/events.hpp"

#include "actors/logger/protobuf_message.hpp"

namespace troupe {

namespace {

protobuf_message event_at(double wall_time, std::uint64_t step = 0) {
  protobuf_message event;
  event.float64(1, wall_time);
  if (step != 0)
    event.varint(2, step);
  return event;
}

/// google.protobuf.Value
protobuf_message to_message(const hparam_value& value) {
  protobuf_message result;
  if (const auto* number = std::get_if<double>(&value))
    result.float64(2, *number);
  else if (const auto* text = std::get_if<std::string>(&value))
    result.text(3, *text);
  else
    result.varint(4, std::get<bool>(value) ? 1 : 0);
  return result;
}

/// A summary that carries `content` (HParamsPluginData) in its metadata; its tensor is the empty vector, as the
/// plugin's own writer has it.
std::string hparams_summary_event(double wall_time, std::string_view tag, const protobuf_message& content) {
  const auto plugin = protobuf_message{}.text(1, "hparams").message(2, content);
  const auto metadata = protobuf_message{}.message(1, plugin);
  const auto shape = protobuf_message{}.message(2, protobuf_message{}.varint(1, 0));
  const auto tensor = protobuf_message{}.varint(1, 1).message(2, shape);
  const auto value = protobuf_message{}.text(1, tag).message(8, tensor).message(9, metadata);
  return event_at(wall_time).message(5, protobuf_message{}.message(1, value)).bytes();
}

} // namespace

std::string version_event(double wall_time) {
  return event_at(wall_time).text(3, "brain.Event:2").bytes();
}

std::string session_start_event(double wall_time, std::uint64_t first_step) {
  constexpr std::uint64_t start = 1;
  return event_at(wall_time, first_step).message(7, protobuf_message{}.varint(1, start)).bytes();
}

std::string scalars_event(double wall_time, std::uint64_t step, std::span<const scalar> scalars) {
  protobuf_message summary;
  for (const auto& x : scalars)
    summary.message(1, protobuf_message{}.text(1, x.tag).float32(2, static_cast<float>(x.value)));
  return event_at(wall_time, step).message(5, summary).bytes();
}

std::string image_event(double wall_time, std::uint64_t step, std::string_view tag, std::uint32_t width,
                        std::uint32_t height, std::string_view png) {
  constexpr std::uint64_t rgb = 3;
  const auto image = protobuf_message{}.varint(1, height).varint(2, width).varint(3, rgb).text(4, png);
  const auto value = protobuf_message{}.text(1, tag).message(4, image);
  return event_at(wall_time, step).message(5, protobuf_message{}.message(1, value)).bytes();
}

std::string hparams_event(double wall_time, const hparams& values, std::string_view group_name) {
  protobuf_message session;
  for (const auto& [name, value] : values)
    session.message(1, protobuf_message{}.text(1, name).message(2, to_message(value)));
  session.text(4, group_name).float64(5, wall_time);
  return hparams_summary_event(wall_time, "_hparams_/session_start_info", protobuf_message{}.message(3, session));
}

std::string hparams_end_event(double wall_time, session_status status) {
  const auto session = protobuf_message{}.varint(1, static_cast<std::uint64_t>(status)).float64(2, wall_time);
  return hparams_summary_event(wall_time, "_hparams_/session_end_info", protobuf_message{}.message(4, session));
}

} // namespace troupe
