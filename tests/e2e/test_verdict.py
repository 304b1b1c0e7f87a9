"""Runs that are made slow at one stage on purpose: the verdict on their traces has to name that stage."""

import json
import signal
import unittest

from tests.e2e.support import RunCase, synthetic
from tests.e2e.test_images import ImageCase

EXIT_CODES = {"trainer": 0, "reading": 10, "augmenting": 11, "validating": 13, "saving": 14, "undecided": 20}
NORMALIZE = {"normalize": {"mean": [0.5], "std": [0.5]}}


class VerdictCase(RunCase):
    def assert_verdict(self, stage, *needles, run="runs/run"):
        """The verdict names the stage, by word and by exit code, and says why; returns its numbers."""
        outcome = self.troupe("trace", "verdict", run, "--json")
        found = json.loads(outcome.out)
        self.assertEqual(found["stage"], stage, outcome)
        self.assertEqual(outcome.code, EXIT_CODES[stage], outcome)
        for needle in needles:
            self.assertIn(needle, found["finding"] + "\n" + found["advice"])
        for share in ("data_wait", "validator_wait", "after_training"):
            self.assertTrue(0 <= found[share] <= 1, found)
        self.assertLessEqual(found["expected_step_seconds"], found["step_seconds"])
        text = self.troupe("trace", "verdict", run)
        self.assertEqual(text.code, outcome.code, text)
        self.assertTrue(text.out.startswith(f"limited by: {stage}\n"), text)
        return found


class TestVerdict(VerdictCase):
    """Each run lasts a few seconds; what is made slow takes several times as long as all else together."""

    @staticmethod
    def config():
        config = RunCase.config()
        config["data"] = {"train": synthetic(3200)}
        config["transforms"] = {"train": [NORMALIZE], "validation": [NORMALIZE]}
        config["train"] = {"epochs": 2, "torch_threads": 1}
        config["log"] = {"every_steps": 10}
        return config

    def test_a_slow_step(self):
        self.train("data.train=" + json.dumps(synthetic(640)), "model.name=resnet18", "train.epochs=1",
                   "pipeline.augmenters=1", "pipeline.batch_size=8", "checkpoint.every=0")
        found = self.assert_verdict("trainer")
        self.assertLess(found["data_wait"], 0.05)

    def test_a_slow_augmenter(self):
        heavy = [{"random_resized_crop": {"size": 224}}, {"color_jitter": {"brightness": 0.4, "hue": 0.2}},
                 {"gaussian_blur": {"kernel_size": 23}}, {"resize": {"size": [16, 16]}}, NORMALIZE]
        self.train("transforms.train=" + json.dumps(heavy), "pipeline.augmenters=1", "model.name=mlp")
        found = self.assert_verdict("augmenting", "augmenters")
        self.assertGreater(found["data_wait"], 0.3)

    def test_a_slow_validator(self):
        self.train("data.validation=" + json.dumps(synthetic(3000, seed=2)), "validation.every=5",
                   "model.name=lenet", "train.epochs=1")
        found = self.assert_verdict("validating", "validation.every")
        self.assertGreater(found["validator_wait"] + found["after_training"], 0.1)

    def test_a_slow_saver(self):
        self.slow_files("runs", fsync=50)
        self.train("checkpoint.every=1", "train.epochs=12")
        self.assert_verdict("saving", "checkpoint.every")

    def assert_counts_all_threads(self, state):
        """The trainer's threads are known while the run goes, and after it was killed: no core is told to be free."""
        found = json.loads(self.troupe("trace", "verdict", "runs/run", "--json").out)
        self.assertEqual(found["state"], state, found)
        (busy,) = [x["busy"] for x in found["stages"] if x["stage"] == "trainer"]
        self.assertGreaterEqual(found["cores_in_use"], 0.99 * busy * found["cores"])

    def test_a_run_at_work_and_when_it_was_killed(self):
        run = self.start("train.epochs=100000", "train.torch_threads=auto")
        self.assertIsNotNone(run.wait_for_step(1000))
        self.assert_counts_all_threads("running")
        run.send(signal.SIGKILL)
        run.finish()
        self.assert_counts_all_threads("died")

    def test_too_short_a_run(self):
        self.train("data.train=" + json.dumps(synthetic(64)), "train.epochs=1")
        self.assert_verdict("undecided", "20 steps")

    def test_a_run_without_a_trace(self):
        self.train("trace.mode=off", "data.train=" + json.dumps(synthetic(64)), "train.epochs=1")
        for tool in ("verdict", "summary", "top"):
            outcome = self.troupe("trace", tool, "runs/run")
            self.assertEqual(outcome.code, 2, outcome)
            self.assertIn("trace", outcome.err)


class TestReading(ImageCase, VerdictCase):
    def test_a_slow_disk(self):
        self.put_good(200)
        self.slow_files("photos", open=20)
        self.train("pipeline.readers=2", "train.epochs=2")
        found = self.assert_verdict("reading", "readers", "pipeline.readers")
        self.assertGreater(found["data_wait"], 0.3)


class TestOtherTools(VerdictCase):
    def test_summary_diff_and_top_of_finished_runs(self):
        self.train()
        self.train("pipeline.augmenters=1")
        summary = json.loads(self.troupe("trace", "summary", "runs/run", "--json").out)
        self.assertEqual(summary["dropped"], 0)
        self.assertIn("waits for batch", [x["type"] for x in summary["spans"]])
        self.assertIn("loss", [x["type"] for x in summary["values"]])
        edges = json.loads(self.troupe("trace", "summary", "runs/run", "--json", "--by", "edge").out)["rows"]
        self.assertIn(("collator", "trainer", "batch_ready"), [(x.get("sender"), x["actor"], x["type"]) for x in edges])
        diff = self.troupe("trace", "diff", "runs/run", "runs/run-2")
        self.assertEqual(diff.code, 0, diff)
        self.assertTrue(diff.out.startswith("step time: "), diff)
        top = self.troupe("trace", "top", "runs/run")
        self.assertEqual(top.code, 0, top)
        self.assertIn("finished", top.out)

    def test_top_of_a_run_that_is_stopped(self):
        run = self.start("train.epochs=100000")
        self.assertIsNotNone(run.wait_for_step(5))
        run.send(signal.SIGSTOP)
        top = json.loads(self.troupe("trace", "top", "runs/run", "--json", "--interval", "100ms").out)
        self.assertEqual(top["state"], "stopped")
        names = {x["actor"] for x in top["actors"]}
        self.assertTrue({"trainer", "loader", "collator", "augmenter#1"} <= names, names)
        self.assertEqual(top["pid"], run.process.pid)


if __name__ == "__main__":
    unittest.main()
