/// The binary `troupe`: sets the process up, then loads the program. What is set here must be so before LibTorch is
/// loaded: OpenMP reads its settings when it is, and threads that libraries start inherit the mask of signals.
#include "actors/support/allocator_tuning.hpp"
#include "app/openmp_environment.hpp"
#include "app/signal_mask.hpp"

#include <cstdio>
#include <dlfcn.h>

int main(int argc, char** argv) {
  troupe::take_over_signals();
  troupe::keep_freed_memory();
  troupe::choose_brief_openmp_waits();
  void* program = dlopen("libtroupe_program.so", RTLD_NOW | RTLD_GLOBAL);
  void* entry = program == nullptr ? nullptr : dlsym(program, "troupe_program");
  if (entry == nullptr) {
    std::fprintf(stderr, "troupe: %s\n", dlerror());
    return 1;
  }
  return reinterpret_cast<int (*)(int, char**)>(entry)(argc, argv);
}
