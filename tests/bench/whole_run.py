"""Compares whole runs: Troupe as it ships, its parts without actors, and the ordinary Python script.

    tests/bench/whole_run.py [--build-dir build/release] [--epochs 2] [--rounds 3] [--json FILE]

Every round runs each of them once, one after another, so that what the machine does besides falls on all alike; the
figures are medians over the rounds. Wall and CPU time are those of whole processes, from start to end, but for the bare
parts, which are summed: augmentation, training and validation, the last two at the number of threads that took less.
Needs a build with -DTROUPE_BENCH=ON on a quiet machine, and python3-torch and python3-torchvision for the script.
"""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
DEFAULT_CONFIG = ROOT / "app/examples/fashion-mnist.yaml"
WARMUP_STEPS = 200  # Of the default config.


class Finished:
    """A process that ended well: what it printed, its wall time, and CPU time with that of its children."""

    def __init__(self, command, environment=None):
        begun = time.perf_counter()
        with tempfile.TemporaryFile("w+") as out:
            process = subprocess.Popen(command, stdout=out, env=environment)
            _, status, usage = os.wait4(process.pid, 0)
            self.wall = time.perf_counter() - begun
            self.cpu = usage.ru_utime + usage.ru_stime
            process.returncode = os.waitstatus_to_exitcode(status)
            out.seek(0)
            self.out = out.read()
        if process.returncode != 0:
            sys.exit(f"exit code {process.returncode} of {' '.join(map(str, command))}\n{self.out}")


class Bench:
    def __init__(self, options):
        self.options = options
        self.common = [f"train.epochs={options.epochs}", "train.precision=fp32", "run.device=cpu"]
        if options.limit:
            self.common.append(f"data.train.limit={options.limit}")

    def program(self, name):
        path = self.options.build_dir / name
        if not path.exists():
            sys.exit(f"there is no {path}: build it with -DTROUPE_BENCH=ON")
        return path

    def troupe(self, *overrides):
        with tempfile.TemporaryDirectory(prefix="whole-run-") as folder:
            command = [self.program("troupe"), "train", self.options.config, *self.common, f"run.dir={folder}"]
            done = Finished([*command, "run.name=run", *self.options.set, *overrides])
            summary = json.loads(pathlib.Path(folder, "run/summary.json").read_text(encoding="utf-8"))
        return {"wall": done.wall, "cpu": done.cpu, "top1": (summary["validation"] or {}).get("top1"),
                "summary": summary}

    def bare(self):
        # The binary sets this for itself; where nothing competes for the cores it makes no difference.
        waits = {"GOMP_SPINCOUNT": "1000", **os.environ}
        done = Finished([self.program("bench_bare_parts"), self.options.config, *self.common], waits)
        return {"process_wall": done.wall, "process_cpu": done.cpu, **json.loads(done.out)}

    def peer(self):
        command = [self.options.python, "-B", HERE / "python_peer.py", f"--epochs={self.options.epochs}"]
        done = Finished([*command, f"--limit={self.options.limit}", f"--warmup-steps={WARMUP_STEPS}"])
        return {**json.loads(done.out), "wall": done.wall, "cpu": done.cpu}

    def why_no_peer(self):
        if self.options.config.resolve() != DEFAULT_CONFIG:
            return f"it knows the recipe of {DEFAULT_CONFIG.name} only"
        try:
            probe = subprocess.run([self.options.python, "-c", "import torch, torchvision"], capture_output=True)
        except OSError as error:
            return str(error)
        return None if probe.returncode == 0 else f"{self.options.python} has no torch and torchvision"


def bare_sums(bare):
    """Wall and CPU seconds of the parts, training and validation each at the number of threads with the least wall."""
    best = {}
    for part in bare["parts"]:
        name = part["part"]
        if name != "open" and (name not in best or part["wall"] < best[name]["wall"]):
            best[name] = part
    return {key: sum(part[key] for part in best.values()) for key in ("wall", "cpu")} | {"chosen": list(best.values())}


def median_of(rounds, key):
    return statistics.median(each[key] for each in rounds)


def print_parts(rounds):
    print("\nbare parts, medians         threads    wall s     CPU s")
    for parts in zip(*(each["bare"]["parts"] for each in rounds)):
        wall, cpu = median_of(parts, "wall"), median_of(parts, "cpu")
        print(f"  {parts[0]['part']:<24}{parts[0]['threads']:>9}{wall:>10.2f}{cpu:>10.2f}")
    for key in ("wall", "cpu"):
        others = (each["bare"][f"process_{key}"] - sum(part[key] for part in each["bare"]["parts"]) for each in rounds)
        print(f"  start and end of the process, {key}: {statistics.median(others):.2f} s")


def run_rounds(bench, num_rounds, names):
    rounds = []
    for number in range(1, num_rounds + 1):
        bare = bench.bare()
        each = {"troupe": bench.troupe(), "bare": bare, "bare_sum": bare_sums(bare)}
        if "python" in names:
            each["python"] = bench.peer()
        rounds.append(each)
        walls = ", ".join(f"{name} {each[name]['wall']:.2f} s" for name in names)
        print(f"round {number} of {num_rounds}: {walls}", flush=True)
    return rounds


def compare(bench, num_rounds):
    """Runs the rounds. Returns them with medians and ratios."""
    why = bench.why_no_peer()
    if why:
        print(f"the Python script is skipped: {why}")
    names = ["troupe", "bare_sum"] + ([] if why else ["python"])
    rounds = run_rounds(bench, num_rounds, names)
    medians = {}
    for name in names:
        medians[name] = {key: median_of([each[name] for each in rounds], key) for key in ("wall", "cpu")}
    ratios = {
        f"troupe / {name}, {key}": medians["troupe"][key] / medians[name][key]
        for name in names[1:] for key in ("wall", "cpu")
    }
    report(rounds, medians, ratios)
    return {"rounds": rounds, "medians": medians, "ratios": ratios, "python_skipped": why}


def report(rounds, medians, ratios):
    print_parts(rounds)
    print("\nmedians                                 wall s     CPU s")
    for name, values in medians.items():
        print(f"  {name:<34}{values['wall']:>10.2f}{values['cpu']:>10.2f}")
    for name, ratio in ratios.items():
        print(f"  {name:<34}{ratio:>10.3f}")
    own_wall = statistics.median(each["troupe"]["summary"]["wall_seconds"] for each in rounds)
    print(f"  troupe's own account of its wall time: {own_wall:.2f} s")
    accuracies = {name: rounds[-1][name]["top1"] for name in ("troupe", "python") if name in rounds[-1]}
    accuracies |= {f"bare, {x['threads']} threads": x.get("top1") for x in rounds[-1]["bare"]["trained"]}
    print("  top1 of the last round: " + ", ".join(f"{name} {top1}" for name, top1 in accuracies.items()))


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build-dir", type=pathlib.Path, default=ROOT / "build/release")
    parser.add_argument("--config", type=pathlib.Path, default=DEFAULT_CONFIG)
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--limit", type=int, default=0, help="train on the first samples only; 0: all")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="for Troupe alone; repeatable")
    parser.add_argument("--python", default="/usr/bin/python3", help="interpreter of the Python script")
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE", help="write all figures there")
    return parser.parse_args()


def main():
    options = parse_arguments()
    bench = Bench(options)
    result = {"config": str(options.config), "epochs": options.epochs, "limit": options.limit, "set": options.set,
              "cores": len(os.sched_getaffinity(0)), "load_before": os.getloadavg()}
    print(f"{result['cores']} cores, load average {result['load_before'][0]:.2f}")
    result["comparison"] = compare(bench, options.rounds)
    if options.json:
        options.json.write_text(json.dumps(result, indent=2) + "\n", encoding="ascii")


if __name__ == "__main__":
    main()
