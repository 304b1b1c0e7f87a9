#include "actors/glue/traced.hpp"

#include <caf/error.hpp>
#include <caf/message.hpp>

#include <typeinfo>

namespace troupe {

namespace {

std::uint8_t flags_of(caf::message_id id) noexcept {
  return static_cast<std::uint8_t>((id.is_request() ? trace_request : 0) | (id.is_response() ? trace_response : 0)
                                   | (id.category() == caf::message_id::urgent_message_category ? trace_urgent : 0));
}

} // namespace

message_envelope::message_envelope(caf::mailbox_element_ptr inner, std::uint64_t id)
  : caf::mailbox_element(std::move(inner->sender), inner->mid, std::move(inner->stages)), inner_(std::move(inner)) {
  const auto context = current_message();
  record.message = id;
  record.cause = context.message;
  record.root = context.root != 0 ? context.root : id;
  record.sender = context.name; // Holds for anonymous messages; a named sender is looked up when the message arrives.
  record.flags = flags_of(mid);
  record.outcome = trace_outcome::never_handled;
  record.enqueued_ns = trace_now_ns();
}

message_envelope::~message_envelope() {
  auto* recorder = trace_recorder::active();
  if (recorded || recorder == nullptr)
    return;
  if (taken_up) {
    record.outcome = trace_outcome::skipped;
  } else {
    const auto label = label_of(content(), *recorder);
    record.name = label.name;
    put_ids(record, label.ids);
    if (sender)
      record.sender = recorder->name_of(sender->id());
    if (place != 0) {
      auto actor = recorder->map().actor(place);
      record.receiver = actor.name();
      actor.count_dequeued();
    }
    if (record.receiver == 0 && receiver != 0)
      record.receiver = recorder->map().strings().intern("actor#" + std::to_string(receiver));
  }
  recorder->put(record);
}

actor_trace::actor_trace(std::uint64_t actor) noexcept {
  if (auto* recorder = trace_recorder::active()) {
    actor_ = actor;
    place_ = recorder->claim_actor(actor);
  }
}

actor_trace::~actor_trace() {
  auto* recorder = trace_recorder::active();
  if (place_ != 0 && recorder != nullptr)
    recorder->map().actor(place_).release();
}

caf::mailbox_element_ptr actor_trace::enqueued(caf::mailbox_element_ptr element) const {
  auto* recorder = trace_recorder::active();
  if (recorder == nullptr || element->mid.is_stream_message())
    return element;
  const auto& plain = *element;
  if (typeid(plain) == typeid(message_envelope))
    static_cast<message_envelope&>(*element).record.enqueued_ns =
      trace_now_ns(); // Comes from the clock, wrapped early.
  else
    element.reset(new message_envelope(std::move(element), recorder->next_message_id()));
  auto& envelope = static_cast<message_envelope&>(*element);
  envelope.place = place_;
  envelope.receiver = actor_;
  recorder->map().actor(place_).count_enqueued();
  return element;
}

bool actor_trace::named() const noexcept {
  const auto* recorder = trace_recorder::active();
  return recorder == nullptr || recorder->map().actor(place_).name() != 0;
}

void actor_trace::rename(std::string_view name) noexcept {
  auto* recorder = trace_recorder::active();
  if (recorder == nullptr)
    return;
  recorder->map().actor(place_).rename(recorder->map().strings().intern(name));
  record_event(trace_kind::spawn, 0);
}

void actor_trace::exited(const caf::error& reason) noexcept {
  auto* recorder = trace_recorder::active();
  if (recorder != nullptr && named())
    record_event(trace_kind::exit, recorder->map().strings().intern(reason ? caf::to_string(reason) : "normal"));
}

message_envelope* actor_trace::begin(caf::mailbox_element& element) {
  auto* recorder = trace_recorder::active();
  if (recorder == nullptr || typeid(element) != typeid(message_envelope))
    return nullptr;
  auto& envelope = static_cast<message_envelope&>(element);
  auto& record = envelope.record;
  auto actor = recorder->map().actor(place_);
  const auto label = label_of(envelope.content(), *recorder); // Before the handler moves the content out.
  record.name = label.name;
  put_ids(record, label.ids);
  record.receiver = actor.name();
  if (envelope.sender)
    record.sender = recorder->name_of(envelope.sender->id());
  if (!envelope.taken_up)
    actor.count_dequeued();
  envelope.taken_up = true;
  record.dequeued_ns = trace_now_ns();
  if (place_ != 0)
    actor.begin({record.message, record.dequeued_ns, record.name, label.ids});
  return &envelope;
}

void actor_trace::end(message_envelope& envelope, trace_outcome outcome) noexcept {
  put_aside();
  envelope.record.ended_ns = trace_now_ns();
  envelope.record.outcome = outcome;
  envelope.recorded = true;
  if (auto* recorder = trace_recorder::active())
    recorder->put(envelope.record);
}

void actor_trace::put_aside() noexcept {
  auto* recorder = trace_recorder::active();
  if (place_ != 0 && recorder != nullptr)
    recorder->map().actor(place_).end();
}

void actor_trace::record_event(trace_kind kind, std::uint32_t name) const noexcept {
  auto* recorder = trace_recorder::active();
  const auto context = current_message();
  trace_record record{.message = context.message, .root = context.root, .enqueued_ns = trace_now_ns()};
  record.kind = kind;
  record.receiver = recorder->map().actor(place_).name();
  record.name = name;
  record.bytes = actor_;
  recorder->put(record);
}

caf::mailbox_element_ptr wrap_delayed(caf::mailbox_element_ptr element) {
  auto* recorder = trace_recorder::active();
  if (recorder == nullptr)
    return element;
  return caf::mailbox_element_ptr{new message_envelope(std::move(element), recorder->next_message_id())};
}

} // namespace troupe
