#include "actors/plugin/testing_listener.hpp"

#include <caf/send.hpp>

#include <utility>

namespace troupe::testing {

listener_bench::listener_bench(const listener_kind& kind, const settings& given, const listener_setup& setup)
  : people_(setup.on_failure) {
  listener_role role;
  people_.introduce(role, kind, "listener " + kind.name, values_of(kind.parameters, given));
  role.seed = setup.seed;
  role.logger = people_.logger();
  role.folder = setup.folder;
  role.class_names = setup.class_names;
  role.num_samples = setup.num_samples;
  role.kept = setup.kept;
  role.resumed_step = setup.resumed_step;
  listener_ = people_.keep(kind.spawn(people_.system(), std::move(role)));
  people_.run();
}

void listener_bench::step(std::uint64_t number, std::uint64_t epoch, std::vector<sample_score> samples,
                          bool last_in_epoch) {
  step_report report;
  report.step.step = number;
  report.step.epoch = epoch + 1;
  report.step.last_in_epoch = last_in_epoch;
  report.step.num_samples = static_cast<std::uint32_t>(samples.size());
  for (const auto& each : samples) {
    report.step.loss_sum += each.loss;
    report.step.num_correct += each.predicted == each.label ? 1 : 0;
  }
  report.samples = std::move(samples);
  step(std::move(report));
}

void listener_bench::step(step_report report) {
  caf::anon_send(listener_, step_report_ptr{std::make_shared<const step_report>(std::move(report))});
  people_.run();
}

void listener_bench::validation(const validation_report& report) {
  caf::anon_send(listener_, report);
  people_.run();
}

std::shared_ptr<const std::vector<float>> listener_bench::weigh(std::uint64_t epoch) {
  return people_.ask<sampling_answer>(listener_, weigh_atom_v, epoch).weights;
}

std::string listener_bench::keep() {
  return people_.ask<kept_state>(listener_, keep_atom_v).bytes;
}

actor_status listener_bench::status() {
  return people_.ask<actor_status>(listener_, status_atom_v);
}

} // namespace troupe::testing
