#include "actors/augmenter/augmenter_actor.hpp"

#include "actors/augmenter/fill_slice.hpp"
#include "actors/glue/guard.hpp"

namespace troupe {

namespace {

using augmenter_pointer = traced_pointer<augmenter_actor, augmenter_state>;

/// Tells the trace which sample is in work, and what it became.
class sample_tracer final : public sample_observer {
public:
  sample_tracer(const encoded_chunk& chunk, bool record) noexcept : chunk_(chunk), record_(record) {}

  [[nodiscard]] bool wants_hash() const override { return record_; }

  void begins(std::uint64_t id) override {
    trace_progress(id);
    if (record_)
      begun_ns_ = trace_now_ns();
  }

  void made(const made_sample& sample) override {
    if (record_)
      trace_sample({sample.id, chunk_.batch, chunk_.epoch, sample.slot, sample.pixel_hash, sample.bytes, begun_ns_,
                    trace_now_ns(), sample.bad});
  }

private:
  const encoded_chunk& chunk_;
  bool record_;
  std::int64_t begun_ns_ = 0;
};

void ask_for_more(augmenter_pointer self) {
  self->send(self->state.setup.loader, next_atom_v, augmenter_actor{self});
}

void fill(augmenter_pointer self, chunk_ready& work) {
  auto slice = work.slice.take();
  if (!slice) {
    ask_for_more(self);
    return;
  }
  slice->begin();
  auto& setup = self->state.setup;
  sample_tracer tracer(*work.chunk, setup.record_samples);
  auto outcome = fill_slice(*setup.transforms, setup.seed, *work.chunk, *slice, &tracer);
  slice->begin({}); // Whatever becomes of it now is not this actor's doing.
  ++self->state.chunks_done;
  chunk_done done{work.chunk->batch, work.chunk->position, outcome.bad, std::move(outcome.decoded)};
  self->send(setup.collator, slice_filled{lease<batch_slice>(std::move(*slice)), std::move(outcome.bad), done.batch});
  self->send(setup.loader, std::move(done));
  ask_for_more(self);
}

} // namespace

augmenter_actor::behavior_type augmenter(augmenter_pointer self, augmenter_setup setup) {
  trace_name(self, setup.name);
  report_exceptions(self, setup.name);
  self->state.setup = std::move(setup);
  ask_for_more(self);
  return {
    [self](chunk_ready& work) { fill(self, work); },
    [self](status_atom) {
      return actor_status{"waits for a chunk", self->state.chunks_done, true};
    },
  };
}

} // namespace troupe
