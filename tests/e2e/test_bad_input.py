"""Whatever is wrong with the input: the exit code is the documented one, and stderr names the place and the remedy."""

import gzip
import json
import struct

from tests.e2e.support import RunCase, base_config

NUM_SAMPLES, SIDE = 96, 16


def idx_images(count=NUM_SAMPLES, side=SIDE):
    body = bytes((7 * i + i // 251) % 256 for i in range(count * side * side))
    return struct.pack(">IIII", 0x803, count, side, side) + body


def idx_labels(count=NUM_SAMPLES, classes=10):
    return struct.pack(">II", 0x801, count) + bytes(i % classes for i in range(count))


class TestData(RunCase):
    """Data that cannot be trained on ends the run with 1 and names the file."""

    @staticmethod
    def config():
        config = base_config()
        config["data"] = {
            "train": {"dataset": "idx", "images": "images.idx", "labels": "labels.idx"},
            "classes": [f"c{i}" for i in range(10)],
        }
        config["train"]["epochs"] = 1
        return config

    def setUp(self):
        super().setUp()
        self.write(idx_images(), idx_labels())

    def write(self, images, labels):
        (self.scratch / "images.idx").write_bytes(images)
        (self.scratch / "labels.idx").write_bytes(labels)

    def refuse(self, *words):
        outcome = self.train(expect=1)
        for word in words:
            self.assertIn(word, outcome.err)
        self.assert_died_cleanly(outcome)

    def test_good_files_train(self):
        self.train()
        self.assertEqual(self.folder().summary()["samples_trained"], NUM_SAMPLES)

    def test_missing_files(self):
        for name in ("images.idx", "labels.idx"):
            with self.subTest(name=name):
                self.write(idx_images(), idx_labels())
                (self.scratch / name).unlink()
                self.refuse(name)

    def test_empty_files(self):
        self.write(b"", idx_labels())
        self.refuse("images.idx", "empty")
        self.write(idx_images(), b"")
        self.refuse("labels.idx", "empty")

    def test_truncated_files(self):
        for size in (3, 15, 16, 1000, len(idx_images()) - 1):
            with self.subTest(size=size):
                self.write(idx_images()[:size], idx_labels())
                self.refuse("images.idx", "truncated")
        self.write(idx_images(), idx_labels()[:-1])
        self.refuse("labels.idx", "truncated")

    def test_trailing_bytes(self):
        self.write(idx_images() + b"x", idx_labels())
        self.refuse("images.idx", "trailing")

    def test_truncated_gzip(self):
        self.write(gzip.compress(idx_images())[:-20], idx_labels())
        self.refuse("images.idx")

    def test_wrong_magic(self):
        self.write(b"\x89PNG" + idx_images()[4:], idx_labels())
        self.refuse("images.idx", "magic")

    def test_swapped_files(self):
        self.write(idx_labels(), idx_images())
        self.refuse("images.idx", "swapped")

    def test_a_label_past_the_last_class(self):
        labels = bytearray(idx_labels())
        labels[8 + 41] = 10
        self.write(idx_images(), bytes(labels))
        self.refuse("labels.idx", "sample 41", "label 10", "10")

    def test_unequal_counts(self):
        self.write(idx_images(), idx_labels(NUM_SAMPLES - 1))
        self.refuse("images.idx", "labels.idx", "96", "95")

    def test_no_samples(self):
        self.write(idx_images(0), idx_labels(0))
        self.refuse("images.idx")

    def test_a_directory_as_a_file(self):
        (self.scratch / "images.idx").unlink()
        (self.scratch / "images.idx").mkdir()
        self.refuse("images.idx")


class TestConfig(RunCase):
    """A wrong config ends with 2 before anything is made on disk."""

    def refuse(self, *words, overrides=(), text=None, config="config.yaml"):
        if text is not None:
            (self.scratch / config).write_bytes(text if isinstance(text, bytes) else text.encode())
        outcome = self.troupe("train", config, *overrides)
        self.assertEqual(outcome.code, 2, outcome)
        for word in words:
            self.assertIn(word, outcome.err)
        self.assert_died_cleanly(outcome)
        self.assertEqual(self.run_paths(), [])

    def test_values_out_of_range(self):
        cases = {
            "pipeline.batch_size=0": ("pipeline.batch_size", "0", "1"),
            "pipeline.augmenters=0": ("pipeline.augmenters", "0", "auto"),
            "optimizer.lr=-0.1": ("optimizer.lr", "-0.1"),
            "optimizer.lr=nan": ("optimizer.lr", "nan"),
            "optimizer.lr=fast": ("optimizer.lr", "fast"),
            "train.epochs=1.5": ("train.epochs", "1.5"),
            "train.epochs=99999999999999999999": ("train.epochs",),
            "model.name=alexnet": ("model.name", "alexnet", "lenet"),
            "pipeline.stall_timeout=soon": ("pipeline.stall_timeout", "soon"),
            "data.train.shape=[1,16]": ("data.train.shape", "3"),
            "checkpoint.every=-1": ("checkpoint.every", "-1"),
            "trace.mode=all": ("trace.mode", "all", "flight"),
        }
        for override, words in cases.items():
            with self.subTest(override=override):
                self.refuse(*words, overrides=[override])

    def test_malformed_overrides(self):
        for override in ("optimizer.lr", "=1", "optimizer..lr=1", "optimizer.lr=[1", "optimizer.lr=", "."):
            with self.subTest(override=override):
                self.refuse(override, overrides=[override])

    def test_unknown_keys_get_a_hint(self):
        self.refuse("pipeline.batchsize", "batch_size", overrides=["pipeline.batchsize=3"])
        self.refuse("optimizer.learning_rate", "lr", overrides=["optimizer.learning_rate=3"])
        self.refuse("3:3", "epoch", "epochs", text="# one\ntrain:\n  epoch: 3\n")

    def test_the_line_is_named(self):
        self.refuse("config.yaml:2:", "batch_size", text="pipeline:\n  batch_size: many\n")

    def test_tabs(self):
        self.refuse("config.yaml:2", "tab", text="pipeline:\n\tbatch_size: 3\n")

    def test_duplicate_keys(self):
        self.refuse("config.yaml:3", "lr", "twice", text="optimizer:\n  lr: 1\n  lr: 2\n")

    def test_a_string_of_a_megabyte(self):
        outcome = self.troupe("train", "config.yaml")
        self.assertEqual(outcome.code, 0, outcome)
        text = json.dumps({"model": {"name": "x" * 1_000_000}})
        (self.scratch / "long.yaml").write_text(text)
        outcome = self.troupe("train", "long.yaml")
        self.assertEqual(outcome.code, 2, str(outcome)[:2000])
        self.assertIn("long.yaml", outcome.err)
        self.assertLess(len(outcome.err), 10_000)

    def test_texts_that_are_no_config(self):
        unfinished = ("{" * 5000, "run: {name: [", "run: 'x")
        for text in ("", "\0\0\0", b"\xff\xfe\x00", "[1, 2]", "just words", "a: &x 1\nb: *x\n", *unfinished):
            with self.subTest(text=text[:20]):
                self.refuse("config.yaml", text=text)

    def test_a_config_that_is_not_there(self):
        self.refuse("no-such.yaml", config="no-such.yaml")
        (self.scratch / "folder.yaml").mkdir()
        self.refuse("folder.yaml", config="folder.yaml")

    def test_names_that_leave_the_folder(self):
        for name in ("../up", "a/b", "", ".."):
            with self.subTest(name=name):
                self.refuse("run.name", overrides=[f"run.name='{name}'"])


class TestOddButFine(RunCase):
    def test_a_batch_larger_than_the_set(self):
        self.train("pipeline.batch_size=512")
        self.assertEqual((self.folder().summary()["steps"], self.folder().summary()["samples_trained"]), (2, 800))

    def test_one_sample(self):
        self.train("data.train.size=1", "data.validation.size=1")
        self.assertEqual(self.folder().summary()["samples_trained"], 2)

    def test_names_of_all_kinds(self):
        self.train("run.name='two words \u00e9'", "run.dir='a folder'", "train.epochs=1")
        self.assertTrue((self.scratch / "a folder/two words \u00e9/summary.json").is_file())


class TestUnwritable(RunCase):
    """The run folder cannot be made: 1, and the place is named."""

    def test_a_file_in_its_place(self):
        (self.scratch / "taken").write_text("")
        outcome = self.train("run.dir=taken", expect=1)
        self.assertIn("taken", outcome.err)
        self.assertIn("run.dir", outcome.err)

    def test_a_place_that_takes_no_folders(self):
        outcome = self.train("run.dir=/proc/troupe-runs", expect=1)
        self.assertIn("/proc/troupe-runs", outcome.err)
        self.assert_died_cleanly(outcome)
