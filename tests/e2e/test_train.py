"""A run from its start to its end: what it says, what it leaves behind, and what the other commands make of that."""

import csv
import json
import re
import signal
import subprocess
import sys

from tests.e2e.support import ROOT, RunCase, base_config, read_csv, read_safetensors, step_of

STEPS_PER_EPOCH = 13  # 400 samples in batches of 32.
RUN_FILES = {"config.yaml", "classes.txt", "bad_samples.csv", "metrics.csv", "validation.csv", "summary.json", "trace",
             "checkpoints"}
CHECKPOINT_FILES = {
    "model.safetensors",
    "optimizer.safetensors",
    "state.json",
    "config.yaml",
    "classes.txt",
    "MANIFEST.json",
}


class TestTrain(RunCase):
    @classmethod
    def setUpClass(cls):
        """One run for all tests that only look at it; a run of its own for each would prove no more."""
        cls.shared = RunCase()
        cls.shared.setUp()
        cls.addClassCleanup(cls.shared.doCleanups)
        cls.outcome = cls.shared.train()
        cls.run_folder = cls.shared.folder()

    def test_the_run_folder_has_exactly_the_promised_files(self):
        names = {x.name for x in self.run_folder.path.iterdir() if not x.name.startswith(".")}
        events = {x for x in names if x.startswith("events.out.tfevents.")}
        self.assertEqual(len(events), 1, names)
        self.assertEqual(names - events, RUN_FILES)

    def test_checkpoints_are_whole_and_linked(self):
        checkpoints = self.run_folder.checkpoints()
        self.assertEqual([step_of(x) for x in checkpoints], [STEPS_PER_EPOCH, 2 * STEPS_PER_EPOCH])
        for checkpoint in checkpoints:
            self.assertEqual({x.name for x in checkpoint.iterdir()}, CHECKPOINT_FILES)
        others = {x.name for x in (self.run_folder.path / "checkpoints").iterdir()} - {x.name for x in checkpoints}
        self.assertEqual(others, {"latest", "best", "best.json"})
        self.assertEqual((self.run_folder.path / "checkpoints/latest").resolve(), checkpoints[-1].resolve())
        self.assertIn((self.run_folder.path / "checkpoints/best").resolve(), [x.resolve() for x in checkpoints])

    def test_the_summary_adds_up(self):
        summary = self.run_folder.summary()
        self.assertEqual((summary["status"], summary["exit_code"]), ("done", 0))
        self.assertEqual((summary["epochs"], summary["steps"]), (2, 2 * STEPS_PER_EPOCH))
        self.assertEqual((summary["samples_trained"], summary["samples_skipped"]), (800, 0))
        self.assertEqual(summary["checkpoints"], {"durable": 2, "superseded": 0, "failed": 0})
        self.assertEqual(summary["trace"]["dropped"], 0)
        self.assertGreater(summary["trace"]["recorded"], 100)
        self.assertEqual(summary["seed"], 7)
        self.assertEqual(summary["threads"]["trainer_torch"], 1)
        self.assertEqual(summary["threads"]["augmenters"], 2)
        self.assertGreater(summary["peak_rss_bytes"], 1 << 20)
        self.assertGreaterEqual(summary["wall_seconds"], summary["train_seconds"])
        self.assertAlmostEqual(summary["samples_per_second"] * summary["train_seconds"], 800, delta=1)
        self.assertTrue(0 <= summary["data_wait_share"] <= 1, summary["data_wait_share"])
        self.assertTrue({"git", "version"} <= summary.keys())

    def test_the_summary_agrees_with_the_tables(self):
        summary = self.run_folder.summary()
        rows = read_csv(self.run_folder.path / "validation.csv")
        self.assertEqual([int(x["step"]) for x in rows], [STEPS_PER_EPOCH, 2 * STEPS_PER_EPOCH])
        self.assertEqual({x["samples"] for x in rows}, {"100"})
        last = rows[-1]
        self.assertEqual(summary["validation"]["step"], int(last["step"]))
        self.assertAlmostEqual(summary["validation"]["top1"], float(last["top1"]), places=6)
        self.assertAlmostEqual(summary["validation"]["loss"], float(last["loss"]), places=6)
        best = max(float(x["top1"]) for x in rows)
        self.assertAlmostEqual(summary["best"]["top1"], best, places=6)
        linked = (self.run_folder.path / "checkpoints/best").resolve()
        self.assertEqual(summary["best"]["step"], step_of(linked))

    def test_metrics_are_one_strict_table(self):
        raw = (self.run_folder.path / "metrics.csv").read_text(encoding="utf-8")
        self.assertEqual(raw.count("step,epoch,"), 1)
        self.assertTrue(raw.endswith("\n"))
        rows = list(csv.reader(raw.splitlines(), strict=True))
        self.assertEqual({len(x) for x in rows}, {len(rows[0])})
        self.assertEqual([int(x[0]) for x in rows[1:]], list(range(1, 2 * STEPS_PER_EPOCH + 1)))

    def test_training_learns(self):
        rows = read_csv(self.run_folder.path / "metrics.csv")
        self.assertLess(float(rows[-1]["loss"]), float(rows[0]["loss"]))

    def test_classes_are_listed_by_id(self):
        self.assertEqual((self.run_folder.path / "classes.txt").read_text(), "0\n1\n2\n3\n")

    def test_a_training_with_the_stored_config_is_the_same(self):
        stored = self.run_folder.path / "config.yaml"
        outcome = self.troupe("train", str(stored))
        self.assertEqual(outcome.code, 0, outcome)
        self.assertEqual(self.folder().path.joinpath("config.yaml").read_bytes(), stored.read_bytes())
        self.assert_same_training(self.folder(), self.run_folder)

    def test_weights_are_ordinary_safetensors(self):
        tensors = read_safetensors(self.run_folder.newest() / "model.safetensors")
        self.assertEqual({dtype for dtype, _, _ in tensors.values()}, {"F32"})
        for name, (_, shape, data) in tensors.items():
            count = 1
            for extent in shape:
                count *= extent
            self.assertEqual(len(data), 4 * count, name)

    def test_tensorboard_reads_the_events(self):
        (events,) = self.run_folder.path.glob("events.out.tfevents.*")
        reader = ROOT / "tests/actors/logger/read_events.py"
        done = subprocess.run([sys.executable, reader, events], capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 0, done.stderr)
        steps = {int(x) for x in re.findall(r"^step (\d+) scalar", done.stdout, re.MULTILINE)}
        self.assertEqual(steps, set(range(1, 2 * STEPS_PER_EPOCH + 1)))
        self.assertRegex(done.stdout, rf"step {STEPS_PER_EPOCH} scalar \S*top1")

    def test_a_file_as_stdout_gets_plain_lines(self):
        text = self.outcome.out + self.outcome.err
        self.assertNotIn("\r", text)
        self.assertNotIn("\x1b", text)
        self.assertIn(f"epoch 2/2  step {2 * STEPS_PER_EPOCH}/{2 * STEPS_PER_EPOCH}", text)
        self.assertTrue(text.endswith("\n"))
        self.assertIn("runs/run", text.splitlines()[-1])

    def test_the_trace_summary_names_actors(self):
        outcome = self.shared.troupe("trace", "summary", "runs/run")
        self.assertEqual(outcome.code, 0, outcome)
        for actor in ("loader", "augmenter#1", "augmenter#2", "collator", "trainer", "validator", "saver", "logger"):
            self.assertRegex(outcome.out, rf"(?m)^{actor} ")

    def test_the_trace_summary_is_json_on_demand(self):
        outcome = self.shared.troupe("trace", "summary", "--json", "runs/run")
        self.assertEqual(outcome.code, 0, outcome)
        summary = json.loads(outcome.out)
        self.assertEqual(summary["recorded"], self.run_folder.summary()["trace"]["recorded"])
        self.assertEqual([x["state"] for x in summary["processes"]], ["finished"])
        batches = sum(x["count"] for x in summary["rows"] if x["actor"] == "trainer" and "batch" in x["type"])
        self.assertGreaterEqual(batches, 2 * STEPS_PER_EPOCH)


class TestRunFolders(RunCase):
    def test_a_second_run_gets_the_next_folder(self):
        self.train("train.epochs=1")
        first = self.folder().files()
        self.train("train.epochs=1")
        self.assertEqual([x.name for x in self.run_paths()], ["run", "run-2"])
        self.assertEqual(self.folder().files(), first)
        self.assert_same_training(self.folder(), self.folder("run-2"))

    def test_two_runs_at_once_get_two_folders(self):
        both = [self.start("train.epochs=1") for _ in range(2)]
        for outcome in [x.finish() for x in both]:
            self.assertEqual(outcome.code, 0, outcome)
        self.assertEqual([x.name for x in self.run_paths()], ["run", "run-2"])
        self.assert_same_training(self.folder(), self.folder("run-2"))

    def test_a_run_without_validation_says_so(self):
        config = base_config()
        del config["data"]["validation"]
        (self.scratch / "config.yaml").write_text(json.dumps(config))
        outcome = self.train()
        self.assertIn("data.validation is left out", outcome.out + outcome.err)
        self.assertIsNone(self.folder().summary()["validation"])
        self.assertEqual(read_csv(self.folder().path / "validation.csv"), [])

    def test_a_run_in_use_is_not_resumed_by_another(self):
        first = self.start("train.epochs=100000")
        self.assertIsNotNone(first.wait_for_step(15))
        outcome = self.troupe("train", "config.yaml", "train.epochs=100000", "--resume")
        self.assertNotEqual(outcome.code, 0, outcome)
        self.assertIn("another process", outcome.err)
        first.send(signal.SIGTERM)
        self.assertEqual(first.finish().code, 143)


class TestOtherCommands(RunCase):
    def test_help_and_version(self):
        outcome = self.troupe("--help")
        self.assertEqual(outcome.code, 0, outcome)
        for command in ("train", "doctor", "trace"):
            self.assertRegex(outcome.out, rf"(?m)^\s+{command}\s")
        outcome = self.troupe("--version")
        self.assertEqual(outcome.code, 0, outcome)
        self.assertRegex(outcome.out, r"^troupe \d+\.\d+\.\d+")

    def test_the_config_reference_has_every_section(self):
        outcome = self.troupe("train", "--help-config")
        self.assertEqual(outcome.code, 0, outcome)
        sections = "run data.train data.validation data transforms pipeline pipeline.bad_samples model optimizer"
        for section in [*sections.split(), *"lr_schedule train validation checkpoint log trace".split()]:
            self.assertRegex(outcome.out, rf"(?m)^{re.escape(section)}: ")

    def test_the_doctor_shows_versions_and_the_plan(self):
        outcome = self.troupe("doctor")
        self.assertEqual(outcome.code, 0, outcome)
        for word in ("CAF 0.17", "OpenCV 4", "usable cores"):
            self.assertIn(word, outcome.out)
        outcome = self.troupe("doctor", "config.yaml")
        self.assertEqual(outcome.code, 0, outcome)
        self.assertIn("threads for config.yaml", outcome.out)
        self.assertEqual(self.troupe("doctor", "no-such.yaml").code, 2)

    def test_a_wrong_command_line_is_a_usage_error(self):
        for arguments in ([], ["fly"], ["train"], ["train", "--no-such-flag"], ["trace"], ["trace", "summary"]):
            with self.subTest(arguments=arguments):
                outcome = self.troupe(*arguments)
                self.assertEqual(outcome.code, 2, outcome)
                self.assertNotEqual(outcome.err, "")

    def test_a_trace_that_is_not_there_is_told_on_stderr(self):
        outcome = self.troupe("trace", "summary", "no-such-run")
        self.assertNotEqual(outcome.code, 0)
        self.assertIn("no-such-run", outcome.err)
