/// TensorBoard's events as bytes: what goes into the records of an event file.
/// Format: tensorboard/compat/proto/{event,summary,tensor}.proto and plugins/hparams/plugin_data.proto.
/// `wall_time` is in seconds since 1970 (UTC) throughout.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <variant>

namespace troupe {

/// A point of a curve.
struct scalar {
  std::string tag;  ///< "loss/train": TensorBoard groups by what stands before the slash.
  double value = 0; ///< Stored as a float.
};

using hparam_value = std::variant<bool, double, std::string>;
using hparams = std::map<std::string, hparam_value>;

/// How a run ended, as TensorBoard's HParams tab shows it. The values are those of its format.
enum class session_status : std::uint8_t { success = 1, failure = 2, running = 3 };

/// The event that every file begins with.
[[nodiscard]] std::string version_event(double wall_time);

/// Says that a process begins to write and that `first_step` is the first step it can write. At every START but a run's
/// first, readers drop what they have of that step and later ones: the steps that a kill threw away.
[[nodiscard]] std::string session_start_event(double wall_time, std::uint64_t first_step);

/// Points of several curves, all at one step.
[[nodiscard]] std::string scalars_event(double wall_time, std::uint64_t step, std::span<const scalar> scalars);

/// An RGB picture, encoded as PNG.
[[nodiscard]] std::string image_event(double wall_time, std::uint64_t step, std::string_view tag, std::uint32_t width,
                                      std::uint32_t height, std::string_view png);

/// The hyper-parameters of a run, for the HParams tab. `group_name`: runs of one group are repetitions of one trial.
[[nodiscard]] std::string hparams_event(double wall_time, const hparams& values, std::string_view group_name);

/// Closes what `hparams_event` began.
[[nodiscard]] std::string hparams_end_event(double wall_time, session_status status);

} // namespace troupe
