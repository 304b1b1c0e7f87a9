#!/usr/bin/env python3
"""What being a plugin costs: throughput of the data path with parts that do nothing, against the same without them.

    tests/bench/plugins/compare.py [--build-dir build/release] [--pairs 12] [--photos /tmp/photos] [--json FILE]

Contestants: a transform of a plugin at the end of the list, a stage of a plugin between augmenters and collator (with its
relay), an actor of a plugin in the augmenters' place. Data: Fashion-MNIST (raw samples of 28x28, which cost about a
microsecond, so that every nanosecond shows) and, if they are there, the photos that ../data_path/make_photos.py makes
(82 kB JPEGs to 224x224, which cost a millisecond). Each run with a plugin is paired with one without, in an order that
alternates; what is told are the median ratio of the pairs with its 95 % bootstrap interval (percentiles), of time and of CPU
time per sample, and the median difference in nanoseconds per sample. Needs a build with -DTROUPE_BENCH=ON.
"""

import argparse
import json
import pathlib
import random
import statistics
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[3]
FASHION = "/usr/share/datasets/fashion-mnist"
CONTESTANTS = {"transform": ["--transform=idle"], "stage": ["--stage=pass"], "augmenter": ["--augmenter=fill"]}
NUM_RESAMPLES = 10_000


def measure(options, data, extra):
    command = [options.build_dir / "bench_data_path", "troupe", "--json", *data, *extra]
    if extra:
        command += ["--plugin", options.build_dir / "tests/bench/plugins/idle.so"]
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=True)
    figures = json.loads(done.stdout)
    return {"time": 1e9 / figures["images_per_second"], "CPU time": 1e3 * figures["cpu_us_per_image"]}


def with_interval(values):
    draw = random.Random(1)
    medians = sorted(statistics.median(draw.choices(values, k=len(values))) for _ in range(NUM_RESAMPLES))
    return statistics.median(values), medians[int(0.025 * NUM_RESAMPLES)], medians[int(0.975 * NUM_RESAMPLES)]


def compare(options, name, data):
    found = {}
    for contestant, extra in CONTESTANTS.items():
        pairs = []
        for number in range(options.pairs):
            first, second = ([], extra) if number % 2 == 0 else (extra, [])
            one, other = measure(options, data, first), measure(options, data, second)
            pairs.append((one, other) if number % 2 == 0 else (other, one))
        for quantity in ("time", "CPU time"):
            ratio = with_interval([mine[quantity] / bare[quantity] for bare, mine in pairs])
            nanoseconds = with_interval([mine[quantity] - bare[quantity] for bare, mine in pairs])
            found[f"{contestant}, {quantity}"] = {"ratio": ratio, "ns_per_sample": nanoseconds}
            print(f"{name}, {contestant}, {quantity} per sample: {ratio[0]:.4f} ({ratio[1]:.4f} to {ratio[2]:.4f}), "
                  f"{nanoseconds[0]:+.0f} ns ({nanoseconds[1]:+.0f} to {nanoseconds[2]:+.0f}) "
                  f"of {statistics.median(bare[quantity] for bare, _ in pairs):.0f}", flush=True)
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build-dir", type=pathlib.Path, default=ROOT / "build/release")
    parser.add_argument("--pairs", type=int, default=12)
    parser.add_argument("--photos", type=pathlib.Path, default=pathlib.Path("/tmp/photos"))
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE", help="write all figures there")
    options = parser.parse_args()
    found = {"Fashion-MNIST": compare(options, "Fashion-MNIST",
                                      ["--root", FASHION, "--raw", "--batch=128", "--epochs=5"])}
    if options.photos.exists():
        found["photos"] = compare(options, "photos", ["--root", options.photos, "--epochs=2"])
    if options.json:
        options.json.write_text(json.dumps(found, indent=2) + "\n", encoding="ascii")


if __name__ == "__main__":
    main()
