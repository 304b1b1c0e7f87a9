#include "app/config/schema.hpp"
#include "app/config/transform_list.hpp"
#include "app/config/write_config.hpp"
#include "tests/app/config/key_values.hpp"

#include <set>

#include "tests/support/doctest.hpp"

using namespace troupe;
using namespace troupe::test;

TEST_SUITE("app/config") {

  TEST_CASE("every key has a path of its own, a description and what it expects") {
    const offered all;
    std::set<std::string> paths;
    for (const auto& key : schema().keys) {
      CAPTURE(key.path);
      CHECK(paths.insert(key.path).second);
      CHECK(key.about.size() > 3);
      CHECK(key.about.back() == '.');
      CHECK(key.spec.expected.size() > 3);
      CHECK(key.read != nullptr);
      CHECK(key.write != nullptr);
    }
    CHECK(paths.size() > 60);
  }

  TEST_CASE("keys with a common section are neighbours, so that a section is written once") {
    const offered all;
    std::set<std::string> closed;
    std::string open;
    for (const auto& key : schema().keys) {
      const std::string top{key.path.substr(0, key.path.find('.'))};
      if (top == open)
        continue;
      CAPTURE(key.path);
      CHECK(closed.insert(top).second);
      open = top;
    }
  }

  TEST_CASE("every default is a value that its own key takes") {
    const offered all;
    for (const auto& key : schema().keys) {
      CAPTURE(key.path);
      problem_list problems;
      const auto config = read_overrides(set_key(key, key.default_text), problems);
      CHECK(problems.empty());
      if (key.spec.kind != value_kind::map) // options: what is left out is written, too
        CHECK(key.write(config) == key.default_text);
    }
  }

  TEST_CASE("every key takes another value, and only that key changes") {
    const offered all;
    for (const auto& key : schema().keys) {
      CAPTURE(key.path);
      problem_list problems;
      const auto config = read_overrides(set_key(key, other_value(key)), problems);
      REQUIRE_MESSAGE(problems.empty(), problems.report().context);
      for (const auto& other : schema().keys) {
        CAPTURE(other.path);
        const auto value = other.write(config);
        if (other.path == key.path)
          CHECK(value != key.default_text);
        else if (value && other.path != selector_of(key))
          CHECK(*value == other.default_text);
      }
    }
  }

  TEST_CASE("every key refuses values out of its range and names itself") {
    const offered all;
    for (const auto& key : schema().keys)
      for (const auto& value : values_out_of_range(key)) {
        CAPTURE(key.path);
        CAPTURE(value);
        problem_list problems;
        (void)read_overrides(set_key(key, value), problems);
        REQUIRE_FALSE(problems.empty());
        CHECK(problems.kept().front().path.rfind(key.path, 0) == 0);
        CHECK(problems.kept().front().text.find("expected") != std::string::npos);
        CHECK(problems.kept().front().text.size() < 600);
      }
  }

  TEST_CASE("every key refuses values of another type and names itself") {
    const offered all;
    for (const auto& key : schema().keys)
      for (const auto& value : values_of_wrong_type(key)) {
        CAPTURE(key.path);
        CAPTURE(value);
        problem_list problems;
        (void)read_overrides(set_key(key, value), problems);
        REQUIRE(problems.count() == 1);
        CHECK(problems.kept().front().path == key.path);
        CHECK(problems.kept().front().text.find("expected") != std::string::npos);
      }
  }

  TEST_CASE("every misspelt key is refused with the key that was meant") {
    const offered all;
    for (const auto& key : schema().keys) {
      CAPTURE(key.path);
      problem_list problems;
      auto misspelt = key.path;
      std::swap(misspelt[misspelt.size() - 1], misspelt[misspelt.size() - 2]);
      if (misspelt == key.path)
        misspelt += 'x';
      (void)read_overrides({misspelt + "=1"}, problems);
      REQUIRE(problems.count() == 1);
      CHECK(problems.kept().front().path == misspelt);
      CHECK(problems.kept().front().text.find("did you mean " + key.path + "?") != std::string::npos);
    }
  }

  TEST_CASE("an unknown key's hint looks in other sections too") {
    CHECK(schema().hint("train.lr") == "did you mean optimizer.lr?");
    CHECK(schema().hint("lr") == "did you mean optimizer.lr?");
    CHECK(schema().hint("optimizer.learning_rate") == "did you mean optimizer.lr?");
    CHECK(schema().hint("train.num_workers") == "did you mean pipeline.augmenters?");
    CHECK(schema().hint("optimiser") == "did you mean optimizer?");
    CHECK(schema().hint("pipeline.bad_sample") == "did you mean pipeline.bad_samples?");
    CHECK(schema().hint("data.validation.imagse") == "did you mean data.validation.images?");
  }

  TEST_CASE("a key like no other gets the list of valid keys") {
    CHECK(schema().hint("model.qwertyuiop") == "model has name, dropout, hidden, options");
    CHECK(schema().hint(std::string(100'000, 'x')).rfind("the top level has run, data, ", 0) == 0);
  }

  TEST_CASE("a parameter of every transform can be set, is range-checked and keeps its name") {
    for (const auto& transform : transform_specs())
      for (const auto& key : transform.keys) {
        CAPTURE(transform.name);
        CAPTURE(key.path);
        const auto item = [&](const std::string& value) {
          return fmt::format("transforms.train=[{{{}: {{{}: {}}}}}]", transform.name, key.path, value);
        };
        problem_list none;
        if (key.default_text != "[]")
          (void)read_overrides({item(key.default_text)}, none);
        CHECK(none.empty());
        for (const auto* bad : {"-1000000", "{}", "null", "text", ".nan"}) {
          problem_list problems;
          (void)read_overrides({item(bad)}, problems);
          REQUIRE(problems.count() == 1);
          CHECK(problems.kept().front().path == fmt::format("transforms.train[0].{}.{}", transform.name, key.path));
        }
      }
  }

  TEST_CASE("built-in transforms are in the order of the variant") {
    REQUIRE(transform_specs().size() + 1 == std::variant_size_v<transform_config>);
    for (std::size_t i = 0; i < transform_specs().size(); ++i)
      CHECK(transform_specs()[i].defaults.index() == i);
  }

} // TEST_SUITE
