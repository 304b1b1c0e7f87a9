/// The `self` of a plugin's actor: traced as all others are, and guarded. What its handlers throw is reported by name and
/// counted; the message that it was at is given up, and the actor lives on.
#pragma once

#include "actors/glue/guard.hpp"
#include "actors/glue/thread_identity.hpp"
#include "actors/glue/traced.hpp"
#include "actors/plugin/plugin_roles.hpp"
#include "actors/support/components/plugin_guard.hpp"

#include <caf/behavior.hpp>
#include <caf/mailbox_element.hpp>

#include <exception>
#include <functional>
#include <utility>

namespace troupe {

/// Catches what handlers throw.
template <class Base>
class guarded : public Base {
public:
  using Base::Base;
  using Base::consume;

  /// From now on nothing that a handler throws ends the actor. `recover` is called after a failure: it asks for more
  /// work, say; may be empty. `substitute` makes what is done in its place once it is disabled.
  void protect(std::shared_ptr<plugin_guard> guard, std::function<void()> recover,
               std::function<caf::behavior()> substitute) {
    guard_ = std::move(guard);
    recover_ = std::move(recover);
    substitute_ = std::move(substitute);
  }

  caf::invoke_message_result consume(caf::mailbox_element& element) override {
    try {
      return Base::consume(element);
    } catch (...) {
      failed(element, std::current_exception());
    }
    return caf::invoke_message_result::consumed;
  }

private:
  void failed(caf::mailbox_element& element, const std::exception_ptr& thrown) {
    if (!guard_)
      std::rethrow_exception(thrown);
    const auto why = guard_->failed(no_id, text_of(thrown));
    // A request that was being answered is answered by the failure; what waited for a response holds nothing any more.
    if (element.mid.is_request() && !element.mid.is_answered())
      this->make_response_promise().deliver(to_error(why));
    if (element.mid.is_response())
      this->multiplexed_responses_.erase(element.mid);
    if (!guard_->enabled() && substitute_) {
      this->multiplexed_responses_.clear();
      this->awaited_responses_.clear();
      this->do_become(std::exchange(substitute_, nullptr)(), true);
    }
    const bool was_work = blame(element.content());
    if (recover_ && (was_work || element.mid.is_response()))
      recover_();
  }

  /// Counts a slice in the message that nobody has taken as a failed attempt of this actor: a failure that always comes
  /// before it is taken would otherwise come for ever. True for a chunk to be filled.
  bool blame(caf::type_erased_tuple& content) {
    const auto take_home = [this](auto& work) {
      if (auto slice = work.slice.take())
        slice->begin(guard_->component());
    };
    const bool is_chunk = content.match_elements<chunk_ready>();
    if (is_chunk)
      take_home(content.get_mutable_as<chunk_ready>(0));
    else if (content.match_elements<slice_filled>())
      take_home(content.get_mutable_as<slice_filled>(0));
    return is_chunk;
  }

  std::shared_ptr<plugin_guard> guard_;
  std::function<void()> recover_;
  std::function<caf::behavior()> substitute_;
};

/// The `self` of a plugin's actor with that handle and state: `f(plugin_pointer<stage_actor, my_state> self, stage_role
/// role)`. The state is made anew when the actor is disabled, so that nothing in it is held for ever.
template <class Handle, class State>
using plugin_pointer = caf::stateful_actor<State, guarded<traced<typename Handle::base>>>*;

} // namespace troupe
