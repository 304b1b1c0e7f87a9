#include "actors/trainer/listener_desk.hpp"

#include "actors/glue/guard.hpp"
#include "actors/support/components/attachments.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace troupe {

namespace {

bool are_weights(const std::vector<float>& weights, std::uint64_t num_samples) {
  return weights.size() == num_samples
         && std::all_of(weights.begin(), weights.end(), [](float x) { return std::isfinite(x) && x > 0; });
}

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
    send_report(each, report);
  if (!report->step.last_in_epoch)
    return;
  for (const auto& each : listeners_)
    if (each.weighs)
      ask_for_weights(each, report->step.epoch - 1, loader);
}

/// As a request, whose empty answer says that it has been heard.
void listener_desk::send_report(const listener_entry& whom, const step_report_ptr& report) {
  ++unheard_[whom.name];
  const auto heard = [this, name = whom.name] {
    --unheard_[name];
    if (!is_behind())
      relieved_();
  };
  self_->request(whom.handle, timeout_, report).then(heard, [=, this](const caf::error& why) {
    complain(whom.name, "did not take a report: ", why);
    heard();
  });
}

bool listener_desk::is_behind() const noexcept {
  return std::any_of(unheard_.begin(), unheard_.end(), [](auto& each) { return each.second >= max_unheard_reports; });
}

void listener_desk::ask_for_weights(const listener_entry& whom, std::uint64_t epoch, const loader_actor& loader) {
  ++awaited_;
  self_->request(whom.handle, timeout_, weigh_atom_v, epoch)
    .then(
      [this, epoch, loader, name = whom.name](const sampling_answer& answer) {
        settle(name, epoch, loader, answer);
        answered();
      },
      [this, epoch, loader, name = whom.name](const caf::error& why) {
        complain(name, "did not say how samples are to be drawn: ", why);
        settle(name, epoch, loader, {});
        answered();
      });
}

void listener_desk::settle(const std::string& listener, std::uint64_t epoch, const loader_actor& loader,
                           const sampling_answer& answer) {
  sampling_settled settled{epoch, std::nullopt};
  if (answer.weights && !are_weights(*answer.weights, num_samples_)) {
    tell(listener, "gave weights that are none: expected " + std::to_string(num_samples_) + " finite numbers above 0");
  } else if (answer.weights) {
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

/// What its own guard has answered with, it has reported.
void listener_desk::complain(const std::string& listener, const std::string& what, const caf::error& why) {
  if (const auto failed = to_failure(why); failed.code != ec::plugin_failed)
    tell(listener, what + to_string(failed));
}

void listener_desk::tell(const std::string& listener, std::string what) {
  self_->send(supervisor_, plugin_failed{{}, "listener " + listener, std::move(what)});
}

} // namespace troupe
