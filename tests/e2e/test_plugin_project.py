"""A plugin of one's own, from `troupe plugins --new` to a run that trains with it: from the build folder, and from a
Troupe that was installed and then moved."""

import json
import pathlib
import shutil
import subprocess
import tempfile
import unittest

from tests.e2e.support import BINARY, PATIENCE

BUILD = pathlib.Path(BINARY).resolve().parent
COMPILING = 600  # Seconds until a build counts as hung.


class TestPluginProject(unittest.TestCase):
    def setUp(self):
        self.scratch = pathlib.Path(tempfile.mkdtemp(prefix="troupe e2e-")).resolve()  # With a space, as users have it.
        self.addCleanup(shutil.rmtree, self.scratch, ignore_errors=True)

    def call(self, *command, expect=0, patience=PATIENCE):
        done = subprocess.run(
            [str(word) for word in command],
            cwd=self.scratch,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=patience,
        )
        self.assertEqual(done.returncode, expect, f"{command}\n{done.stdout}")
        return done.stdout

    def install(self):
        """Installs Troupe and moves it; returns where it is now."""
        self.call("cmake", "--install", BUILD, "--prefix", self.scratch / "first")
        (self.scratch / "first").rename(self.scratch / "moved")
        return self.scratch / "moved"

    def assert_project_works(self, troupe, name):
        """Does what the README of the new project says, and returns the folder in which it found Troupe."""
        said = self.call(troupe, "plugins", "--new", name, "--in", "mine")
        project = self.scratch / "mine" / name
        for file in project.iterdir():
            self.assertIn(file.name, said)
        build = project / "build"
        self.call("cmake", "-S", project, "-B", build)
        said = self.call("cmake", "--build", build, "--parallel", 2, patience=COMPILING)
        self.assertNotIn("warning", said)
        self.assertIn("100% tests passed", self.call("ctest", "--test-dir", build, "--output-on-failure"))
        self.call(troupe, "train", project / f"{name}.yaml")
        summary = json.loads((self.scratch / "runs" / name / "summary.json").read_text())
        self.assertEqual((summary["status"], summary["epochs"], summary["samples_skipped"]), ("done", 2, 0))
        cache = (build / "CMakeCache.txt").read_text()
        (found,) = (line.partition("=")[2] for line in cache.splitlines() if line.startswith("Troupe_DIR:"))
        return pathlib.Path(found)

    def test_a_new_plugin_is_built_tested_and_trained_with(self):
        self.assertEqual(self.assert_project_works(BINARY, "random_fog"), BUILD)

    def test_the_same_with_a_troupe_that_was_installed_and_moved(self):
        prefix = self.install()
        self.assertEqual(self.assert_project_works(prefix / "bin/troupe", "random_haze"), prefix / "lib/cmake/Troupe")

    def test_what_is_installed_is_what_users_and_authors_need(self):
        prefix = self.install()
        for path in ["bin/troupe", "lib/libtroupe_core.so", "lib/troupe/libtroupe_program.so",
                     "lib/troupe/plugins/clahe.so",
                     "share/troupe/examples/synthetic.yaml", "include/troupe/actors/plugin.hpp",
                     "include/troupe/actors/plugin/testing.hpp",
                     "include/troupe/actors/support/network/image_model.hpp", "include/troupe/messages/failure.hpp"]:
            self.assertTrue((prefix / path).is_file(), path)
        rooms = {x.name for x in (prefix / "include/troupe/actors").iterdir()}
        self.assertEqual(rooms, {"glue", "plugin", "plugin.hpp", "support"})
        for example in ["synthetic.yaml", "plugins/clahe.yaml"]:
            self.call(prefix / "bin/troupe", "train", prefix / "share/troupe/examples" / example)

    def test_a_name_that_is_taken_is_refused_and_nothing_is_overwritten(self):
        taken = self.scratch / "random_fog"
        taken.mkdir()
        said = self.call(BINARY, "plugins", "--new", "random_fog", expect=2)
        self.assertIn("is there already", said)
        self.assertEqual(list(taken.iterdir()), [])


if __name__ == "__main__":
    unittest.main()
