"""The example plugins in whole runs: the same for any number of workers, exact when resumed, and seen in the trace."""

import json

from tests.e2e.plugins import PluginCase, example, one, transforms
from tests.e2e.test_resume import ResumeCase

HARD = example("hard_examples")
MOSAIC = example("mosaic")


class TestTransforms(PluginCase):
    def test_each_takes_part_and_any_number_of_augmenters_gives_the_same(self):
        plain = self.train_anew(transforms())
        for name in ("clahe", "elastic"):
            runs = [
                self.trained_with(transforms(name), f"pipeline.augmenters={n}", plugin=example(name)) for n in (1, 4)
            ]
            self.assert_same_training(*runs)
            self.assertNotEqual(runs[0].tensors_file("model.safetensors"), plain.tensors_file("model.safetensors"))


class TestMosaic(PluginCase):
    def test_any_number_of_actors_gives_the_same(self):
        runs = [
            self.trained_with(f"pipeline.stages={one('mosaic', instances=n)}", "pipeline.chunk_size=5", plugin=MOSAIC)
            for n in (1, 2, 8)
        ]
        for other in runs[1:]:
            self.assert_same_training(other, runs[0])
        plain = self.train_anew()
        self.assertNotEqual(runs[0].tensors_file("model.safetensors"), plain.tensors_file("model.safetensors"))

    def test_causes_are_kept_across_the_border_both_ways(self):
        self.trained_with("trace.mode=full", "pipeline.stages=[mosaic]", "train.epochs=1", plugin=MOSAIC)
        self.troupe("trace", "export", "runs/run", "--csv", "trace.csv")
        story = self.troupe("trace", "follow", "runs/run", "batch:3")
        self.assertEqual(story.code, 0, story)
        self.assertIn("augmenter mosaic#", story.out)
        shown = json.loads(self.troupe("trace", "filter", "runs/run", "--type", "samples_wanted", "--json").out)
        self.assertTrue(shown)

    def test_a_chunk_of_it_cannot_be_replayed_and_is_told_so(self):
        self.trained_with("trace.mode=full", "pipeline.stages=[mosaic]", "train.epochs=1", plugin=MOSAIC)
        found = self.troupe("trace", "filter", "runs/run", "--type", "chunk_ready", "--actor", "augmenter*", "--json")
        number = json.loads(found.out)["records"][0]["message"]
        outcome = self.troupe("trace", "replay", "runs/run", f"message:{number}")
        self.assertEqual(outcome.code, 2, outcome)
        self.assertIn("mosaic", outcome.err)


class TestHardExamples(ResumeCase, PluginCase):
    SETTINGS = (f"pipeline.stages={one('hard_examples', boost=4, share=0.2)}", "--plugin", HARD)

    def test_the_order_changes_from_the_third_epoch_on_and_not_before(self):
        weighted, plain = self.train_anew(*self.SETTINGS), self.train_anew()
        ours, theirs = ([row["loss"] for row in x.rows("metrics.csv")] for x in (weighted, plain))
        per_epoch = len(ours) // 4
        self.assertEqual(ours[: 2 * per_epoch], theirs[: 2 * per_epoch])
        self.assertNotEqual(ours[2 * per_epoch :], theirs[2 * per_epoch :])
        self.assertEqual(weighted.summary()["samples_trained"], plain.summary()["samples_trained"])
        rows = (weighted.path / "hard_examples.csv").read_text().splitlines()
        self.assertGreater(len(rows), 4)

    def test_a_run_that_was_interrupted_and_resumed_is_the_same(self):
        whole = self.train_anew(*self.SETTINGS)
        for at_step in (100, 150, 200):
            with self.subTest(at_step=at_step):
                cut, _ = self.interrupt(at_step, *self.SETTINGS)
                self.resume(cut, *self.SETTINGS)
                self.assert_same_training(cut, whole)
                self.assert_same_logs(cut, whole)
                self.assertEqual(
                    (cut.path / "hard_examples.csv").read_text(), (whole.path / "hard_examples.csv").read_text()
                )

    def test_any_number_of_augmenters_gives_the_same(self):
        runs = [self.train_anew(*self.SETTINGS, f"pipeline.augmenters={n}") for n in (1, 4)]
        self.assert_same_training(*runs)
