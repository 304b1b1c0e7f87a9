#include "app/config/schema.hpp"
#include "app/config/stage_list.hpp"

namespace troupe {

namespace {

codec<bad_sample_policy> bad_sample_policies() {
  return choice<bad_sample_policy>(
    {{"replace", bad_sample_policy::replace}, {"skip", bad_sample_policy::skip}, {"fail", bad_sample_policy::fail}});
}

void add_bad_sample_keys(config_schema& to) {
  using s = pipeline_section;
  to.sections.push_back({"pipeline.bad_samples", "What happens to samples that cannot be made."});
  key_adder<run_config, s> add{to.keys, "pipeline.bad_samples.", [](const run_config& x) { return &x.pipeline; },
                               [](run_config& x) -> s& { return x.pipeline; }};
  add("policy", &s::bad_samples, bad_sample_policies(),
      "replace: by the epoch's last sample; skip: leave it out; fail: end the run.");
  add("max", &s::max_bad_samples, whole<std::uint64_t>(0), "More of them end the run.").in("samples").changeable();
  add("max_share", &s::max_bad_share, number({.low = 0, .high = 1}), "A larger share of the data set ends the run.")
    .changeable();
}

codec<plugin_policy> plugin_policies() {
  return choice<plugin_policy>(
    {{"fail", plugin_policy::fail}, {"skip", plugin_policy::skip}, {"disable", plugin_policy::disable}});
}

} // namespace

void add_pipeline_keys(config_schema& to) {
  using std::chrono::hours;
  using std::chrono::milliseconds;
  using s = pipeline_section;
  auto add = add_section(to, "pipeline", "How samples become batches.", &run_config::pipeline);
  add("batch_size", &s::batch_size, whole<std::uint32_t>(1, 65536), "Samples that are trained on together.")
    .in("samples")
    .known_as({"batch", "bs"});
  add("augmenters", &s::augmenters, whole_or_auto<std::uint32_t>(256), "Actors that prepare samples; auto: by cores.")
    .changeable()
    .known_as({"workers", "num_workers", "num_augmenters"});
  add("chunk_size", &s::chunk_size, whole_or_auto<std::uint32_t>(65536), "Samples that an augmenter takes at a time.")
    .in("samples")
    .changeable();
  add("prefetch_batches", &s::prefetch_batches, whole<std::uint32_t>(1, 64), "Batch buffers; 2 to 4 is sensible.")
    .in("batches")
    .changeable()
    .known_as({"prefetch", "prefetch_factor", "buffers"});
  add("readers", &s::readers, whole<std::uint32_t>(1, 64), "Threads that read files ahead of the augmenters.")
    .in("threads")
    .changeable()
    .known_as({"io_threads", "num_readers"});
  add("read_ahead", &s::read_ahead, whole<std::uint32_t>(1, 1024), "How far they read ahead of the buffers.")
    .in("batches")
    .changeable();
  add("pixels", &s::pixels, choice<pixel_type>({{"float32", pixel_type::float32}, {"bfloat16", pixel_type::bfloat16}}),
      "Numbers of a batch in memory; bfloat16 halves it.");
  add("drop_last", &s::drop_last, boolean(), "Leave out the last batch of an epoch if it is not full.");
  add("max_encoded_bytes", &s::max_encoded_bytes, bytes(1, std::uint64_t{1} << 40),
      "Bound on the encoded samples in memory.")
    .changeable();
  add("stall_timeout", &s::stall_timeout, duration(milliseconds{1}, hours{24}),
      "A stage without progress for so long ends the run.")
    .changeable()
    .known_as({"timeout"});
  add("stages", &s::stages, stage_list(),
      "Actors of plugins; those between augmenters and collator in this order. Each is a name, or {name: {parameter: "
      "value}}.");
  add("on_plugin_failure", &s::on_plugin_failure, plugin_policies(),
      "What a plugin throws ends the run (fail), costs what it was at (skip), or the plugin's part (disable).")
    .changeable();
  add_bad_sample_keys(to);
}

} // namespace troupe
