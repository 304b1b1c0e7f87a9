#include "app/plugins/check_parts.hpp"
#include "app/plugins/check_support.hpp"

#include <cmath>
#include <set>

namespace troupe {

namespace {

constexpr std::uint64_t max_samples = 0xFFFF'FFFF;
constexpr std::uint64_t max_labels_checked = 1'000'000;

bool is_word(const std::string& text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) { return c > ' ' && c != 127; });
}

void check_index(const data_source& data, std::uint64_t num_samples, check_log& log) {
  const auto classes = data.class_names();
  const std::set<std::string> different(classes.begin(), classes.end());
  log.say("has two classes or more, each with a name of its own",
          classes.size() >= 2 && different.size() == classes.size(), fmt::format("it has {}", classes.size()));
  std::string problem;
  for (std::uint64_t id = 0; problem.empty() && id < std::min(num_samples, max_labels_checked); ++id) {
    const auto label = data.label(id);
    if (label < 0 || static_cast<std::uint64_t>(label) >= classes.size())
      problem = fmt::format("sample {} is of class {}, expected 0..{}", id, label, classes.size() - 1);
    if (const auto weight = data.weight(id); !(weight > 0 && std::isfinite(weight)))
      problem = fmt::format("sample {} has the weight {}, expected a number above 0", id, weight);
  }
  log.say("labels and weights in range", problem.empty(), problem);
  const auto fingerprint = data.fingerprint();
  log.say("fingerprint is one word", is_word(fingerprint), "it is \"" + fingerprint + "\"");
}

/// Shape of raw pixels, or that of files.
std::string shape_problem_of(const image_shape& shape) {
  if (shape == image_shape{})
    return {};
  if (shape.fixed() && (shape.channels == 1 || shape.channels == 3) && shape.bits == 8)
    return {};
  return fmt::format("it is {} with {} bits, expected 1 or 3 channels of 8 bits, or all 0 for files", to_string(shape),
                     shape.bits);
}

void check_reading(const data_source& data, std::uint64_t num_samples, const image_shape& shape, check_log& log) {
  std::vector<std::vector<std::byte>> first;
  call_timer timer;
  std::size_t num_bytes = 0;
  for (std::uint64_t id = 0; id < num_samples; ++id)
    if (!log.survives("reads", [&] { timer.time([&] { first.push_back(data.read(id)); }); }))
      return;
  std::string problem;
  for (std::uint64_t id = 0; id < num_samples; ++id) {
    const auto size = first[id].size();
    num_bytes += size;
    const bool fits = shape.fixed() ? size == shape.num_elements() : size > 0;
    if (problem.empty() && !fits)
      problem = fmt::format("sample {} has {} bytes, expected {}", id, size,
                            shape.fixed() ? std::to_string(shape.num_elements()) : "some");
  }
  log.say("samples are as large as declared", problem.empty(), problem);
  check_sameness(log, "", first, [&data](std::uint64_t id) { return data.read(id); });
  log.good("speed", timer.text("sample", num_bytes / num_samples));
}

} // namespace

void check_data_source(const data_source_component& what, const parameters& values, const check_options& options,
                       check_log& log) {
  std::unique_ptr<data_source> data;
  if (!log.survives("opens", [&] { data = what.make(values, {}); })) {
    log.not_checked("everything else", "a config with parameters that it can be opened with helps: --config CONFIG");
    return;
  }
  const auto num_samples = data ? data->num_samples() : 0;
  log.say("has samples", num_samples >= 1 && num_samples <= max_samples,
          data ? fmt::format("it has {}, expected 1..{}", num_samples, max_samples) : "nothing was made");
  if (num_samples < 1 || num_samples > max_samples)
    return;
  const auto shape = data->shape();
  const auto problem = shape_problem_of(shape);
  log.say("shape can be used", problem.empty(), problem);
  log.survives("index does not throw", [&] { check_index(*data, num_samples, log); });
  const auto num_read = std::min(num_samples, options.num_samples);
  log.survives("names its samples", [&] {
    for (std::uint64_t id = 0; id < num_read; ++id)
      if (data->sample_name(id).empty())
        throw std::runtime_error(fmt::format("sample {} has no name", id));
  });
  if (problem.empty())
    check_reading(*data, num_read, shape, log);
}

} // namespace troupe
