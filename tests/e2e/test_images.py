"""Image folders as people have them: damaged files, phone photos, odd kinds and names, and what lies between them."""

import os

from tests.e2e import jpegs
from tests.e2e.pictures import COLOURS, bomb_png, flat, flat_png, gradient_png, grey_kinds, kinds, png, shade
from tests.e2e.support import RunCase, base_config, read_csv

NORMALIZE = {"normalize": {"mean": [0.5], "std": [0.5]}}
RESIZE = {"resize": {"size": [16, 16]}}
JUDGED = "data.validation={dataset: image_folder, root: judged}"
GREYS = {"black": (25,) * 3, "middle": (128,) * 3, "white": (230,) * 3}


class ImageCase(RunCase):
    """Trains on the class folders in `photos`, without anything random but the order of the samples."""

    @staticmethod
    def config():
        config = base_config()
        config["data"] = {"train": {"dataset": "image_folder", "root": "photos"}}
        config["transforms"] = {"train": [RESIZE, NORMALIZE], "validation": [RESIZE, NORMALIZE]}
        config["pipeline"] = {"batch_size": 8, "augmenters": 2, "bad_samples": {"max": 100, "max_share": 0.5}}
        config["model"] = {"name": "mlp", "dropout": 0}
        return config

    def put(self, path, data):
        """Writes a file below the scratch folder; its path is a str, or bytes of any kind."""
        full = os.path.join(os.fsencode(self.scratch), os.fsencode(path))
        os.makedirs(os.path.dirname(full), exist_ok=True)
        with open(full, "wb") as file:
            file.write(data)

    def put_good(self, count, root="photos", classes=("cat", "dog")):
        """So many good images, spread evenly over the classes."""
        for number in range(count):
            self.put(f"{root}/{classes[number % len(classes)]}/good_{number:02}.png", gradient_png(number))

    def put_colours(self, root="photos", colours=COLOURS, count=10):
        """Classes that are told apart by their colour alone."""
        for name, colour in colours.items():
            for number in range(count):
                self.put(f"{root}/{name}/{number}.png", flat_png(shade(colour, number)))

    def assert_counts(self, folder, trained, skipped, bad):
        summary = folder.summary()
        found = summary["samples_trained"], summary["samples_skipped"], summary["bad_samples"]
        self.assertEqual(found, (trained, skipped, bad))

    def bad_rows(self, folder):
        rows = read_csv(folder.path / "bad_samples.csv")
        for row in rows:
            self.assertEqual(list(row), ["id", "sample", "data", "epoch", "stage", "reason"])
            self.assertNotEqual(row["reason"], "")
        return rows


class TestBadSamples(ImageCase):
    DAMAGED = {
        "cut.jpg": jpegs.PLAIN[: len(jpegs.PLAIN) * 6 // 10],
        "empty.jpg": b"",
        "short.jpg": jpegs.PLAIN[:-1],
        "text.jpg": b"This is no photo, whatever its name says.\n",
    }

    def put_damaged(self, root="photos"):
        for name, data in self.DAMAGED.items():
            self.put(f"{root}/cat/{name}", data)

    def paths(self):
        return [str((self.scratch / "photos/cat" / name).resolve()) for name in self.DAMAGED]

    def test_they_are_left_out_and_named_once(self):
        self.put_good(20)
        self.put_damaged()
        outcome = self.train()
        self.assert_counts(self.folder(), trained=40, skipped=8, bad=4)
        for path in self.paths():
            self.assertEqual((outcome.out + outcome.err).count(path), 1, outcome)
        self.assert_died_cleanly(outcome)

    def test_the_message_tells_the_sample_and_the_reason(self):
        self.put_good(20)
        self.put_damaged()
        err = self.train().err
        in_order = sorted(os.listdir(self.scratch / "photos/cat"))  # It is the first class, so these are its ids.
        for path in self.paths():
            with self.subTest(path=path):
                (line,) = [line for line in err.splitlines() if path in line]
                self.assertRegex(line, rf"sample {in_order.index(os.path.basename(path))}\b")
                self.assertRegex(line, r": \w+")

    def test_the_table_lists_each_once(self):
        self.put_good(20)
        self.put_damaged()
        self.train("train.epochs=3")
        rows = sorted(self.bad_rows(self.folder()), key=lambda row: int(row["id"]))
        self.assertEqual([row["sample"] for row in rows], self.paths())

    def test_a_clean_run_has_an_empty_table(self):
        self.put_good(20)
        self.train()
        self.assert_counts(self.folder(), trained=40, skipped=0, bad=0)
        self.assertEqual(self.bad_rows(self.folder()), [])

    def test_replacing_keeps_the_batches_full(self):
        self.put_good(32)
        self.put("photos/cat/cut.jpg", self.DAMAGED["cut.jpg"])
        self.train("train.epochs=1")
        self.assertEqual(self.folder().summary()["steps"], 4)
        self.assert_counts(self.folder(), trained=32, skipped=1, bad=1)

    def test_skipping_leaves_them_out(self):
        self.put_good(20)
        self.put_damaged()
        self.train("pipeline.bad_samples.policy=skip")
        self.assert_counts(self.folder(), trained=40, skipped=8, bad=4)

    def test_the_policy_fail_ends_the_run(self):
        self.put_good(20)
        self.put("photos/dog/short.jpg", self.DAMAGED["short.jpg"])
        outcome = self.train("pipeline.bad_samples.policy=fail", expect=3)
        self.assertIn(str((self.scratch / "photos/dog/short.jpg").resolve()), outcome.err)
        self.assert_died_cleanly(outcome)

    def test_too_many_end_the_run(self):
        self.put_good(20)
        self.put_damaged()
        for override in ("pipeline.bad_samples.max=3", "pipeline.bad_samples.max_share=0.1"):
            with self.subTest(override=override):
                self.assertIn("pipeline.bad_samples", self.train(override, expect=3).err)

    def test_a_set_without_a_good_image(self):
        self.put_damaged()
        self.put("photos/dog/empty.png", b"")
        outcome = self.train(expect=3)
        self.assert_died_cleanly(outcome)

    def test_the_replacements_do_not_depend_on_the_augmenters(self):
        self.put_good(20)
        self.put_damaged()
        one, four = (self.train_anew(f"pipeline.augmenters={count}") for count in (1, 4))
        self.assert_same_training(one, four)
        self.assert_same_logs(one, four)

    def test_a_bad_sample_of_the_validation_set(self):
        self.put_good(20)
        self.put_good(10, root="judged")
        self.put("judged/cat/cut.jpg", self.DAMAGED["cut.jpg"])
        outcome = self.train(JUDGED)
        self.assertEqual((outcome.out + outcome.err).count("judged/cat/cut.jpg"), 1, outcome)
        self.assertEqual({row["samples"] for row in read_csv(self.folder().path / "validation.csv")}, {"10"})


class TestJpegs(ImageCase):
    def trained_on(self, root, data, *overrides):
        """A run on a set in which one JPEG file stands among images that are always the same."""
        self.put_good(12, root=root)
        for number in range(4):
            self.put(f"{root}/dog/photo_{number}.jpg", data)
        folder = self.train_anew(f"data.train.root={root}", *overrides)
        self.assert_counts(folder, trained=32, skipped=0, bad=0)
        return folder

    def assert_other_training(self, one, other):
        self.assertNotEqual(one.tensors_file("model.safetensors"), other.tensors_file("model.safetensors"))

    def test_photos_are_turned_as_their_exif_orientation_says(self):
        plain = self.trained_on("plain", jpegs.PLAIN)
        self.assert_same_training(self.trained_on("turned", jpegs.TURNED), plain)
        self.assert_other_training(self.trained_on("untold", jpegs.without_exif(jpegs.TURNED)), plain)

    def test_the_orientation_can_be_ignored(self):
        ignored = "data.decode.apply_orientation=false"
        turned = self.trained_on("turned", jpegs.TURNED, ignored)
        self.assert_same_training(turned, self.trained_on("untold", jpegs.without_exif(jpegs.TURNED), ignored))

    def test_photos_to_judge_by_are_turned_as_well(self):
        for root, photo in (("plain", jpegs.PLAIN), ("turned", jpegs.TURNED)):
            self.put_good(12, root=root)
            self.put(f"{root}/dog/photo.jpg", photo)
        losses = []
        for root in ("plain", "turned"):
            validation = f"data.validation={{dataset: image_folder, root: {root}}}"
            losses.append(self.train_anew("data.train.root=plain", validation).summary()["validation"]["loss"])
        self.assertEqual(*losses)

    def test_progressive_files_are_no_different(self):
        one = self.trained_on("plain", jpegs.PLAIN)
        self.assert_same_training(one, self.trained_on("progressive", jpegs.PROGRESSIVE))

    def test_cmyk_keeps_its_colours(self):
        self.put_colours()
        self.put("judged/red/print.jpg", jpegs.RED_CMYK)
        self.train("train.epochs=15", JUDGED)
        self.assertEqual(self.folder().summary()["validation"]["top1"], 1)
        self.assertEqual(self.folder().summary()["bad_samples"], 0)


class TestKinds(ImageCase):
    """Trained on ordinary files, a model knows the same colours in files of other kinds."""

    def assert_known(self, colours, files_of, *overrides):
        self.put_colours(colours=colours)
        count = 0
        for name, colour in colours.items():
            for file, data in files_of(colour).items():
                self.put(f"judged/{name}/{file}", data)
                count += 1
        self.train("train.epochs=15", JUDGED, *overrides)
        summary = self.folder().summary()
        self.assertEqual((summary["validation"]["top1"], summary["bad_samples"]), (1, 0))
        self.assertEqual(read_csv(self.folder().path / "validation.csv")[-1]["samples"], str(count))

    def test_colours(self):
        self.assert_known(COLOURS, kinds)

    def test_greys(self):
        self.assert_known(GREYS, lambda colour: grey_kinds(colour[0]))

    def test_greys_as_one_channel(self):
        self.assert_known(GREYS, lambda colour: grey_kinds(colour[0]), "data.decode.channels=1")

    def test_all_kinds_train_together(self):
        for name, data in {**kinds(COLOURS["red"]), **grey_kinds(99)}.items():
            self.put(f"photos/odd/{name}", data)
        self.put_good(12)
        self.train()
        self.assert_counts(self.folder(), trained=46, skipped=0, bad=0)

    def test_low_bits_count_at_a_depth_of_16_only(self):
        for root, low_bits in (("coarse", 0), ("fine", 40)):
            for number in range(16):
                value = 257 * 10 * number + low_bits
                self.put(f"{root}/{number % 2}/{number:02}.png", png(flat((value,) * 3), bits=16))
        models = {}
        for bits in (8, 16):
            for root in ("coarse", "fine"):
                folder = self.train_anew(f"data.train.root={root}", f"data.decode.bits={bits}")
                models[bits, root] = folder.tensors_file("model.safetensors")
        self.assertEqual(models[8, "coarse"], models[8, "fine"])
        self.assertNotEqual(models[16, "coarse"], models[16, "fine"])


class TestNames(ImageCase):
    NAMES = ("\u05d0", "a b#", "x\n", 'comma, "quote"', b"\xe9t\xe9", "-rf", "%s%n")

    def put_named(self, data):
        for name in self.NAMES:
            self.put(b"photos/cat/" + os.fsencode(name) + b".png", data)

    def test_any_name_will_do(self):
        self.put_good(20)
        self.put_named(flat_png(COLOURS["red"]))
        self.train()
        self.assert_counts(self.folder(), trained=2 * (20 + len(self.NAMES)), skipped=0, bad=0)

    def test_bad_ones_of_any_name_are_listed(self):
        self.put_good(20)
        self.put_named(b"")
        outcome = self.train()  # What it says is read as UTF-8, strictly.
        rows = self.bad_rows(self.folder())
        self.assertEqual(len(rows), len(self.NAMES))
        for name in ("\u05d0.png", "a b#.png", 'comma, "quote".png', "-rf.png", "%s%n.png"):
            self.assertEqual(sum(row["sample"].endswith("/" + name) for row in rows), 1, rows)
            self.assertIn(name, outcome.err)
        self.assertNotIn("\n", "".join(row["sample"] for row in rows))

    def test_class_folders_of_any_name(self):
        names = ["\u05d0", "a b#", "it's"]
        self.put_good(12, classes=names)
        self.train()
        self.assertEqual((self.folder().path / "classes.txt").read_text(encoding="utf-8").splitlines(),
                         sorted(names, key=str.encode))


class TestHugeImages(ImageCase):
    def test_one_that_would_fill_the_memory_is_a_bad_sample(self):
        self.put_good(16)
        self.put("photos/cat/bomb.png", bomb_png(30_000))
        outcome = self.train()
        self.assertIn("bomb.png", outcome.err)
        self.assert_counts(self.folder(), trained=32, skipped=2, bad=1)
        self.assertLess(self.folder().summary()["peak_rss_bytes"], 1 << 30)

    def test_the_limit_can_be_set(self):
        self.put_good(16)
        self.put("photos/cat/larger.png", flat_png(COLOURS["red"], side=40))
        self.train("data.decode.max_pixels=1500")
        (row,) = self.bad_rows(self.folder())
        self.assertIn("larger.png", row["sample"])
        self.assertIn("1500", row["reason"])


class TestClasses(ImageCase):
    def classes(self, folder=None):
        return ((folder or self.folder()).path / "classes.txt").read_text(encoding="utf-8").splitlines()

    def test_what_programs_leave_behind_is_ignored(self):
        for root in ("clean", "littered"):
            self.put_good(16, root=root)
        for path in (".ipynb_checkpoints/old.png", "__MACOSX/cat/._good_00.png", "cat/.hidden.png"):
            self.put(f"littered/{path}", flat_png(COLOURS["red"]))
        for path in (".DS_Store", "Thumbs.db", "set.json", "cat/.DS_Store", "cat/Thumbs.db", "dog/notes.txt"):
            self.put(f"littered/{path}", b"\0\0\0\1Bud1")
        clean, littered = (self.train_anew(f"data.train.root={root}") for root in ("clean", "littered"))
        self.assertEqual(self.classes(littered), ["cat", "dog"])
        self.assert_same_training(clean, littered)
        self.assert_counts(littered, trained=32, skipped=0, bad=0)

    def test_the_table_of_classes_is_told_and_kept(self):
        self.put_good(12)
        self.put("photos/cat/another.png", flat_png(COLOURS["red"]))
        outcome = self.train()
        self.assertRegex(outcome.out, r"(?m)^.*\b0\b.*\bcat\b.*\b7\b")
        self.assertRegex(outcome.out, r"(?m)^.*\b1\b.*\bdog\b.*\b6\b")
        self.assertEqual((self.folder().newest() / "classes.txt").read_text(), "cat\ndog\n")

    def test_an_empty_class_keeps_its_id(self):
        self.put_good(12, classes=("cat", "eel"))
        (self.scratch / "photos/dog").mkdir()
        outcome = self.train()
        self.assertEqual(self.classes(), ["cat", "dog", "eel"])
        self.assertRegex(outcome.out + outcome.err, r"no samples.*\bdog\b")

    def test_a_class_that_the_validation_set_lacks_shifts_nothing(self):
        self.put_colours()
        self.put_colours("judged", {name: x for name, x in COLOURS.items() if name not in ("blue", "green")}, count=2)
        self.train("train.epochs=15", JUDGED)
        self.assertEqual(self.folder().summary()["validation"]["top1"], 1)

    def test_a_class_that_the_training_set_lacks_is_refused(self):
        self.put_good(12)
        self.put_good(12, root="judged", classes=("cat", "dog", "violet"))
        outcome = self.train(JUDGED, expect=1)
        self.assertIn("violet", outcome.err)
        self.assert_died_cleanly(outcome)

    def test_given_names_say_the_ids(self):
        self.put_good(12)
        self.train("data.classes=[eel, dog, cat]")
        self.assertEqual(self.classes(), ["eel", "dog", "cat"])

    def test_they_are_in_order_of_their_bytes(self):
        self.put_good(12, classes=("10", "2", "1", "100", "b", "B"))
        self.train()
        self.assertEqual(self.classes(), ["1", "10", "100", "2", "B", "b"])

    def test_a_folder_without_images_is_refused(self):
        for path in ("photos/cat/notes.txt", "photos/loose.png"):
            self.put(path, b"")
        for root in ("photos", "no-such-folder", "config.yaml"):
            with self.subTest(root=root):
                outcome = self.train(f"data.train.root={root}", expect=1)
                self.assertIn(root, outcome.err)
                self.assert_died_cleanly(outcome)


class TestLastBatch(ImageCase):
    def test_one_sample_alone_does_not_break_batch_norm(self):
        self.put_good(9)
        self.put_good(9, root="judged")
        self.train("model={name: resnet18}", "pipeline.batch_size=4", "validation.batch_size=4",
                   JUDGED)
        summary = self.folder().summary()
        self.assertEqual(summary["samples_trained"] + summary["samples_skipped"], 18)
        self.assertGreaterEqual(summary["samples_trained"], 16)
        self.assertEqual({row["samples"] for row in read_csv(self.folder().path / "validation.csv")}, {"9"})


class TestLabels(ImageCase):
    def train_on_list(self, labels, *overrides, expect=0):
        self.put_good(len(labels), classes=("all",))
        rows = [f"photos/all/good_{number:02}.png,{label}\n" for number, label in enumerate(labels)]
        self.put("list.csv", ("path,label\n" + "".join(rows)).encode())
        return self.train("data.train={dataset: manifest, file: list.csv}", *overrides, expect=expect)

    def test_a_list_trains(self):
        self.train_on_list([0, 1, 2, 1, 0, 2, 1, 1], "data.classes=[a, b, c]")
        self.assert_counts(self.folder(), trained=16, skipped=0, bad=0)

    def test_a_label_past_the_last_class_is_named(self):
        outcome = self.train_on_list([0, 1, 2, 1, 0, 7, 1, 1], "data.classes=[a, b, c]", expect=1)
        for word in ("good_05.png", "label 7", "3"):
            self.assertIn(word, outcome.err)
        self.assert_died_cleanly(outcome)


class TestRandomness(ImageCase):
    RANDOM = [
        {"random_resized_crop": {"size": 16, "scale": [0.2, 1]}},
        {"random_horizontal_flip": {"p": 0.5}},
        {"color_jitter": {"brightness": 0.4, "contrast": 0.4, "saturation": 0.4, "hue": 0.1}},
        NORMALIZE,
    ]

    @staticmethod
    def config():
        config = ImageCase.config()
        config["transforms"]["train"] = TestRandomness.RANDOM
        return config

    def setUp(self):
        super().setUp()
        self.put_good(40)

    def test_it_does_not_depend_on_the_augmenters(self):
        folders = [self.train_anew(f"pipeline.augmenters={count}") for count in (1, 2, 8)]
        for other in folders[1:]:
            self.assert_same_training(folders[0], other)
            self.assert_same_logs(folders[0], other)

    def test_another_seed_gives_another_training(self):
        one, other = (self.train_anew(f"run.seed={seed}") for seed in (7, 8))
        self.assertNotEqual(one.rows("metrics.csv"), other.rows("metrics.csv"))

    def losses(self, *overrides):
        """Of two epochs of one batch each, between which the weights stay the same."""
        folder = self.train_anew("pipeline.batch_size=40", "optimizer.lr=1e-12", *overrides)
        return [float(row["loss"]) for row in folder.rows("metrics.csv")]

    def test_every_epoch_draws_anew(self):
        first, second = self.losses()
        self.assertGreater(abs(first - second), 1e-4)
        self.assertEqual(self.losses(), [first, second])

    def test_without_random_transforms_every_epoch_is_the_same(self):
        first, second = self.losses("transforms.train=[{resize: {size: [16, 16]}}, {normalize: {mean: [0.5], std: [0.5]}}]")
        self.assertAlmostEqual(first, second, places=5)
