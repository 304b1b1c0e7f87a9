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

std::vector<int> first_usable_cpus(int count) {
  cpu_set_t mask;
  if (pthread_getaffinity_np(pthread_self(), sizeof(mask), &mask) != 0 || CPU_COUNT(&mask) <= count)
    return {};
  std::vector<int> cpus;
  for (int cpu = 0; cpu < CPU_SETSIZE && static_cast<int>(cpus.size()) < count; ++cpu)
    if (CPU_ISSET(static_cast<std::size_t>(cpu), &mask))
      cpus.push_back(cpu);
  return cpus;
}

void lower_priority(int niceness) {
  if (niceness > 0) // On Linux niceness belongs to the thread (setpriority(2), "C library/kernel differences").
    setpriority(PRIO_PROCESS, static_cast<id_t>(syscall(SYS_gettid)), niceness);
}

} // namespace troupe
