// LibTorch's contestant lives in a module: loading LibTorch takes longer than the first batch of the others.
#include "tests/bench/data_path/contestants.hpp"

#include <nlohmann/json.hpp>

#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <iostream>

namespace troupe::bench {

nlohmann::ordered_json run_libtorch(const run_options& options) {
  const auto beside = std::filesystem::read_symlink("/proc/self/exe").parent_path() / "libbench_data_path_libtorch.so";
  void* module = dlopen(beside.c_str(), RTLD_NOW);
  void* entry = module == nullptr ? nullptr : dlsym(module, "bench_run_libtorch");
  if (entry == nullptr) {
    std::cerr << "bench_data_path: " << dlerror() << '\n';
    std::exit(2);
  }
  nlohmann::ordered_json figures;
  reinterpret_cast<void (*)(const run_options&, nlohmann::ordered_json&)>(entry)(options, figures);
  return figures;
}

} // namespace troupe::bench
