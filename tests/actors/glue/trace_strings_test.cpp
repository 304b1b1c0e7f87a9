#include "actors/glue/trace_strings.hpp"

#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/doctest.hpp"

using namespace troupe;

namespace {

struct string_memory {
  std::unique_ptr<string_cell[]> cells = std::make_unique<string_cell[]>(max_trace_strings);
  trace_strings strings{cells.get()};
};

} // namespace

TEST_SUITE_BEGIN("actors/glue");

TEST_CASE("a text has one number and comes back from it") {
  string_memory memory;
  const auto loader = memory.strings.intern("loader");
  const auto trainer = memory.strings.intern("trainer");
  CHECK(loader != 0);
  CHECK(loader != trainer);
  CHECK(memory.strings.intern("loader") == loader);
  CHECK(memory.strings.text(loader) == "loader");
  CHECK(memory.strings.text(trainer) == "trainer");
  CHECK(memory.strings.size() == 2);
}

TEST_CASE("numbers that were never given have no text") {
  string_memory memory;
  CHECK(memory.strings.text(0).empty());
  CHECK(memory.strings.text(17).empty());
  CHECK(memory.strings.text(max_trace_strings).empty());
  CHECK(memory.strings.text(~0u).empty());
}

TEST_CASE("a long text is cut off, an empty one becomes a question mark") {
  string_memory memory;
  const std::string text(500, 'x');
  CHECK(memory.strings.text(memory.strings.intern(text)) == text.substr(0, max_trace_string_bytes));
  CHECK(memory.strings.text(memory.strings.intern("")) == "?");
}

TEST_CASE("a full table gives 0 for new texts and still knows the old ones") {
  string_memory memory;
  std::set<std::uint32_t> numbers;
  for (std::size_t i = 1; i < max_trace_strings; ++i)
    numbers.insert(memory.strings.intern("name " + std::to_string(i)));
  CHECK(numbers.size() == max_trace_strings - 1);
  CHECK_FALSE(numbers.contains(0));
  CHECK(memory.strings.intern("one too many") == 0);
  CHECK(memory.strings.text(memory.strings.intern("name 1")) == "name 1");
}

TEST_CASE("threads that need the same names at once agree on the numbers") {
  constexpr int num_names = 500;
  string_memory memory;
  std::vector<std::vector<std::uint32_t>> numbers(4);
  std::vector<std::thread> threads;
  for (auto& mine : numbers)
    threads.emplace_back([&] {
      for (int i = 0; i < num_names; ++i)
        mine.push_back(memory.strings.intern("name " + std::to_string(i)));
    });
  for (auto& each : threads)
    each.join();
  for (const auto& each : numbers)
    CHECK(each == numbers.front());
  CHECK(std::set<std::uint32_t>(numbers.front().begin(), numbers.front().end()).size() == num_names);
  CHECK(memory.strings.size() == num_names);
}

TEST_SUITE_END();
