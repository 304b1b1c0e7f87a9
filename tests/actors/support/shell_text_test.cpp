#include "actors/support/shell_text.hpp"

#include "tests/support/doctest.hpp"

using namespace troupe;

TEST_SUITE_BEGIN("actors/support");

TEST_CASE("a path is one word to a shell, whatever is in it") {
  CHECK(shell_text("runs/fashion-mnist-2") == "runs/fashion-mnist-2");
  CHECK(shell_text("my runs/x") == "'my runs/x'");
  CHECK(shell_text("it's") == "'it'\\''s'");
  CHECK(shell_text("a;rm -rf $HOME") == "'a;rm -rf $HOME'");
  CHECK(shell_text("") == "''");
}

TEST_SUITE_END();
