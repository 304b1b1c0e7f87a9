"""The same seed gives the same training, whatever the number of workers and whatever watches it."""

from tests.e2e.support import RunCase


class TestDeterminism(RunCase):
    def setUp(self):
        super().setUp()
        self.reference = self.train_anew("model.dropout=0.2")

    def again(self, *overrides):
        return self.train_anew("model.dropout=0.2", *overrides)

    def check_same(self, *overrides):
        with self.subTest(overrides=overrides):
            other = self.again(*overrides)
            self.assert_same_training(other, self.reference)
            self.assertEqual(other.rows("metrics.csv"), self.reference.rows("metrics.csv"))

    def test_the_number_of_augmenters_changes_nothing(self):
        for augmenters in (1, 2, 8):
            self.check_same(f"pipeline.augmenters={augmenters}")

    def test_prefetch_and_chunk_size_change_nothing(self):
        for prefetch in (1, 2, 4):
            self.check_same(f"pipeline.prefetch_batches={prefetch}")
        for chunk in (1, 5, 32):
            self.check_same(f"pipeline.chunk_size={chunk}", "pipeline.augmenters=3")

    def test_a_tight_bound_on_bytes_changes_nothing(self):
        self.check_same("pipeline.max_encoded_bytes=1")

    def test_tracing_changes_nothing(self):
        for mode in ("off", "flight", "full"):
            self.check_same(f"trace.mode={mode}")

    def test_logging_changes_no_weights(self):
        other = self.again("log.every_steps=5", "log.csv=false", "log.tensorboard=false", "log.console=quiet")
        self.assert_same_training(other, self.reference)

    def test_validation_changes_nothing(self):
        self.check_same("validation.every=0")
        self.check_same("validation.every=3", "validation.batch_size=7")

    def test_checkpoints_change_no_weights(self):
        self.check_same("checkpoint.every=4")
        self.check_same("checkpoint.every=0")

    def test_another_seed_is_another_training(self):
        other = self.again("run.seed=8")
        self.assertNotEqual(other.tensors_file("model.safetensors"), self.reference.tensors_file("model.safetensors"))
        self.assertNotEqual(other.rows("metrics.csv"), self.reference.rows("metrics.csv"))

    def test_dropout_takes_part(self):
        other = self.train_anew("model.dropout=0")
        self.assertNotEqual(other.tensors_file("model.safetensors"), self.reference.tensors_file("model.safetensors"))
