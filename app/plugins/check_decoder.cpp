#include "app/plugins/check_parts.hpp"
#include "app/plugins/check_pictures.hpp"
#include "app/plugins/check_support.hpp"

#include "actors/support/file_io.hpp"

#include <array>
#include <span>
#include <string_view>

namespace troupe {

namespace {

constexpr std::uint64_t max_file_bytes = std::uint64_t{1} << 30;
constexpr std::uint64_t num_repeats = 16;

using bytes = std::vector<std::byte>;

bytes bytes_in(std::string_view text) {
  const auto view = std::as_bytes(std::span{text});
  return {view.begin(), view.end()};
}

/// Beginnings of files of other formats; what follows is zeros.
std::vector<std::pair<const char*, bytes>> foreign_files() {
  using namespace std::string_view_literals;
  std::vector<std::pair<const char*, bytes>> out{
    {"JPEG", bytes_in("\xFF\xD8\xFF\xE0\0\x10JFIF\0"sv)},
    {"PNG", bytes_in("\x89PNG\r\n\x1A\n\0\0\0\rIHDR"sv)},
    {"BMP", bytes_in("BM"sv)},
    {"TIFF", bytes_in("II*\0"sv)},
    {"zeros", {}},
  };
  for (auto& [name, content] : out)
    content.resize(4096);
  out.push_back({"an empty file", {}});
  return out;
}

void check_extensions(const sample_decoder& decoder, check_log& log) {
  std::string problem;
  for (const auto& each : decoder.extensions())
    if (each.empty() || each.find_first_of("./*ABCDEFGHIJKLMNOPQRSTUVWXYZ") != std::string::npos)
      problem = "\"" + each + "\" is not in lower case without a dot";
  log.say("extensions in lower case, without a dot", problem.empty(), problem);
}

void check_foreign(const sample_decoder& decoder, check_log& log) {
  for (const auto& [name, content] : foreign_files()) {
    const auto property = fmt::format("does not recognise {}", name);
    log.survives(property, [&, found = std::span<const std::byte>(content)] {
      log.say(property, !decoder.recognises(found), "it says that it does");
    });
  }
}

picture decoded(const sample_decoder& decoder, const bytes& file, const image_shape& shape, call_timer& timer) {
  guarded_picture memory{shape};
  auto image = memory.image();
  timer.time([&] { decoder.decode(file, image); });
  if (!memory.intact())
    throw std::runtime_error("bytes before or behind the pixels were changed");
  return picture_of(image);
}

bool is_sensible(const image_shape& x) {
  return (x.channels == 1 || x.channels == 3) && (x.bits == 8 || x.bits == 16) && x.fixed()
         && x.height <= max_image_side && x.width <= max_image_side;
}

/// Says what it likes of a part of a file, but lives. (Each decodes from a copy: reading behind the end is found out by
/// AddressSanitizer.)
void check_truncated(const sample_decoder& decoder, const bytes& file, check_log& log) {
  std::uint64_t num_refused = 0;
  for (const auto share : {1, 2, 8, 32, 50, 75, 99}) {
    const auto size = static_cast<std::ptrdiff_t>(file.size() * static_cast<std::size_t>(share) / 100);
    const bytes part(file.begin(), file.begin() + size);
    try {
      call_timer timer;
      if (decoder.recognises(part))
        if (const auto shape = decoder.shape(part); is_sensible(shape))
          static_cast<void>(decoded(decoder, part, shape, timer));
    } catch (...) {
      ++num_refused;
    }
  }
  log.good("survives truncated files", fmt::format("{} of 7 were refused", num_refused));
}

void check_sample(const sample_decoder& decoder, const bytes& file, check_log& log) {
  const bool recognised = decoder.recognises(file);
  log.say("recognises the sample", recognised, "it says that it does not");
  if (!recognised)
    return;
  const auto shape = decoder.shape(file);
  log.say("shape can be used", is_sensible(shape),
          fmt::format("it is {}, expected 1 or 3 channels of 8 or 16 bits, sides of 1..{}", shape_text(shape),
                      max_image_side));
  if (!is_sensible(shape))
    return;
  std::vector<picture> first;
  call_timer timer;
  if (!log.survives("decodes", [&] {
        for (std::uint64_t i = 0; i < num_repeats; ++i)
          first.push_back(decoded(decoder, file, shape, timer));
      }))
    return;
  const auto problem = shape_problem(first.front().shape, shape);
  log.say("shape and type as declared", problem.empty(), problem);
  check_sameness(log, "", first, [&](std::uint64_t) {
    call_timer unused;
    return decoded(decoder, file, shape, unused);
  });
  log.good("speed", timer.text("image", first.front().bytes.size()));
  check_truncated(decoder, file, log);
}

} // namespace

void check_decoder(const decoder_component& what, const parameters& values, const check_options& options,
                   check_log& log) {
  const auto decoder = what.make(values);
  if (!decoder) {
    log.bad("is made", "nothing was made");
    return;
  }
  log.survives("extensions in lower case, without a dot", [&] { check_extensions(*decoder, log); });
  check_foreign(*decoder, log);
  if (options.sample_path.empty()) {
    log.not_checked("decodes", "a file of its format helps: --sample PATH");
    return;
  }
  const auto file = read_file(options.sample_path, max_file_bytes);
  if (!file)
    throw std::runtime_error("--sample: " + to_string(file.error()));
  check_sample(*decoder, bytes_in(*file), log);
}

} // namespace troupe
