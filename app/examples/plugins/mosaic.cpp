/// Mosaic: a sample becomes four quadrants, itself and three others (Bochkovskiy et al., "YOLOv4", 2020). The label stays
/// that of the sample itself, whose quadrant is at least half of the picture. A transform sees one sample, this takes four:
/// so it is a whole actor, which asks the loader for the others: {pipeline: {stages: [{mosaic: {probability: 0.5}}]}}
#include "actors/plugin.hpp"

#include <cmath>
#include <opencv2/imgproc.hpp>

using namespace troupe;

namespace {

struct mosaic_state { // Nothing is kept from chunk to chunk: any number of these may work side by side.
  static inline const char* name = "mosaic";
};
using mosaic_pointer = plugin_pointer<augmenter_actor, mosaic_state>;

struct plan {
  bool chosen;
  std::uint64_t corner; // Of the sample itself: 0..3, by row.
  double side;          // Of its quadrant, in width and height: the root of half the area, or more.
  std::array<std::uint64_t, 3> partners;
};

/// Drawn from the ids alone: the same mosaic whoever makes it, and whenever.
plan plan_of(const augmenter_role& role, std::uint64_t epoch, std::uint64_t id) {
  auto rng = role.rng(epoch, id);
  plan how{rng.uniform() < role.values.number("probability"), rng.below(4), rng.uniform(std::sqrt(0.5), 0.9), {}};
  for (auto& partner : how.partners)
    partner = rng.below(role.num_samples);
  return how;
}

/// Turns `own` into the mosaic. If a partner cannot be made, it stays as it is.
void add_partners(const augmenter_role& role, const plan& how, const encoded_sample* partners, std::uint64_t epoch,
                  cv::Mat& own) {
  std::array<cv::Mat, 4> all{own.clone()};
  for (std::size_t k = 1; k < 4; ++k)
    if (!role.samples->make(partners[k - 1], epoch, all[k]))
      return;
  const auto range = [&how](int length, bool is_own, bool own_is_last) {
    const int side = static_cast<int>(std::ceil(length * how.side)), cut = own_is_last ? length - side : side;
    return is_own == own_is_last ? cv::Range(cut, length) : cv::Range(0, cut);
  };
  for (std::size_t k = 0; k < 4; ++k) // The k-th is in another row than the own picture, another column, or both.
    if (cv::Mat part = own(range(own.rows, k < 2, how.corner >= 2), range(own.cols, k % 2 == 0, how.corner % 2 == 1));
        !part.empty())
      cv::resize(all[k], part, part.size(), 0, 0, cv::INTER_AREA);
}

void fill(mosaic_pointer self, const augmenter_role& role, const encoded_chunk& chunk, batch_slice slice,
          const samples_found& found) {
  std::vector<bad_sample> bad;
  const auto* partners = found.samples.data();
  for (std::uint32_t i = 0; i < slice.count(); ++i) {
    cv::Mat picture;
    const auto how = plan_of(role, chunk.epoch, chunk.samples[i].id);
    const auto* mine = std::exchange(partners, partners + (how.chosen ? 3 : 0));
    if (is_unreadable(chunk, i))
      continue;
    const auto made = role.samples->make(chunk.samples[i], chunk.epoch, picture);
    if (made && how.chosen)
      add_partners(role, how, mine, chunk.epoch, picture);
    if (made)
      role.samples->write(picture, slice, i);
    else
      bad.push_back(bad_sample_of(chunk, i, made.error(), role));
  }
  finish_chunk(self, role, chunk, std::move(slice), std::move(bad)); // Hands the slice on and asks for more.
}

void ask_for_partners(mosaic_pointer self, std::shared_ptr<const augmenter_role> role, chunk_ready& work) {
  const auto ask_for_more = [=] { self->send(role->loader, next_atom_v, augmenter_actor{self}); };
  auto taken = take_slice(work, *role);
  if (!taken)
    return ask_for_more();
  samples_wanted wanted{work.chunk->epoch, {}};
  for (const auto& sample : work.chunk->samples)
    if (const auto how = plan_of(*role, wanted.epoch, sample.id); how.chosen)
      wanted.ids.insert(wanted.ids.end(), how.partners.begin(), how.partners.end());
  // Whoever lets go of a slice, as these functions do if there is no answer, sends it home, and it is filled again.
  auto slice = std::make_shared<batch_slice>(std::move(*taken));
  self->request(role->loader, role->timeout, std::move(wanted))
    .then([=, chunk = work.chunk](const samples_found& x) { fill(self, *role, *chunk, std::move(*slice), x); },
          [=](const caf::error&) { ask_for_more(); });
}

augmenter_actor::behavior_type mosaic(mosaic_pointer self, augmenter_role given) {
  const auto role = std::make_shared<const augmenter_role>(std::move(given));
  self->send(role->loader, next_atom_v, augmenter_actor{self});
  return {[=](chunk_ready& work) { ask_for_partners(self, role, work); },
          [](status_atom) {
            return actor_status{"waits for a chunk", 0, true};
          }};
}

} // namespace

TROUPE_PLUGIN(mosaic, "1.0") {
  plugin.augmenter<mosaic_state>("mosaic", "Puts a sample and three others into one picture.", {},
                                 {param::number("probability", 0.5, 0, 1, "Share of the samples.")}, mosaic);
}
