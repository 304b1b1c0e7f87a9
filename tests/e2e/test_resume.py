"""A run that was interrupted and resumed equals one that was not, bit for bit; a wrong resume changes nothing."""

import random
import re
import signal

from tests.e2e.support import RunCase, RunFolder, base_config, step_of, synthetic, version_of

EPOCHS = 4
ATTEMPTS = 6


def longer_config():
    """250 steps: enough of them for a signal to arrive before the end."""
    config = base_config()
    config["data"]["train"] = synthetic(1000)
    config["pipeline"]["batch_size"] = 16
    config["train"]["epochs"] = EPOCHS
    config["checkpoint"] = {"keep_last": 100}
    return config


class ResumeCase(RunCase):
    config = staticmethod(longer_config)

    def interrupt(self, at_step, *arguments, number=signal.SIGTERM, code=143):
        """Ends a run at about that step; returns its folder and what it said. Too fast a run is repeated."""
        for _ in range(ATTEMPTS):
            earlier = set(self.run_paths())
            run = self.start(*arguments)
            run.wait_for_step(at_step)
            run.send(number)
            outcome = run.finish()
            if outcome.code != 0:
                self.assertEqual(outcome.code, code, outcome)
                made = sorted(set(self.run_paths()) - earlier) or self.run_paths()
                return RunFolder(made[-1]), outcome
        self.fail(f"{ATTEMPTS} runs were over before the signal for step {at_step} arrived")

    def resume(self, folder, *arguments, expect=0):
        return self.train(*arguments, f"--resume={folder.path}", expect=expect)


class TestSameAsUninterrupted(ResumeCase):
    def check(self, *overrides, points=3, seed=0):
        draw = random.Random(repr((overrides, seed)))
        whole = self.train_anew(*overrides)
        steps = whole.summary()["steps"]
        for at_step in sorted(draw.sample(range(2, int(steps * 0.9)), points)):
            with self.subTest(at_step=at_step):
                cut, _ = self.interrupt(at_step, *overrides)
                stopped_at = cut.summary()["steps"]
                self.assertEqual(step_of(cut.newest()), stopped_at)
                outcome = self.resume(cut, *overrides)
                self.assertIn(f"resumes after step {stopped_at} of {steps}", outcome.out)
                self.assert_same_training(cut, whole)
                self.assert_same_logs(cut, whole)
                self.assertEqual(cut.summary()["samples_trained"], whole.summary()["samples_trained"])
                self.assertEqual(cut.summary()["best"], whole.summary()["best"])

    def test_sgd_with_momentum(self):
        self.check()

    def test_dropout(self):
        self.check("model.dropout=0.3", points=2)

    def test_accumulated_batches(self):
        self.check("train.accumulate=3", "pipeline.batch_size=8", points=2)

    def test_adamw_with_a_cosine_schedule(self):
        self.check(
            "optimizer={name: adamw, lr: 0.003, weight_decay: 0.01}",
            "lr_schedule={name: cosine, warmup_steps: 40, min_lr: 0.0001}",
            "model.dropout=0.2",
        )

    def test_a_step_schedule_and_clipped_gradients(self):
        self.check("lr_schedule={name: step, step_epochs: 1, gamma: 0.3}", "train.clip_norm=0.5", points=2)

    def test_means_over_several_steps(self):
        self.check("log.every_steps=7", "validation.every=20", points=2)

    def test_a_run_that_was_cut_many_times(self):
        whole = self.train_anew("model.dropout=0.2")
        cut, _ = self.interrupt(20, "model.dropout=0.2")
        for at_step in (60, 110, 170):
            run = self.start("model.dropout=0.2", f"--resume={cut.path}")
            run.wait_for_step(at_step)
            run.send(signal.SIGINT)
            self.assertIn(run.finish().code, (0, 130))
        self.resume(cut, "model.dropout=0.2")
        self.assert_same_training(cut, whole)
        self.assert_same_logs(cut, whole)

    def test_an_epoch_boundary_is_no_seam(self):
        whole = self.train_anew()
        half = self.train_anew("train.epochs=2")
        self.resume(half)
        self.assertEqual(half.summary()["epochs"], EPOCHS)
        self.assertEqual(half.summary()["samples_trained"], EPOCHS * 1000)
        self.assert_same_training(half, whole)
        self.assert_same_logs(half, whole)

    def test_a_validation_that_was_cut_off_is_made_on_resume(self):
        slow = ("data.validation.size=1000",)
        whole = self.train_anew(*slow, "validation.batch_size=1")
        cut, _ = self.interrupt(70, *slow, "validation.batch_size=1")
        self.resume(cut, *slow, "validation.batch_size=1")
        self.assert_same_logs(cut, whole)
        self.assertEqual(cut.summary()["best"], whole.summary()["best"])


class TestResumeRules(ResumeCase):
    def test_nothing_to_resume_is_refused(self):
        outcome = self.train("--resume", expect=2)
        self.assertIn("no run called run", outcome.err)
        self.assertEqual(self.run_paths(), [])
        self.train("--resume=no-such-folder", expect=2)

    def test_auto_starts_where_there_is_nothing(self):
        self.train("train.epochs=1", "--resume=auto")
        self.assertEqual([x.name for x in self.run_paths()], ["run"])
        self.train("train.epochs=2", "--resume=auto")
        self.assertEqual([x.name for x in self.run_paths()], ["run"])
        self.assertEqual(self.folder().summary()["epochs"], 2)

    def test_the_newest_run_of_the_name_is_resumed(self):
        self.train("train.epochs=1")
        self.train("train.epochs=1")
        first = self.folder().files()
        self.train("train.epochs=2", "--resume")
        self.assertEqual(self.folder().files(), first)
        self.assertEqual(self.folder("run-2").summary()["epochs"], 2)

    def test_a_changed_model_is_refused_by_name(self):
        self.train("train.epochs=1")
        before = self.folder().files()
        changes = {
            "model.name=mlp": ("model.name", "lenet", "mlp"),
            "optimizer.lr=0.1": ("optimizer.lr", "0.05", "0.1"),
            "data.train.size=999": ("data.train.size", "1000", "999"),
            "run.seed=9": ("run.seed", "7", "9"),
        }
        for change, words in changes.items():
            with self.subTest(change=change):
                outcome = self.train("train.epochs=2", change, "--resume", expect=2)
                for word in words:
                    self.assertIn(word, outcome.err)
                self.assertEqual(self.folder().files(), before)
        self.assertEqual([x.name for x in self.run_paths()], ["run"])

    def test_a_changed_thread_count_ends_exactness_and_is_told(self):
        self.train("train.epochs=1")
        outcome = self.train("train.torch_threads=2", "train.epochs=2", "--resume")
        self.assertRegex(outcome.out + outcome.err, r"train\.torch_threads changed from 1 to 2.*bit-exact")

    def test_a_finished_run_says_so_and_stays_as_it_is(self):
        self.train()
        before = {k: v for k, v in self.folder().files().items() if not k.startswith(("summary", "events"))}
        outcome = self.train("--resume")
        self.assertRegex(outcome.out, r"(?i)finished|complete|nothing (left )?to (do|train)|already")
        after = {k: v for k, v in self.folder().files().items() if not k.startswith(("summary", "events"))}
        self.assertEqual(after, before)
        self.assertEqual(self.folder().summary()["status"], "done")
        self.assertEqual(self.folder().summary()["steps"], 63 * EPOCHS)

    def test_versions_ascend_and_nothing_is_overwritten(self):
        seen, (cut, _) = {}, self.interrupt(30)
        for epochs in (5, 6):
            seen.update(cut.files())
            self.resume(cut, f"train.epochs={epochs}")
        now = cut.files()
        for path in (x for x in seen if re.match(r"checkpoints/step-", x)):
            self.assertEqual(now[path], seen[path], path)
        versions = [version_of(x) for x in cut.checkpoints()]
        self.assertEqual(versions, sorted(set(versions)))
        steps = [step_of(x) for x in cut.checkpoints()]
        self.assertEqual(steps, sorted(steps))


def cut_in_half(path):
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def empty(path):
    path.write_bytes(b"")


def flip_a_bit(path):
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


class TestDamagedCheckpoints(ResumeCase):
    DAMAGES = [
        (cut_in_half, "model.safetensors"),
        (empty, "model.safetensors"),
        (flip_a_bit, "model.safetensors"),
        (flip_a_bit, "optimizer.safetensors"),
        (flip_a_bit, "state.json"),
        (empty, "MANIFEST.json"),
        (lambda path: path.unlink(), "MANIFEST.json"),
    ]

    def test_the_one_before_is_taken(self):
        whole = self.train_anew("train.epochs=3")
        for number, (damage, name) in enumerate(self.DAMAGES):
            with self.subTest(damage=number, name=name):
                run = self.train_anew("train.epochs=2")
                newest = run.newest()
                damage(newest / name)
                outcome = self.resume(run, "train.epochs=3")
                self.assertRegex(outcome.out + outcome.err, rf"warning: .*{newest.name}.*passed over")
                self.assertIn("resumes after step 63 of 189", outcome.out)
                self.assert_same_training(run, whole)
                self.assert_same_logs(run, whole)

    def test_no_fresh_start_over_damaged_ones(self):
        run = self.train_anew("train.epochs=2")
        for checkpoint in run.checkpoints():
            flip_a_bit(checkpoint / "model.safetensors")
        before = run.files()
        for wish in (f"--resume={run.path}", "--resume", "--resume=auto"):
            outcome = self.troupe("train", "config.yaml", wish)
            self.assertNotEqual(outcome.code, 0, outcome)
            self.assertIn("verifies", outcome.err)
            self.assert_died_cleanly(outcome)
            self.assertEqual(run.files(), before)
        self.assertEqual([x.name for x in self.run_paths()], ["run"])
