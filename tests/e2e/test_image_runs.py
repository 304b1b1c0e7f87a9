"""Whole runs on images: caches, split, mixing, formats beyond folders, and a resume among bad samples."""

import io
import random
import tarfile

from tests.e2e import jpegs
from tests.e2e.pictures import gradient_png
from tests.e2e.support import read_csv, step_of
from tests.e2e.test_images import ImageCase
from tests.e2e.test_resume import ResumeCase

NORMALIZE = {"normalize": {"mean": [0.5], "std": [0.5]}}
AUGMENTED = [
    {"random_resized_crop": {"size": 16, "scale": [0.3, 1]}},
    {"random_horizontal_flip": {"p": 0.5}},
    {"color_jitter": {"brightness": 0.2, "hue": 0.1}},
    NORMALIZE,
]


class RunsOnImages(ImageCase):
    @staticmethod
    def config():
        config = ImageCase.config()
        config["transforms"]["train"] = AUGMENTED
        return config


class TestCache(RunsOnImages):
    """What is cached changes nothing but the time: the first epoch decodes what the others find in the cache."""

    def cached(self, mode, *overrides):
        return self.train_anew("train.epochs=3", f"data.cache={{mode: {mode}, side: 12, dir: kept}}", *overrides)

    def test_batches_do_not_depend_on_what_was_cached(self):
        self.put_good(30)
        for number in range(4):
            self.put(f"photos/dog/photo_{number}.jpg", jpegs.TURNED)
        in_memory = self.cached("memory")
        for other in (
            self.cached("disk"),
            self.cached("disk"),  # It finds what the run before has kept.
            self.cached("memory", "data.cache.max_bytes=2000", "pipeline.augmenters=4"),
        ):
            self.assert_same_training(in_memory, other)
            self.assert_same_logs(in_memory, other)

    def test_a_damaged_cache_is_made_anew(self):
        self.put_good(30)
        whole = self.cached("disk")
        (pixels,) = (self.scratch / "kept").glob("*.pixels")
        data = bytearray(pixels.read_bytes())
        for at in range(0, len(data), 100):
            data[at] ^= 0xFF
        pixels.write_bytes(data)
        self.assert_same_training(whole, self.cached("disk"))

    def test_the_disk_cache_serves_without_the_files_content(self):
        self.put_good(30)
        first = self.cached("disk")
        for path in (self.scratch / "photos").rglob("*.png"):
            size = path.stat().st_size
            path.write_bytes(b"\0" * size)  # As long as before, so the fingerprint is the same.
        again = self.cached("disk")
        self.assert_same_training(first, again)
        self.assertEqual(again.summary()["bad_samples"], 0)


class TestSplit(RunsOnImages):
    def test_a_share_of_each_class_is_judged_and_not_learnt(self):
        self.put_good(40)
        folder = self.train_anew("data.split=0.2")
        self.assertEqual(folder.summary()["samples_trained"], 64)
        self.assertEqual({row["samples"] for row in read_csv(folder.path / "validation.csv")}, {"8"})
        self.assert_same_training(folder, self.train_anew("data.split=0.2", "pipeline.augmenters=3"))

    def test_another_seed_of_the_split_judges_others(self):
        self.put_good(40)
        one, other = (self.train_anew("data.split=0.2", f"data.split_seed={seed}") for seed in (1, 2))
        self.assertNotEqual(one.tensors_file("model.safetensors"), other.tensors_file("model.safetensors"))


class TestMixing(RunsOnImages):
    def test_mixed_batches_do_not_depend_on_the_augmenters(self):
        self.put_good(40)
        mixed = "transforms.batch={mixup_p: 0.4, cutmix_p: 0.4}"
        one, four = (self.train_anew(mixed, f"pipeline.augmenters={count}") for count in (1, 4))
        self.assert_same_training(one, four)
        plain = self.train_anew()
        self.assertNotEqual(one.tensors_file("model.safetensors"), plain.tensors_file("model.safetensors"))

    def test_bfloat16_batches_train(self):
        self.put_good(40)
        losses = [
            float(self.train_anew(f"pipeline.pixels={pixels}").rows("metrics.csv")[-1]["loss"])
            for pixels in ("float32", "bfloat16")
        ]
        self.assertAlmostEqual(*losses, delta=0.05)


class TestOtherFormats(RunsOnImages):
    def test_cifar(self):
        numbers = random.Random(3)
        for name, count in (("data_batch_1.bin", 30), ("test_batch.bin", 10)):
            records = b"".join(bytes([i % 10]) + numbers.randbytes(3072) for i in range(count))
            self.put(f"cifar/{name}", records)
        folder = self.train_anew(
            "data.train={dataset: cifar10, root: cifar, files: [data_batch_1.bin]}",
            "data.validation={dataset: cifar10, root: cifar, files: [test_batch.bin]}",
        )
        self.assert_counts(folder, trained=60, skipped=0, bad=0)
        self.assertEqual(read_csv(folder.path / "validation.csv")[-1]["samples"], "10")

    def test_shards(self):
        for shard, suffix in enumerate(("tar", "tar.gz")):
            with tarfile.open(self.scratch / f"shard-{shard}.{suffix}", "w:gz" if suffix.endswith("gz") else "w") as tar:
                for number in range(20):
                    members = {"png": gradient_png(number), "cls": (b"cat", b"dog")[number % 2]}
                    for extension, data in members.items():
                        info = tarfile.TarInfo(f"{shard}{number:05}.{extension}")
                        info.size = len(data)
                        tar.addfile(info, io.BytesIO(data))
        folder = self.train_anew("data.train={dataset: tar, files: [shard-0.tar, shard-1.tar.gz]}")
        self.assert_counts(folder, trained=80, skipped=0, bad=0)
        self.assertEqual((folder.path / "classes.txt").read_text(), "cat\ndog\n")

    def test_weights_of_a_list(self):
        self.put_good(16, classes=("all",))
        folders = []
        for name, weight in (("even", 1), ("odd", 3)):
            rows = [f"photos/all/good_{i:02}.png,{i % 2},{weight if i % 2 else 1}\n" for i in range(16)]
            self.put(f"{name}.csv", ("path,label,weight\n" + "".join(rows)).encode())
            folders.append(self.train_anew(f"data.train={{dataset: manifest, file: {name}.csv}}"))
        one, other = (folder.tensors_file("model.safetensors") for folder in folders)
        self.assertNotEqual(one, other)


class TestResumeAmongBadSamples(ResumeCase, RunsOnImages):
    @staticmethod
    def config():
        config = RunsOnImages.config()
        config["train"]["epochs"] = 12
        config["pipeline"]["bad_samples"] = {"max": 100, "max_share": 0.5}
        return config

    def test_a_resumed_run_equals_an_uninterrupted_one(self):
        self.put_good(75)
        for number in range(6):
            self.put(f"photos/cat/cut_{number}.jpg", jpegs.PLAIN[:100])
        for policy in ("replace", "skip"):
            with self.subTest(policy=policy):
                override = f"pipeline.bad_samples.policy={policy}"
                whole = self.train_anew(override)
                self.assert_counts(whole, trained=12 * 75, skipped=12 * 6, bad=6)
                cut, _ = self.interrupt(30, override)
                self.resume(cut, override)
                self.assertEqual(step_of(cut.newest()), step_of(whole.newest()))
                self.assert_same_training(cut, whole)
                self.assert_same_logs(cut, whole)
                self.assert_counts(cut, trained=12 * 75, skipped=12 * 6, bad=6)
                self.assertEqual(len(read_csv(cut.path / "bad_samples.csv")), 6)
