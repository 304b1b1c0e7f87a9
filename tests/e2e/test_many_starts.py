"""Starting and stopping hundreds of times, and training for long: nothing hangs and nothing grows."""

import time
from concurrent.futures import ThreadPoolExecutor

from tests.e2e.plugins import TRYING, transforms
from tests.e2e.support import RunCase, synthetic

STARTS, FEWER_STARTS = 300, 100
SLOW_START_SECONDS = 0.5
PATIENCE_PER_START = 20
MIB = 1 << 20


class TestManyStarts(RunCase):
    ARGUMENTS = ()
    MOST_STARTS = STARTS

    def start_once(self, number):
        outcome = self.troupe(
            "train", "config.yaml", f"run.name=run{number}", "train.epochs=1", "data.train.size=8",
            "data.validation.size=8", *self.ARGUMENTS, patience=PATIENCE_PER_START,
        )
        return None if outcome.code == 0 else f"start {number}: {outcome}"

    def test_every_start_comes_to_its_end(self):
        begun = time.monotonic()
        self.assertIsNone(self.start_once(0))
        slow = time.monotonic() - begun > SLOW_START_SECONDS
        starts = min(FEWER_STARTS if slow else STARTS, self.MOST_STARTS)
        print(f"{starts} starts" + (" (one takes longer than half a second)" if slow else ""))
        with ThreadPoolExecutor(2) as pool:
            failed = [x for x in pool.map(self.start_once, range(1, starts + 1)) if x]
        self.assertEqual(failed, [])


class TestManyStartsWithPlugins(TestManyStarts):
    """A component, and an actor in each role."""

    MOST_STARTS = FEWER_STARTS
    ARGUMENTS = ("--plugin", TRYING, transforms("invert"), "pipeline.stages=[filler, smear, orderly, stopper]")


class TestMemory(RunCase):
    @staticmethod
    def config():
        config = RunCase.config()
        config["data"]["train"] = synthetic(256)
        return config

    def peak(self, epochs):
        folder = self.train_anew(f"train.epochs={epochs}", "log.console=quiet")
        self.assertEqual(folder.summary()["epochs"], epochs)
        return folder.summary()["peak_rss_bytes"]

    def test_more_epochs_need_no_more_memory(self):
        self.assertLess(self.peak(50) - self.peak(5), 40 * MIB)
