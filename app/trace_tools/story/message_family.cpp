#include "app/trace_tools/story/message_family.hpp"

#include <algorithm>
#include <deque>

namespace troupe {

namespace {

struct edge {
  std::uint64_t child = 0;
  std::uint64_t parent = 0;
  friend auto operator<=>(const edge&, const edge&) = default;
};

/// Who caused whom among the records around one message: ancestors are recorded not long before it, or a little after,
/// since threads are drained in turns.
class edge_window {
public:
  explicit edge_window(std::uint64_t message) : message_(message) {}

  void take(const trace_record& record) {
    if (to_come_ == 0 || record.cause == 0)
      return;
    if (record.kind != trace_kind::message && record.kind != trace_kind::link)
      return;
    const edge each{record.message, record.cause};
    if (edges_.size() < capacity)
      edges_.push_back(each);
    else
      edges_[next_++ % capacity] = each;
    found_ |= record.message == message_ && record.kind == trace_kind::message;
    to_come_ -= found_ ? 1 : 0;
  }

  /// Sorted, each once.
  [[nodiscard]] std::vector<edge> edges() && {
    std::sort(edges_.begin(), edges_.end());
    edges_.erase(std::unique(edges_.begin(), edges_.end()), edges_.end());
    return std::move(edges_);
  }

private:
  static constexpr std::size_t capacity = std::size_t{1} << 18;

  std::uint64_t message_;
  std::vector<edge> edges_;
  std::size_t next_ = 0;
  bool found_ = false;
  std::size_t to_come_ = capacity / 2; ///< Records that are still taken once the message was found.
};

void find_ancestors(const recorded_process& process, std::size_t limit, message_family& family) {
  edge_window window{family.id};
  visit_records(process, [&](const trace_record& record) { window.take(record); });
  const auto edges = std::move(window).edges();
  std::set<std::uint64_t> seen = {family.id};
  std::deque<std::uint64_t> open = {family.id};
  for (; !open.empty(); open.pop_front()) {
    auto each = std::lower_bound(edges.begin(), edges.end(), edge{open.front(), 0});
    for (; each != edges.end() && each->child == open.front(); ++each) {
      if (seen.contains(each->parent))
        continue;
      if (seen.size() > limit) {
        family.more_ancestors = true;
        return;
      }
      seen.insert(each->parent);
      family.parents[each->child].push_back(each->parent);
      open.push_back(each->parent);
    }
  }
}

/// Collects descendants and the records of all. One pass sees most of a family: of records that come before their
/// cause's, which happens between threads, the next pass sees the rest.
class family_pass {
public:
  family_pass(message_family& family, std::size_t limit) : family_(family), limit_(limit) {
    wanted_.insert(family.id);
    for (const auto& [child, parents] : family.parents)
      wanted_.insert(parents.begin(), parents.end());
    descendants_.insert(family.id);
  }

  /// Once more over all records; false if nothing new can come of it.
  bool begin() { return std::exchange(grown_, false); }

  void take(const trace_record& record) {
    if (record.kind == trace_kind::link || record.kind == trace_kind::message) {
      if (record.cause != 0 && descendants_.contains(record.cause))
        add_descendant(record.cause, record.message);
      if (record.kind == trace_kind::message && wanted_.contains(record.message))
        family_.messages[record.message] = record;
    } else if (record.message == family_.id && family_.events.size() < limit_ && !events_done_) {
      family_.events.push_back(record);
    }
  }

  void end() { events_done_ = true; }

private:
  void add_descendant(std::uint64_t parent, std::uint64_t child) {
    if (wanted_.contains(child))
      return; // Known, or an ancestor: causes that go in circles.
    if (descendants_.size() > limit_) {
      family_.more_descendants = true;
      return;
    }
    descendants_.insert(child);
    wanted_.insert(child);
    family_.children[parent].push_back(child);
    grown_ = true;
  }

  message_family& family_;
  std::size_t limit_;
  std::set<std::uint64_t> wanted_;
  std::set<std::uint64_t> descendants_;
  bool grown_ = true;
  bool events_done_ = false;
};

} // namespace

message_family find_family(const recorded_process& process, std::uint64_t message, std::size_t limit) {
  constexpr int max_passes = 4;
  message_family family;
  family.id = message;
  find_ancestors(process, limit, family);
  family_pass pass{family, limit};
  for (int i = 0; i < max_passes && pass.begin(); ++i) {
    visit_records(process, [&](const trace_record& record) { pass.take(record); });
    pass.end();
  }
  return family;
}

} // namespace troupe
