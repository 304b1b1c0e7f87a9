"""What may be lost, and how a run says so: non-finite losses, disks that are full, logs that cannot be written."""

import math

from tests.e2e.support import RunCase, floats_in, limit_file_size, read_csv, read_safetensors

# A model whose checkpoints do not fit into the limit, beside logs that do.
LARGE_MODEL = "model={name: mlp, hidden: 600}"
LIMIT = 256 * 1024
EXPLODING = ("optimizer.lr=1e30", "optimizer.momentum=0", "optimizer.nesterov=false")


class TestNonFiniteLoss(RunCase):
    def check_stopped(self, outcome, folder):
        self.assertRegex(folder.summary()["reason"], r"step \d+")
        self.assertRegex(outcome.out + outcome.err, r"batch \d+ \(epoch \d+, batch \d+\)")
        self.assertEqual(folder.summary()["status"], "stopped")
        self.assertEqual(folder.summary()["exit_code"], 3)
        for checkpoint in folder.checkpoints():
            for name in ("model.safetensors", "optimizer.safetensors"):
                self.assertTrue(all(map(math.isfinite, floats_in(checkpoint / name))), checkpoint)

    def test_the_run_stops_with_the_batch_saved_and_named(self):
        outcome = self.train(*EXPLODING, expect=3)
        folder = self.folder()
        self.check_stopped(outcome, folder)
        (kept,) = folder.path.glob("rejected-batch-*.safetensors")
        self.assertIn(kept.name, outcome.out + outcome.err)
        tensors = read_safetensors(kept)
        self.assertEqual(tensors["pixels"][1], [32, 16, 16, 1])
        self.assertEqual((tensors["labels"][1], tensors["sample_ids"][1]), ([32], [32]))

    def test_what_was_good_before_stays_loadable(self):
        """The warm-up makes the first steps harmless, so some checkpoints are durable by the time it explodes."""
        growing = ("optimizer.lr=1e30", "lr_schedule.warmup_steps=1000000000000000000", "train.epochs=50")
        outcome = self.train(*growing, "checkpoint.every=1", expect=3)
        folder = self.folder()
        self.check_stopped(outcome, folder)
        self.assertGreater(len(folder.checkpoints()), 0)
        outcome = self.train(*growing, "checkpoint.every=1", "--resume", expect=3)
        self.assertIn("resumes after step", outcome.out)

    def test_skipped_steps_are_no_reason_to_stop(self):
        self.train(*EXPLODING, "train.on_nonfinite=skip_step")
        self.assertEqual(self.folder().summary()["status"], "done")


class TestFullDisk(RunCase):
    def test_checkpoints_that_do_not_fit_cost_no_training(self):
        outcome = self.train(LARGE_MODEL, expect=4, before=limit_file_size(LIMIT))
        summary = self.folder().summary()
        self.assertEqual((summary["status"], summary["exit_code"]), ("done", 4))
        self.assertEqual((summary["steps"], summary["samples_trained"]), (26, 800))
        self.assertEqual(summary["checkpoints"]["durable"], 0)
        # One per epoch, and what the validator finds the best is tried once more.
        self.assertGreaterEqual(summary["checkpoints"]["failed"], 2)
        self.assertIn("was not saved", outcome.out + outcome.err)
        self.assertEqual(self.folder().checkpoints(), [])
        self.assertEqual(list((self.folder().path / "checkpoints").iterdir()), [])

    def test_earlier_checkpoints_stay(self):
        self.train(LARGE_MODEL, "train.epochs=1")
        before = {k: v for k, v in self.folder().files().items() if k.startswith("checkpoints/step-")}
        self.train(LARGE_MODEL, "--resume", expect=4, before=limit_file_size(LIMIT))
        after = {k: v for k, v in self.folder().files().items() if k.startswith("checkpoints/step-")}
        self.assertEqual(after, before)
        self.train(LARGE_MODEL, "train.epochs=3", "--resume")
        self.assertEqual(self.folder().summary()["epochs"], 3)


class TestLostLogs(RunCase):
    def test_a_table_that_cannot_be_opened(self):
        for name in ("metrics.csv", "validation.csv"):
            with self.subTest(name=name):
                folder = self.train_anew("train.epochs=1")
                (folder.path / name).unlink()
                (folder.path / name).mkdir()
                outcome = self.train(f"--resume={folder.path}", expect=4)
                self.assertIn(name, outcome.out + outcome.err)
                self.assertEqual(folder.summary()["steps"], 26)
                self.assertGreater(folder.summary()["log"]["failed"], 0)

    def test_rows_that_cannot_be_written(self):
        """The disk is full within a row: no part of it stays, what is lost is counted, and training goes on."""
        overrides = ("train.epochs=80", "checkpoint.every=0", "trace.mode=off")
        outcome = self.train(*overrides, expect=4, before=limit_file_size(60_000))
        folder = self.folder()
        self.assertIn("logger:", outcome.out + outcome.err)
        self.assertEqual(folder.summary()["steps"], 13 * 80)
        self.assertGreater(folder.summary()["log"]["failed"], 0)
        self.assertTrue((folder.path / "metrics.csv").read_text().endswith("\n"))
        steps = [int(x["step"]) for x in read_csv(folder.path / "metrics.csv")]
        self.assertEqual(steps, sorted(set(steps)))
        self.assertEqual(steps[:100], list(range(1, 101)))
        self.assertLess(len(steps), 13 * 80)

    def test_a_trace_that_cannot_be_recorded(self):
        folder = self.train_anew("train.epochs=1")
        trace = folder.path / "trace"
        for x in trace.iterdir():
            x.unlink()
        trace.rmdir()
        trace.write_text("")
        outcome = self.troupe("train", "config.yaml", "--resume")
        self.assert_died_cleanly(outcome)
        self.assertIn("trace", outcome.out + outcome.err)
        self.assertIn(outcome.code, (1, 4), outcome)
