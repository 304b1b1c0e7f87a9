"""Where the plugins of the tests and of the examples are, and runs that use them."""

import pathlib

from tests.e2e.support import BINARY, RunCase

BUILD = pathlib.Path(BINARY).resolve().parent
TRYING = str(BUILD / "tests/plugins/trying.so")
TINY_MODEL = str(BUILD / "tests/plugins/tiny_model.so")


def example(name):
    return str(BUILD / f"{name}.so")


def one(name, **parameters):
    """A list of one component, as an override spells it."""
    return "[{" + name + ": {" + ", ".join(f"{key}: {value}" for key, value in parameters.items()) + "}}]"


def transforms(*steps):
    return "transforms.train=[" + ", ".join([*steps, "{normalize: {mean: [0.5], std: [0.5]}}"]) + "]"


class PluginCase(RunCase):
    def train_with(self, *arguments, plugin=TRYING, expect=0):
        return self.train(*arguments, "--plugin", plugin, expect=expect)

    def trained_with(self, *arguments, plugin=TRYING, expect=0):
        return self.train_anew(*arguments, "--plugin", plugin, expect=expect)
