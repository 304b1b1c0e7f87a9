#include "app/plugins/offer_checks.hpp"

#include "actors/augmenter/transforms/make_transform.hpp"
#include "actors/support/figures.hpp"
#include "app/plugins/parameter_checks.hpp"
#include "app/plugins/snake_case.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace troupe {

namespace {

using names = std::vector<std::string>;

template <std::size_t I>
void add_transform(names& to) {
  using config = std::variant_alternative_t<I, transform_config>;
  if constexpr (!std::is_same_v<config, plugin_transform_config>)
    to.emplace_back(name_of(transform_config{config{}}));
}

template <std::size_t... I>
names transform_names(std::index_sequence<I...>) {
  names out;
  (add_transform<I>(out), ...);
  return out;
}

const names no_names;
const names data_set_names{"idx", "synthetic", "image_folder", "manifest", "cifar10", "cifar100", "tar"};
const names format_names{"jpeg", "png", "bmp", "webp", "tiff", "jpeg2000", "pnm"};
const names model_names{"mlp", "lenet", "resnet18"};
/// Also the other columns of validation.csv.
const names metric_names{"loss", "top1", "topk", "k", "step", "epoch", "version", "samples", "seconds"};
const names sink_names{"csv", "tensorboard", "console"};

/// Gathers what is wrong.
class offer_checker {
public:
  /// Components of one kind; `others`: those that are loaded.
  template <class Component>
  void components(std::string_view kind, const std::vector<Component>& offered, const std::vector<Component>& others,
                  const names& built_in) {
    for (const auto& each : offered) {
      const auto who = begin(kind, each);
      if (std::find(built_in.begin(), built_in.end(), each.name) != built_in.end())
        add(who, "is called like a built-in one");
      clashes(who, each, offered, others);
      if (!each.make)
        add(who, "has nothing that makes it");
    }
  }

  /// Whole actors share their names, whatever they are.
  void actors(const actor_registry& offered, const actor_registry& others) {
    const auto all = infos(offered);
    const auto theirs = infos(others);
    for (const auto& each : all) {
      const auto who = begin("actor", each);
      clashes(who, each, all, theirs);
      for (const auto& parameter : each.parameters)
        if (parameter.name == "instances" || parameter.name == "validation")
          add(who, fmt::format("parameter \"{}\": is called like a key that every actor has", parameter.name));
    }
  }

  /// What validation.csv calls the accuracy of a class.
  void metrics(const std::vector<metric_component>& offered) {
    for (const auto& each : offered)
      if (each.name.starts_with("acc_"))
        add(fmt::format("metric \"{}\"", each.name), "is called like a column of Troupe's, expected no acc_ in front");
  }

  [[nodiscard]] const names& problems() const noexcept { return problems_; }

private:
  std::string begin(std::string_view kind, const component_info& info) {
    auto who = fmt::format("{} \"{}\"", kind, info.name);
    if (!is_snake_case(info.name))
      add(who, name_rule);
    for (const auto& each : parameter_problems(info.parameters))
      add(who, each);
    return who;
  }

  template <class Info>
  void clashes(const std::string& who, const Info& info, const std::vector<Info>& offered,
               const std::vector<Info>& others) {
    const auto same = [&info](const Info& x) { return x.name == info.name; };
    if (std::count_if(offered.begin(), offered.end(), same) > 1)
      add(who, "is offered twice");
    const auto other = std::find_if(others.begin(), others.end(), same);
    if (other != others.end())
      add(who, fmt::format("the plugin {} has brought one of that name", other->plugin));
  }

  static std::vector<component_info> infos(const actor_registry& from) {
    std::vector<component_info> out(from.augmenters.begin(), from.augmenters.end());
    out.insert(out.end(), from.stages.begin(), from.stages.end());
    out.insert(out.end(), from.listeners.begin(), from.listeners.end());
    return out;
  }

  void add(const std::string& who, std::string_view what) {
    auto text = fmt::format("{}: {}", who, what);
    if (std::find(problems_.begin(), problems_.end(), text) == problems_.end())
      problems_.push_back(std::move(text));
  }

  names problems_;
};

} // namespace

expected<void> check_offer(const plugin& offer, const std::string& who) {
  const auto& own = offer.components;
  const auto& loaded = component_registry::instance();
  const auto transforms = transform_names(std::make_index_sequence<std::variant_size_v<transform_config>>{});
  offer_checker checker;
  checker.components("transform", own.transforms, loaded.transforms, transforms);
  checker.components("batch transform", own.batch_transforms, loaded.batch_transforms, no_names);
  checker.components("data set", own.data_sources, loaded.data_sources, data_set_names);
  checker.components("decoder", own.decoders, loaded.decoders, format_names);
  checker.components("model", own.models, loaded.models, model_names);
  checker.components("metric", own.metrics, loaded.metrics, metric_names);
  checker.metrics(own.metrics);
  checker.components("log sink", own.log_sinks, loaded.log_sinks, sink_names);
  checker.actors(offer.actors, actor_registry::instance());
  if (checker.problems().empty())
    return {};
  return failure{ec::bad_config, printable(fmt::format("{}: {}", who, fmt::join(checker.problems(), "; ")))};
}

} // namespace troupe
