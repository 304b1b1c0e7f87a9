#include "actors/glue/traced.hpp"

#include "actors/glue/guard.hpp"
#include "tests/support/trace_fixture.hpp"

#include <caf/event_based_actor.hpp>
#include <caf/replies_to.hpp>
#include <caf/skip.hpp>
#include <caf/typed_actor.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <stdexcept>
#include <string>
#include <vector>

#include "tests/support/deterministic_system.hpp"

namespace traced_test {

struct parcel {
  std::uint64_t batch = 0;
};
troupe::trace_ids ids_of(const parcel& x) {
  return {.batch = x.batch, .bytes = 100};
}

template <class Inspector>
typename Inspector::result_type inspect(Inspector& f, parcel& x) {
  return f(x.batch);
}

struct unregistered {
  int value = 0;
};
template <class Inspector>
typename Inspector::result_type inspect(Inspector& f, unregistered& x) {
  return f(x.value);
}

} // namespace traced_test

using namespace troupe;
using namespace troupe::test;
using namespace traced_test;

namespace {

using go_atom = caf::atom_constant<caf::atom("go")>;
using hold_atom = caf::atom_constant<caf::atom("hold")>;

using sink_actor = caf::typed_actor<caf::reacts_to<parcel>>;
using echo_actor = caf::typed_actor<caf::replies_to<go_atom, int>::with<int>>;
using source_actor = caf::typed_actor<caf::reacts_to<go_atom>>;

struct count_state {
  static inline const char* name = "counter";
  std::vector<std::uint64_t> batches;
};

sink_actor::behavior_type sink(traced_pointer<sink_actor, count_state> self) {
  trace_name(self, "sink");
  return {[self](parcel& x) { self->state.batches.push_back(x.batch); }};
}

sink_actor::behavior_type relay(traced_pointer<sink_actor, count_state> self, sink_actor next) {
  trace_name(self, "relay", 1);
  return {[self, next](parcel& x) { self->send(next, parcel{x.batch + 1}); }};
}

struct fixture {
  fixture() { register_message_type<parcel>("parcel"); }
  memory_recorder trace;
  deterministic_system actors;
};

} // namespace

TEST_SUITE_BEGIN("actors/glue");

TEST_CASE_FIXTURE(fixture, "a message's cause is the message in whose handler it was sent, over any number of actors") {
  const auto last = actors.spawn(sink);
  const auto second = actors.spawn(relay, last);
  const auto first = actors.spawn(relay, second);
  caf::anon_send(first, parcel{5});
  actors.run();
  const auto messages = trace.messages("parcel");
  REQUIRE(messages.size() == 3);
  CHECK(messages[0].cause == 0);
  CHECK(messages[0].root == messages[0].message);
  CHECK(messages[0].batch == 5);
  CHECK(messages[0].bytes == 100);
  for (std::size_t i = 1; i < 3; ++i) {
    CHECK(messages[i].cause == messages[i - 1].message);
    CHECK(messages[i].root == messages[0].message);
    CHECK(messages[i].batch == 5 + i);
    CHECK(trace.text(messages[i].sender) == "relay#1");
  }
  CHECK(trace.text(messages[0].receiver) == "relay#1");
  CHECK(trace.text(messages[2].receiver) == "sink");
  for (const auto& each : messages) {
    CHECK(each.outcome == trace_outcome::handled);
    CHECK(each.enqueued_ns <= each.dequeued_ns);
    CHECK(each.dequeued_ns <= each.ended_ns);
  }
}

TEST_CASE_FIXTURE(fixture, "a response has the request as its cause, and both bear their flags") {
  const auto echo = actors.spawn([](traced_base_pointer<echo_actor>) -> echo_actor::behavior_type {
    return {[](go_atom, int x) { return x + 1; }};
  });
  int answer = 0;
  actors.system().spawn([&](traced<caf::event_based_actor>* self) {
    self->request(echo, caf::infinite, go_atom{}, 41).then([&](int x) { answer = x; });
  });
  actors.run();
  CHECK(answer == 42);
  const auto requests = trace.messages("go i32");
  const auto responses = trace.messages("i32");
  REQUIRE(requests.size() == 1);
  REQUIRE(responses.size() == 1);
  CHECK(requests[0].flags == trace_request);
  CHECK((responses[0].flags & trace_response) != 0);
  CHECK(responses[0].cause == requests[0].message);
  CHECK(responses[0].sender == requests[0].receiver);
}

TEST_CASE_FIXTURE(fixture, "a delayed message keeps its cause, and its wait begins when it is delivered") {
  const auto last = actors.spawn(sink);
  const auto source = actors.spawn([last](traced_base_pointer<source_actor> self) -> source_actor::behavior_type {
    return {[self, last](go_atom) { self->delayed_send(last, std::chrono::seconds{10}, parcel{9}); }};
  });
  caf::anon_send(source, go_atom{});
  actors.run();
  CHECK(trace.messages("parcel").empty());
  const auto before_delivery = trace_now_ns();
  actors.advance(std::chrono::seconds{10});
  const auto delayed = trace.messages("parcel");
  REQUIRE(delayed.size() == 1);
  CHECK(delayed[0].cause == trace.messages("go").at(0).message);
  CHECK(delayed[0].enqueued_ns >= before_delivery);
  CHECK(delayed[0].outcome == trace_outcome::handled);
}

TEST_CASE_FIXTURE(fixture, "a message whose handler throws is recorded as such, with its times") {
  const auto bomb = actors.spawn([](traced_base_pointer<sink_actor> self) -> sink_actor::behavior_type {
    report_exceptions(self, "bomb");
    return {[](parcel&) { throw std::runtime_error("bang"); }};
  });
  caf::anon_send(bomb, parcel{1});
  caf::anon_send(bomb, parcel{2});
  actors.run();
  const auto messages = trace.messages("parcel");
  REQUIRE(messages.size() == 2);
  CHECK(messages[0].outcome == trace_outcome::threw);
  CHECK(messages[0].ended_ns >= messages[0].dequeued_ns);
  CHECK(messages[1].outcome == trace_outcome::never_handled);
  CHECK(messages[1].batch == 2);
  CHECK(messages[1].dequeued_ns == 0);
  CHECK(current_message().message == 0);
}

TEST_CASE_FIXTURE(fixture, "messages to an actor that quit, and to one that is gone, are recorded as never handled") {
  const auto quitter =
    actors.keep(actors.system().spawn([](traced_base_pointer<sink_actor> self) -> sink_actor::behavior_type {
      trace_name(self, "quitter");
      return {[self](parcel&) { self->quit(); }};
    }));
  for (std::uint64_t i = 0; i < 3; ++i)
    caf::anon_send(quitter, parcel{i});
  actors.run();
  caf::anon_send(quitter, parcel{3});
  actors.run();
  const auto messages = trace.messages("parcel");
  REQUIRE(messages.size() == 4);
  CHECK(messages[0].outcome == trace_outcome::handled);
  for (std::size_t i = 1; i < 4; ++i) {
    CHECK(messages[i].outcome == trace_outcome::never_handled);
    CHECK(trace.text(messages[i].receiver) == "quitter");
    CHECK(messages[i].batch == i);
  }
}

TEST_CASE_FIXTURE(fixture, "a message that is put aside is recorded once, when it is taken up for good") {
  const auto picky = actors.spawn([](traced<caf::event_based_actor>* self) -> caf::behavior {
    self->set_default_handler(caf::skip);
    return {[self](go_atom) { self->become([](parcel&) {}, [](hold_atom) {}); }};
  });
  caf::anon_send(picky, parcel{1});
  actors.run();
  CHECK(trace.messages("parcel").empty());
  caf::anon_send(picky, go_atom{});
  actors.run();
  REQUIRE(trace.messages("parcel").size() == 1);
  CHECK(trace.messages("parcel")[0].outcome == trace_outcome::handled);
}

TEST_CASE_FIXTURE(fixture, "a message that was put aside and never taken up again ends as skipped") {
  const auto picky = actors.spawn([](traced<caf::event_based_actor>* self) -> caf::behavior {
    self->set_default_handler(caf::skip);
    return {[self](go_atom) { self->quit(); }};
  });
  caf::anon_send(picky, parcel{1});
  caf::anon_send(picky, go_atom{});
  actors.run();
  REQUIRE(trace.messages("parcel").size() == 1);
  CHECK(trace.messages("parcel")[0].outcome == trace_outcome::skipped);
}

TEST_CASE_FIXTURE(fixture, "every message is counted, with what became of it") {
  const auto last = actors.spawn(sink);
  for (std::uint64_t i = 0; i < 10; ++i)
    caf::anon_send(last, parcel{i});
  actors.run();
  std::uint64_t total = 0;
  for (const auto& [key, stats] : trace.recorder().map().merged_stats()) {
    CHECK(trace.text(key.receiver) == "sink");
    CHECK(trace.text(key.type) == "parcel");
    CHECK(stats.bytes == 1000);
    CHECK(stats.outcomes[static_cast<std::size_t>(trace_outcome::handled)] == 10);
    total += stats.count();
  }
  CHECK(total == 10);
}

TEST_CASE_FIXTURE(fixture, "an actor without a name goes by CAF's, a type that nobody registered by its C++ name") {
  const auto plain =
    actors.spawn([](traced<caf::event_based_actor>*) -> caf::behavior { return {[](unregistered&) {}}; });
  caf::anon_send(plain, unregistered{1});
  actors.run();
  const auto messages = trace.messages("unregistered");
  REQUIRE(messages.size() == 1);
  CHECK(messages[0].batch == no_id);
  CHECK(trace.text(messages[0].receiver) == "scheduled_actor#" + std::to_string(plain.id()));
}

TEST_CASE_FIXTURE(fixture, "spawn and exit of an actor are in the trace, with the reason") {
  const auto quitter = actors.system().spawn([](traced_base_pointer<source_actor> self) -> source_actor::behavior_type {
    trace_name(self, "quitter");
    return {[self](go_atom) { self->quit(to_error({ec::io_error, "disk full"})); }};
  });
  caf::anon_send(quitter, go_atom{});
  actors.run();
  const auto spawns = trace.records(trace_kind::spawn);
  const auto exits = trace.records(trace_kind::exit);
  REQUIRE(spawns.size() == 1);
  REQUIRE(exits.size() == 1);
  CHECK(trace.text(spawns[0].receiver) == "quitter");
  CHECK(trace.text(exits[0].receiver) == "quitter");
  CHECK(spawns[0].bytes == quitter.id());
  CHECK(trace.text(exits[0].name).find("disk full") != std::string::npos);
}

TEST_CASE_FIXTURE(fixture, "links and marks belong to the message that is being handled") {
  const auto collator = actors.spawn([](traced_base_pointer<sink_actor> self) -> sink_actor::behavior_type {
    trace_name(self, "collator");
    return {[](parcel& x) {
      trace_link(std::vector<std::uint64_t>{77, 78});
      trace_mark("batch whole", {.batch = x.batch});
    }};
  });
  caf::anon_send(collator, parcel{3});
  actors.run();
  const auto message = trace.messages("parcel").at(0);
  const auto links = trace.records(trace_kind::link);
  const auto marks = trace.records(trace_kind::mark);
  REQUIRE(links.size() == 2);
  REQUIRE(marks.size() == 1);
  CHECK(links[0].message == message.message);
  CHECK(links[0].cause == 77);
  CHECK(links[1].cause == 78);
  CHECK(trace.text(marks[0].name) == "batch whole");
  CHECK(marks[0].message == message.message);
  CHECK(marks[0].batch == 3);
  CHECK(trace.text(marks[0].receiver) == "collator");
}

TEST_CASE_FIXTURE(fixture, "what an actor is at can be asked from outside, with the length of its queue") {
  std::vector<in_progress_entry> during;
  const auto busy = actors.spawn([&](traced_base_pointer<sink_actor> self) -> sink_actor::behavior_type {
    trace_name(self, "busy");
    return {[&](parcel& x) {
      if (x.batch == 0)
        during = in_progress();
    }};
  });
  for (std::uint64_t i = 0; i < 4; ++i)
    caf::anon_send(busy, parcel{i});
  actors.run();
  REQUIRE(during.size() == 1);
  CHECK(during[0].actor == "busy");
  CHECK(during[0].message_type == "parcel");
  CHECK(during[0].ids.batch == 0);
  CHECK(during[0].mailbox_depth == 3);
  CHECK(during[0].message == trace.messages("parcel").at(0).message);
  CHECK(during[0].since_ns == trace.messages("parcel").at(0).dequeued_ns);
  CHECK(in_progress().empty());
}

TEST_CASE("without a recorder nothing is recorded, and everything else works as ever") {
  deterministic_system actors;
  const auto last = actors.spawn(sink);
  const auto first = actors.spawn(relay, last);
  std::vector<in_progress_entry> during;
  trace_context context;
  const auto probe = actors.spawn([&](traced_base_pointer<source_actor> self) -> source_actor::behavior_type {
    return {[&, self](go_atom) {
      self->delayed_send(first, std::chrono::seconds{1}, parcel{1});
      trace_link(std::vector<std::uint64_t>{1});
      trace_mark("ignored");
      context = current_message();
    }};
  });
  caf::anon_send(probe, go_atom{});
  actors.advance(std::chrono::seconds{1});
  CHECK(context.message == 0);
  CHECK(in_progress().empty());
  memory_recorder late; // Actors that were spawned before stay untraced.
  caf::anon_send(first, parcel{1});
  actors.run();
  CHECK(late.records().empty());
}

TEST_CASE("a recorder that was stopped records no more, while its actors live on") {
  memory_recorder trace;
  deterministic_system actors;
  const auto last = actors.spawn(sink);
  caf::anon_send(last, parcel{1});
  actors.run();
  caf::anon_send(last, parcel{2});
  trace.recorder().stop();
  actors.run();
  caf::anon_send(last, parcel{3});
  actors.run();
  CHECK(trace.messages("parcel").size() == 1);
}

TEST_SUITE_END();
