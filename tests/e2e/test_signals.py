"""SIGINT, SIGTERM and SIGKILL in every phase of a run: what was durable stays so, and the run goes on from there."""

import random
import signal
import time

from tests.e2e.support import STOP_SIGNALS, RunCase, RunFolder, base_config, step_of, synthetic

SLOW_VALIDATION = ("data.validation.size=1000", "validation.batch_size=1")


class SignalCase(RunCase):
    @staticmethod
    def config():
        config = base_config()
        config["data"]["train"] = synthetic(1000)
        config["pipeline"]["batch_size"] = 16
        config["train"]["epochs"] = 4
        return config

    def check_resumes(self, folder, *arguments):
        """The checkpoint of the reported step is there, and the run comes to its end from it."""
        summary = folder.summary()
        self.assertEqual(summary["status"], "interrupted")
        self.assertEqual(step_of(folder.newest()), summary["steps"])
        self.assertEqual((folder.path / "checkpoints/latest").resolve(), folder.newest().resolve())
        self.train(f"--resume={folder.path}", *arguments)
        self.assertEqual(folder.summary()["status"], "done")

    def stop_at(self, pattern, number, *arguments):
        run = self.start(*arguments)
        self.assertIsNotNone(run.wait_for(pattern), "the run was over before it came to that point")
        run.send(number)
        outcome = run.finish()
        self.assertEqual(outcome.code, STOP_SIGNALS[number], outcome)
        self.assert_died_cleanly(outcome)
        self.assertIn(f"interrupted by {number.name}", outcome.out)
        return RunFolder(self.run_paths()[-1])


class TestFirstSignal(SignalCase):
    def test_during_training(self):
        for number in STOP_SIGNALS:
            with self.subTest(signal=number.name):
                folder = self.stop_at("step 20/", number, "train.epochs=1000")
                self.assertLess(folder.summary()["steps"], 63_000)
                self.check_resumes(folder, f"train.epochs={folder.summary()['epochs'] + 1}")

    def test_without_checkpoints_of_its_own_the_run_saves_its_last_step(self):
        folder = self.stop_at("step 20/", signal.SIGTERM, "train.epochs=1000", "checkpoint.every=0")
        self.assertEqual(len(folder.checkpoints()), 1)
        self.check_resumes(folder, f"train.epochs={folder.summary()['epochs'] + 1}")

    def test_during_validation(self):
        """The last epoch is trained and only its judgement is missing."""
        for number in STOP_SIGNALS:
            with self.subTest(signal=number.name):
                folder = self.stop_at("epoch 1/1 done", number, "train.epochs=1", *SLOW_VALIDATION)
                self.assertEqual(folder.summary()["steps"], 63)
                self.check_resumes(folder, "train.epochs=1", *SLOW_VALIDATION)
                self.assertEqual([x["step"] for x in folder.rows("validation.csv")], ["63"])
                self.assertEqual(folder.summary()["validation"]["step"], 63)

    def test_while_the_trainer_waits_for_the_validator(self):
        folder = self.stop_at("step 6/", signal.SIGTERM, "validation.every=2", *SLOW_VALIDATION)
        self.assertLess(folder.summary()["steps"], 252)
        self.train("validation.every=0", "data.validation.size=1000", "train.epochs=1", f"--resume={folder.path}")

    def test_right_after_the_start(self):
        """Whenever the signal comes, the run ends by it: no code 0, no crash, no hang."""
        draw = random.Random(1)
        for number, code in STOP_SIGNALS.items():
            for _ in range(6):
                wait = draw.uniform(0, 0.6)
                with self.subTest(signal=number.name, wait=wait):
                    run = self.start("train.epochs=1000")
                    time.sleep(wait)
                    run.send(number)
                    outcome = run.finish()
                    # Before the program runs at all, the system ends it the same way.
                    self.assertIn(outcome.code, (code, -number), outcome)
                    self.assert_died_cleanly(outcome)

    def test_near_the_end(self):
        draw = random.Random(2)
        for _ in range(6):
            at_step = draw.randint(235, 252)
            with self.subTest(at_step=at_step):
                run = self.start()
                run.wait_for_step(at_step)
                run.send(signal.SIGTERM)
                outcome = run.finish()
                self.assertIn(outcome.code, (0, 143, -signal.SIGTERM), outcome)
                folder = RunFolder(self.run_paths()[-1])
                self.assertEqual(step_of(folder.newest()), folder.summary()["steps"])
                self.train(f"--resume={folder.path}")
                self.assertEqual(step_of(folder.newest()), 252)


class TestSecondSignal(SignalCase):
    def test_ends_at_once_and_leaves_the_last_checkpoint_intact(self):
        draw = random.Random(3)
        whole = self.train_anew()
        for number, code in STOP_SIGNALS.items():
            for _ in range(3):
                with self.subTest(signal=number.name):
                    run = self.start()
                    self.assertIsNotNone(run.wait_for("checkpoint  step 63 "))
                    run.send(number)
                    time.sleep(draw.uniform(0, 0.02))
                    run.send(number)
                    outcome = run.finish()
                    self.assertIn(outcome.code, (code, -number), outcome)
                    folder = RunFolder(self.run_paths()[-1])
                    self.assertGreaterEqual(step_of(folder.newest()), 63)
                    self.train(f"--resume={folder.path}")
                    self.assert_same_training(folder, whole)

    def test_cuts_a_long_drain_short(self):
        """The first lets the saver end its work, the second waits for nothing."""
        run = self.start("train.epochs=1000", "model={name: mlp, hidden: 3000}")
        self.assertIsNotNone(run.wait_for("checkpoint  step 63 "))
        run.send(signal.SIGINT)
        self.assertIsNotNone(run.wait_for("interrupted by SIGINT"))
        run.send(signal.SIGINT)
        outcome = run.finish()
        self.assertEqual(outcome.code, 130, outcome)


class TestKill(SignalCase):
    def test_a_killed_run_resumes_to_the_same_end(self):
        overrides = ("checkpoint.every=11", "model.dropout=0.2")
        whole = self.train_anew(*overrides)
        draw = random.Random(4)
        for _ in range(10):
            at_step = draw.randint(1, 240)
            with self.subTest(at_step=at_step):
                run = self.start(*overrides)
                run.wait_for_step(at_step)
                run.send(signal.SIGKILL)
                self.assertIn(run.finish().code, (0, -signal.SIGKILL))
                self.train(*overrides, "--resume=auto")
                folder = RunFolder(self.newest_path())
                self.assert_same_training(folder, whole)
                self.assert_same_logs(folder, whole)
                leftovers = [x.name for x in (folder.path / "checkpoints").iterdir() if x.name.startswith(".")]
                self.assertEqual(leftovers, [])

    def newest_path(self):
        return max(self.run_paths(), key=lambda x: int(x.name.partition("-")[2] or 1))
