/// Measures how a training thread and busy CAF workers share the cores: samples/s of a small CNN at 1 and 2 torch
/// threads beside workers that are idle, paced (the duty of real augmentation) or always busy.
/// Usage: bench_thread_plan [rounds]   (try it under OMP_WAIT_POLICY=passive, =active and unset)
#include <caf/all.hpp>

#include <torch/torch.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <iostream>
#include <map>
#include <vector>

namespace {

using bench_clock = std::chrono::steady_clock;

double seconds_since(bench_clock::time_point start) {
  return std::chrono::duration<double>(bench_clock::now() - start).count();
}

torch::nn::Sequential make_lenet() {
  namespace nn = torch::nn;
  return nn::Sequential(nn::Conv2d(nn::Conv2dOptions(1, 32, 3).padding(1)), nn::ReLU(), nn::MaxPool2d(2),
                        nn::Conv2d(nn::Conv2dOptions(32, 64, 3).padding(1)), nn::ReLU(), nn::MaxPool2d(2),
                        nn::Flatten(), nn::Linear(64 * 7 * 7, 128), nn::ReLU(), nn::Linear(128, 10));
}

/// Burns `busy` of CPU, then sleeps for `idle`, until told to stop by its exit message.
struct worker_state {
  static inline const char* name = "worker";
  double sink = 0;
};

caf::behavior worker(caf::stateful_actor<worker_state>* self, std::chrono::microseconds busy,
                     std::chrono::microseconds idle) {
  self->send(self, caf::tick_atom_v);
  return {[=](caf::tick_atom) {
    auto end = bench_clock::now() + busy;
    while (bench_clock::now() < end)
      for (int i = 0; i < 100; ++i)
        self->state.sink += std::sqrt(double(i) + self->state.sink);
    if (idle.count() > 0)
      self->delayed_send(self, idle, caf::tick_atom_v);
    else
      self->send(self, caf::tick_atom_v);
  }};
}

double train_for(int threads, double seconds) {
  at::set_num_threads(threads);
  torch::manual_seed(1);
  auto model = make_lenet();
  torch::optim::SGD optimizer(model->parameters(), torch::optim::SGDOptions(0.05).momentum(0.9));
  auto x = torch::randn({128, 1, 28, 28}).contiguous(at::MemoryFormat::ChannelsLast);
  auto y = torch::randint(10, {128}, torch::kLong);
  auto step = [&] {
    optimizer.zero_grad();
    torch::nn::functional::cross_entropy(model->forward(x), y).backward();
    optimizer.step();
  };
  for (int i = 0; i < 5; ++i)
    step();
  auto start = bench_clock::now();
  int steps = 0;
  for (; seconds_since(start) < seconds; ++steps)
    step();
  return steps * 128 / seconds_since(start);
}

} // namespace

int main(int argc, char** argv) {
  using std::chrono::microseconds;
  int rounds = argc > 1 ? std::atoi(argv[1]) : 5;
  struct load {
    const char* name;
    int workers;
    microseconds busy, idle;
  };
  // Real augmentation of 28x28 samples takes a few us each: about 200 us per chunk of 64, 3 % of one core.
  std::vector<load> loads = {{"no workers", 0, {}, {}},
                             {"2 workers at 5 % duty", 2, microseconds(200), microseconds(3800)},
                             {"2 workers at 50 % duty", 2, microseconds(2000), microseconds(2000)},
                             {"2 workers always busy", 2, microseconds(2000), microseconds(0)}};
  std::map<std::pair<std::string, int>, std::vector<double>> results;
  for (int round = 0; round < rounds; ++round)
    for (auto& l : loads)
      for (int threads : {1, 2}) {
        caf::actor_system_config cfg;
        cfg.set("scheduler.policy", caf::atom("sharing"));
        cfg.set("scheduler.max-threads", size_t{2});
        cfg.set("scheduler.max-throughput", size_t{50});
        caf::actor_system sys{cfg};
        std::vector<caf::actor> workers;
        for (int i = 0; i < l.workers; ++i)
          workers.push_back(sys.spawn(worker, l.busy, l.idle));
        results[{l.name, threads}].push_back(train_for(threads, 1.0));
        for (auto& w : workers)
          caf::anon_send_exit(w, caf::exit_reason::user_shutdown);
      }
  for (auto& [key, values] : results) {
    std::sort(values.begin(), values.end());
    std::cout << key.first << ", " << key.second << " torch threads: median " << int(values[values.size() / 2])
              << " samples/s (" << int(values.front()) << ".." << int(values.back()) << ")\n";
  }
}
