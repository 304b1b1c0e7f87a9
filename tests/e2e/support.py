"""Launches the binary as a user does and reads what it leaves behind, with the standard library alone.

The binary is named by TROUPE_BINARY, the library that makes files slow by TROUPE_SLOW_SHIM; left out, they are those of
the release preset.
"""

import csv
import json
import os
import pathlib
import queue
import re
import resource
import shutil
import signal
import struct
import subprocess
import tempfile
import threading
import unittest
import unittest.mock

ROOT = pathlib.Path(__file__).resolve().parents[2]
BINARY = os.environ.get("TROUPE_BINARY", str(ROOT / "build/release/troupe"))
SLOW_SHIM = pathlib.Path(os.environ.get("TROUPE_SLOW_SHIM", ROOT / "build/release/libslow_shim.so"))
PATIENCE = 120  # Seconds until a run counts as hung.

TIME_COLUMNS = {"samples_per_second", "data_wait_share", "seconds"}


def synthetic(size, seed=1, side=16, classes=4):
    return {"dataset": "synthetic", "size": size, "shape": [1, side, side], "num_classes": classes, "seed": seed}


def base_config():
    """A whole run within a second or two, the same every time."""
    normalize = [{"normalize": {"mean": [0.5], "std": [0.5]}}]
    return {
        "run": {"name": "run", "dir": "runs", "seed": 7, "device": "cpu"},
        "data": {"train": synthetic(400), "validation": synthetic(100, seed=2)},
        "transforms": {
            "train": [{"random_crop": {"size": 16, "padding": 2}}, {"random_horizontal_flip": {"p": 0.5}}, *normalize],
            "validation": normalize,
        },
        "pipeline": {"batch_size": 32, "augmenters": 2},
        "model": {"name": "lenet"},
        "optimizer": {"name": "sgd", "lr": 0.05, "momentum": 0.9, "nesterov": True},
        "train": {"epochs": 2, "torch_threads": 1},
        "validation": {"torch_threads": 1},
        "log": {"every_steps": 1},
    }


class Outcome:
    """How a command ended and what it said."""

    def __init__(self, code, out, err):
        self.code, self.out, self.err = code, out, err

    def __str__(self):
        return f"exit code {self.code}\n--- stdout\n{self.out}\n--- stderr\n{self.err}"


class LiveRun:
    """A run that is watched while it goes."""

    def __init__(self, arguments, cwd):
        self.process = subprocess.Popen(
            [BINARY, *arguments], cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        self.lines, self.seen = queue.Queue(), []
        self.readers = [
            threading.Thread(target=self._read, args=(self.process.stdout, self.lines.put)),
            threading.Thread(target=self._read, args=(self.process.stderr, self._keep_error)),
        ]
        self.errors = []
        for reader in self.readers:
            reader.start()

    def _read(self, stream, keep):
        for line in stream:
            keep(line)
        keep(None)

    def _keep_error(self, line):
        if line is not None:
            self.errors.append(line)

    def wait_for(self, pattern):
        """Waits for a line of stdout that matches; None if the run ended without one."""
        while True:
            line = self.lines.get(timeout=PATIENCE)
            if line is None:
                self.lines.put(None)
                return None
            self.seen.append(line)
            if found := re.search(pattern, line):
                return found

    def wait_for_step(self, step):
        """Waits until the log shows that step or a later one; None if the run ended before."""
        while found := self.wait_for(r"^epoch .* step (\d+)/"):
            if int(found[1]) >= step:
                return found
        return None

    def send(self, number):
        self.process.send_signal(number)

    def close(self):
        """Leaves no process and no thread behind, however the test went."""
        self.process.kill()
        self.process.wait()
        for reader in self.readers:
            reader.join()
        self.process.stdout.close()
        self.process.stderr.close()

    def finish(self):
        """Waits for the end; a run that hangs is killed and told."""
        try:
            code = self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"the run hangs; so far it said:\n{''.join(self.seen)}") from None
        finally:
            self.close()
        while (line := self.lines.get(timeout=PATIENCE)) is not None:
            self.seen.append(line)
        return Outcome(code, "".join(self.seen), "".join(self.errors))


def limit_file_size(num_bytes):
    """For `before`: no file of the child grows past so many bytes, as if the disk were full."""
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (num_bytes, num_bytes))


class RunFolder:
    """What a run left behind."""

    def __init__(self, path):
        self.path = pathlib.Path(path)

    def summary(self):
        return json.loads((self.path / "summary.json").read_text())

    def checkpoints(self):
        """Those with their final name, the oldest first."""
        return sorted((self.path / "checkpoints").glob("step-*"), key=version_of)

    def newest(self):
        return self.checkpoints()[-1]

    def tensors_file(self, name):
        return (self.newest() / name).read_bytes()

    def rows(self, name, left_out=()):
        return read_csv(self.path / name, TIME_COLUMNS.union(left_out))

    def files(self):
        """Path -> content of everything but the lock and the trace."""
        return {
            str(x.relative_to(self.path)): x.read_bytes()
            for x in sorted(self.path.rglob("*"))
            if x.is_file() and x.name != ".lock" and "trace" not in x.relative_to(self.path).parts
        }


def step_of(checkpoint):
    return int(re.match(r"step-(\d{9,})-v", checkpoint.name)[1])


def version_of(checkpoint):
    return int(re.search(r"-v(\d{4,})-", checkpoint.name)[1])


def read_csv(path, left_out=()):
    """Rows as dictionaries, read strictly."""
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file, strict=True))
    for number, row in enumerate(rows):
        if None in row or None in row.values():
            raise ValueError(f"{path}: row {number + 1} has not as many fields as the header")
    return [{k: v for k, v in row.items() if k not in left_out} for row in rows]


def read_safetensors(path):
    """Name -> (dtype, shape, bytes)."""
    data = pathlib.Path(path).read_bytes()
    (length,) = struct.unpack_from("<Q", data)
    header = json.loads(data[8 : 8 + length])
    header.pop("__metadata__", None)
    body = data[8 + length :]
    return {n: (x["dtype"], x["shape"], body[slice(*x["data_offsets"])]) for n, x in header.items()}


def floats_in(path):
    """All numbers of the F32 tensors of a safetensors file."""
    for dtype, _, data in read_safetensors(path).values():
        if dtype == "F32":
            yield from struct.unpack(f"<{len(data) // 4}f", data)


class RunCase(unittest.TestCase):
    """A test with a scratch folder of its own, in which the binary runs."""

    config = staticmethod(base_config)

    def setUp(self):
        self.scratch = pathlib.Path(tempfile.mkdtemp(prefix="troupe-e2e-"))
        self.addCleanup(shutil.rmtree, self.scratch, ignore_errors=True)
        (self.scratch / "config.yaml").write_text(json.dumps(self.config(), indent=1))

    def troupe(self, *arguments, before=None, patience=PATIENCE):
        """Runs the binary to its end."""
        try:
            done = subprocess.run(
                [BINARY, *arguments],
                cwd=self.scratch,
                capture_output=True,
                timeout=patience,
                preexec_fn=before,
            )
        except subprocess.TimeoutExpired as hung:
            self.fail(f"the run hangs; so far it said:\n{(hung.stdout or b'').decode()}")
        return Outcome(done.returncode, done.stdout.decode(), done.stderr.decode())

    def train(self, *arguments, expect=0, before=None):
        outcome = self.troupe("train", "config.yaml", *arguments, before=before)
        self.assertEqual(outcome.code, expect, outcome)
        return outcome

    def train_anew(self, *arguments, expect=0, before=None):
        """Trains in a run folder that did not exist before, and returns it."""
        earlier = set(self.run_paths())
        self.train(*arguments, expect=expect, before=before)
        (made,) = set(self.run_paths()) - earlier
        return RunFolder(made)

    def start(self, *arguments):
        run = LiveRun(["train", "config.yaml", *arguments], self.scratch)
        self.addCleanup(run.close)
        return run

    def slow_files(self, folder, **milliseconds):
        """From now on, files in that folder take so much longer to open or fsync for the runs of this test."""
        self.assertTrue(SLOW_SHIM.is_file(), f"no library at {SLOW_SHIM}: build the target slow_shim")
        variables = {f"TROUPE_SLOW_{name.upper()}_MS": str(value) for name, value in milliseconds.items()}
        variables |= {"LD_PRELOAD": str(SLOW_SHIM), "TROUPE_SLOW_PATH": str((self.scratch / folder).resolve())}
        patch = unittest.mock.patch.dict(os.environ, variables)
        patch.start()
        self.addCleanup(patch.stop)

    def run_paths(self):
        runs = self.scratch / "runs"
        return sorted(runs.iterdir()) if runs.is_dir() else []

    def folder(self, name="run"):
        return RunFolder(self.scratch / "runs" / name)

    def assert_same_training(self, one, other):
        """The last checkpoints hold the same weights and the same state of the optimizer, bit for bit."""
        for name in ("model.safetensors", "optimizer.safetensors"):
            self.assertEqual(step_of(one.newest()), step_of(other.newest()))
            self.assertEqual(one.tensors_file(name), other.tensors_file(name), f"{name} differs")

    def assert_same_logs(self, one, other):
        self.assertEqual(one.rows("metrics.csv"), other.rows("metrics.csv"))
        self.assertEqual(one.rows("validation.csv", {"version"}), other.rows("validation.csv", {"version"}))

    def assert_died_cleanly(self, outcome):
        """Nothing of a crash in what was said."""
        for word in ("terminate called", "Aborted", "Segmentation", "Exception raised from", "what():"):
            self.assertNotIn(word, outcome.out + outcome.err)


STOP_SIGNALS = {signal.SIGINT: 130, signal.SIGTERM: 143}
