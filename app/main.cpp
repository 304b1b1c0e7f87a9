/// The binary `troupe`: sets the process up, then loads the program. What is set here must be so before LibTorch is
/// loaded: OpenMP reads its settings when it is, and threads that libraries start inherit the mask of signals.
#include "actors/support/allocator_tuning.hpp"
#include "app/openmp_environment.hpp"
#include "app/signal_mask.hpp"

#include <cstdio>
#include <dlfcn.h>
#include <filesystem>
#include <string>
#include <system_error>

namespace {

/// Beside the binary where it was built, in ../lib/troupe where it is installed; by its whole path, because a sanitizer's
/// dlopen does not see the binary's own search path.
std::string path_of_program() {
  std::error_code unknown;
  const auto folder = std::filesystem::read_symlink("/proc/self/exe", unknown).parent_path();
  auto path = folder / "libtroupe_program.so";
  if (!std::filesystem::exists(path, unknown))
    path = folder.parent_path() / "lib/troupe" / path.filename();
  return path.string();
}

} // namespace

int main(int argc, char** argv) {
  troupe::take_over_signals();
  troupe::keep_freed_memory();
  troupe::choose_brief_openmp_waits();
  void* program = dlopen(path_of_program().c_str(), RTLD_NOW | RTLD_GLOBAL);
  void* entry = program == nullptr ? nullptr : dlsym(program, "troupe_program");
  if (entry == nullptr) {
    std::fprintf(stderr, "troupe: %s\n", dlerror());
    return 1;
  }
  return reinterpret_cast<int (*)(int, char**)>(entry)(argc, argv);
}
