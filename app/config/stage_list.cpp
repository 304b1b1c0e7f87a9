#include "app/config/stage_list.hpp"

#include "app/config/parameter_keys.hpp"

#include <algorithm>

namespace troupe {

namespace {

constexpr std::size_t max_stages = 64;
constexpr std::uint32_t max_instances = 64;

/// The keys that every actor takes besides its own parameters.
std::vector<basic_key<stage_use>> common_keys() {
  std::vector<basic_key<stage_use>> keys;
  key_adder<stage_use, stage_use> add{keys, "", [](const stage_use& x) { return &x; },
                                      [](stage_use& x) -> stage_use& { return x; }};
  add("instances", &stage_use::count, whole_or_auto<std::uint32_t>(max_instances),
      "Actors that share the work; an ordered actor and a listener have one.");
  add("validation", &stage_use::in_validation, boolean(), "It works on the samples to judge by, too.");
  return keys;
}

item_spec<stage_use> spec_of(const offered_actor& actor) {
  const auto& info = actor.info;
  auto keys = common_keys();
  for (auto& key : parameter_keys<stage_use>(
         info.parameters, [](const stage_use& x) -> const parameters& { return x.what.values; },
         [](stage_use& x) -> parameters& { return x.what.values; }))
    keys.push_back(std::move(key));
  return {info.name, fmt::format("({}) {}", to_string(actor.place), sentence(info.about)),
          stage_use{{info.name, parameters{info.parameters}}}, std::move(keys), info.plugin};
}

/// The rules of one entry, and of it beside those before it.
class stage_rules {
public:
  explicit stage_rules(std::vector<violation>& out) : offered_(offered_actors()), out_(out) {}

  void check(const stage_use& x, std::size_t index) {
    const auto& name = x.what.name;
    const auto path = fmt::format("pipeline.stages[{}]", index);
    if (std::find(seen_.begin(), seen_.end(), name) != seen_.end())
      add(path,
          fmt::format("{} is there twice, expected each actor once; instances says how many share its work", name));
    seen_.push_back(name);
    const auto actor =
      std::find_if(offered_.begin(), offered_.end(), [&](const auto& y) { return y.info.name == name; });
    if (actor == offered_.end())
      return;
    const auto inner = path + "." + name;
    check_instances(x, *actor, inner);
    if (x.in_validation && actor->place == actor_place::listener)
      add(inner + ".validation", "true, expected false: a listener hears of validations anyway");
    if (actor->place == actor_place::augmenter)
      only_one(augmenter_, name, path, "is an augmenter, too, expected at most one");
    if (actor->weighs)
      only_one(weigher_, name, path, "says how samples are drawn, too, expected at most one listener that does");
  }

private:
  void check_instances(const stage_use& x, const offered_actor& actor, const std::string& path) {
    const bool listens = actor.place == actor_place::listener;
    if (x.count > 1 && (actor.is_ordered || listens))
      add(path + ".instances", fmt::format("{}, expected auto or 1: {}", x.count,
                                           listens ? "it is a listener" : "it needs all messages in order"));
  }

  void only_one(std::string& first, const std::string& name, const std::string& path, const char* text) {
    if (first.empty())
      first = name;
    else if (first != name)
      add(path, fmt::format("besides {}, {} {}", first, name, text));
  }

  void add(std::string key, std::string text) { out_.push_back({{std::move(key)}, std::move(text)}); }

  std::vector<offered_actor> offered_;
  std::vector<violation>& out_;
  std::vector<std::string> seen_;
  std::string augmenter_;
  std::string weigher_;
};

} // namespace

std::vector<item_spec<stage_use>> stage_specs() {
  std::vector<item_spec<stage_use>> out;
  for (const auto& actor : offered_actors())
    out.push_back(spec_of(actor));
  return out;
}

codec<std::vector<stage_use>> stage_list() {
  return item_list(item_kind<stage_use>{"stage", stage_specs(), [](const stage_use& x) { return x.what.name; }},
                   max_stages);
}

void check_stages(const std::vector<stage_use>& stages, std::vector<violation>& out) {
  stage_rules rules{out};
  for (std::size_t i = 0; i < stages.size(); ++i)
    rules.check(stages[i], i);
}

} // namespace troupe
