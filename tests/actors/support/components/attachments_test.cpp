#include "actors/support/components/attachments.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "tests/support/doctest.hpp"

using namespace troupe;

namespace {

sample_weights weights(std::uint64_t version, std::uint64_t from_epoch, std::vector<float> values) {
  return {version, from_epoch, std::make_shared<const std::vector<float>>(std::move(values))};
}

named_tensor row(std::string name, dtype type, std::vector<std::int64_t> shape) {
  named_tensor out{std::move(name), {std::move(shape), type, {}}};
  out.value.bytes = {new std::byte[out.value.num_bytes() + 1]{}, std::default_delete<std::byte[]>{}};
  return out;
}

void check_refused(const named_tensor& attachment, const std::string& why) {
  CAPTURE(attachment.name);
  const auto read = read_attachments({attachment});
  REQUIRE_FALSE(read);
  CHECK(read.error().code == ec::corrupt);
  CHECK(read.error().context.find("'" + attachment.name + "'") != std::string::npos);
  CHECK_MESSAGE(read.error().context.find(why) != std::string::npos, read.error().context);
}

} // namespace

TEST_SUITE_BEGIN("actors/support/components");

TEST_CASE("weights and what listeners keep come back as they were") {
  const std::string all_bytes{"\0\xff\n\"", 4};
  const std::map<std::string, std::string> listeners{{"plain", "text"}, {"a.b c\u00e9", all_bytes}, {"silent", ""}};
  const auto attachments = attachments_of({weights(9, 4, {1, 0.1f}), weights(10, 6, {3e38f, 1e-40f})}, listeners);
  const auto read = read_attachments(attachments);
  REQUIRE(read);
  REQUIRE(read->sampling.size() == 2);
  CHECK(read->sampling[0].version == 9);
  CHECK(read->sampling[0].from_epoch == 4);
  CHECK(*read->sampling[0].weights == std::vector<float>{1, 0.1f});
  CHECK(read->sampling[1].version == 10);
  CHECK(*read->sampling[1].weights == std::vector<float>{3e38f, 1e-40f});
  CHECK(read->listeners == listeners);
}

TEST_CASE("nothing is nothing") {
  CHECK(attachments_of({}, {}).empty());
  const auto read = read_attachments({});
  REQUIRE(read);
  CHECK(read->sampling.empty());
  CHECK(read->listeners.empty());
}

TEST_CASE("attachments have the names, types and shapes of the format") {
  const auto attachments = attachments_of({weights(~0ull, 3, {1, 2})}, {{"x", "abc"}});
  REQUIRE(attachments.size() == 2);
  CHECK(attachments[0].name == "sampling.18446744073709551615.3");
  CHECK(attachments[0].value.type == dtype::f32);
  CHECK(attachments[0].value.shape == std::vector<std::int64_t>{2});
  CHECK(attachments[1].name == "listener.x");
  CHECK(attachments[1].value.type == dtype::u8);
  CHECK(attachments[1].value.shape == std::vector<std::int64_t>{3});
}

TEST_CASE("attachments outlive what they were made of") {
  std::vector<named_tensor> attachments;
  {
    auto one = weights(1, 2, {5, 6});
    attachments = attachments_of({one}, {{"x", "a text that is too long for its own string object"}});
  }
  const auto read = read_attachments(attachments);
  REQUIRE(read);
  CHECK(*read->sampling[0].weights == std::vector<float>{5, 6});
  CHECK(read->listeners.at("x") == "a text that is too long for its own string object");
}

TEST_CASE("weights come in the order of their versions") {
  auto attachments = attachments_of({weights(9, 4, {1}), weights(10, 6, {2})}, {});
  std::swap(attachments[0], attachments[1]);
  const auto read = read_attachments(attachments);
  REQUIRE(read);
  CHECK(read->sampling[0].version == 9);
}

TEST_CASE("a name or a tensor of another form is refused, and named") {
  for (const char* name :
       {"", "sampling", "sampling.", "sampling.1", "sampling.1.", "sampling..1", "sampling.1.2.3", "sampling.-1.2",
        "sampling.1.x", "sampling.18446744073709551616.1", "listener", "weights.1.2"})
    check_refused(row(name, dtype::f32, {2}), "expected 'sampling.<version>.<from_epoch>' or 'listener.<name>'");
  check_refused(row("sampling.1.2", dtype::f64, {2}), "expected a row of floats");
  check_refused(row("sampling.1.2", dtype::f32, {2, 1}), "expected a row of floats");
  check_refused(row("sampling.1.2", dtype::f32, {}), "expected a row of floats");
  check_refused(row("listener.x", dtype::f32, {2}), "expected a row of bytes");
  check_refused({"listener.x", {{3}, dtype::u8, nullptr}}, "expected a row of bytes");
}

TEST_SUITE_END();
