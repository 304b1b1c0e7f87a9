"""The ordinary Python data path: PyTorch's DataLoader with worker processes on a folder of JPEG photos.

    tests/bench/data_path/python_peer.py pil|torchvision --root DIR [--epochs 4] [--step-ms T]

pil: Image.open, RandomResizedCrop(224) - antialiased, as PIL resizes -, flip, ToTensor, Normalize. torchvision:
decode_jpeg, RandomResizedCrop(224) on tensors without antialias, flip, convert_image_dtype, Normalize. Both with
persistent workers, a prefetch factor of 2 and one torch thread. Runs with Debian's python3-torch and
python3-torchvision.

Prints JSON. The first epoch warms up; of the others the median counts: `images_per_second` and `wait_share` of the
whole epoch, its start included; `later_first_batch_ms` from an epoch's start to its first batch; `first_batch_ms` from
the start of the process. `cpu_us_per_image` and the peaks of memory are of this process with its workers. --step-ms
stands in for an accelerator: it sleeps so long for each batch.
"""

import argparse
import json
import os
import pathlib
import statistics
import sys
import time

import torch
from PIL import Image
from torch.utils.data import DataLoader
from torchvision import io, transforms
from torchvision.datasets import ImageFolder

MEAN, STD = (0.485, 0.456, 0.406), (0.229, 0.224, 0.225)  # Of ImageNet, as everybody has them.
SIZE = 224
TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")
MEMORY_SAMPLE_BATCHES = 8  # Memory is looked at that often in the first epoch, which counts for nothing else.


def load_with_pil(path):
    with Image.open(path) as image:
        return image.convert("RGB")


def load_with_torchvision(path):
    return io.decode_jpeg(io.read_file(path), io.ImageReadMode.RGB)


def photos(kind, root):
    flip, normalize = transforms.RandomHorizontalFlip(), transforms.Normalize(MEAN, STD)
    if kind == "pil":
        steps = [transforms.RandomResizedCrop(SIZE), flip, transforms.ToTensor(), normalize]
        return ImageFolder(root, transforms.Compose(steps), loader=load_with_pil)
    crop, convert = transforms.RandomResizedCrop(SIZE, antialias=False), transforms.ConvertImageDtype(torch.float32)
    return ImageFolder(root, transforms.Compose([crop, flip, convert, normalize]), loader=load_with_torchvision)


class Family:
    """This process with its workers, as /proc has them."""

    def __init__(self):
        self.peak_pss_kb = self.peak_rss_kb = 0

    def processes(self):
        own = pathlib.Path("/proc/self")
        children = (own / f"task/{os.getpid()}/children").read_text(encoding="ascii").split()
        return [own, *(pathlib.Path("/proc", child) for child in children)]

    def cpu_seconds(self):
        fields = [stat_fields(process) for process in self.processes()]
        return sum(int(each[11]) + int(each[12]) for each in fields) / TICKS_PER_SECOND

    def look_at_memory(self):
        """Keeps the largest sum of the proportional sizes, and of the peaks of the resident ones."""
        processes = self.processes()
        pss = sum(kilobytes(process / "smaps_rollup", "Pss:") for process in processes)
        rss = sum(kilobytes(process / "status", "VmHWM:") for process in processes)
        self.peak_pss_kb, self.peak_rss_kb = max(self.peak_pss_kb, pss), max(self.peak_rss_kb, rss)


def stat_fields(process):
    """Those of /proc/PID/stat after the name, which may hold blanks."""
    return (process / "stat").read_text(encoding="utf-8").rpartition(")")[2].split()


def kilobytes(path, key):
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith(key):
            return int(line.split()[1])
    return 0


def seconds_since_process_start():
    return time.clock_gettime(time.CLOCK_BOOTTIME) - int(stat_fields(pathlib.Path("/proc/self"))[19]) / TICKS_PER_SECOND


class Loop:
    """Takes batches as a training loop does, and measures."""

    def __init__(self, options):
        torch.set_num_threads(1)
        torch.manual_seed(options.seed)
        workers = {"persistent_workers": True, "prefetch_factor": 2} if options.workers else {}
        self.loader = DataLoader(photos(options.kind, options.root), options.batch, shuffle=True,
                                 num_workers=options.workers, **workers)
        self.step_seconds = options.step_ms / 1000
        self.family = Family()
        self.first_batch = None  # Seconds from the start of the process.

    def run_epoch(self, is_first):
        cpu = self.family.cpu_seconds()
        begun = last = time.perf_counter()
        images, waited, until_first = 0, 0.0, None
        for number, (batch, labels) in enumerate(self.loader):
            waited += time.perf_counter() - last
            if until_first is None:
                until_first = waited
                self.first_batch = self.first_batch or seconds_since_process_start()
            if batch.shape[1:] != (3, SIZE, SIZE) or len(batch) != len(labels):
                sys.exit(f"a batch of shape {tuple(batch.shape)}")
            images += len(batch)
            if is_first and number % MEMORY_SAMPLE_BATCHES == 0:
                self.family.look_at_memory()
            if self.step_seconds:
                time.sleep(self.step_seconds)
            last = time.perf_counter()
        waited += time.perf_counter() - last
        wall = time.perf_counter() - begun
        self.family.look_at_memory()
        cpu = 0.0 if is_first else self.family.cpu_seconds() - cpu  # The workers began within the first.
        return {"images": images, "wall": wall, "waited": waited, "until_first": until_first, "cpu": cpu}


def measure(options):
    loop = Loop(options)
    epochs = [loop.run_epoch(number == 0) for number in range(options.epochs)][1:]

    def median(read):
        return statistics.median(map(read, epochs))

    return {
        "images_per_second": median(lambda x: x["images"] / x["wall"]),
        "images_per_second_past_first_batch": median(
            lambda x: (x["images"] - options.batch) / (x["wall"] - x["until_first"])),
        "cpu_us_per_image": median(lambda x: x["cpu"] / x["images"]) * 1e6,
        "first_batch_ms": loop.first_batch * 1e3,
        "later_first_batch_ms": median(lambda x: x["until_first"]) * 1e3,
        "wait_share": median(lambda x: x["waited"] / x["wall"]),
        "peak_rss_mb": loop.family.peak_rss_kb / 1e3,
        "peak_pss_mb": loop.family.peak_pss_kb / 1e3,
        "images": epochs[-1]["images"],
        "bad": 0,
        "torch": torch.__version__,
    }


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", choices=["pil", "torchvision"])
    parser.add_argument("--root", type=pathlib.Path, required=True, help="folder of class folders of JPEG files")
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--workers", type=int, default=2, help="worker processes")
    parser.add_argument("--epochs", type=int, default=4, help="with the first, which warms up")
    parser.add_argument("--step-ms", type=float, default=0, metavar="T", help="sleep so long for each batch")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if options.epochs < 2 or options.batch < 1 or options.workers < 0 or options.step_ms < 0:
        parser.error("--epochs is at least 2, --batch at least 1, --workers and --step-ms at least 0")
    return options


if __name__ == "__main__":
    print(json.dumps(measure(parse_arguments()), indent=2))
