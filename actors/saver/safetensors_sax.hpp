/// Takes a safetensors header apart event by event: nothing is built of what does not belong there.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <unordered_set>
#include <vector>

#include <nlohmann/json.hpp>

namespace troupe {

/// One tensor as the header words it; not yet checked against anything.
struct raw_entry {
  std::string name;
  std::string type;
  std::vector<std::uint64_t> shape;
  std::array<std::uint64_t, 2> offsets{};
};

/// The events of nlohmann's SAX parser. Each returns whether to go on; after a `false`, `problem()` says why.
class safetensors_sax final : public nlohmann::json_sax<nlohmann::json> {
public:
  std::vector<raw_entry> entries;
  std::map<std::string, std::string> metadata;

  [[nodiscard]] const std::string& problem() const noexcept { return problem_; }

  bool null() override { return unexpected("null"); }
  bool boolean(bool) override { return unexpected("a boolean"); }
  bool number_integer(number_integer_t) override { return unexpected("a negative number"); }
  bool number_unsigned(number_unsigned_t value) override;
  bool number_float(number_float_t, const string_t& text) override { return unexpected("the number " + text); }
  bool string(string_t& value) override;
  bool binary(binary_t&) override { return unexpected("binary data"); }
  bool start_object(std::size_t) override;
  bool key(string_t& name) override;
  bool end_object() override;
  bool start_array(std::size_t) override;
  bool end_array() override;
  bool parse_error(std::size_t position, const std::string& token, const nlohmann::json::exception& error) override;

private:
  /// Where in the header the next event belongs.
  enum class place { start, top, metadata, entry, shape, offsets, done };

  bool unexpected(const std::string& what);
  bool refuse(const std::string& why);
  bool entry_key(const std::string& name);
  [[nodiscard]] std::string where() const;

  place place_ = place::start;
  std::string key_;                       ///< The last key at the present depth.
  std::unordered_set<std::string> names_; ///< Tensors seen.
  bool has_metadata_ = false;
  bool has_type_ = false, has_shape_ = false, has_offsets_ = false; ///< Of the entry being read.
  std::size_t num_offsets_ = 0;
  std::string problem_;
};

} // namespace troupe
