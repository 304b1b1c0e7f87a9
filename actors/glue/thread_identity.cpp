#include "actors/glue/thread_identity.hpp"

#include <pthread.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace troupe {

void name_thread(const std::string& name) {
  pthread_setname_np(pthread_self(), name.substr(0, 15).c_str());
}

void pin_thread(const std::vector<int>& cpus) {
  if (cpus.empty())
    return;
  cpu_set_t mask;
  CPU_ZERO(&mask);
  for (auto cpu : cpus)
    CPU_SET(static_cast<std::size_t>(cpu), &mask);
  pthread_setaffinity_np(pthread_self(), sizeof(mask), &mask);
}

void lower_priority(int niceness) {
  if (niceness > 0) // On Linux niceness belongs to the thread (setpriority(2), "C library/kernel differences").
    setpriority(PRIO_PROCESS, static_cast<id_t>(syscall(SYS_gettid)), niceness);
}

} // namespace troupe
