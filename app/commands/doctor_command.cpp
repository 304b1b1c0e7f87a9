#include "app/commands/doctor_command.hpp"

#include "actors/support/network/device_report.hpp"
#include "app/build_info.hpp"
#include "app/config/load_config.hpp"
#include "app/config/validate.hpp"
#include "app/plugins/plugin_loader.hpp"
#include "app/thread_plan.hpp"

#include <caf/config.hpp>

#include <opencv2/core/version.hpp>

#include <cstdlib>
#include <ostream>
#include <sys/resource.h>

namespace troupe {

namespace {

void describe_limit(std::ostream& out, const char* name, int which) {
  rlimit limit{};
  getrlimit(static_cast<__rlimit_resource>(which), &limit);
  out << "  " << name << ": ";
  limit.rlim_cur == RLIM_INFINITY ? out << "unlimited" : out << limit.rlim_cur;
  out << "\n";
}

/// Loads them; returns the exit code.
int load_plugins(const std::vector<std::string>& plugins, std::ostream& err) {
  for (const auto& each : plugins)
    if (const auto loaded = load_plugin(each, "."); !loaded) {
      err << "troupe: " << to_string(loaded.error()) << "\n";
      return 2;
    }
  return 0;
}

void describe_plugins(std::ostream& out) {
  for (const auto& each : loaded_plugins())
    out << "plugin " << each.name << " " << each.version << "\n  " << each.path << "\n";
}

} // namespace

int doctor_command(const std::optional<std::string>& config_path, const std::vector<std::string>& overrides,
                   const std::vector<std::string>& plugins, std::ostream& out, std::ostream& err) {
  out << "troupe " << build_version() << " (" << build_commit() << ")\n"
      << "  compiler: " __VERSION__ ", CAF " << CAF_VERSION / 10000 << "." << CAF_VERSION / 100 % 100 << "."
      << CAF_VERSION % 100 << ", OpenCV " CV_VERSION "\n";
  for (auto& line : describe_compute())
    out << "  " << line << "\n";
  const char* spins = std::getenv("GOMP_SPINCOUNT");
  const char* policy = std::getenv("OMP_WAIT_POLICY");
  out << "  OpenMP waits: "
      << (policy  ? policy
          : spins ? std::string("GOMP_SPINCOUNT=") + spins
                  : "default")
      << "\n"
      << "limits\n  usable cores: " << num_usable_cores() << "\n";
  describe_limit(out, "open files", RLIMIT_NOFILE);
  describe_limit(out, "file size", RLIMIT_FSIZE);
  describe_limit(out, "locked memory", RLIMIT_MEMLOCK);
  if (!config_path) {
    const auto code = load_plugins(plugins, err);
    describe_plugins(out);
    return code;
  }
  auto config = load_config(*config_path, overrides, plugins);
  if (!config) {
    err << "troupe: " << to_string(config.error()) << "\n";
    return 2;
  }
  describe_plugins(out);
  out << "threads for " << *config_path << "\n";
  for (auto& line : plan_threads(*config, num_usable_cores()).reasons)
    out << "  " << line << "\n";
  for (auto& line : find_oddities(*config))
    out << "  note: " << line << "\n";
  return 0;
}

} // namespace troupe
