/// The checks of whole actors, on a scheduler without threads.
#pragma once

#include "actors/plugin/plugin_roles.hpp"
#include "app/plugins/check_log.hpp"
#include "app/plugins/plugin_check.hpp"

namespace troupe {

void check_augmenter(const augmenter_kind& what, const parameters& values, const check_options& options,
                     check_log& log);
void check_stage(const stage_kind& what, const parameters& values, const check_options& options, check_log& log);
void check_listener(const listener_kind& what, const parameters& values, const check_options& options, check_log& log);

} // namespace troupe
