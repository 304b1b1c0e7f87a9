#include "actors/support/components/plugin_guard.hpp"
#include "app/supervisor_state.hpp"

#include <caf/send.hpp>

#include <algorithm>
#include <array>

namespace troupe {

namespace {

/// Failures of one component that are told; the rest are only counted.
constexpr std::uint64_t max_told_failures = 3;

std::string text_of(const plugin_failed& fact) {
  auto text = fact.component;
  if (!fact.plugin.empty())
    text += " (plugin " + fact.plugin + ")";
  text += " failed";
  if (fact.sample != no_id)
    text += " at sample " + std::to_string(fact.sample);
  return text + ": " + fact.what;
}

/// Whether its failures are failures to make samples, which are counted as such.
bool makes_samples(const plugin_failed& fact) {
  constexpr std::array makers = {"augmenter ", "stage ", "decoder "};
  return fact.sample != no_id || std::any_of(makers.begin(), makers.end(), [&](auto* role) {
           return fact.component.find(role) != std::string::npos;
         });
}

} // namespace

/// From whatever thread they are told on.
void supervisor_state::hear_of_plugin_failures() {
  handle_plugin_failures(
    {job_->config.pipeline.on_plugin_failure, [me = supervisor_actor{self_}](const plugin_failure& x) {
       caf::anon_send(me, plugin_failed{x.plugin, x.component, x.what, x.sample, x.disabled});
     }});
}

void supervisor_state::note_plugin_failure(const plugin_failed& fact) {
  if (before(run_phase::training)) // Whoever asked for it refuses to begin without it, and says why.
    return;
  const auto count = ++outcome_.plugin_failures[fact.component];
  const auto text = text_of(fact);
  if (count <= max_told_failures)
    tell(severity::warning, text
                              + (fact.disabled                ? "; the run goes on without it"
                                 : count == max_told_failures ? "; further ones are only counted"
                                                              : ""));
  if (fact.disabled)
    outcome_.disabled_components.insert(fact.component);
  if (fact.disabled || !makes_samples(fact))
    plugin_losses_.insert(fact.component);
  if (job_->config.pipeline.on_plugin_failure == plugin_policy::fail)
    stop(run_end::stopped, "a plugin failed (pipeline.on_plugin_failure is fail): " + text);
}

void supervisor_state::end_was_wanted(const end_wanted& wish) {
  if (phase_ == run_phase::training)
    stop(run_end::stopped, wish.who + " has ended the run: " + wish.reason, severity::info);
}

void supervisor_state::spawn_listeners() {
  for (const auto& use : company_.listeners())
    spawn_listener(use);
  if (!listeners_.empty())
    introduce_listeners();
}

void supervisor_state::spawn_listener(const actor_use& use) {
  const auto name = "listener " + use.what.name;
  auto handle = company_.spawn_listener(use, name, *facts_, logger_);
  adopt(name, handle, [this, use, name] {
    outcome_.losses.push_back(name + " was restarted: what it had heard is forgotten, a resumed run is not exact");
    spawn_listener(use);
    introduce_listeners();
  });
  std::erase_if(listeners_, [&](const listener_entry& each) { return each.name == use.what.name; });
  listeners_.push_back({use.what.name, std::move(handle), use.weighs});
}

void supervisor_state::introduce_listeners() {
  if (trainer_)
    self_->send(trainer_, listeners_now{listeners_});
  if (validator_)
    self_->send(validator_, listeners_now{listeners_});
}

stage_actor supervisor_state::spawn_stages(pipeline_kind kind, const collator_actor& collator) {
  stage_actor next = collator;
  auto uses = company_.stages(kind);
  for (auto use = uses.rbegin(); use != uses.rend(); ++use) {
    auto& stage = stages_.emplace_back(staged{kind, *use, {}, next, std::vector<stage_actor>(use->count)});
    const auto name = name_in(kind, "relay " + use->what.name);
    stage.relay = company_.spawn_relay(kind, name, use->in_order, *facts_, next);
    adopt(name, stage.relay);
    for (std::size_t i = 0; i < stage.actors.size(); ++i)
      spawn_stage(stage, i);
    self_->send(stage.relay, stages_now{stage.actors});
    next = stage.relay;
  }
  return next;
}

void supervisor_state::spawn_stage(staged& stage, std::size_t index) {
  const auto name = name_in(stage.kind, "stage " + stage.use.what.name + "#" + std::to_string(index + 1));
  const auto& loader = stage.kind == pipeline_kind::training ? train_loader_ : validation_loader_;
  stage.actors[index] = company_.spawn_stage(stage.use, stage.kind, name, loader, stage.next);
  adopt(name, stage.actors[index], [this, &stage, index] {
    spawn_stage(stage, index);
    self_->send(stage.relay, stages_now{stage.actors});
  });
}

void supervisor_state::check_plugins() {
  for (const auto& component : plugin_losses_)
    outcome_.losses.push_back(component + " failed " + std::to_string(outcome_.plugin_failures[component]) + " times");
}

} // namespace troupe
