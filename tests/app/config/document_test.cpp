#include "app/config/document.hpp"

#include <algorithm>

#include "tests/support/doctest.hpp"

using namespace troupe;

namespace {

/// Returns the report of the problems that parsing `text` gives; empty: none.
std::string problems_of(const std::string& text) {
  problem_list problems;
  (void)parse_document(text, "f.yaml", position_style::lines, problems);
  return problems.empty() ? "" : problems.report().context;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

} // namespace

TEST_SUITE("app/config") {

  TEST_CASE("a document becomes a tree with the places of its values") {
    problem_list problems;
    const auto root = parse_document("a: 1\nb:\n  - x\n  - {c: \"2\"}\n", "f.yaml", position_style::lines, problems);
    REQUIRE(root);
    REQUIRE(problems.empty());
    const auto* b = root->find("b");
    REQUIRE(b != nullptr);
    CHECK(to_string(b->where) == "f.yaml:2:1");
    REQUIRE(b->value.items.size() == 2);
    CHECK(to_string(b->value.items[0].where) == "f.yaml:3:5");
    const auto& quoted = b->value.items[1].find("c")->value;
    CHECK(quoted.text == "2");
    CHECK(quoted.quoted);
    CHECK_FALSE(root->find("a")->value.quoted);
    CHECK(root->find("z") == nullptr);
  }

  TEST_CASE("a path leads to a place, or to the innermost part that exists") {
    problem_list problems;
    const auto root = parse_document("a:\n  b:\n    - {c: 1}\n", "f.yaml", position_style::lines, problems);
    REQUIRE(root);
    CHECK(to_string(find_position(*root, "a.b[0].c")) == "f.yaml:3:8");
    CHECK(to_string(find_position(*root, "a.b[7].c")) == "f.yaml:2:3");
    CHECK(to_string(find_position(*root, "a.x.y")) == "f.yaml:1:1");
    CHECK(to_string(find_position(*root, "a.b[")) == "f.yaml:3:7");
  }

  TEST_CASE("an empty text is refused") {
    CHECK(contains(problems_of(""), "f.yaml:1:1: is empty"));
    CHECK(contains(problems_of(" \n\r\n\t\n"), "is empty"));
  }

  TEST_CASE("a duplicate key is refused with both places") {
    const auto report = problems_of("a: 1\nb: 2\na: 3\n");
    CHECK(report == "f.yaml:3:1: key \"a\" is given twice, first at f.yaml:1:1");
  }

  TEST_CASE("several duplicates are reported together") {
    const auto report = problems_of("{a: {x: 1, x: 2}, a: 1}");
    CHECK(contains(report, "\"x\" is given twice"));
    CHECK(contains(report, "\"a\" is given twice"));
  }

  TEST_CASE("a tab as indentation is named with its place") {
    CHECK(problems_of("a:\n\tb: 1\n") == "f.yaml:2:1: a tab indents this line; YAML is indented by spaces only");
    CHECK(contains(problems_of("a:\n  \tb: 1\n"), "f.yaml:2:3: a tab"));
  }

  TEST_CASE("tabs elsewhere do no harm") {
    CHECK(problems_of("a: 1\t# note\n\t\n\t# indented comment\nb: 2\n") == "");
  }

  TEST_CASE("anchors, aliases and tags are refused") {
    CHECK(contains(problems_of("a: &x 1\nb: *x\n"), "f.yaml:1:4: an anchor"));
    CHECK(contains(problems_of("a: &x [1]\n"), "an anchor"));
    CHECK(contains(problems_of("a: *x\n"), "anchor is not defined"));
    CHECK(contains(problems_of("a: !!python/object 1\n"), "tag"));
  }

  TEST_CASE("a laughing bomb of aliases ends at its first anchor") {
    std::string bomb = "a: &a [x, x, x, x, x, x, x, x, x]\n";
    for (char c = 'b'; c < 'k'; ++c) {
      const std::string up{static_cast<char>(c - 1)};
      bomb += std::string{c} + ": &" + c + " [*" + up + ", *" + up + ", *" + up + ", *" + up + "]\n";
    }
    CHECK(contains(problems_of(bomb), "an anchor"));
  }

  TEST_CASE("nesting is bounded") {
    const auto nested = [](std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); };
    CHECK(problems_of(nested(max_document_depth)) == "");
    CHECK(contains(problems_of(nested(max_document_depth + 1)), "nested deeper than 32"));
    CHECK(contains(problems_of(nested(100'000)), "nested deeper than 32"));
    CHECK(problems_of(std::string(100'000, '[')) != "");
    CHECK(problems_of(std::string(100'000, '{')) != "");
  }

  TEST_CASE("the number of values is bounded") {
    std::string many = "[";
    for (std::size_t i = 0; i <= max_document_nodes; ++i)
      many += "1,";
    CHECK(contains(problems_of(many + "1]"), "more than 20000 values"));
  }

  TEST_CASE("the size is bounded") {
    CHECK(contains(problems_of("a: " + std::string(max_source_bytes, 'x')), "expected at most 1048576"));
  }

  TEST_CASE("text that is not UTF-8 is refused with its place") {
    CHECK(problems_of("a: 1\nb: \xff\n") == "f.yaml:2:4: byte 0xff is not UTF-8; save the file as UTF-8");
    for (const auto* bad :
         {"\xc0\xaf", "\xe0\x80\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xf8\x88\x80\x80", "\xe2\x82", "\x80"}) {
      CAPTURE(bad);
      CHECK(contains(problems_of(std::string{"a: "} + bad + " x"), "not UTF-8"));
    }
    CHECK(problems_of("a: caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x8e\xad") == "");
  }

  TEST_CASE("UTF-16 and control characters are refused") {
    CHECK(problems_of(std::string{"\xff\xfe"
                                  "a\0:\0",
                                  6})
          != "");
    CHECK(contains(problems_of(std::string{"a: \0", 4}), "control character 0x00"));
    CHECK(contains(problems_of("a: \x1b[31m"), "control character 0x1b"));
  }

  TEST_CASE("a byte order mark and CRLF are fine") {
    CHECK(problems_of("\xef\xbb\xbf"
                      "a: 1\r\nb: 2\r\n")
          == "");
  }

  TEST_CASE("what is not YAML is refused with its place") {
    CHECK(contains(problems_of("a: [1, 2\n"), "f.yaml:2:1: is not valid YAML: "));
    CHECK(contains(problems_of("a: 1\n b: 2\n"), "f.yaml:2"));
    CHECK(contains(problems_of("a: @x\n"), "is not valid YAML"));
    CHECK(contains(problems_of("a: b: c\n"), "is not valid YAML"));
  }

  TEST_CASE("a missing closing quote is an error, not the end of the text") {
    for (const auto* text : {"a: \"x\nb: 1\n", "a: \"x", "a: 'x\nb: 1\n", "a: {b: \"x}\n", "a: |\n  x\nb: \"\n"}) {
      CAPTURE(text);
      CHECK(contains(problems_of(text), "a quoted text has no closing quote before this line"));
    }
  }

  TEST_CASE("what ends without a line break or with an end mark of its own is fine") {
    CHECK(problems_of("a: 1") == "");
    CHECK(problems_of("a: |\n  x") == "");
    CHECK(problems_of("---\na: 1\n...\n") == "");
    CHECK(problems_of("a: 1 # note") == "");
  }

  TEST_CASE("a second document is refused") {
    CHECK(contains(problems_of("a: 1\n---\nb: 2\n"), "a second document"));
  }

  TEST_CASE("a key must be a name") {
    CHECK(contains(problems_of("? [a, b]\n: 1\n"), "found a list as a key"));
    CHECK(contains(problems_of("? {a: b}\n: 1\n"), "found a map as a key"));
    CHECK(contains(problems_of("~: 1\n"), "found nothing as a key"));
  }

  TEST_CASE("every prefix and every single-byte change of a config is refused or read, never worse") {
    const std::string text = "run: {name: \"a b\", seed: 1}\ndata:\n  train:\n    - {x: [1, 2.5e3]}\n  b: |\n    t\n";
    std::size_t num_refused = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
      num_refused += problems_of(text.substr(0, i)).empty() ? 0 : 1;
      for (int byte = 0; byte < 256; byte += 3) {
        auto changed = text;
        changed[i] = static_cast<char>(byte);
        num_refused += problems_of(changed).empty() ? 0 : 1;
      }
    }
    CHECK(num_refused > text.size());
  }

  TEST_CASE("shown text is quoted, escaped and cut between characters") {
    CHECK(shown("abc") == "\"abc\"");
    CHECK(shown("a\nb\x1b") == "\"a\\x0ab\\x1b\"");
    CHECK(shown(std::string(1u << 20, 'x')) == "\"" + std::string(60, 'x') + "\"... (1048576 bytes)");
    CHECK(shown(std::string(59, 'x') + "\xc3\xa9tail") == "\"" + std::string(59, 'x') + "\"... (65 bytes)");
  }

  TEST_CASE("a report keeps twenty problems and counts the rest") {
    problem_list problems;
    for (int i = 25; i > 0; --i)
      problems.add({"f.yaml", i, 1}, "k", "text");
    CHECK(problems.count() == 25);
    const auto text = problems.report().context;
    CHECK(std::count(text.begin(), text.end(), '\n') == 20);
    CHECK(contains(text, "(5 more errors)"));
    CHECK(text.find("f.yaml:6:1: k: text") == 0);
  }

} // TEST_SUITE
