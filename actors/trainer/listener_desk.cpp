#include "actors/trainer/listener_desk.hpp"

#include "actors/glue/guard.hpp"
#include "actors/support/components/attachments.hpp"

#include <algorithm>
#include <utility>

namespace troupe {

namespace {

/// The weights that epoch `epoch` (0-based) and those after it are drawn by.
std::vector<sample_weights> in_force_from(const std::vector<sample_weights>& all, std::uint64_t epoch) {
  const auto is_later = [=](const sample_weights& each) { return each.from_epoch > epoch; };
  auto first = std::find_if(all.begin(), all.end(), is_later);
  if (first != all.begin())
    --first;
  return {first, all.end()};
}

} // namespace

void listener_desk::report(const step_report_ptr& report, const loader_actor& loader) {
  for (const auto& each : listeners_)
    self_->send(each.handle, report);
  if (!report->step.last_in_epoch)
    return;
  for (const auto& each : listeners_)
    if (each.weighs)
      ask_for_weights(each, report->step.epoch - 1, loader);
}

void listener_desk::ask_for_weights(const listener_entry& whom, std::uint64_t epoch, const loader_actor& loader) {
  ++awaited_;
  self_->request(whom.handle, timeout_, weigh_atom_v, epoch)
    .then(
      [this, epoch, loader](const sampling_answer& answer) {
        settle(epoch, loader, answer);
        answered();
      },
      [this, epoch, loader, name = whom.name](const caf::error& why) {
        complain(name, "did not say how samples are to be drawn: ", why);
        settle(epoch, loader, {});
        answered();
      });
}

void listener_desk::settle(std::uint64_t epoch, const loader_actor& loader, const sampling_answer& answer) {
  sampling_settled settled{epoch, std::nullopt};
  if (answer.weights) {
    const auto version = sampling_.empty() ? 1 : sampling_.back().version + 1;
    settled.change = sample_weights{version, epoch + 2, answer.weights};
    sampling_.push_back(*settled.change);
    trace_mark("sampling weights", {.version = version});
  }
  self_->send(loader, std::move(settled));
}

void listener_desk::complete(const snapshot_ptr& taken, std::function<void(snapshot_ptr)> then) {
  auto work = std::make_shared<gathering>(gathering{taken, std::move(then), listeners_.size(), sampling_});
  if (listeners_.empty())
    finish(*work);
  for (const auto& each : listeners_)
    ask_for_memory(each, work);
}

void listener_desk::ask_for_memory(const listener_entry& whom, const std::shared_ptr<gathering>& work) {
  ++awaited_;
  const auto done = [this, work] {
    if (--work->missing == 0)
      finish(*work);
    answered();
  };
  self_->request(whom.handle, timeout_, keep_atom_v)
    .then(
      [this, done, work, whom](kept_state& state) {
        // Its answers come in order: the weights that are here now are those up to this step.
        if (whom.weighs)
          work->sampling = sampling_;
        work->kept[whom.name] = std::move(state.bytes);
        done();
      },
      [this, done, name = whom.name](const caf::error& why) {
        complain(name, "did not say what it keeps, a run that is resumed from here is not exact: ", why);
        done();
      });
}

void listener_desk::finish(gathering& work) {
  auto attached = attachments_of(in_force_from(work.sampling, work.taken->next.epoch), work.kept);
  if (attached.empty() || !work.taken->has_training_state) {
    work.then(std::move(work.taken));
    return;
  }
  auto completed = std::make_shared<snapshot>(*work.taken); // The tensors' bytes are shared.
  completed->attachments = std::move(attached);
  work.then(std::move(completed));
}

void listener_desk::when_idle(std::function<void()> then) {
  when_idle_.push_back(std::move(then));
  ++awaited_;
  answered();
}

void listener_desk::answered() {
  if (--awaited_ > 0)
    return;
  for (auto& then : std::exchange(when_idle_, {}))
    then();
}

void listener_desk::complain(const std::string& listener, const std::string& what, const caf::error& why) {
  self_->send(supervisor_, plugin_failed{{}, "listener " + listener, what + to_string(to_failure(why))});
}

} // namespace troupe
