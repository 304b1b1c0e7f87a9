"""The ordinary Python script that trains what app/examples/fashion-mnist.yaml trains, as such scripts are written.

PyTorch's DataLoader with worker processes, torchvision's transforms on PIL images, the network layer by layer as
actors/support/network/lenet.cpp, SGD with momentum, warm-up and cosine, validation and a checkpoint after each epoch, a
CSV row every 50 steps. Runs with Debian's python3-torch and python3-torchvision; prints JSON.
"""

import argparse
import csv
import gzip
import json
import math
import pathlib
import resource
import tempfile
import time

import numpy
import torch
from PIL import Image
from torch import nn
from torch.utils.data import DataLoader, Dataset
from torchvision import transforms

MEAN, STD = (0.2860,), (0.3530,)


class Idx(Dataset):
    """Images and labels of the IDX format, all in memory."""

    def __init__(self, root, name, transform, limit=0):
        self.images = read_idx(root / f"{name}-images-idx3-ubyte.gz")
        self.labels = read_idx(root / f"{name}-labels-idx1-ubyte.gz")
        if limit:
            self.images, self.labels = self.images[:limit], self.labels[:limit]
        self.transform = transform

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, index):
        return self.transform(Image.fromarray(self.images[index])), int(self.labels[index])


def read_idx(path):
    data = gzip.decompress(path.read_bytes())
    num_dimensions = data[3]
    shape = numpy.frombuffer(data, ">u4", num_dimensions, offset=4)
    return numpy.frombuffer(data, numpy.uint8, offset=4 + 4 * num_dimensions).reshape(shape)


class LeNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 32, 3)
        self.conv2 = nn.Conv2d(32, 64, 3)
        self.fc1 = nn.Linear(64 * 6 * 6, 128)
        self.fc2 = nn.Linear(128, 10)
        self.pool1 = nn.MaxPool2d(2)
        self.pool2 = nn.MaxPool2d(2, ceil_mode=True)
        self.dropout = nn.Dropout(0.25)

    def forward(self, x):
        x = torch.relu(self.pool1(self.conv1(x)))
        x = torch.relu(self.pool2(self.conv2(x)))
        x = self.dropout(torch.flatten(x, 1))
        x = self.dropout(torch.relu(self.fc1(x)))
        return self.fc2(x)


class Stopwatch:
    """Adds up the wall time of the parts of a loop."""

    def __init__(self):
        self.seconds = {}
        self.last = time.perf_counter()

    def lap(self, part):
        now = time.perf_counter()
        self.seconds[part] = self.seconds.get(part, 0.0) + now - self.last
        self.last = now


def make_loaders(options):
    normalize = [transforms.ToTensor(), transforms.Normalize(MEAN, STD)]
    augment = [transforms.RandomCrop(28, padding=2), transforms.RandomHorizontalFlip()]
    train_set = Idx(options.root, "train", transforms.Compose(augment + normalize), options.limit)
    validation_set = Idx(options.root, "t10k", transforms.Compose(normalize))
    return (
        DataLoader(train_set, options.batch_size, shuffle=True, num_workers=options.workers),
        DataLoader(validation_set, options.validation_batch_size, num_workers=options.workers),
    )


def warm_up_then_cosine(warmup_steps, total_steps):
    def factor(step):
        if step < warmup_steps:
            return (step + 1) / warmup_steps
        return 0.5 * (1 + math.cos(math.pi * (step - warmup_steps) / max(1, total_steps - warmup_steps)))

    return factor


class Training:
    def __init__(self, options, folder):
        torch.manual_seed(options.seed)
        self.folder, self.every_steps = folder, options.every_steps
        self.train_loader, self.validation_loader = make_loaders(options)
        self.memory_format = torch.channels_last if options.channels_last else torch.contiguous_format
        self.model = LeNet().to(memory_format=self.memory_format)
        self.loss_function = nn.CrossEntropyLoss()
        self.optimizer = torch.optim.SGD(
            self.model.parameters(), lr=0.05, momentum=0.9, nesterov=True, weight_decay=5e-4
        )
        schedule = warm_up_then_cosine(options.warmup_steps, options.epochs * len(self.train_loader))
        self.scheduler = torch.optim.lr_scheduler.LambdaLR(self.optimizer, schedule)
        self.step = 0

    def train_epoch(self, epoch, watch, rows):
        self.model.train()
        running_loss = 0.0
        for images, labels in self.train_loader:
            watch.lap("data_wait")
            self.optimizer.zero_grad()
            loss = self.loss_function(self.model(images.to(memory_format=self.memory_format)), labels)
            loss.backward()
            self.optimizer.step()
            self.scheduler.step()
            self.step += 1
            running_loss += loss.item()
            watch.lap("training")
            if self.step % self.every_steps == 0:
                rate = self.scheduler.get_last_lr()[0]
                rows.writerow([self.step, epoch, running_loss / self.every_steps, rate])
                running_loss = 0.0
                watch.lap("log")
        watch.lap("data_wait")

    @torch.no_grad()
    def validate(self):
        self.model.eval()
        correct, loss_sum = 0, 0.0
        for images, labels in self.validation_loader:
            logits = self.model(images.to(memory_format=self.memory_format))
            loss_sum += self.loss_function(logits, labels).item() * len(labels)
            correct += (logits.argmax(1) == labels).sum().item()
        num_samples = len(self.validation_loader.dataset)
        return correct / num_samples, loss_sum / num_samples

    def save(self, epoch):
        state = {
            "epoch": epoch,
            "model": self.model.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "scheduler": self.scheduler.state_dict(),
        }
        torch.save(state, self.folder / f"epoch-{epoch:03}.pt")


def run(options, folder, watch):
    training = Training(options, folder)
    watch.lap("open")
    top1 = loss = float("nan")
    with open(folder / "metrics.csv", "w", newline="", encoding="ascii") as file:
        rows = csv.writer(file)
        rows.writerow(["step", "epoch", "loss", "lr"])
        for epoch in range(1, options.epochs + 1):
            training.train_epoch(epoch, watch, rows)
            top1, loss = training.validate()
            watch.lap("validation")
            training.save(epoch)
            file.flush()
            watch.lap("checkpoint")
    return {"steps": training.step, "top1": top1, "validation_loss": loss}


def cpu_seconds():
    """Of this process and of the workers that have ended."""
    usages = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--root", type=pathlib.Path, default="/usr/share/datasets/fashion-mnist")
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--limit", type=int, default=0, help="train on the first samples only; 0: all")
    parser.add_argument("--batch-size", type=int, default=128)
    parser.add_argument("--validation-batch-size", type=int, default=256)
    parser.add_argument("--warmup-steps", type=int, default=200)
    parser.add_argument("--every-steps", type=int, default=50, help="steps per row of the CSV file")
    parser.add_argument("--workers", type=int, default=2, help="worker processes of each DataLoader")
    parser.add_argument("--threads", type=int, default=2, help="torch threads")
    parser.add_argument("--channels-last", action="store_true", help="as Troupe computes; few scripts do")
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


def main():
    watch = Stopwatch()
    begun = time.perf_counter()
    options = parse_arguments()
    torch.set_num_threads(options.threads)
    with tempfile.TemporaryDirectory(prefix="python-peer-") as folder:
        result = run(options, pathlib.Path(folder), watch)
    wall = time.perf_counter() - begun
    result |= {"seconds": watch.seconds, "wall": wall, "cpu": cpu_seconds(), "torch": torch.__version__}
    result["transforms"] = "torchvision on PIL images"
    print(json.dumps(result, indent=2))


if __name__ == "__main__":
    main()
