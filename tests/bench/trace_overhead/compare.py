#!/usr/bin/env python3
"""What the trace costs: per message, per byte of disk, and of a run's time.

    tests/bench/trace_overhead/compare.py [--build-dir build/release] [--pairs 8] [--photos /tmp/photos] [--json FILE]

1. CPU time per message of actors that do nothing else, traced and not, and of the same with the recorder off.
2. Fashion-MNIST, as app/examples/fashion-mnist.yaml trains it: time in training and CPU time, by trace.mode.
3. The JPEG pipeline at full speed, without a trainer: images per second and CPU time per image, by trace.mode. Needs the
   photos that ../data_path/make_photos.py makes; left out without them.
4. Bytes per record in the trace file of a run with trace.mode full.

The modes run in turns, in an order that rotates; every run is compared with the run of mode off of the same round, so
that what the machine does besides falls on all alike. Ratios are medians over the rounds with their 95 % bootstrap
interval (percentiles). Needs a build with -DTROUPE_BENCH=ON on a quiet machine.
"""

import argparse
import json
import os
import pathlib
import random
import re
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
MODES = ("off", "flight", "full")
NUM_RESAMPLES = 10_000


def run(command, quiet=False):
    """Standard output and CPU seconds of a command that ended well; `quiet`: its warnings are left out."""
    with tempfile.TemporaryFile("w+", encoding="utf-8") as out:
        process = subprocess.Popen([str(word) for word in command], stdout=out,
                                   stderr=subprocess.DEVNULL if quiet else None)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        text = out.read()
    if process.returncode != 0:
        sys.exit(f"exit code {process.returncode} of {' '.join(map(str, command))}\n{text}")
    return text, usage.ru_utime + usage.ru_stime


class Contest:
    """One way to run Troupe, with what is measured of it."""

    def __init__(self, options):
        self.options = options

    def program(self, name):
        path = self.options.build_dir / name
        if not path.exists():
            sys.exit(f"there is no {path}: build it with -DTROUPE_BENCH=ON")
        return path


class FashionMnist(Contest):
    name = "Fashion-MNIST"

    def measure(self, mode):
        with tempfile.TemporaryDirectory(prefix="trace-overhead-") as folder:
            _, cpu = run([self.program("troupe"), "train", ROOT / "app/examples/fashion-mnist.yaml", "train.epochs=1",
                          f"data.train.limit={self.options.samples}", f"run.dir={folder}", "run.name=run",
                          "validation.every=0", f"trace.mode={mode}"], quiet=True)
            summary = json.loads(pathlib.Path(folder, "run/summary.json").read_text(encoding="utf-8"))
            size = sum(file.stat().st_size for file in pathlib.Path(folder, "run/trace").glob("*.trc"))
        recorded = summary["trace"]["recorded"]
        return {"time in training": summary["train_seconds"], "CPU time": cpu, "recorded": recorded,
                "dropped": summary["trace"]["dropped"], "bytes per record": size / max(recorded, 1),
                "records per step": recorded / summary["steps"]}


class JpegPipeline(Contest):
    name = "JPEG pipeline"

    def measure(self, mode):
        out, _ = run([self.program("bench_data_path"), "troupe", "--root", self.options.photos, "--epochs=3", "--json",
                      f"--trace={mode}"])
        figures = json.loads(out)
        return {"time per image": 1e6 / figures["images_per_second"], "CPU time per image": figures["cpu_us_per_image"]}


def with_interval(ratios):
    draw = random.Random(1)
    medians = sorted(statistics.median(draw.choices(ratios, k=len(ratios))) for _ in range(NUM_RESAMPLES))
    return {"ratio": statistics.median(ratios), "low": medians[int(0.025 * NUM_RESAMPLES)],
            "high": medians[int(0.975 * NUM_RESAMPLES)]}


def compare(contest, num_pairs):
    runs = {mode: [] for mode in MODES}
    for number in range(num_pairs):
        first = number % len(MODES)
        for mode in MODES[first:] + MODES[:first]:
            runs[mode].append(contest.measure(mode))
        print(f"{contest.name}, round {number + 1} of {num_pairs}", flush=True)
    found = {"runs": runs}
    for mode in MODES[1:]:
        for quantity in [key for key in runs["off"][0] if "time" in key]:
            ratio = with_interval([x[quantity] / off[quantity] for x, off in zip(runs[mode], runs["off"])])
            found[f"{mode} / off, {quantity}"] = ratio
            print(f"  {mode} / off, {quantity}: {ratio['ratio']:.4f} ({ratio['low']:.4f} to {ratio['high']:.4f})")
    return found


def message_costs(contest):
    """Nanoseconds per message, the least of the rounds, by receiver and kind of actor."""
    costs, receiver = {}, None
    text, _ = run([contest.program("bench_message_cost")])
    print(text, end="")
    for line in text.splitlines():
        if line.startswith("receiver: "):
            receiver = line.split(": ")[1]
        elif found := re.match(r"\s+(plain|traced, \w+)\s+min\s+(\d+)", line):
            costs.setdefault(receiver, {})[found[1]] = int(found[2])
    return costs


def print_share(fashion, costs, mode):
    """What tracing its messages must take of a step: nanoseconds per message x records per step."""
    runs = fashion["runs"][mode]
    ns = max(each[f"traced, {mode}"] - each["traced, off"] for each in costs.values())
    records = statistics.median(each["records per step"] for each in runs)
    step_ns = statistics.median(each["time in training"] / (each["recorded"] / each["records per step"])
                                for each in runs) * 1e9
    print(f"  {mode}, computed: {ns} ns x {records:.0f} records / {step_ns / 1e6:.1f} ms = {ns * records / step_ns:.4%}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build-dir", type=pathlib.Path, default=ROOT / "build/release")
    parser.add_argument("--pairs", type=int, default=8)
    parser.add_argument("--samples", type=int, default=20_000, help="of Fashion-MNIST")
    parser.add_argument("--photos", type=pathlib.Path, default=pathlib.Path("/tmp/photos"))
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE", help="write all figures there")
    options = parser.parse_args()
    result = {"cores": len(os.sched_getaffinity(0)), "load_before": os.getloadavg()}
    fashion = FashionMnist(options)
    result["ns per message"] = message_costs(fashion)
    result[fashion.name] = compare(fashion, options.pairs)
    for mode in MODES[1:]:
        print_share(result[fashion.name], result["ns per message"], mode)
    full = result[fashion.name]["runs"]["full"]
    print(f"  full: {statistics.median(x['bytes per record'] for x in full):.1f} bytes per record on disk, "
          f"{sum(x['dropped'] for x in full)} dropped of {sum(x['recorded'] for x in full)}")
    if options.photos.exists():
        result[JpegPipeline.name] = compare(JpegPipeline(options), options.pairs)
    else:
        print(f"the JPEG pipeline is left out: there is no {options.photos}")
    if options.json:
        options.json.write_text(json.dumps(result, indent=2) + "\n", encoding="ascii")


if __name__ == "__main__":
    main()
