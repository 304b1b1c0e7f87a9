/// One key of the YAML, bound to a member of a struct; and the builder that makes tables of them.
#pragma once

#include "app/config/codec.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace troupe {

/// What a resumed run may do with a key.
enum class resume_rule : std::uint8_t {
  must_match, ///< It shapes the model, the order of the data or the optimizer.
  may_change, ///< Another value is accepted and told.
};

/// A key of a struct `Root`: path, what it accepts, what it means, and how it is read and written.
template <class Root>
struct basic_key {
  std::string path; ///< Dotted, from `Root` on.
  value_spec spec;
  std::string default_text; ///< The struct's own default, as a config spells it.
  std::string about;        ///< One line for the reference.
  std::string unit;         ///< "steps"; empty: none.
  resume_rule on_resume = resume_rule::must_match;
  std::string resume_note;              ///< Consequence of a change, told beside it.
  std::vector<std::string> other_names; ///< What other frameworks call it; for hints only.
  std::vector<std::string> only_for;    ///< Counts only where the sibling `selector` is one of these; empty: always.
  std::string selector = "dataset";

  /// Reads the value into `Root`, or adds problems under the given path and leaves `Root` alone.
  std::function<void(const node&, const std::string& path, Root&, problem_list&)> read;
  /// Returns the value as YAML text of one line; nothing if `Root` has no such part.
  std::function<std::optional<std::string>(const Root&)> write;

  basic_key& in(std::string x) {
    unit = std::move(x);
    return *this;
  }
  basic_key& changeable(std::string note = {}) {
    on_resume = resume_rule::may_change;
    resume_note = std::move(note);
    return *this;
  }
  basic_key& known_as(std::vector<std::string> names) {
    other_names = std::move(names);
    return *this;
  }
  basic_key& only_with(std::vector<std::string> values, std::string of = "dataset") {
    only_for = std::move(values);
    selector = std::move(of);
    return *this;
  }
};

/// Adds keys bound to members of `Part`, which lives somewhere in `Root`.
template <class Root, class Part>
class key_adder {
public:
  /// Returns the part; null if `Root` has none.
  using peek_type = std::function<const Part*(const Root&)>;
  /// Returns the part, made if `Root` had none.
  using touch_type = std::function<Part&(Root&)>;

  /// @param prefix What precedes each name: "optimizer."; may be empty.
  key_adder(std::vector<basic_key<Root>>& keys, std::string prefix, peek_type peek, touch_type touch)
    : keys_(keys), prefix_(std::move(prefix)), peek_(std::move(peek)), touch_(std::move(touch)) {}

  /// Returns the new key for refinement; valid until the next one is added.
  template <class T>
  basic_key<Root>& operator()(const std::string& name, T Part::*member, codec<T> values, std::string about) {
    basic_key<Root> x;
    x.path = prefix_ + name;
    x.spec = values.spec;
    x.default_text = values.write(Part{}.*member);
    x.about = std::move(about);
    x.read = [touch = touch_, member, read = values.read](const node& value, const std::string& path, Root& root,
                                                          problem_list& problems) {
      if (auto result = read(value, path, problems))
        touch(root).*member = std::move(*result);
    };
    x.write = [peek = peek_, member, write = values.write](const Root& root) {
      const auto* part = peek(root);
      return part ? std::optional{write(part->*member)} : std::nullopt;
    };
    return keys_.emplace_back(std::move(x));
  }

  /// Adds a key that is about several members. `read` changes the part that it is given, or adds problems and leaves it
  /// alone.
  basic_key<Root>& whole_part(const std::string& name, value_spec spec, std::string about,
                              std::function<void(const node&, const std::string&, Part&, problem_list&)> read,
                              std::function<std::string(const Part&)> write) {
    basic_key<Root> x;
    x.path = prefix_ + name;
    x.spec = std::move(spec);
    x.default_text = write(Part{});
    x.about = std::move(about);
    x.read = [peek = peek_, touch = touch_, read = std::move(read)](const node& value, const std::string& path,
                                                                    Root& root, problem_list& problems) {
      const auto before = problems.count();
      const auto* now = peek(root);
      auto part = now ? *now : Part{};
      read(value, path, part, problems);
      if (problems.count() == before)
        touch(root) = std::move(part);
    };
    x.write = [peek = peek_, write = std::move(write)](const Root& root) {
      const auto* part = peek(root);
      return part ? std::optional{write(*part)} : std::nullopt;
    };
    return keys_.emplace_back(std::move(x));
  }

private:
  std::vector<basic_key<Root>>& keys_;
  std::string prefix_;
  peek_type peek_;
  touch_type touch_;
};

} // namespace troupe
