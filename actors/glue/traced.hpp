/// Makes an actor's messages visible in the trace, without a line in its handlers.
///
///     trainer_actor::behavior_type trainer(traced_pointer<trainer_actor, trainer_state> self, trainer_config config) {
///       trace_name(self, "trainer");
///       ...
///     auto actor = system.spawn<caf::detached>(trainer, config);
#pragma once

#include "actors/glue/message_types.hpp"
#include "actors/glue/trace_events.hpp"
#include "actors/glue/trace_recorder.hpp"

#include <caf/actor_cast.hpp>
#include <caf/actor_clock.hpp>
#include <caf/actor_system.hpp>
#include <caf/fwd.hpp>
#include <caf/invoke_message_result.hpp>
#include <caf/local_actor.hpp>
#include <caf/mailbox_element.hpp>
#include <caf/no_stages.hpp>
#include <caf/response_type.hpp>
#include <caf/stateful_actor.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace troupe {

/// A message on its way, with its record. Wraps CAF's own element, which keeps the content.
class message_envelope final : public caf::mailbox_element {
public:
  /// Wraps what the calling thread sends: the message that it is handling is the cause.
  message_envelope(caf::mailbox_element_ptr inner, std::uint64_t id);
  /// Records a message that nobody took up.
  ~message_envelope() override;

  caf::type_erased_tuple& content() override { return inner_->content(); }
  const caf::type_erased_tuple& content() const override { return inner_->content(); }
  caf::message move_content_to_message() override { return inner_->move_content_to_message(); }
  caf::message copy_content_to_message() const override { return inner_->copy_content_to_message(); }

  trace_record record;
  std::size_t place = 0;      ///< Of the receiver, among the traced actors.
  std::uint64_t receiver = 0; ///< CAF id.
  bool taken_up = false;      ///< Was out of the mailbox at least once.
  bool recorded = false;

private:
  caf::mailbox_element_ptr inner_;
};

/// The trace's side of one actor. Off if there was no recorder when the actor was spawned.
class actor_trace {
public:
  explicit actor_trace(std::uint64_t actor) noexcept;
  actor_trace(const actor_trace&) = delete;
  actor_trace& operator=(const actor_trace&) = delete;
  ~actor_trace();

  [[nodiscard]] bool on() const noexcept { return actor_ != 0; }

  /// Puts the message into an envelope, stamped with the time. Sender's thread.
  [[nodiscard]] caf::mailbox_element_ptr enqueued(caf::mailbox_element_ptr element) const;
  /// Gives the actor its name. Actor's thread.
  void rename(std::string_view name) noexcept;
  [[nodiscard]] bool named() const noexcept;
  /// Records the actor's end.
  void exited(const caf::error& reason) noexcept;

  /// Begins to handle a message: label, times, context. nullptr if it has no envelope.
  [[nodiscard]] message_envelope* begin(caf::mailbox_element& element);
  void end(message_envelope& envelope, trace_outcome outcome) noexcept;
  /// The actor put the message aside; it stays in the mailbox.
  void put_aside() noexcept;

private:
  void record_event(trace_kind kind, std::uint32_t name) const noexcept;

  std::uint64_t actor_ = 0; ///< CAF id; 0: off.
  std::size_t place_ = 0;
};

/// Wraps a message that a clock will deliver; off: gives it back as it is.
[[nodiscard]] caf::mailbox_element_ptr wrap_delayed(caf::mailbox_element_ptr element);

/// An actor base whose messages are traced: `traced<handle::base>`. Virtual `enqueue` runs on the sender's thread,
/// `consume` on the actor's.
template <class Base>
class traced : public Base {
public:
  using Base::Base;
  using Base::consume;
  using Base::enqueue;

  void enqueue(caf::mailbox_element_ptr element, caf::execution_unit* context) override {
    if (trace_.on())
      element = trace_.enqueued(std::move(element));
    Base::enqueue(std::move(element), context);
  }

  caf::invoke_message_result consume(caf::mailbox_element& element) override {
    if (!trace_.on())
      return Base::consume(element);
    if (!trace_.named())
      trace_.rename(std::string{this->name()} + "#" + std::to_string(this->id()));
    auto* envelope = trace_.begin(element);
    if (envelope == nullptr)
      return Base::consume(element);
    handling_scope scope{trace_, *envelope};
    scope.result = Base::consume(element);
    return *scope.result;
  }

  bool cleanup(caf::error&& reason, caf::execution_unit* host) override {
    if (trace_.on() && !this->getf(Base::is_cleaned_up_flag))
      trace_.exited(reason);
    return Base::cleanup(std::move(reason), host);
  }

  /// Hides CAF's, which has the clock's thread as its sender: this one keeps the cause.
  template <caf::message_priority P = caf::message_priority::normal, class Rep = int, class Period = std::ratio<1>,
            class Dest = caf::actor, class... Ts>
  void delayed_send(const Dest& dest, std::chrono::duration<Rep, Period> delay, Ts&&... xs) {
    using arguments = caf::detail::type_list<caf::detail::strip_and_convert_t<Ts>...>;
    static_assert(caf::response_type_unbox<caf::signatures_of_t<Dest>, arguments>::valid,
                  "receiver does not accept given message");
    auto element =
      caf::make_mailbox_element(this->ctrl(), caf::make_message_id(P), caf::no_stages, std::forward<Ts>(xs)...);
    if (trace_.on())
      element = wrap_delayed(std::move(element));
    auto& clock = this->system().clock();
    clock.schedule_message(clock.now() + delay, caf::actor_cast<caf::strong_actor_ptr>(dest), std::move(element));
  }

  /// Names the actor in the trace; see the free function `trace_name`.
  void rename_in_trace(std::string_view name) noexcept {
    if (trace_.on())
      trace_.rename(name);
  }

private:
  /// Ends the handling however the handler is left.
  struct handling_scope {
    actor_trace& trace;
    message_envelope& envelope;
    trace_context outer = exchange_current_message(
      {envelope.record.message, envelope.record.root, envelope.receiver, envelope.record.receiver, envelope.place});
    std::optional<caf::invoke_message_result> result{};

    handling_scope(actor_trace& t, message_envelope& e) noexcept : trace(t), envelope(e) {}
    handling_scope(const handling_scope&) = delete;
    handling_scope& operator=(const handling_scope&) = delete;
    ~handling_scope() {
      exchange_current_message(outer);
      if (result == caf::invoke_message_result::skipped)
        trace.put_aside();
      else if (result == caf::invoke_message_result::dropped)
        trace.end(envelope, trace_outcome::dropped);
      else
        trace.end(envelope, result ? trace_outcome::handled : trace_outcome::threw);
    }
  };

  actor_trace trace_{this->id()};
};

/// The `self` of a traced actor with state: `sys.spawn(f, ...)` with `f(traced_pointer<handle, state> self, ...)`.
template <class Handle, class State>
using traced_pointer = caf::stateful_actor<State, traced<typename Handle::base>>*;

/// The `self` of a traced actor without state.
template <class Handle>
using traced_base_pointer = traced<typename Handle::base>*;

/// Names the actor in the trace: "trainer", or "augmenter#1" with an index. Call it first thing in the behaviour
/// function. An actor without a name goes by CAF's: "name#id". Restarted actors may share a name: their counts add up.
template <class Self>
void trace_name(Self* self, std::string_view role, std::optional<std::size_t> index = std::nullopt) {
  self->rename_in_trace(index ? std::string{role} + "#" + std::to_string(*index) : std::string{role});
}

} // namespace troupe
