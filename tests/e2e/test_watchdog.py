"""What a run says when it hangs, when it is asked, and after it was killed."""

import json
import signal
import time
import unittest

from tests.e2e.pictures import gradient_png
from tests.e2e.support import RunCase
from tests.e2e.test_images import ImageCase

FOR_EVER = 3_600_000  # Milliseconds.


class TraceCase(RunCase):
    def crash_report(self, run="runs/run"):
        outcome = self.troupe("trace", "crash", run)
        self.assertEqual(outcome.code, 0, outcome)
        return outcome.out

    def flight_recorders(self, run="runs/run"):
        return sorted((self.scratch / run / "trace").glob("flight-*.trc"))


class TestStall(ImageCase, TraceCase):
    def test_a_file_that_never_opens_is_named_and_the_run_ends_in_order(self):
        self.put_good(40)
        self.put("photos/stuck/1.png", gradient_png(1))
        self.slow_files("photos/stuck", open=FOR_EVER)
        outcome = self.train("pipeline.stall_timeout=2s", "pipeline.readers=1", "checkpoint.every=0", expect=3)
        stalled = next(line for line in outcome.err.splitlines() if "stalled" in line)
        for word in ("no progress", "reader#", "chunk_wanted", "batch", "sample"):
            self.assertIn(word, stalled)
        self.assertEqual(len(self.flight_recorders()), 1, outcome)
        self.assertIn(f"the flight recorder is in {self.flight_recorders()[0].relative_to(self.scratch)}", outcome.err)
        report = self.crash_report()
        self.assertIn("stalled: no progress", report)
        self.assertLess(report.index("chunk_wanted"), report.index("chunk_ready"), report)
        self.assertEqual(self.folder().summary()["status"], "stopped")


class TestSlowStart(ImageCase, TraceCase):
    def test_data_that_take_long_to_open_are_told_and_sigquit_is_answered(self):
        self.put_good(16)
        rows = "".join(f"photos/{x}/good_{n:02}.png,{x}\n" for n in range(16) for x in [("cat", "dog")[n % 2]])
        self.put("lists/all.csv", ("path,label\n" + rows).encode())
        self.slow_files("lists", open=4000)
        run = self.start("data.train={dataset: manifest, file: lists/all.csv, root: .}", "pipeline.stall_timeout=1s")
        time.sleep(2)
        run.send(signal.SIGQUIT)
        outcome = run.finish()
        self.assertEqual(outcome.code, 0, outcome)
        self.assertRegex(outcome.err, r"warning: the run has been opening for \d+ s: loader has been handling describe")
        self.assertIn("warning: asked by SIGQUIT what the run is at: loader has been handling describe", outcome.err)
        self.assertEqual(len(self.flight_recorders()), 1)


class TestQuestions(TraceCase):
    def test_sigquit_tells_what_the_run_is_at_and_the_run_goes_on(self):
        run = self.start("train.epochs=12")
        self.assertIsNotNone(run.wait_for_step(20))
        run.send(signal.SIGQUIT)
        self.assertIsNotNone(run.wait_for_step(60))
        run.send(signal.SIGQUIT)
        outcome = run.finish()
        self.assertEqual(outcome.code, 0, outcome)
        self.assertEqual(outcome.err.count("asked by SIGQUIT what the run is at: "), 2, outcome)
        self.assertEqual(len(self.flight_recorders()), 2)
        self.assertIn("asked by SIGQUIT", self.crash_report())
        # The recording itself is whole: the dumps are not counted as processes of their own.
        summary = json.loads(self.troupe("trace", "summary", "runs/run", "--json").out)
        self.assertEqual([x["state"] for x in summary["processes"]], ["finished"])

    def test_sigquit_without_a_trace_says_that_there_is_none(self):
        run = self.start("train.epochs=12", "trace.mode=off")
        self.assertIsNotNone(run.wait_for_step(20))
        run.send(signal.SIGQUIT)
        outcome = run.finish()
        self.assertEqual(outcome.code, 0, outcome)
        self.assertIn("trace.mode is off", outcome.err)


class TestDeath(TraceCase):
    def die_of(self, number, *arguments):
        run = self.start("train.epochs=100000", *arguments)
        self.assertIsNotNone(run.wait_for_step(20))
        run.send(number)
        self.assertEqual(run.finish().code, -number)

    def test_sigkill(self):
        self.die_of(signal.SIGKILL)
        report = self.crash_report()
        self.assertIn("without a word", report)
        for actor in ("trainer", "loader", "collator"):
            self.assertIn(actor, report)
        summary = json.loads(self.troupe("trace", "summary", "runs/run", "--json").out)
        self.assertEqual([x["state"] for x in summary["processes"]], ["died"])
        self.assertGreater(summary["recorded"], 100)

    def test_a_crash_is_told_by_its_signal(self):
        self.die_of(signal.SIGSEGV, "trace.mode=full")
        self.assertIn("SIGSEGV", self.crash_report())

    def test_a_killed_run_that_goes_on_has_the_traces_of_both_processes(self):
        self.die_of(signal.SIGKILL, "checkpoint.every=5")
        run = self.start("--resume", "train.epochs=100000", "checkpoint.every=5")
        self.assertIsNotNone(run.wait_for_step(60))
        run.send(signal.SIGTERM)
        self.assertEqual(run.finish().code, 143)
        summary = json.loads(self.troupe("trace", "summary", "runs/run", "--json").out)
        self.assertEqual([x["state"] for x in summary["processes"]], ["died", "finished"])


if __name__ == "__main__":
    unittest.main()
