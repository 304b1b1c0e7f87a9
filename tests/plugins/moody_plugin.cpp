// Offers whatever the environment says: TROUPE_TEST_OFFER.
#include "actors/plugin.hpp"

#include <cstdlib>
#include <limits>
#include <map>
#include <stdexcept>
#include <string>

namespace {

using namespace troupe;

struct own_type {};

/// Tells the test that code of this library has been run.
const int ran = setenv("TROUPE_TEST_RAN", "yes", 1);

class nothing : public sample_transform {
public:
  [[nodiscard]] image_shape output_shape() const override { return {}; }
  void apply(cv::Mat&, transform_context&) const override {}
};

void offer(plugin& to, const std::string& name, parameter_list list = {}) {
  to.transform(name, "Does nothing.", std::move(list),
               [](const auto&, const auto&) { return std::make_unique<nothing>(); });
}

void offer_metric(plugin& to, const std::string& name) {
  to.metric(name, "None.", {}, [](const auto&, auto) { return nullptr; });
}

/// A whole number between 0.2 and 0.8.
parameter_spec gap() {
  auto spec = param::whole("gap", 0, 0, 1, "");
  spec.low = 0.2;
  spec.high = 0.8;
  return spec;
}

/// An actor; it is never spawned.
void offer_stage(plugin& to, parameter_list list) {
  to.actors.stages.push_back(
    {{"idle", "Does nothing.", std::move(list), "moody"}, instances::stateless, false, false, {}});
}

using mood = void (*)(plugin&);

const std::map<std::string, mood> moods{
  {"runtime_error",
   [](plugin& to) {
     offer(to, "half_way");
     throw std::runtime_error("the licence has run out");
   }},
  {"int",
   [](plugin& to) {
     offer(to, "half_way");
     throw 7;
   }},
  {"own_type",
   [](plugin& to) {
     offer(to, "half_way");
     throw own_type{};
   }},
  {"built_in_transform", [](plugin& to) { offer(to, "random_crop"); }},
  {"class_metric", [](plugin& to) { offer_metric(to, "acc_cat"); }},
  {"bad_actor",
   [](plugin& to) {
     offer_stage(to, {param::whole("instances", 1, 0, 9, ""), param::flag("validation", true, ""),
                      param::flag("on_failure", true, "")});
   }},
  {"built_in_metric", [](plugin& to) { offer_metric(to, "topk"); }},
  {"twice",
   [](plugin& to) {
     offer(to, "again");
     offer(to, "again");
   }},
  {"taken", [](plugin& to) { offer(to, "halve"); }},
  {"bad_name", [](plugin& to) { offer(to, "Half Way"); }},
  {"no_maker", [](plugin& to) { to.decoder("none", "None.", {}, nullptr); }},
  {"bad_parameters",
   [](plugin& to) {
     offer(
       to, "half_way",
       {param::whole("instances", 1, 0, 9, ""), param::number("clip", 200, 0, 100, ""),
        param::text("title", "a\nb", ""), param::text("story", std::string(4097, 'a'), ""),
        param::text("motto", "\xff", ""), param::choice("tone", "low", {"low", "a\tb"}, ""), gap(),
        param::number("reach", std::numeric_limits<double>::infinity(), 0, std::numeric_limits<double>::infinity(), ""),
        param::choice("mode", "soft", {"hard", "none"}, ""), param::flag("on", true, ""), param::flag("on", true, ""),
        param::numbers("range", {1, 5}, 0, 2, ""), param::number("low", 0, 2, 1, "")});
   }},
  {"good", [](plugin& to) { offer(to, "half_way", {param::number("clip", 2, 0, 100, "Bound.")}); }},
};

} // namespace

TROUPE_PLUGIN(moody, "0.1") {
  const char* wanted = std::getenv("TROUPE_TEST_OFFER");
  moods.at(wanted == nullptr ? "good" : wanted)(plugin);
}
