#include "app/config/config_reference.hpp"
#include "app/config/schema.hpp"
#include "app/config/transform_list.hpp"
#include "tests/app/config/offered.hpp"

#include <sstream>

#include "tests/support/doctest.hpp"

using namespace troupe;
using namespace troupe::test;

TEST_SUITE("app/config") {

  TEST_CASE("the reference fits its width") {
    const offered all;
    for (const std::size_t width : {100u, 60u}) {
      std::istringstream lines{config_reference(width)};
      for (std::string line; std::getline(lines, line);) {
        CAPTURE(line);
        CHECK(line.size() <= width);
        CHECK((line.empty() || line.back() != ' '));
      }
    }
  }

  TEST_CASE("the reference has every section, every key with its default, and every transform") {
    const offered all;
    const auto text = config_reference();
    for (const auto& section : schema().sections)
      if (!section.path.empty())
        CHECK(text.find("\n" + section.path + ": ") != std::string::npos);
    for (const auto& key : schema().keys) {
      CAPTURE(key.path);
      const auto shown_default = key.default_text == "\"\"" ? "(empty)" : key.default_text;
      CHECK(text.find("\n  " + std::string{leaf_of(key.path)} + ": " + shown_default + "\n") != std::string::npos);
    }
    for (const auto& transform : transform_specs())
      CHECK(text.find("\n  " + transform.name + ": ") != std::string::npos);
  }

  TEST_CASE("the reference's keys are grouped by section") {
    const auto text = config_reference();
    const auto optimizer = text.find("\noptimizer: ");
    const auto schedule = text.find("\nlr_schedule: ");
    const auto weight_decay = text.find("\n  weight_decay: ");
    CHECK(optimizer < weight_decay);
    CHECK(weight_decay < schedule);
  }

} // TEST_SUITE
