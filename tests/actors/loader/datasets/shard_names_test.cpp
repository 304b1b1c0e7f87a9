#include "actors/loader/datasets/shard_names.hpp"

#include "tests/actors/loader/datasets/data_files.hpp"

#include "tests/support/doctest.hpp"

using namespace troupe;
using namespace troupe::testing;

namespace {

using strings = std::vector<std::string>;

strings expand(const strings& patterns) {
  return take(expand_shard_names(patterns));
}

} // namespace

TEST_SUITE("actors/loader") {
  TEST_CASE("a range stands for its numbers, with as many digits as the first") {
    CHECK(expand({"s-{08..11}.tar"}) == strings{"s-08.tar", "s-09.tar", "s-10.tar", "s-11.tar"});
    CHECK(expand({"{9..10}"}) == strings{"9", "10"});
    CHECK(expand({"a{000..000}b"}) == strings{"a000b"});
    CHECK(expand({"{0..1}/{0..2}", "x"}) == strings{"0/0", "0/1", "0/2", "1/0", "1/1", "1/2", "x"});
    CHECK(expand({}).empty());
  }

  TEST_CASE("braces that hold no range are left alone") {
    for (const char* name : {"a{b}.tar", "{}", "{a..b}", "{1..}", "{..2}", "{1..2", "1..2}", "{-1..2}"})
      CHECK(expand({name}) == strings{name});
    CHECK(expand({"{x}{1..2}"}) == strings{"{x}1", "{x}2"});
  }

  TEST_CASE("a range that falls or has no end in sight is refused") {
    check_failed(expand_shard_names({"s{3..1}"}), ec::bad_config, {"s{3..1}", "3..1"});
    check_failed(expand_shard_names({"{0..99999999}"}), ec::bad_config, {"at most 1000000"});
    check_failed(expand_shard_names({"{0..9999}{0..9999}"}), ec::bad_config, {"at most 1000000"});
  }
}
