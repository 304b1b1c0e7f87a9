"""What `troupe data` says of data sets whose contents are known, and that it leaves them alone."""

import json
import os
import pty
import signal
import subprocess
import time

from tests.e2e import jpegs
from tests.e2e.pictures import RGBA, flat, flat_png, gradient_png, grey_kinds, png
from tests.e2e.support import BINARY, PATIENCE, base_config, read_csv
from tests.e2e.test_images import JUDGED, ImageCase


class DataCase(ImageCase):
    def data(self, *arguments, expect=0):
        outcome = self.troupe("data", "config.yaml", *arguments)
        self.assertEqual(outcome.code, expect, outcome)
        self.assert_died_cleanly(outcome)
        return outcome

    def report(self, *arguments, expect=0):
        """The JSON document; there is nothing else on stdout."""
        return json.loads(self.data("--json", *arguments, expect=expect).out)

    def listing(self):
        """Path -> content of all files in the scratch folder."""
        return {str(x): x.read_bytes() for x in sorted(self.scratch.rglob("*")) if x.is_file()}


class TestReport(DataCase):
    def test_the_classes_are_counted(self):
        self.put_good(9)
        (self.scratch / "photos/eel").mkdir()
        report = self.report()
        self.assertEqual(report["sets"][0]["classes"], [
            {"id": 0, "name": "cat", "samples": 5},
            {"id": 1, "name": "dog", "samples": 4},
            {"id": 2, "name": "eel", "samples": 0},
        ])
        self.assertEqual(report["sets"][0]["samples"], 9)
        out = self.data().out
        self.assertRegex(out, r"(?m)^\s+0\s+cat\s+5$")
        self.assertRegex(out, r"without samples\s+eel")
        self.assertIn("largest cat (5), smallest dog (4): 1.2 to 1", out)

    def test_files_of_all_kinds(self):
        self.put_good(4)
        self.put("photos/cat/grey16.png", grey_kinds(9)["grey16.png"])
        self.put("photos/cat/rgba.png", png(flat((1, 2, 3, 255)), RGBA))
        self.put("photos/cat/print.jpg", jpegs.RED_CMYK)
        self.put("photos/dog/turned.jpg", jpegs.TURNED)
        self.put("photos/dog/misnamed.jpg", flat_png((1, 2, 3)))
        images = self.report()["sets"][0]["images"]
        self.assertEqual(images["formats"], {"PNG": 7, "JPEG": 2})
        self.assertEqual(images["wrong_extensions"]["samples"], 1)
        self.assertIn("misnamed.jpg (PNG)", images["wrong_extensions"]["example"])
        kinds = ("single_channel", "alpha", "cmyk", "more_than_8_bits", "turned_by_exif")
        self.assertEqual([images[kind] for kind in kinds], [1] * 5)
        self.assertEqual(images["sizes"]["smallest"], {"width": 16, "height": 16})
        self.assertEqual(images["sizes"]["largest"], {"width": 48, "height": 32})
        self.assertEqual(images["sizes"]["frequent"][0], {"size": {"width": 32, "height": 32}, "samples": 4})

    def test_copies_and_leaks_are_named(self):
        self.put_good(6)
        self.put_good(3, root="judged")  # Those are the first three of the others.
        self.put("photos/dog/again.png", gradient_png(4))
        report = self.report(JUDGED)
        (group,) = report["sets"][0]["copies"]
        self.assertEqual([os.path.basename(x) for x in group["samples"]], ["good_04.png", "again.png"])
        self.assertTrue(group["differ_in_class"])
        self.assertEqual(len(report["leaks"]), 3)
        out = self.data(JUDGED).out
        self.assertIn("LEAKAGE: 3 validation samples", out)
        self.assertRegex(out, r"judged/cat/good_00\.png = .*photos/cat/good_00\.png")

    def test_mean_and_std_are_ready_to_paste(self):
        for number in range(2):
            self.put(f"photos/cat/{number}.png", flat_png((51, 102, 204)))
            self.put(f"photos/dog/{number}.png", flat_png((153, 102, 0), side=40))  # Larger, but of the same weight.
        line = "normalize: {mean: [0.4000, 0.4000, 0.4000], std: [0.2000, 0.0000, 0.4000]}"
        self.assertIn(line, self.data().out)

    def test_a_limit_keeps_to_the_first(self):
        self.put_good(10)
        report = self.report("--limit", "3")
        self.assertEqual((report["sets"][0]["samples"], report["sets"][0]["examined"]), (10, 3))
        self.assertEqual(report["sets"][0]["images"]["samples"], 3)

    def test_raw_pixels(self):
        self.put("raw.yaml", json.dumps(base_config()).encode())
        outcome = self.troupe("data", "raw.yaml", "--json")
        self.assertEqual(outcome.code, 0, outcome)
        report = json.loads(outcome.out)
        self.assertEqual([x["samples"] for x in report["sets"]], [400, 100])
        self.assertEqual(report["sets"][0]["images"]["formats"], {"raw pixels": 400})
        self.assertEqual(len(report["normalize"]["mean"]), 1)
        self.assertEqual(report["cost"]["augmenters"], 2)
        self.assertGreater(report["cost"]["samples_per_second"], 0)

    def test_it_is_the_same_every_time_and_changes_nothing(self):
        self.put_good(20)
        before = self.listing()
        one, other = self.report(), self.report()
        for report in (one, other):
            del report["cost"]
        self.assertEqual(one, other)
        self.assertEqual(self.listing(), before)


class TestBadSamples(DataCase):
    def put_bad(self):
        self.put_good(20)
        self.put("photos/cat/cut.jpg", jpegs.PLAIN[:200])
        self.put("photos/cat/empty.jpg", b"")
        self.put("photos/dog/text.jpg", b"This is no photo.\n")
        self.put("photos/dog/wide.png", flat_png((1, 2, 3), side=60))

    def test_they_are_those_that_training_leaves_out(self):
        self.put_bad()
        limit = "data.decode.max_pixels=3000"
        told = self.report(limit)["sets"][0]["bad_samples"]
        self.train(limit, "train.epochs=1")
        rows = read_csv(self.folder().path / "bad_samples.csv")
        self.assertEqual(sorted((str(x["id"]), x["sample"]) for x in told),
                         sorted((row["id"], row["sample"]) for row in rows))
        self.assertEqual(len(told), 4)
        reasons = {row["sample"]: row["reason"] for row in rows}
        for bad in told:
            self.assertIn(bad["reason"], reasons[bad["sample"]])
        out = self.data(limit).out
        for bad in told:
            self.assertIn(f"{bad['sample']}: {bad['reason']}", out)

    def test_more_than_the_config_allows_exit_with_3(self):
        self.put_bad()
        self.data()
        for override in ("pipeline.bad_samples.max=2", "pipeline.bad_samples.policy=fail"):
            with self.subTest(override=override):
                self.assertTrue(self.report(override, expect=3)["sets"][0]["too_many_bad_samples"])

    def test_those_of_the_validation_set_count_for_themselves(self):
        self.put_good(10)
        self.put("judged/cat/empty.jpg", b"")
        self.put("judged/cat/good.png", gradient_png(50))
        report = self.report(JUDGED)
        self.assertEqual([len(x["bad_samples"]) for x in report["sets"]], [0, 1])


class TestContactSheet(DataCase):
    def test_it_is_a_picture_and_the_only_file_that_is_written(self):
        self.put_good(20)
        before = self.listing()
        self.data("--contact-sheet", "sheet.png", "--sheet-samples", "9")
        sheet = str(self.scratch / "sheet.png")
        after = self.listing()
        self.assertTrue(after.pop(sheet).startswith(b"\x89PNG"))
        self.assertEqual(after, before)

    def test_the_seed_decides_what_it_shows(self):
        self.put_good(20)
        sheets = []
        for seed in (7, 7, 8):
            self.data("--contact-sheet", "sheet.png", f"run.seed={seed}")
            sheets.append((self.scratch / "sheet.png").read_bytes())
        self.assertEqual(sheets[0], sheets[1])
        self.assertNotEqual(sheets[0], sheets[2])

    def test_a_place_that_cannot_be_written_is_told(self):
        self.put_good(4)
        self.assertIn("no/such/sheet.png", self.data("--contact-sheet", "no/such/sheet.png", expect=1).err)


class TestRefusals(DataCase):
    def test_a_data_set_that_is_not_there(self):
        self.assertIn("data.train", self.data(expect=1).err)

    def test_a_config_that_is_wrong(self):
        self.put_good(4)
        self.assertIn("modle", self.data("modle.name=lenet", expect=2).err)
        self.assertIn("transforms.train", self.data("transforms.train=[{normalize: {mean: [0.5], std: [0.5]}}]",
                                                    expect=2).err)

    def test_arguments_that_are_wrong(self):
        self.put_good(4)
        for arguments in (["--limit", "0"], ["--sheet-samples", "none"], ["--no-such-option"]):
            with self.subTest(arguments=arguments):
                self.data(*arguments, expect=2)
        self.assertEqual(self.troupe("data").code, 2)


class TestTerminal(DataCase):
    def test_without_one_there_is_no_progress(self):
        self.put_good(20)
        outcome = self.data()
        self.assertEqual(outcome.err, "")
        self.assertNotIn("\r", outcome.out)
        self.assertNotIn("\x1b", outcome.out)

    def start_on_terminal(self):
        """The command with its stderr on a terminal, on a set that takes it some time."""
        master, slave = pty.openpty()
        self.addCleanup(os.close, master)
        command = [BINARY, "data", "config.yaml", "data.train={dataset: synthetic, size: 4000000, shape: [3, 32, 32]}"]
        process = subprocess.Popen(command, cwd=self.scratch, stdout=subprocess.DEVNULL, stderr=slave)
        os.close(slave)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process, master

    def test_progress_is_one_line_and_an_interrupt_ends_it(self):
        process, terminal = self.start_on_terminal()
        seen, deadline = b"", time.monotonic() + PATIENCE
        while seen.count(b"\r") < 2 and time.monotonic() < deadline:
            seen += os.read(terminal, 4096)
        self.assertRegex(seen.decode(), r"\rtraining data  \[[# ]+\] \d+/4000000")
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(10), 130)
