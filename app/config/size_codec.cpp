#include "app/config/size_codec.hpp"

namespace troupe {

namespace {

/// What both spellings are, in one sentence.
value_spec spec_of(const value_spec& one, const value_spec& list) {
  auto spec = list;
  spec.expected = fmt::format("{}, or {}", one.expected, list.expected);
  return spec;
}

} // namespace

codec<size_config> size(std::int64_t high) {
  auto one = whole<std::int64_t>(0, high);
  auto pair = list_of(whole<std::int64_t>(1, high), 2, 2);
  auto spec = spec_of(one.spec, pair.spec);
  spec.expected = fmt::format("one or two whole numbers, size or [height, width], up to {}", high);
  auto read = [spec, read_one = one.read, read_pair = pair.read](const node& x, const std::string& path,
                                                                 problem_list& problems) -> std::optional<size_config> {
    if (x.kind == node_kind::scalar) {
      const auto side = read_one(x, path, problems);
      return side ? std::optional{size_config(*side)} : std::nullopt;
    }
    if (x.kind != node_kind::list) {
      add_mismatch(x, path, spec, "", problems);
      return std::nullopt;
    }
    const auto sides = read_pair(x, path, problems);
    return sides ? std::optional{size_config((*sides)[0], (*sides)[1])} : std::nullopt;
  };
  auto write = [](const size_config& x) {
    return x.is_pair() ? fmt::format("[{}, {}]", x.height, x.width) : std::to_string(x.height);
  };
  return {std::move(spec), std::move(read), std::move(write)};
}

codec<std::vector<double>> number_or_list(const number_range& one, const number_range& several, std::size_t min_items,
                                          std::size_t max_items) {
  auto single = number(one);
  auto list = list_of(number(several), min_items, max_items);
  auto spec = spec_of(single.spec, list.spec);
  auto read = [spec, read_one = single.read, read_list = list.read](
                const node& x, const std::string& path, problem_list& problems) -> std::optional<std::vector<double>> {
    if (x.kind == node_kind::scalar) {
      const auto value = read_one(x, path, problems);
      return value ? std::optional{std::vector{*value}} : std::nullopt;
    }
    if (x.kind == node_kind::list)
      return read_list(x, path, problems);
    add_mismatch(x, path, spec, "", problems);
    return std::nullopt;
  };
  auto write = [write_one = single.write, write_list = list.write](const std::vector<double>& x) {
    return x.size() == 1 ? write_one(x[0]) : write_list(x);
  };
  return {std::move(spec), std::move(read), std::move(write)};
}

} // namespace troupe
