// Offers whatever the environment says: TROUPE_TEST_OFFER.
#include "actors/plugin.hpp"

#include <cstdlib>
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
     offer(to, "half_way",
           {param::whole("instances", 1, 0, 9, ""), param::number("clip", 200, 0, 100, ""),
            param::choice("mode", "soft", {"hard", "none"}, ""), param::flag("on", true, ""),
            param::flag("on", true, ""), param::numbers("range", {1, 5}, 0, 2, ""), param::number("low", 0, 2, 1, "")});
   }},
  {"good", [](plugin& to) { offer(to, "half_way", {param::number("clip", 2, 0, 100, "Bound.")}); }},
};

} // namespace

TROUPE_PLUGIN(moody, "0.1") {
  const char* wanted = std::getenv("TROUPE_TEST_OFFER");
  moods.at(wanted == nullptr ? "good" : wanted)(plugin);
}
