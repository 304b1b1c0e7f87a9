"""Compares ways to feed a training with JPEG photos: Troupe, its parts without actors, LibTorch's DataLoader, Python's.

    tests/bench/data_path/compare.py --root /tmp/photos [--build-dir build/release] [--rounds 5] [--json FILE]

make_photos.py makes the set; ROOT-damaged, where there is one, is run as well. Every round runs each contestant once,
one after another in an order that rotates, so that what the machine does besides falls on all alike. Figures are
medians over the rounds; a ratio is the median of the rounds' ratios, with its 95 % bootstrap interval (percentiles).
What is not built or not installed is left out. Those "with steps" sleep T for each batch in place of an accelerator:
T is the time in which `bare` makes a batch. Needs a build with -DTROUPE_BENCH=ON on a quiet machine, and python3-torch
and python3-torchvision for the Python scripts.

Every contestant prints one JSON object, over epochs of which the first only warms up: `images_per_second` and
`wait_share`, medians of whole epochs, their starts included; `cpu_us_per_image`, of all threads and processes;
`first_batch_ms` from the start of the process; `later_first_batch_ms` from the end of an epoch; `peak_rss_mb`, of all
processes; `images` and `bad`, so many in an epoch.
"""

import argparse
import json
import os
import pathlib
import random
import statistics
import subprocess
import sys
from typing import NamedTuple, Optional

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
KEYS = ("images_per_second", "cpu_us_per_image", "first_batch_ms", "later_first_batch_ms", "wait_share", "peak_rss_mb",
        "images", "bad")
NUM_RESAMPLES = 10_000
LESS_IS_BETTER = ("cpu_us_per_image", "first_batch_ms", "later_first_batch_ms", "wait_share")


class Contestant(NamedTuple):
    program: str  # bare | troupe | libtorch, of bench_data_path; pil | torchvision, of python_peer.py
    antialias: bool = False
    steps: bool = False
    damaged: bool = False
    keeps_memory: bool = False  # LibTorch's allocator tuned as Troupe tunes it.

    @property
    def is_python(self):
        return self.program in ("pil", "torchvision")


CONTESTANTS = {
    "bare": Contestant("bare"),
    "troupe": Contestant("troupe"),
    "libtorch": Contestant("libtorch"),
    "libtorch, malloc tuned": Contestant("libtorch", keeps_memory=True),
    "python, torchvision.io": Contestant("torchvision"),
    "bare, antialiased": Contestant("bare", antialias=True),
    "troupe, antialiased": Contestant("troupe", antialias=True),
    "python, PIL": Contestant("pil", antialias=True),
    "bare, with steps": Contestant("bare", steps=True),
    "troupe, with steps": Contestant("troupe", steps=True),
    "python, PIL, with steps": Contestant("pil", antialias=True, steps=True),
    "troupe, damaged": Contestant("troupe", damaged=True),
}


class Target(NamedTuple):
    key: str
    of: str
    to: Optional[str]  # A ratio to this contestant; None: the value itself.
    limit: float


TARGETS = [
    Target("images_per_second", "troupe", "bare", 0.95),
    Target("images_per_second", "troupe, antialiased", "python, PIL", 2.4),
    Target("images_per_second", "troupe", "python, torchvision.io", 3.0),
    Target("images_per_second", "troupe", "libtorch", 1.4),
    Target("cpu_us_per_image", "troupe", "bare", 1.05),
    Target("first_batch_ms", "troupe", None, 150),
    Target("later_first_batch_ms", "troupe", None, 30),
    Target("wait_share", "troupe, with steps", None, 0.05),  # What a rate of 0.95 of the bare one comes to.
    Target("images_per_second", "troupe, damaged", "troupe", 0.97),
]


class Bench:
    def __init__(self, options):
        self.options = options
        self.damaged_root = options.root.with_name(options.root.name + "-damaged")
        self.step_ms = 0.0

    def why_not(self, contestant):
        """Why a contestant cannot run here; None if it can."""
        if contestant.damaged and not self.damaged_root.is_dir():
            return f"there is no {self.damaged_root}: make_photos.py --damage makes it"
        if not contestant.is_python:
            path = self.options.build_dir / "bench_data_path"
            return None if path.exists() else f"there is no {path}: build it with -DTROUPE_BENCH=ON"
        try:
            probe = subprocess.run([self.options.python, "-c", "import torch, torchvision"], capture_output=True)
        except OSError as error:
            return str(error)
        return None if probe.returncode == 0 else f"{self.options.python} has no torch and torchvision"

    def command(self, contestant):
        if contestant.is_python:
            command = [self.options.python, "-B", HERE / "python_peer.py", contestant.program]
        else:
            command = [self.options.build_dir / "bench_data_path", contestant.program, "--json"]
            command += ["--antialias", int(contestant.antialias)]
            command += ["--keep-memory"] if contestant.keeps_memory else []
        root = self.damaged_root if contestant.damaged else self.options.root
        command += ["--root", root, "--batch", self.options.batch, "--workers", self.options.workers]
        command += ["--epochs", self.options.epochs, "--step-ms", self.step_ms if contestant.steps else 0]
        return [str(word) for word in command]

    def check_same_work(self):
        """Ends the comparison unless `bare` and `troupe` make the same pixels of the same samples."""
        sums = set()
        for program in ("bare", "troupe"):
            command = self.command(Contestant(program)) + ["--checksum"]
            command[command.index("--epochs") + 1] = "2"
            done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
            sums.add(json.loads(done.stdout)["checksum"])
        if len(sums) != 1:
            sys.exit(f"bare and troupe do not make the same batches: checksums {sums}")

    def run(self, contestant):
        command = self.command(contestant)
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True)
        if done.returncode != 0:
            sys.exit(f"exit code {done.returncode} of {' '.join(command)}\n{done.stdout}")
        try:
            figures = json.loads(done.stdout)
            missing = [key for key in KEYS if key not in figures]
        except json.JSONDecodeError as error:
            sys.exit(f"{' '.join(command)} printed no JSON: {error}\n{done.stdout}")
        if missing:
            sys.exit(f"{' '.join(command)} left out {', '.join(missing)}")
        if (figures["bad"] > 0) != contestant.damaged or figures["images"] == 0:
            sys.exit(f"{' '.join(command)}: {figures['images']} images and {figures['bad']} bad ones cannot be right")
        return figures


def runnable(bench):
    """The contestants that can run and were asked for; tells about the others."""
    names = []
    for name, contestant in CONTESTANTS.items():
        if bench.options.only and name not in bench.options.only:
            continue
        if why := bench.why_not(contestant):
            print(f"left out: {name}: {why}")
        else:
            names.append(name)
    return names


def set_step(bench, names):
    """Chooses T. Without `bare` to measure it by, those with steps are left out."""
    if bench.options.step_ms:
        bench.step_ms = bench.options.step_ms
    elif "bare" in names:
        rate = bench.run(CONTESTANTS["bare"])["images_per_second"]
        bench.step_ms = round(1000 * bench.options.batch / rate, 2)
    else:
        return [name for name in names if not CONTESTANTS[name].steps]
    return names


def run_rounds(bench, names):
    rounds = []
    for number in range(bench.options.rounds):
        first = number % len(names)
        figures = {name: bench.run(CONTESTANTS[name]) for name in names[first:] + names[:first]}
        rounds.append({name: figures[name] for name in names})
        rates = ", ".join(f"{name} {figures[name]['images_per_second']:.0f}" for name in names)
        print(f"round {number + 1} of {bench.options.rounds}, images/s: {rates}", flush=True)
    return rounds


def with_interval(values):
    """Median of the values, with its 95 % bootstrap interval."""
    draw = random.Random(1)
    medians = sorted(statistics.median(draw.choices(values, k=len(values))) for _ in range(NUM_RESAMPLES))
    return {"value": statistics.median(values), "low": medians[int(0.025 * NUM_RESAMPLES)],
            "high": medians[int(0.975 * NUM_RESAMPLES)]}


def judge(target, rounds):
    """The target's figure with its verdict; None where a contestant is missing."""
    if any(name and name not in rounds[0] for name in (target.of, target.to)):
        return None
    of = [each[target.of][target.key] for each in rounds]
    values = of if target.to is None else [x / each[target.to][target.key] for x, each in zip(of, rounds)]
    found = with_interval(values)
    sign = -1 if target.key in LESS_IS_BETTER else 1
    met = sign * found["value"] >= sign * target.limit
    surely = not found["low"] <= target.limit <= found["high"]
    return {**target._asdict(), **found, "met": met, "surely": surely}


def medians_of(rounds):
    return {name: {key: statistics.median(each[name][key] for each in rounds) for key in KEYS} for name in rounds[0]}


def print_figures(medians):
    print("\n| medians | images/s | CPU us/image | first batch, ms | of later epochs, ms | waiting | RSS, MB | bad |")
    print("|---|---|---|---|---|---|---|---|")
    for name, x in medians.items():
        print(f"| {name} | {x['images_per_second']:.0f} | {x['cpu_us_per_image']:.0f} | {x['first_batch_ms']:.0f} | "
              f"{x['later_first_batch_ms']:.1f} | {x['wait_share']:.1%} | {x['peak_rss_mb']:.0f} | {x['bad']:.0f} |")


def print_verdicts(verdicts):
    print("\n| target | limit | found | 95 % interval | |")
    print("|---|---|---|---|---|")
    for x in verdicts:
        what = x["of"] if x["to"] is None else f"{x['of']} / {x['to']}"
        relation = "<=" if x["key"] in LESS_IS_BETTER else ">="
        verdict = ("met" if x["met"] else "missed") + ("" if x["surely"] else ", within noise")
        print(f"| {x['key']}: {what} | {relation} {x['limit']:g} | {x['value']:.3f} | "
              f"{x['low']:.3f} to {x['high']:.3f} | {verdict} |")


def machine():
    """What the figures depend on besides the code."""
    cpu = "an unknown CPU"
    for line in pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
        if line.startswith("model name"):
            cpu = line.partition(":")[2].strip()
            break
    return {"cores": len(os.sched_getaffinity(0)), "cpu": cpu, "load": os.getloadavg()[0]}


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--root", type=pathlib.Path, required=True, help="the set that make_photos.py made")
    parser.add_argument("--build-dir", type=pathlib.Path, default=ROOT / "build/release")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--epochs", type=int, default=4, help="of each run, with the first, which warms up")
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--step-ms", type=float, default=0, metavar="T", help="0: the time in which bare makes a batch")
    parser.add_argument("--only", action="append", default=[], choices=CONTESTANTS, help="repeatable")
    parser.add_argument("--python", default="/usr/bin/python3", help="interpreter of the Python scripts")
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE", help="write all figures there")
    options = parser.parse_args()
    if options.rounds < 1 or options.epochs < 2:
        parser.error("--rounds is at least 1, --epochs at least 2")
    if not options.root.is_dir():
        parser.error(f"there is no {options.root}: make_photos.py makes it")
    return options


def main():
    options = parse_arguments()
    options.root = options.root.resolve()
    bench = Bench(options)
    result = {"machine": machine(), "root": str(options.root), "batch": options.batch, "workers": options.workers,
              "epochs": options.epochs}
    names = set_step(bench, runnable(bench))
    if not names:
        sys.exit("there is nothing to run")
    if {"bare", "troupe"} <= set(names):
        bench.check_same_work()
    rounds = run_rounds(bench, names)
    medians = medians_of(rounds)
    verdicts = [found for found in (judge(target, rounds) for target in TARGETS) if found]
    load_after = os.getloadavg()[0]
    before = result["machine"]
    print(f"\n{before['cores']} cores of {before['cpu']}, load average {before['load']:.2f} before, {load_after:.2f} "
          f"after; batch {options.batch}, {options.workers} workers, T {bench.step_ms} ms, {options.rounds} rounds")
    print_figures(medians)
    print_verdicts(verdicts)
    if options.json:
        result |= {"load_after": load_after, "step_ms": bench.step_ms, "rounds": rounds, "medians": medians,
                   "targets": verdicts}
        options.json.write_text(json.dumps(result, indent=2) + "\n", encoding="ascii")


if __name__ == "__main__":
    main()
