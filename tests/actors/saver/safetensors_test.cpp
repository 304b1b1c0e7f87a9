#include "actors/saver/safetensors.hpp"

#include "actors/saver/safetensors_header.hpp"
#include "actors/support/crc32c.hpp"
#include "tests/actors/saver/fixtures.hpp"
#include "tests/support/scratch_folder.hpp"

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/doctest.hpp"

using namespace troupe;

namespace {

std::string prefix_of(std::uint64_t num_header_bytes) {
  std::string result;
  for (int i = 0; i < 8; ++i)
    result += static_cast<char>((num_header_bytes >> (8 * i)) & 0xFF);
  return result;
}

// A file with this header, exactly as long as it is given, and this many bytes of data.
std::string file_of(const std::string& header, std::size_t num_data_bytes) {
  return prefix_of(header.size()) + header + std::string(num_data_bytes, '\x01');
}

expected<void> write_to(const std::string& path, const std::vector<named_tensor>& tensors,
                        const std::map<std::string, std::string>& metadata = {}) {
  auto file = output_file::create(path);
  REQUIRE(file);
  if (auto written = write_safetensors(*file, tensors, metadata); !written)
    return written;
  return file->close();
}

expected<safetensors_file> read_bytes(const std::string& bytes) {
  scratch_folder scratch;
  put_file(scratch / "x", bytes);
  return read_safetensors(scratch / "x");
}

std::vector<named_tensor> one_of_each() {
  return {tensor_of<std::uint8_t>("flag", dtype::boolean, {2}, {0, 1}),
          tensor_of<std::uint8_t>("u8", dtype::u8, {3}, {0, 128, 255}),
          tensor_of<std::int32_t>("i32", dtype::i32, {1, 1}, {-2}),
          tensor_of<std::int64_t>("count", dtype::i64, {}, {INT64_MIN}),
          tensor_of<std::uint16_t>("half", dtype::f16, {1, 3}, {0x3C00, 0x7C00, 0x7E01}),
          tensor_of<std::uint16_t>("brain", dtype::bf16, {1}, {0x3F80}),
          tensor_of<float>("w", dtype::f32, {2, 2}, {1, -0.0f, 1e-45f, 3.4e38f}),
          tensor_of<double>("d", dtype::f64, {1}, {0.1}),
          tensor_of<float>("nothing", dtype::f32, {0, 5}, {})};
}

const std::string one_byte = R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}})";

void check_refused(const std::string& header, std::size_t num_data_bytes, const std::string& why,
                   ec code = ec::corrupt) {
  CAPTURE(header);
  auto file = read_bytes(file_of(header, num_data_bytes));
  REQUIRE_FALSE(file);
  CHECK(file.error().code == code);
  CHECK_MESSAGE(file.error().context.find(why) != std::string::npos, file.error().context);
}

std::string entry(const std::string& name, const std::string& type, const std::string& shape,
                  const std::string& offsets) {
  std::string result{'"'};
  return result.append(name)
    .append(R"(":{"dtype":")")
    .append(type)
    .append(R"(","shape":)")
    .append(shape)
    .append(R"(,"data_offsets":)")
    .append(offsets)
    .append("}");
}

} // namespace

TEST_SUITE_BEGIN("actors/saver/safetensors");

TEST_CASE("a file has exactly the bytes that the format says") {
  scratch_folder scratch;
  REQUIRE(write_to(scratch / "x", {floats("b", {1}), tensor_of<std::uint8_t>("a", dtype::u8, {2}, {7, 8})},
                   {{"format", "pt"}}));
  const std::string header = R"({"__metadata__":{"format":"pt"},"b":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},)"
                             R"("a":{"dtype":"U8","shape":[2],"data_offsets":[4,6]}})";
  auto padded = header + std::string((8 - header.size() % 8) % 8, ' ');
  CHECK(bytes_of(scratch / "x") == prefix_of(padded.size()) + padded + std::string{"\0\0\x80\x3f\x07\x08", 6});
}

TEST_CASE("every element type, scalars and empty tensors come back bit for bit") {
  scratch_folder scratch;
  auto tensors = one_of_each();
  REQUIRE(write_to(scratch / "x", tensors, {{"k", "v"}, {"\u00fc\n\"", ""}}));
  auto file = read_safetensors(scratch / "x");
  REQUIRE(file);
  CHECK(file->metadata == std::map<std::string, std::string>{{"k", "v"}, {"\u00fc\n\"", ""}});
  auto by_name = [](const named_tensor& a, const named_tensor& b) { return a.name < b.name; };
  std::sort(tensors.begin(), tensors.end(), by_name);
  std::sort(file->tensors.begin(), file->tensors.end(), by_name);
  CHECK(same_tensors(tensors, file->tensors));
  auto bytes = bytes_of(scratch / "x");
  CHECK(file->num_bytes == bytes.size());
  CHECK(file->checksum == crc32c(bytes));
}

TEST_CASE("tensors lie with wide types first, then by name, each aligned to its element") {
  auto header = plan_safetensors(one_of_each(), {});
  REQUIRE(header);
  std::vector<std::string> names;
  for (auto& x : header->entries) {
    names.push_back(x.name);
    CHECK(x.begin % size_of(x.type) == 0);
  }
  CHECK(names == std::vector<std::string>{"count", "d", "nothing", "w", "i32", "brain", "half", "u8", "flag"});
}

TEST_CASE("the header is padded to a multiple of 8 whatever its length") {
  for (std::size_t length = 1; length < 20; ++length) {
    auto header = plan_safetensors(std::vector{floats(std::string(length, 'n'), {1})}, {});
    REQUIRE(header);
    auto json = to_json(*header);
    REQUIRE(json);
    CHECK(json->size() % 8 == 0);
    CHECK(json->find_last_not_of(' ') + 8 >= json->size());
  }
}

TEST_CASE("no tensors at all make a file too") {
  scratch_folder scratch;
  REQUIRE(write_to(scratch / "x", {}));
  CHECK(bytes_of(scratch / "x") == prefix_of(8) + "{}      ");
  auto file = read_safetensors(scratch / "x");
  REQUIRE(file);
  CHECK(file->tensors.empty());
}

TEST_CASE("what the format cannot hold is not written") {
  scratch_folder scratch;
  auto refused = [&](const std::vector<named_tensor>& tensors,
                     const std::map<std::string, std::string>& metadata = {}) {
    auto written = write_to(scratch / "x", tensors, metadata);
    REQUIRE_FALSE(written);
    CHECK(written.error().code == ec::mismatch);
    CHECK(written.error().context.starts_with(scratch / "x"));
    CHECK(bytes_of(scratch / "x").empty());
  };
  SUBCASE("a name twice") {
    refused({floats("a", {1}), floats("a", {2})});
  }
  SUBCASE("the reserved name") {
    refused({floats("__metadata__", {1})});
  }
  SUBCASE("a negative extent") {
    refused({tensor_of<float>("a", dtype::f32, {-1}, {})});
  }
  SUBCASE("no bytes") {
    refused({named_tensor{"a", {{3}, dtype::f32, nullptr}}});
  }
  SUBCASE("a name that is not UTF-8") {
    refused({floats("\xff", {1})});
  }
  SUBCASE("metadata that are not UTF-8") {
    refused({}, {{"k", "\xc3"}});
  }
}

TEST_CASE("files of other writers are read: no padding, any order, tabs, no metadata") {
  auto file = read_bytes(
    file_of("{ \"b\" : {\"shape\":[2,1],\t\"data_offsets\":[1,3],\"dtype\":\"U8\"}," + one_byte.substr(1) + "   ", 3));
  REQUIRE(file);
  REQUIRE(file->tensors.size() == 2);
  CHECK(file->tensors[0].name == "a");
  CHECK(file->tensors[1].value.shape == std::vector<std::int64_t>{2, 1});
}

TEST_CASE("tensors are aligned in memory wherever they lie in the file") {
  auto file = read_bytes(
    file_of(std::string{"{"} + entry("a", "U8", "[1]", "[0,1]") + "," + entry("b", "F64", "[1]", "[1,9]") + "}", 9));
  REQUIRE(file);
  for (auto& x : file->tensors)
    CHECK(reinterpret_cast<std::uintptr_t>(x.value.bytes.get()) % 64 == 0);
}

TEST_CASE("a file that is too short for what it says is corrupt") {
  auto bytes = file_of(one_byte, 1);
  REQUIRE(read_bytes(bytes));
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    auto file = read_bytes(bytes.substr(0, length));
    REQUIRE_FALSE(file);
    CHECK(file.error().code == ec::corrupt);
  }
}

TEST_CASE("bytes after the last tensor are corrupt") {
  check_refused(one_byte, 2, "2 bytes after the header, expected 1");
  check_refused("{}", 1, "1 bytes after the header, expected 0");
}

TEST_CASE("a header size past the file or the limit is refused without taking memory") {
  for (std::uint64_t size : {100ull, 100'000'001ull, 1ull << 40, ~0ull, ~0ull - 7}) {
    auto file = read_bytes(prefix_of(size) + "{}");
    REQUIRE_FALSE(file);
    CHECK(file.error().code == ec::corrupt);
    CHECK(file.error().context.find(std::to_string(size) + " bytes, expected at most") != std::string::npos);
  }
}

TEST_CASE("a header that is not one JSON object in UTF-8 is corrupt") {
  check_refused("", 0, "does not start with '{'");
  check_refused(" {}", 0, "does not start with '{'");
  check_refused("[]", 0, "does not start with '{'");
  check_refused("{", 0, "not valid JSON");
  check_refused("{}{}", 0, "not valid JSON");
  check_refused("{\"a\xff\":1}", 0, "not valid JSON");
  check_refused("{}\xe2\x80", 0, "not valid JSON");
  check_refused(std::string{"{}\0", 3}, 0, "zero byte");
  check_refused(std::string{"{\0}", 3}, 0, "zero byte");
  check_refused("{\"a\":" + std::string(100'000, '['), 0, "an array");
  check_refused("{\"a\":" + std::string(100'000, '{'), 0, "not valid JSON");
}

TEST_CASE("members of the wrong kind are corrupt") {
  check_refused(R"({"a":1})", 0, "the number 1");
  check_refused(R"({"a":null})", 0, "null");
  check_refused(R"({"a":"x"})", 0, "a string");
  check_refused(R"({"a":[]})", 0, "an array");
  check_refused(R"({"a":{}})", 0, "dtype, shape or data_offsets is missing");
  check_refused(R"({"a":{"dtype":"U8","shape":[1]}})", 1, "data_offsets is missing");
  check_refused(R"({"a":{"dtype":1,"shape":[1],"data_offsets":[0,1]}})", 1, "the number 1 at 'dtype'");
  check_refused(R"({"a":{"dtype":"U8","shape":1,"data_offsets":[0,1]}})", 1, "at 'shape'");
  check_refused(R"({"a":{"dtype":"U8","shape":["1"],"data_offsets":[0,1]}})", 1, "a string at 'shape'");
  check_refused(R"({"a":{"dtype":"U8","shape":[[1]],"data_offsets":[0,1]}})", 1, "an array at 'shape'");
  check_refused(R"({"a":{"dtype":"U8","shape":[1],"data_offsets":{}}})", 1, "an object at 'data_offsets'");
  check_refused(R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1],"x":2}})", 1, "unknown key 'x'");
  check_refused(R"({"__metadata__":{"a":1}})", 0, "__metadata__: the number 1");
  check_refused(R"({"__metadata__":{"a":{}}})", 0, "__metadata__: an object");
  check_refused(R"({"__metadata__":"x"})", 0, "a string");
}

TEST_CASE("numbers that are not whole and positive are corrupt") {
  for (auto number : {"-1", "1.0", "1e0", "true", "null", "18446744073709551616"}) {
    check_refused(std::string{"{"} + entry("a", "U8", std::string{"["} + number + "]", "[0,1]") + "}", 1,
                  "does not belong there");
    check_refused(std::string{"{"} + entry("a", "U8", "[1]", std::string{"[0,"} + number + "]") + "}", 1,
                  "does not belong there");
  }
  check_refused(std::string{"{"} + entry("a", "U8", "[1]", "[0]") + "}", 1, "data_offsets has 1 numbers");
  check_refused(std::string{"{"} + entry("a", "U8", "[1]", "[]") + "}", 1, "data_offsets has 0 numbers");
  check_refused(std::string{"{"} + entry("a", "U8", "[1]", "[0,1,2]") + "}", 1, "the number 2");
}

TEST_CASE("a name twice is corrupt, at every level") {
  check_refused(std::string{"{"} + entry("a", "U8", "[1]", "[0,1]") + "," + entry("a", "U8", "[1]", "[1,2]") + "}", 2,
                "tensor 'a' is there twice");
  check_refused(R"({"__metadata__":{},"__metadata__":{}})", 0, "__metadata__ is there twice");
  check_refused(R"({"__metadata__":{"k":"1","k":"2"}})", 0, "'k' is there twice");
  check_refused(R"({"a":{"dtype":"U8","dtype":"U8","shape":[1],"data_offsets":[0,1]}})", 1, "'dtype' is there twice");
}

TEST_CASE("offsets that leave a hole, overlap or do not fit the shape are corrupt") {
  auto two = [](const std::string& first, const std::string& second) {
    return std::string{"{"} + entry("a", "U8", "[2]", first) + "," + entry("b", "U8", "[2]", second) + "}";
  };
  REQUIRE(read_bytes(file_of(two("[0,2]", "[2,4]"), 4)));
  check_refused(two("[0,2]", "[3,5]"), 5, "starts at byte 3, expected 2");
  check_refused(two("[0,2]", "[1,3]"), 3, "starts at byte 1, expected 2");
  check_refused(two("[0,2]", "[0,2]"), 2, "starts at byte 0, expected 2");
  check_refused(two("[1,3]", "[3,5]"), 5, "starts at byte 1, expected 0");
  check_refused(std::string{"{"} + entry("a", "U8", "[2]", "[0,1]") + "}", 1, "expected 2 bytes by its shape");
  check_refused(std::string{"{"} + entry("a", "F32", "[1]", "[0,1]") + "}", 1, "expected 4 bytes by its shape");
  check_refused(std::string{"{"} + entry("a", "U8", "[]", "[0,0]") + "}", 0, "expected 1 bytes by its shape");
  check_refused(std::string{"{"} + entry("a", "U8", "[1]", "[1,0]") + "}", 1, "expected 1 bytes by its shape");
}

TEST_CASE("shapes whose size overflows are corrupt") {
  for (auto shape : {"[18446744073709551615]", "[9223372036854775808]", "[4294967296,4294967296]",
                     "[9223372036854775807,2,0]", "[2305843009213693952]"})
    check_refused(std::string{"{"} + entry("a", "F64", shape, "[0,0]") + "}", 0, "its shape is too large");
  std::string deep = "[1";
  for (std::size_t i = 0; i < max_rank; ++i)
    deep += ",1";
  check_refused(std::string{"{"} + entry("a", "U8", deep + "]", "[0,1]") + "}", 1, "more than 64 dimensions");
}

TEST_CASE("element types that the project does not know are unsupported, by name") {
  for (auto type : {"F8_E4M3", "C64", "I16", "f32", "", "F32 "})
    check_refused(std::string{"{"} + entry("a", type, "[1]", "[0,1]") + "}", 1, "element type " + std::string{type},
                  ec::unsupported);
}

TEST_CASE("an absent file is not found and a folder cannot be read") {
  scratch_folder scratch;
  CHECK(read_safetensors(scratch / "x").error().code == ec::not_found);
  CHECK(read_safetensors(scratch.path()).error().code == ec::io_error);
}

TEST_CASE("ten thousand mutated files neither crash nor break a promise") {
  scratch_folder scratch;
  REQUIRE(write_to(scratch / "x", one_of_each(), {{"format", "pt"}}));
  const auto bytes = bytes_of(scratch / "x");
  std::mt19937 engine{11};
  constexpr std::string_view alphabet = "{}[]\",:0123456789-eE. \\u\xff\x80\x01";
  std::size_t num_refused = 0;
  for (int i = 0; i < 10'000; ++i) {
    auto mutant = bytes;
    for (auto changes = 1 + engine() % 4; changes-- > 0;) {
      auto at = engine() % mutant.size();
      switch (engine() % 3) {
      case 0:
        mutant[at] = alphabet[engine() % alphabet.size()];
        break;
      case 1:
        mutant.erase(at, 1 + engine() % 3);
        break;
      default:
        mutant.insert(at, 1 + engine() % 3, alphabet[engine() % alphabet.size()]);
        break;
      }
    }
    put_file(scratch / "x", mutant);
    auto file = read_safetensors(scratch / "x");
    if (!file) {
      ++num_refused;
      CHECK_FALSE(file.error().context.empty());
      continue;
    }
    std::size_t num_data_bytes = 0;
    for (auto& x : file->tensors)
      num_data_bytes += x.value.num_bytes();
    CHECK(num_data_bytes <= mutant.size());
    CHECK(file->checksum == crc32c(mutant));
  }
  CHECK(num_refused > 5'000);
}

TEST_SUITE_END();
