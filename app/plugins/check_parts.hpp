/// The checks of single components; each tells a log what it finds, and may throw.
#pragma once

#include "actors/support/components/component_registry.hpp"
#include "app/plugins/check_log.hpp"
#include "app/plugins/plugin_check.hpp"

namespace troupe {

void check_transform(const transform_component& what, const parameters& values, const check_options& options,
                     check_log& log);
void check_batch_transform(const batch_transform_component& what, const parameters& values,
                           const check_options& options, check_log& log);
void check_data_source(const data_source_component& what, const parameters& values, const check_options& options,
                       check_log& log);
void check_decoder(const decoder_component& what, const parameters& values, const check_options& options,
                   check_log& log);
void check_metric(const metric_component& what, const parameters& values, const check_options& options, check_log& log);
void check_log_sink(const log_sink_component& what, const parameters& values, const check_options& options,
                    check_log& log);

} // namespace troupe
