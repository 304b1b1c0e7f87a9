// One of everything, for whole runs: each part does its job, and fails, sleeps or ends where a parameter says so.
#include "actors/plugin.hpp"

#include <chrono>
#include <fstream>
#include <map>
#include <stdexcept>
#include <string>
#include <thread>

namespace {

using namespace troupe;

struct own_type {};

/// What may go wrong: `fail_at` is a sample, batch, step or count; -1: nothing does.
parameter_list troubles() {
  return {param::whole("fail_at", -1, -1, 1'000'000, "Where it throws."),
          param::choice("throws", "runtime_error", {"runtime_error", "int", "own_type"}, "What it throws."),
          param::whole("sleep_at", -1, -1, 1'000'000, "Where it sleeps for an hour.")};
}

struct trouble {
  explicit trouble(const parameters& values)
    : fail_at(values.whole("fail_at")), throws(values.text("throws")), sleep_at(values.whole("sleep_at")) {}

  void meet(std::uint64_t at) const {
    if (static_cast<std::int64_t>(at) == sleep_at)
      std::this_thread::sleep_for(std::chrono::hours(1));
    if (static_cast<std::int64_t>(at) != fail_at)
      return;
    if (throws == "int")
      throw 7;
    if (throws == "own_type")
      throw own_type{};
    throw std::runtime_error("trouble at " + std::to_string(at));
  }

  std::int64_t fail_at;
  std::string throws;
  std::int64_t sleep_at;
};

class invert final : public sample_transform {
public:
  invert(const parameters& values, const image_shape& input) : trouble_(values), shape_(input) {}
  [[nodiscard]] image_shape output_shape() const override { return shape_; }
  void apply(cv::Mat& image, transform_context& context) const override {
    trouble_.meet(context.sample);
    image = 255 - image;
  }

private:
  trouble trouble_;
  image_shape shape_;
};

class idle final : public sample_transform {
public:
  explicit idle(const image_shape& input) : shape_(input) {}
  [[nodiscard]] image_shape output_shape() const override { return shape_; }
  void apply(cv::Mat&, transform_context&) const override {}

private:
  image_shape shape_;
};

class dimming final : public batch_transform {
public:
  explicit dimming(const parameters& values) : trouble_(values) {}
  void apply(const batch_pixels& batch, sample_rng& rng) const override {
    trouble_.meet(batch.index);
    const auto factor = static_cast<float>(rng.uniform(0.9, 1.0));
    for (auto& x : batch.pixels)
      x *= factor;
  }

private:
  trouble trouble_;
};

class stripes final : public data_source {
public:
  explicit stripes(const parameters& values) : trouble_(values), size_(values.whole("size")) {}
  [[nodiscard]] std::uint64_t num_samples() const override { return static_cast<std::uint64_t>(size_); }
  [[nodiscard]] image_shape shape() const override { return {1, 16, 16}; }
  [[nodiscard]] std::vector<std::string> class_names() const override { return {"rows", "columns"}; }
  [[nodiscard]] std::int64_t label(std::uint64_t id) const override { return static_cast<std::int64_t>(id % 2); }
  [[nodiscard]] std::string sample_name(std::uint64_t id) const override {
    return "stripes[" + std::to_string(id) + "]";
  }
  [[nodiscard]] std::string fingerprint() const override { return std::to_string(size_); }
  [[nodiscard]] std::vector<std::byte> read(std::uint64_t id) const override {
    trouble_.meet(id);
    std::vector<std::byte> out;
    for (std::uint64_t y = 0; y < 16; ++y)
      for (std::uint64_t x = 0; x < 16; ++x)
        out.push_back(static_cast<std::byte>(((id % 2 == 0 ? y : x) + id) % 2 == 0 ? 20 : 220));
    return out;
  }

private:
  trouble trouble_;
  std::int64_t size_;
};

class error_rate final : public validation_metric {
public:
  explicit error_rate(const parameters& values) : trouble_(values) {}
  void begin() override { errors_ = count_ = 0; }
  void add(std::span<const float> logits, std::int64_t label) override {
    trouble_.meet(static_cast<std::uint64_t>(count_));
    ++count_;
    for (std::size_t i = 0; i < logits.size(); ++i)
      if (logits[i] > logits[static_cast<std::size_t>(label)]) {
        ++errors_;
        return;
      }
  }
  [[nodiscard]] double value() const override { return errors_ / count_; }

private:
  trouble trouble_;
  double errors_ = 0, count_ = 0;
};

class line_sink final : public log_sink {
public:
  line_sink(const parameters& values, const log_sink_context& context)
    : trouble_(values), file_(context.folder + "/lines.txt") {}
  void metrics(const step_completed& step) override {
    trouble_.meet(step.step);
    file_ << "step " << step.step << "\n";
  }
  void validation(const validation_report& report) override { file_ << "judged " << report.snapshot->tag.step << "\n"; }
  void close(bool succeeded) override { file_ << (succeeded ? "well" : "badly") << "\n"; }

private:
  trouble trouble_;
  std::ofstream file_;
};

struct no_state {
  static inline const char* name = "trying";
};

augmenter_actor::behavior_type fill(plugin_pointer<augmenter_actor, no_state> self, augmenter_role role) {
  self->send(role.loader, next_atom_v, augmenter_actor{self});
  return {[self, role](chunk_ready& work) {
            const trouble met(role.values);
            auto slice = take_slice(work, role);
            if (!slice)
              return;
            std::vector<bad_sample> bad;
            for (std::uint32_t i = 0; i < slice->count(); ++i) {
              if (is_unreadable(*work.chunk, i))
                continue;
              met.meet(work.chunk->samples[i].id);
              if (auto made = role.samples->fill(work.chunk->samples[i], work.chunk->epoch, *slice, i); !made)
                bad.push_back(bad_sample_of(*work.chunk, i, made.error(), role));
            }
            finish_chunk(self, role, *work.chunk, std::move(*slice), std::move(bad));
          },
          [](status_atom) {
            return actor_status{"waits for a chunk", 0, true};
          }};
}

stage_actor::behavior_type dim(plugin_pointer<stage_actor, no_state> self, stage_role role) {
  return {[self, role](slice_filled& filled) {
            const trouble met(role.values);
            auto slice = take_slice(filled, role);
            if (!slice)
              return;
            for (std::uint32_t i = 0; i < slice->count(); ++i) {
              met.meet(slice->sample_id(i));
              slot_floats slot(*slice, i);
              auto rng = role.rng(slice->batch().epoch, slice->sample_id(i));
              const auto factor = static_cast<float>(rng.uniform(0.5, 1.0));
              for (auto& x : slot.values())
                x *= factor;
              slot.commit();
            }
            hand_on(self, role, filled, std::move(*slice));
          },
          [](status_atom) {
            return actor_status{"waits for a slice", 0, true};
          }};
}

struct order_state {
  static inline const char* name = "orderly";
  std::pair<std::uint64_t, std::uint32_t> next{0, 0};
};

/// Lets slices pass that come in step order, and fails otherwise.
stage_actor::behavior_type keep_order(plugin_pointer<stage_actor, order_state> self, stage_role role) {
  return {[self, role](slice_filled& filled) {
            auto slice = take_slice(filled, role);
            if (!slice)
              return;
            const std::pair at(slice->batch().id, slice->first());
            auto& next = self->state.next;
            if (at < next) // Samples that could not be made leave gaps.
              throw std::logic_error("slot " + std::to_string(at.second) + " of batch " + std::to_string(at.first)
                                     + " came after " + std::to_string(next.second) + " of "
                                     + std::to_string(next.first));
            next = {at.first, at.second + slice->count()};
            hand_on(self, role, filled, std::move(*slice));
          },
          [](status_atom) {
            return actor_status{"waits for a slice", 0, true};
          }};
}

listener_actor::behavior_type stop_early(plugin_pointer<listener_actor, no_state> self, listener_role role) {
  return {[self, role](const step_report_ptr& report) {
            trouble(role.values).meet(report->step.step);
            if (static_cast<std::int64_t>(report->step.step) == role.values.whole("die_at"))
              self->quit(caf::exit_reason::kill);
            if (static_cast<std::int64_t>(report->step.step) == role.values.whole("stop_at"))
              self->send(role.supervisor, end_wanted{role.name, "it is good enough"});
          },
          [](const validation_report&) {}, [](weigh_atom, std::uint64_t) { return sampling_answer{}; },
          [](keep_atom) { return kept_state{}; },
          [](status_atom) {
            return actor_status{"listens", 0, true};
          }};
}

} // namespace

TROUPE_PLUGIN(trying, "1.0") {
  const auto with = [](parameter_list more) {
    auto list = troubles();
    list.insert(list.end(), more.begin(), more.end());
    return list;
  };
  plugin.transform("invert", "Turns light into dark.", troubles(),
                   [](const auto& values, const auto& input) { return std::make_unique<invert>(values, input); });
  plugin.transform("idle", "Does nothing.", {},
                   [](const auto&, const auto& input) { return std::make_unique<idle>(input); });
  plugin.batch_transform("dimming", "Dims whole batches.", troubles(),
                         [](const auto& values) { return std::make_unique<dimming>(values); });
  plugin.data_source("stripes", "Rows and columns.", with({param::whole("size", 256, 2, 100'000, "Samples.")}),
                     [](const auto& values, const auto&) { return std::make_unique<stripes>(values); });
  plugin.metric("error_rate", "Share of samples with a larger logit than their own.", troubles(),
                [](const auto& values, auto) { return std::make_unique<error_rate>(values); });
  plugin.log_sink("lines", "Writes lines.txt.", troubles(),
                  [](const auto& values, const auto& context) { return std::make_unique<line_sink>(values, context); });
  plugin.augmenter("filler", "Fills as the built-in augmenter does.", {}, troubles(), fill);
  plugin.stage("smear", "Dims each sample by chance.", {}, troubles(), dim);
  plugin.stage("orderly", "Lets slices pass in step order.", {.how_many = instances::ordered}, {}, keep_order);
  plugin.listener(
    "stopper", "Ends the run.", {.how_many = instances::ordered},
    with({param::whole("stop_at", -1, -1, 1'000'000, "Step."), param::whole("die_at", -1, -1, 1'000'000, "Step.")}),
    stop_early);
}
