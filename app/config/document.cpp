#include "app/config/document.hpp"

#include "app/config/source_text.hpp"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <charconv>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace troupe {

namespace {

/// Ends the parse from within a yaml-cpp callback.
struct refused : std::runtime_error {
  refused(position p, const std::string& text) : std::runtime_error(text), where(std::move(p)) {}
  position where;
};

/// Builds the tree from yaml-cpp's events, so that the bounds hold before anything large exists.
class tree_builder : public YAML::EventHandler {
public:
  tree_builder(std::string source, position_style style, problem_list& problems)
    : source_(std::move(source)), style_(style), problems_(problems) {}

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override { attach(make(node_kind::null, mark, anchor)); }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
    throw refused(place(mark), "an alias (*name), which a config cannot have; write the value out, or quote the text");
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    auto x = make(node_kind::scalar, mark, anchor);
    x.text = value;
    x.quoted = tag == "!"; // yaml-cpp: "?" for plain scalars, "!" for quoted ones
    if (!x.quoted && tag != "?" && !tag.empty())
      throw refused(x.where, fmt::format("tag {}, which a config cannot have", shown(tag)));
    attach(std::move(x));
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open(make(node_kind::list, mark, anchor));
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open(make(node_kind::map, mark, anchor));
  }
  void OnMapEnd() override { close(); }

  [[nodiscard]] node take_root() { return std::move(root_); }

private:
  struct frame {
    node value;
    std::optional<node> key; ///< map: the key whose value comes next
  };

  position place(const YAML::Mark& mark) const {
    if (style_ == position_style::name_only || mark.is_null())
      return {source_, 0, 0};
    return {source_, mark.line + 1, mark.column + 1};
  }

  node make(node_kind kind, const YAML::Mark& mark, YAML::anchor_t anchor) {
    node x;
    x.kind = kind;
    x.where = place(mark);
    if (anchor != 0)
      throw refused(x.where, "an anchor (&name), which a config cannot have; write the value out, or quote the text");
    if (++num_nodes_ > max_document_nodes)
      throw refused(x.where, fmt::format("more than {} values, too many for a config", max_document_nodes));
    return x;
  }

  void open(node x) {
    if (frames_.size() >= max_document_depth)
      throw refused(x.where, fmt::format("nested deeper than {} levels", max_document_depth));
    frames_.push_back({std::move(x), {}});
  }

  void close() {
    auto x = std::move(frames_.back().value);
    frames_.pop_back();
    attach(std::move(x));
  }

  void attach(node x) {
    if (frames_.empty()) {
      root_ = std::move(x);
      return;
    }
    auto& parent = frames_.back();
    if (parent.value.kind == node_kind::list)
      parent.value.items.push_back(std::move(x));
    else if (!parent.key)
      start_entry(parent, std::move(x));
    else
      finish_entry(parent, std::move(x));
  }

  static void start_entry(frame& parent, node x) {
    if (x.kind != node_kind::scalar)
      throw refused(x.where, fmt::format("found {} as a key, expected a name", describe(x)));
    parent.key = std::move(x);
  }

  void finish_entry(frame& parent, node x) {
    auto key = std::move(*parent.key);
    parent.key.reset();
    if (const auto* first = parent.value.find(key.text)) {
      problems_.add(key.where, "",
                    fmt::format("key {} is given twice, first at {}", shown(key.text), to_string(first->where)));
      return;
    }
    parent.value.entries.push_back({std::move(key.text), std::move(key.where), std::move(x)});
  }

  std::string source_;
  position_style style_;
  problem_list& problems_;
  std::vector<frame> frames_;
  node root_;
  std::size_t num_nodes_ = 0;
};

/// Returns the message of a yaml-cpp exception in words of this project, where its own would mislead.
std::string readable(const std::string& message) {
  if (message == YAML::ErrorMsg::DOC_IN_SCALAR || message == YAML::ErrorMsg::EOF_IN_SCALAR)
    return "a quoted text has no closing quote before this line";
  return message;
}

bool is_blank(std::string_view text) {
  return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

/// Feeds `text` to the builder. Throws what yaml-cpp or the builder throws.
void build(std::string_view text, tree_builder& builder) {
  // yaml-cpp 0.7 takes the end of a file for a missing closing quote, and all keys in between for text. The mark that
  // ends a document makes it an error.
  std::istringstream in{std::string{text} + (text.back() == '\n' ? "...\n" : "\n...\n")};
  YAML::Parser parser{in};
  parser.HandleNextDocument(builder);
  class : public YAML::EventHandler {
    void OnDocumentStart(const YAML::Mark& mark) override { throw YAML::ParserException(mark, "a second document"); }
    void OnDocumentEnd() override {}
    void OnNull(const YAML::Mark&, YAML::anchor_t) override {}
    void OnAlias(const YAML::Mark&, YAML::anchor_t) override {}
    void OnScalar(const YAML::Mark&, const std::string&, YAML::anchor_t, const std::string&) override {}
    void OnSequenceStart(const YAML::Mark&, const std::string&, YAML::anchor_t, YAML::EmitterStyle::value) override {}
    void OnSequenceEnd() override {}
    void OnMapStart(const YAML::Mark&, const std::string&, YAML::anchor_t, YAML::EmitterStyle::value) override {}
    void OnMapEnd() override {}
  } only_one;
  parser.HandleNextDocument(only_one);
}

} // namespace

map_entry* node::find(std::string_view key) {
  const auto i = std::find_if(entries.begin(), entries.end(), [key](const map_entry& x) { return x.key == key; });
  return i == entries.end() ? nullptr : &*i;
}

const map_entry* node::find(std::string_view key) const {
  return const_cast<node*>(this)->find(key);
}

std::optional<node> parse_document(std::string_view text, const std::string& source, position_style style,
                                   problem_list& problems) {
  const bool lines = style == position_style::lines;
  const auto start = lines ? position{source, 1, 1} : position{source, 0, 0};
  if (text.size() > max_source_bytes) {
    problems.add(start, "", fmt::format("{} bytes, expected at most {}", text.size(), max_source_bytes));
    return std::nullopt;
  }
  if (is_blank(text)) {
    problems.add(start, "", lines ? "is empty, expected sections such as \"data:\"" : "has no value");
    return std::nullopt;
  }
  if (!check_source(text, start, problems))
    return std::nullopt;
  tree_builder builder{source, style, problems};
  try {
    build(text, builder);
    return builder.take_root();
  } catch (const refused& error) {
    problems.add(error.where, "", error.what());
  } catch (const YAML::Exception& error) {
    auto where = start;
    if (lines && !error.mark.is_null())
      where = {source, error.mark.line + 1, error.mark.column + 1};
    problems.add(where, "", fmt::format("is not valid YAML: {}", readable(error.msg)));
  }
  return std::nullopt;
}

position find_position(const node& root, std::string_view path) {
  const node* at = &root;
  auto where = root.where;
  while (!path.empty()) {
    if (path.front() == '[') {
      std::size_t index = 0;
      std::from_chars(path.data() + 1, path.data() + path.size(), index);
      if (index >= at->items.size())
        return where;
      at = &at->items[index];
      where = at->where;
      path.remove_prefix(std::min(path.find(']') + 1, path.size()));
    } else {
      const auto* entry = at->find(path.substr(0, path.find_first_of(".[")));
      if (entry == nullptr)
        return where;
      at = &entry->value;
      where = entry->where;
      path.remove_prefix(entry->key.size());
    }
    if (!path.empty() && path.front() == '.')
      path.remove_prefix(1);
  }
  return where;
}

std::string describe(const node& x) {
  switch (x.kind) {
  case node_kind::null:
    return "nothing";
  case node_kind::scalar:
    return shown(x.text);
  case node_kind::list:
    return "a list";
  case node_kind::map:
    return "a map";
  }
  return "nothing";
}

} // namespace troupe
