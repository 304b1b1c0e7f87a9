"""Batches and messages of a run, made again from its trace: `troupe trace show` and `troupe trace replay`."""

import json
import signal
import struct

from tests.e2e.pictures import COLOURS, flat_png, shade
from tests.e2e.support import RunCase, read_csv, read_safetensors
from tests.e2e.test_images import ImageCase

FULL = "trace.mode=full"
BATCHES = 26  # 400 samples in batches of 32, twice.
SIDE = 16
EXACT = "reproduced exactly: "


def size_of_png(data):
    """Width and height, as the file's header has them."""
    if data[:8] != b"\x89PNG\r\n\x1a\n" or data[12:16] != b"IHDR":
        raise ValueError("not a PNG file")
    return struct.unpack(">II", data[16:24])


class RemakeCase(RunCase):
    def trace(self, *arguments, expect=0):
        outcome = self.troupe("trace", *arguments)
        self.assertEqual(outcome.code, expect, outcome)
        return outcome

    def show(self, batch, *arguments, run="runs/run", expect=0):
        return json.loads(self.trace("show", run, f"batch:{batch}", "--json", *arguments, expect=expect).out)

    def records(self, *arguments, run="runs/run"):
        return json.loads(self.trace("filter", run, "--limit", "100000", "--json", *arguments).out)["records"]

    def assert_exact(self, shown, size):
        found = shown["num_samples"], shown["num_checked"], shown["num_same"], shown["differences"]
        self.assertEqual(found, (size, size, size, []))


class TestRemake(RemakeCase):
    @classmethod
    def setUpClass(cls):
        """One run for all tests that only look at it."""
        cls.shared = RemakeCase()
        cls.shared.setUp()
        cls.addClassCleanup(cls.shared.doCleanups)
        cls.shared.train(FULL)

    def setUp(self):
        self.scratch = self.shared.scratch

    def test_every_batch_is_reproduced_exactly(self):
        rows = read_csv(self.folder().path / "metrics.csv")
        trained = []
        for batch in range(BATCHES):
            shown = self.show(batch)
            self.assert_exact(shown, 16 if batch % 13 == 12 else 32)
            self.assertEqual((shown["epoch"], shown["index"], shown["step"]), (1 + batch // 13, batch % 13, batch + 1))
            self.assertAlmostEqual(shown["loss"], float(rows[batch]["loss"]), places=5)
            trained.append([x["id"] for x in shown["samples"]])
        for epoch in (trained[:13], trained[13:]):
            self.assertEqual(sorted(sum(epoch, [])), list(range(400)))

    def test_the_text_says_so(self):
        out = self.trace("show", "runs/run", "batch:14").out
        self.assertRegex(out, r"^batch 14: epoch 2 of 2, batch 2 of 13, step 15, loss \d")
        self.assertIn(EXACT + "32 of 32 samples\n", out)
        self.assertIn("random_crop: ", out)

    def test_a_batch_can_be_named_within_its_epoch(self):
        self.assertEqual(self.show(3, "--epoch", "2")["batch"], 16)

    def test_the_sheet_is_a_picture_of_all_samples(self):
        self.show(0, "--out", "sheet.png")
        width, height = size_of_png((self.scratch / "sheet.png").read_bytes())
        # 6 x 6 cells, pictures enlarged to 112 pixels.
        self.assertEqual((width, height), (6 * (7 * SIDE + 8), 6 * (7 * SIDE + 8 + 16)))

    def test_every_message_to_an_augmenter_does_the_same_again(self):
        messages = self.records("--type", "chunk_ready", "--kind", "message")
        self.assertGreaterEqual(len(messages), BATCHES)
        samples = {False: 0, True: 0}
        for record in messages:
            again = json.loads(self.trace("replay", "runs/run", f"message:{record['message']}", "--json").out)
            self.assertEqual(again["augmenter"], record["actor"])
            self.assert_exact(again, again["num_samples"])
            samples[again["augmenter"].startswith("validation ")] += again["num_samples"]
        # Each epoch's last sample but 16 is made for two batches, of which the first one keeps it.
        self.assertEqual(samples, {False: 2 * 401, True: 200})

    def test_what_is_not_there_is_a_usage_error(self):
        other = self.records("--type", "batch_ready")[0]["message"]
        for arguments, words in (
            (("show", "runs/run", "batch:26"), "expected a batch below 26"),
            (("show", "runs/run", "batch:x"), "expected batch:N"),
            (("show", "runs/no-such-run", "batch:0"), "no-such-run"),
            (("replay", "runs/run", "message:0"), "message 0"),
            (("replay", "runs/run", f"message:{other}"), "is a batch_ready for"),
        ):
            with self.subTest(arguments=arguments):
                self.assertIn(words, self.trace(*arguments, expect=2).err)


class TestOtherRuns(RemakeCase):
    def test_a_flight_recording_is_not_checked(self):
        self.train()
        shown = self.show(25)
        self.assertEqual((shown["num_samples"], shown["num_checked"]), (16, 0))
        self.assertIn("trace.mode: full", shown["why_unchecked"])

    def test_a_resumed_run_is_reproduced(self):
        self.train(FULL, "train.epochs=1")
        self.train(FULL, "train.epochs=2", "--resume")
        for batch in (0, 12, 13, 25):
            self.assert_exact(self.show(batch), 16 if batch % 13 == 12 else 32)

    def test_steps_of_several_batches_end_with_the_epoch(self):
        self.train(FULL, "train.accumulate=5")
        for batch in range(BATCHES):
            shown = self.show(batch)
            self.assert_exact(shown, 16 if batch % 13 == 12 else 32)
            self.assertEqual(shown["step"], batch // 13 * 3 + batch % 13 // 5 + 1)

    def test_a_mixed_batch_is_reproduced(self):
        self.train(FULL, "transforms.batch=" + json.dumps({"mixup_p": 1, "mixup_alpha": 1}))
        shown = self.show(3)
        self.assert_exact(shown, 32)
        self.assertTrue(0 <= shown["own_share"] < 1, shown["own_share"])

    def test_a_killed_run_is_reproduced_up_to_its_last_step(self):
        run = self.start(FULL, "train.epochs=1000", "train.accumulate=2")
        self.assertIsNotNone(run.wait_for_step(20))
        run.send(signal.SIGKILL)
        run.finish()
        last = max(x["batch"] for x in self.records("--kind", "value", "--type", "loss"))
        for batch in (0, 1, 12, 13, last):
            shown = self.show(batch)
            self.assert_exact(shown, 16 if batch % 13 == 12 else 32)
            self.assertEqual(shown["step"], batch // 13 * 7 + batch % 13 // 2 + 1)
        for batch in (last + 2, last + 3):
            self.assertIsNone(self.show(batch)["step"])

    def test_a_batch_that_was_refused_is_the_one_that_is_shown(self):
        outcome = self.train(FULL, "optimizer.lr=1e30", "optimizer.momentum=0", "optimizer.nesterov=false", expect=3)
        (kept,) = self.folder().path.glob("rejected-batch-*.safetensors")
        batch = kept.stem.rpartition("-")[2]
        self.assertRegex(outcome.out + outcome.err, rf"troupe trace show \S*runs/run batch:{batch}\b")
        _, _, data = read_safetensors(kept)["sample_ids"]
        shown = self.show(batch)
        self.assertEqual([x["id"] for x in shown["samples"]], list(struct.unpack(f"<{len(data) // 8}q", data)))
        self.assert_exact(shown, 32)


class TestPictures(RemakeCase, ImageCase):
    def test_a_file_that_was_changed_is_named(self):
        self.put_good(24)
        self.train(FULL, "train.epochs=1")
        for batch in range(3):
            self.assert_exact(self.show(batch), 8)
        self.put("photos/dog/good_07.png", flat_png((1, 2, 3), side=32))
        lines = []
        for batch in range(3):
            outcome = self.troupe("trace", "show", "runs/run", f"batch:{batch}", "--json")
            found = json.loads(outcome.out)["differences"]
            self.assertEqual(outcome.code, 1 if found else 0, outcome)
            lines += found
        self.assertEqual(len(lines), 1, lines)
        self.assertRegex(lines[0], r"photos/dog/good_07\.png\): .*its file was changed after the run had begun")

    def test_skipped_samples_are_missing_as_in_the_run(self):
        self.put_good(30)
        self.put("photos/cat/good_04.png", b"no picture")
        self.put("photos/dog/good_11.png", b"")
        self.train(FULL, "train.epochs=1", "pipeline.bad_samples.policy=skip")
        sizes = []
        for batch in range(4):
            shown = self.show(batch)
            self.assert_exact(shown, len(shown["samples"]))
            sizes.append(len(shown["samples"]))
        self.assertEqual(sum(sizes), 28)

    def test_a_data_set_that_changed_is_told_first(self):
        self.put_good(24)
        self.train(FULL, "train.epochs=1")
        self.assertIsNone(self.show(0)["data_change"])
        (self.scratch / "photos/dog/good_07.png").unlink()
        for arguments in (("show", "runs/run", "batch:0"), ("follow", "runs/run", "sample:20")):
            outcome = self.troupe("trace", *arguments)
            self.assertIn("warning: the training data are not those of the run: ", outcome.out + outcome.err)
        refused = self.trace("follow", "runs/run", "file:dog/good_09.png", expect=2)
        self.assertIn("cannot look it up: the training data are not those of the run", refused.err)

    def test_replaced_samples_are_those_of_the_run(self):
        self.put_good(30)
        self.put("photos/cat/good_04.png", b"no picture")
        self.put("photos/dog/good_11.png", b"")
        self.train(FULL, "train.epochs=1")
        ids = []
        for batch in range(4):
            shown = self.show(batch)
            self.assert_exact(shown, len(shown["samples"]))
            ids += [x["id"] for x in shown["samples"]]
        self.assertEqual(len(ids), 28)
        self.assertEqual(len(set(ids)), 28)

    def test_the_batch_of_a_loss_spike_shows_the_sample_with_the_wrong_class(self):
        self.put_colours()
        self.put("photos/blue/odd_one.png", flat_png(shade(COLOURS["yellow"], 5)))
        self.train(FULL, "train.epochs=6", "optimizer.lr=0.02")
        per_epoch = 8  # 61 samples in batches of 8.
        values = [x for x in self.records("--kind", "value", "--type", "loss") if x["batch"] >= 5 * per_epoch]
        self.assertEqual(len(values), per_epoch)
        spike = max(values, key=lambda x: x["value"])
        shown = self.show(spike["batch"], "--out", "spike.png")
        self.assertFalse(shown["differences"])
        odd = [x for x in shown["samples"] if x["name"].endswith("photos/blue/odd_one.png")]
        self.assertEqual([x["class"] for x in odd], ["blue"], shown)
        self.assertGreater(size_of_png((self.scratch / "spike.png").read_bytes()), (100, 100))
