"""Runs that use what plugins bring: each kind of component and actor, and each way in which they fail."""

import math

from tests.e2e.plugins import TINY_MODEL, TRYING, PluginCase, one, transforms
from tests.e2e.support import RunFolder

THROWS = ("runtime_error", "int", "own_type")


class TestLoading(PluginCase):
    def test_the_config_or_the_command_line_names_it(self):
        folder = self.trained_with(transforms("invert"))
        stored = (folder.path / "config.yaml").read_text()
        self.assertIn(TRYING, stored)
        listed = self.train_anew(transforms("invert"), f"plugins=[{TRYING}]")
        self.assert_same_training(folder, listed)
        plain = self.train_anew(transforms())
        self.assertNotEqual(folder.tensors_file("model.safetensors"), plain.tensors_file("model.safetensors"))

    def test_a_relative_path_starts_at_the_config(self):
        (self.scratch / "mine.so").symlink_to(TRYING)
        self.train(transforms("invert"), "plugins=[./mine.so]")
        self.train(transforms("invert"), "plugins=[mine]")

    def test_what_cannot_be_loaded_is_refused_by_name_before_anything_is_made(self):
        (self.scratch / "text.so").write_text("no library")
        for wanted, words in (
            ("./text.so", ("text.so", "expected")),
            ("./absent.so", ("absent.so",)),
            ("absent", ("absent", "TROUPE_PLUGIN_PATH")),
        ):
            outcome = self.train(f"plugins=[{wanted}]", expect=2)
            for word in words:
                self.assertIn(word, outcome.err)
        self.assertEqual(self.run_paths(), [])

    def test_names_and_parameters_are_checked_as_those_of_built_in_parts_are(self):
        outcome = self.train_with(transforms("invrt"), expect=2)
        self.assertIn("did you mean invert?", outcome.err)
        outcome = self.train_with(transforms("{invert: {fail_att: 3}}"), expect=2)
        self.assertIn("did you mean fail_at?", outcome.err)
        outcome = self.train_with(transforms("{invert: {fail_at: -2}}"), expect=2)
        self.assertRegex(outcome.err, r'found "-2", expected a whole number from -1 to 1000000')
        outcome = self.train(transforms("invert"), expect=2)
        self.assertIn("no transform is called", outcome.err)

    def test_the_reference_lists_them(self):
        text = self.troupe("train", "--help-config", "--plugin", TRYING).out
        for word in ("invert", "dimming", "stripes", "error_rate", "lines", "filler", "smear", "stopper", "stop_at"):
            self.assertIn(word, text)


class TestComponents(PluginCase):
    def test_a_data_set(self):
        stripes = "data.train={dataset: stripes, options: {size: 96}}"
        folder = self.trained_with(stripes, "data.validation={dataset: stripes, limit: 10}", transforms())
        self.assertEqual(folder.summary()["samples_trained"], 192)
        self.assertEqual((folder.path / "classes.txt").read_text(), "rows\ncolumns\n")
        self.assertEqual(folder.rows("validation.csv")[0]["samples"], "10")
        outcome = self.train_with("data.train={dataset: stripes, options: {size: 1}}", expect=2)
        self.assertIn("options.size", outcome.err)

    def test_a_data_set_with_a_sample_that_cannot_be_read(self):
        for throws in THROWS:
            folder = self.trained_with(
                f"data.train={{dataset: stripes, options: {{size: 96, fail_at: 5, throws: {throws}}}}}",
                "data.validation={dataset: stripes}", transforms(), "pipeline.bad_samples={max: 1, max_share: 0.1}",
            )
            self.assertEqual(folder.summary()["bad_samples"], 1)
            self.assertIn("stripes[5]", (folder.path / "bad_samples.csv").read_text())

    def test_a_batch_transform_is_the_same_for_any_number_of_augmenters(self):
        runs = [
            self.trained_with(f"transforms.batch_steps={one('dimming')}", f"pipeline.augmenters={n}") for n in (1, 4)
        ]
        self.assert_same_training(*runs)
        plain = self.train_anew()
        self.assertNotEqual(runs[0].tensors_file("model.safetensors"), plain.tensors_file("model.safetensors"))

    def test_a_metric_has_a_column_and_may_decide_about_the_best(self):
        folder = self.trained_with(
            "validation.metrics=[error_rate]", "checkpoint.monitor=error_rate", "checkpoint.mode=min", "train.epochs=3"
        )
        rows = folder.rows("validation.csv")
        for row in rows:
            self.assertAlmostEqual(float(row["error_rate"]), 1 - float(row["top1"]), places=6)
        least = min(rows, key=lambda row: float(row["error_rate"]))
        self.assertEqual(folder.summary()["best"]["step"], int(least["step"]))

    def test_a_log_sink_hears_what_the_others_do(self):
        folder = self.trained_with("log.sinks=[lines]")
        lines = (folder.path / "lines.txt").read_text().splitlines()
        self.assertEqual([x for x in lines if x.startswith("step")], [f"step {n}" for n in range(1, 27)])
        self.assertEqual([x for x in lines if x.startswith("judged")], ["judged 13", "judged 26"])
        self.assertEqual(lines[-1], "well")

    def test_a_model(self):
        runs = [self.trained_with("model={name: tiny}", plugin=TINY_MODEL) for _ in range(2)]
        self.assert_same_training(*runs)
        outcome = self.train_with("model={name: tiny, options: {broken: true}}", plugin=TINY_MODEL, expect=2)
        self.assertIn("no licence for this model", outcome.err)

    def test_a_model_goes_on_after_a_resume(self):
        whole = self.trained_with("model={name: tiny}", "train.epochs=3", plugin=TINY_MODEL)
        cut = self.trained_with("model={name: tiny}", plugin=TINY_MODEL)
        self.train_with("model={name: tiny}", "train.epochs=3", f"--resume={cut.path}", plugin=TINY_MODEL)
        self.assert_same_training(cut, whole)


class TestActors(PluginCase):
    def test_an_augmenter_that_fills_as_the_built_in_one_does_gives_the_same_run(self):
        plain = self.train_anew()
        for instances in (1, 3):
            own = self.trained_with(f"pipeline.stages={one('filler', instances=instances)}")
            self.assert_same_training(own, plain)

    def test_stages_are_the_same_for_any_number_of_augmenters_and_instances(self):
        def run(augmenters, instances):
            return self.trained_with(
                f"pipeline.augmenters={augmenters}", f"pipeline.stages={one('smear', instances=instances)}"
            )

        reference = run(1, 1)
        for augmenters, instances in ((2, 1), (8, 3), (2, 8)):
            self.assert_same_training(run(augmenters, instances), reference)
        self.assertNotEqual(
            reference.tensors_file("model.safetensors"), self.train_anew().tensors_file("model.safetensors")
        )

    def test_an_ordered_stage_gets_its_slices_in_step_order_whoever_fills_them(self):
        for augmenters in (1, 4):
            folder = self.trained_with(
                f"pipeline.augmenters={augmenters}", "pipeline.chunk_size=3", "pipeline.stages=[smear, orderly]"
            )
            self.assertEqual(folder.summary()["plugin_failures"], {})

    def test_an_ordered_stage_sees_each_place_once_whatever_samples_are_bad(self):
        for before in ("{filler: {fail_at: 40, instances: 2}}", "{smear: {fail_at: 40}}"):
            for policy in ("replace", "skip"):
                with self.subTest(before=before, policy=policy):
                    folder = self.trained_with(
                        f"pipeline.stages=[{before}, orderly]", f"pipeline.bad_samples={{policy: {policy}}}",
                        "pipeline.stall_timeout=20s", "pipeline.augmenters=3",
                    )
                    self.assertNotIn("stage orderly#1", folder.summary()["plugin_failures"])
                    self.assertEqual(folder.summary()["bad_samples"], 1)

    def test_a_stage_works_on_validation_samples_only_where_it_is_asked_to(self):
        training_only = self.trained_with("pipeline.stages=[smear]")
        both = self.trained_with(f"pipeline.stages={one('smear', validation='true')}")
        self.assert_same_training(training_only, both)
        losses = [[row["loss"] for row in x.rows("validation.csv")] for x in (training_only, both)]
        self.assertNotEqual(*losses)

    def test_a_listener_ends_the_run(self):
        outcome = self.train_with(f"pipeline.stages={one('stopper', stop_at=9)}", expect=3)
        self.assertIn("listener stopper has ended the run: it is good enough", outcome.out + outcome.err)
        summary = self.folder().summary()
        self.assertEqual(summary["status"], "stopped")
        self.assertGreaterEqual(summary["steps"], 9)
        self.assertLess(summary["steps"], 26)

    def test_a_listener_that_dies_is_restarted(self):
        outcome = self.train_with(f"pipeline.stages={one('stopper', die_at=5)}", expect=4)
        self.assertRegex(outcome.err, r"listener stopper died: .*restarted \(1 of 3")


class TestFailures(PluginCase):
    """The policy, for everything that can throw, and for everything that can be thrown."""

    PARTS = {
        "transform invert": lambda trouble: transforms("{invert: {" + trouble + "}}"),
        "batch transform dimming": lambda trouble: "transforms.batch_steps=[{dimming: {" + trouble + "}}]",
        "metric error_rate": lambda trouble: "validation.metrics=[{error_rate: {" + trouble + "}}]",
        "log sink lines": lambda trouble: "log.sinks=[{lines: {" + trouble + "}}]",
        "augmenter filler": lambda trouble: "pipeline.stages=[{filler: {instances: 1, " + trouble + "}}]",
        "stage smear": lambda trouble: "pipeline.stages=[{smear: {instances: 1, " + trouble + "}}]",
        "listener stopper": lambda trouble: "pipeline.stages=[{stopper: {" + trouble + "}}]",
    }
    COSTS_SAMPLES_ALONE = {"transform invert", "augmenter filler", "stage smear"}

    def failures_of(self, part, summary):
        return sum(count for name, count in summary["plugin_failures"].items() if part.split()[-1] in name)

    def test_skip(self):
        for part, with_trouble in self.PARTS.items():
            for throws in THROWS:
                with self.subTest(part=part, throws=throws):
                    expect = 0 if part in self.COSTS_SAMPLES_ALONE else 4
                    outcome = self.train_with(
                        with_trouble(f"fail_at: 7, throws: {throws}"), f"run.name={part.split()[-1]}-{throws}",
                        "validation.batch_size=50", "pipeline.bad_samples={max: 10, max_share: 0.1}", expect=expect,
                    )
                    self.assertRegex(outcome.err, rf"warning: {part}\S* \(plugin trying\) failed")
                    if throws == "runtime_error":
                        self.assertIn("trouble at 7", outcome.err)
                    summary = self.folder(f"{part.split()[-1]}-{throws}").summary()
                    self.assertGreaterEqual(self.failures_of(part, summary), 1, outcome)
                    self.assertEqual(summary["status"], "done")
                    self.assertEqual(summary["epochs"], 2)
                    self.assert_died_cleanly(outcome)

    def test_fail(self):
        for part, with_trouble in self.PARTS.items():
            with self.subTest(part=part):
                outcome = self.train_with(
                    with_trouble("fail_at: 7"), "pipeline.on_plugin_failure=fail", f"run.name={part.split()[-1]}",
                    "validation.batch_size=50", expect=3,
                )
                self.assertRegex(outcome.err, rf"a plugin failed \(pipeline.on_plugin_failure is fail\): {part}")
                self.assertEqual(self.folder(part.split()[-1]).summary()["status"], "stopped")

    def test_disable(self):
        for part, with_trouble in self.PARTS.items():
            with self.subTest(part=part):
                outcome = self.train_with(
                    with_trouble("fail_at: 7"), "pipeline.on_plugin_failure=disable", f"run.name={part.split()[-1]}",
                    "validation.batch_size=50", "pipeline.bad_samples={max: 60, max_share: 0.5}", expect=4,
                )
                self.assertIn("the run goes on without it", outcome.err)
                summary = self.folder(part.split()[-1]).summary()
                self.assertEqual(summary["status"], "done")
                self.assertIn("failed", summary["reason"])

    def test_one_that_fails_always_spends_the_budget_and_the_run_ends_in_order(self):
        trouble = ", ".join(f"{{invert: {{fail_at: {n}}}}}" for n in range(8))
        outcome = self.train_with(transforms(trouble), "pipeline.bad_samples={max: 3}", expect=3)
        self.assertIn("too many bad samples", outcome.err)
        self.assertTrue(self.folder().checkpoints())

    def test_what_cannot_be_made_is_refused_under_every_policy(self):
        for policy in ("skip", "fail", "disable"):
            outcome = self.train_with("model={name: tiny, options: {broken: true}}",
                                      f"pipeline.on_plugin_failure={policy}", plugin=TINY_MODEL, expect=2)
            self.assertIn("no licence for this model", outcome.err)

    def test_a_batch_that_was_left_out_is_no_hindrance_to_a_resume(self):
        folder = self.trained_with(f"transforms.batch_steps={one('dimming', fail_at=3)}", expect=4)
        self.assertEqual(folder.summary()["samples_skipped"], 64)
        self.train_with(
            f"transforms.batch_steps={one('dimming', fail_at=3)}", "train.epochs=3", f"--resume={folder.path}", expect=4
        )

    def test_a_metric_that_fails_is_not_a_number_in_its_row(self):
        folder = self.trained_with(f"validation.metrics={one('error_rate', fail_at=7)}", expect=4)
        self.assertTrue(all(math.isnan(float(row["error_rate"])) for row in folder.rows("validation.csv")))


class TestStall(PluginCase):
    def check(self, part, setting, *words):
        with self.subTest(part=part):
            name = part.split()[-1]
            outcome = self.train_with(
                setting, "pipeline.stall_timeout=2s", f"run.name={name}", "pipeline.augmenters=2", expect=3
            )
            stalled = next(line for line in outcome.err.splitlines() if "stalled" in line)
            for word in (part, *words):
                self.assertIn(word, stalled)
            self.assertEqual(RunFolder(self.scratch / "runs" / name).summary()["status"], "stopped")

    def test_a_plugin_that_blocks_is_named_by_the_watchdog(self):
        self.check("augmenter", transforms("{invert: {sleep_at: 40}}"), "at sample 40")
        self.check("augmenter filler#1", f"pipeline.stages={one('filler', sleep_at=40, instances=1)}", "chunk_ready")
        self.check("stage smear#1", f"pipeline.stages={one('smear', sleep_at=40, instances=1)}", "slice_filled")
