#include "app/plugins/check_folder.hpp"
#include "app/plugins/check_parts.hpp"

namespace troupe {

namespace {

step_completed made_up_step(std::uint64_t number) {
  step_completed x;
  x.step = number;
  x.epoch = 1;
  x.num_samples = 32;
  x.loss_sum = 64;
  x.num_correct = 8;
  x.learning_rate = 0.1;
  x.window_loss_sum = 64;
  x.window_correct = 8;
  x.window_samples = 32;
  return x;
}

void feed(const log_sink_component& what, const parameters& values, bool succeeded, std::uint64_t resumed_step,
          const std::string& folder, check_log& log) {
  const auto sink = what.make(values, {"check", folder, {"cat", "dog"}, resumed_step});
  if (!sink) {
    log.bad("is made", "nothing was made");
    return;
  }
  const std::string when = resumed_step == 0 ? "" : ", resumed";
  log.survives("takes metrics" + when, [&] {
    for (std::uint64_t i = 1; i <= 3; ++i)
      sink->metrics(made_up_step(resumed_step + i));
    log.good("takes metrics" + when);
  });
  log.survives("takes a validation" + when, [&] {
    sink->validation(made_up_validation());
    log.good("takes a validation" + when);
  });
  log.survives("takes a notice" + when, [&] {
    sink->told({severity::warning, "the disk is nearly full"});
    log.good("takes a notice" + when);
  });
  log.survives("closes" + when, [&] {
    sink->close(succeeded);
    log.good("closes" + when);
  });
}

} // namespace

void check_log_sink(const log_sink_component& what, const parameters& values, const check_options&, check_log& log) {
  const check_folder folder;
  feed(what, values, false, 0, folder.path(), log);
  feed(what, values, true, 3, folder.path(), log);
}

} // namespace troupe
