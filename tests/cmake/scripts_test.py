"""The set-up scripts, among stand-ins for the programs that they call."""

import shutil
import subprocess
import unittest
from pathlib import Path

from small_tree import SOURCE, TreeTest

OPENMP = "/usr/lib/some-triplet/openblas-openmp"
DEBIAN = "ID=debian\nVERSION_ID=12\nPRETTY_NAME='Debian 12'\n"


class ScriptTest(TreeTest):
    """Every stand-in writes its name and arguments to the file `calls`."""

    def stand_in(self, name: str, body: str = "", folder: str = "bin") -> None:
        self.write(f"{folder}/{name}", f'#!/bin/bash\necho "{name} $*" >>"{self.root}/calls"\n{body}\n')
        (self.root / folder / name).chmod(0o755)

    def run_script(self, path: Path, *arguments: str, search: str = "") -> subprocess.CompletedProcess:
        environment = {"PATH": f"{self.root}/bin{search}", "OS_RELEASE": f"{self.root}/os-release"}
        return subprocess.run(["/bin/bash", str(path), *arguments], env=environment, cwd="/", capture_output=True,
                              text=True, check=False, stdin=subprocess.DEVNULL)

    def calls(self, *names: str) -> list[str]:
        lines = (self.root / "calls").read_text(encoding="utf-8").splitlines()
        return [line for line in lines if line.split()[0] in names]


class InstallPackages(ScriptTest):
    def setUp(self):
        super().setUp()
        self.write("os-release", DEBIAN)
        for name in ("env", "sed", "basename", "dirname"):
            (self.root / "bin").mkdir(exist_ok=True)
            (self.root / "bin" / name).symlink_to(shutil.which(name))
        self.installed("yes")
        self.stand_in("dpkg", f'echo "{OPENMP}/libblas.so.3"')
        self.stand_in("apt-get")
        self.stand_in("id", "echo 0")
        self.chosen(OPENMP)

    def installed(self, answer: str) -> None:
        self.stand_in("dpkg-query", {"yes": "echo -n installed", "no": "exit 1"}[answer])

    def chosen(self, folder: str) -> None:
        self.stand_in("update-alternatives", f'name=${{2%-some-triplet}}; echo "Best: x"; echo "Value: {folder}/$name"')

    def install(self, *groups: str) -> subprocess.CompletedProcess:
        return self.run_script(SOURCE / "cmake/install_packages.sh", *groups)

    def test_nothing_happens_where_all_is_there(self):
        ran = self.install("build", "run-example", "test", "bench")
        self.assertEqual((ran.returncode, ran.stdout, ran.stderr), (0, "", ""))
        self.assertEqual(self.calls("apt-get", "sudo"), [])
        self.assertNotIn("--set", "".join(self.calls("update-alternatives")))

    def test_what_is_missing_is_named_and_installed(self):
        self.installed("no")
        ran = self.install("run-example")
        self.assertEqual((ran.returncode, ran.stdout), (0, "installing: dataset-fashion-mnist\n"))
        simulated, installed = self.calls("apt-get")
        self.assertIn("--simulate", simulated)
        self.assertRegex(installed, r" -y .*install --no-install-recommends dataset-fashion-mnist$")

    def test_the_lists_are_fetched_where_they_do_not_know_a_package(self):
        self.installed("no")
        self.stand_in("apt-get", '[[ $* != *--simulate* ]]')
        self.assertEqual(self.install("run-example").returncode, 0)
        self.assertRegex("\n".join(self.calls("apt-get")), r"(?s)simulate.*update\n.*install --no")

    def test_a_failing_installation_fails(self):
        self.installed("no")
        self.stand_in("apt-get", "exit 100")
        self.assertNotEqual(self.install("run-example").returncode, 0)

    def test_another_blas_gives_way(self):
        self.chosen("/usr/lib/some-triplet/openblas-pthread")
        ran = self.install("build")
        self.assertEqual(ran.returncode, 0, ran.stderr)
        set_ = [call for call in self.calls("update-alternatives") if "--set" in call]
        self.assertEqual(set_, [f"update-alternatives --set {name}-some-triplet {OPENMP}/{name}"
                                for name in ("libblas.so.3", "liblapack.so.3", "libopenblas.so.0")])
        self.assertIn("instead of /usr/lib/some-triplet/openblas-pthread/libblas.so.3", ran.stdout)

    def test_sudo_is_used_by_others_than_root(self):
        self.installed("no")
        self.stand_in("id", "echo 1000")
        self.stand_in("sudo", '"$@"')
        self.assertEqual(self.install("run-example").returncode, 0)
        self.assertRegex("\n".join(self.calls("sudo")), "env DEBIAN_FRONTEND=noninteractive apt-get .* install ")

    def test_neither_root_nor_sudo_is_a_clear_error(self):
        self.installed("no")
        self.stand_in("id", "echo 1000")
        ran = self.install("run-example")
        self.assertEqual(ran.returncode, 1)
        self.assertIn("neither root nor sudo", ran.stderr)

    def test_another_system_is_a_clear_error(self):
        self.installed("no")
        for text in (DEBIAN.replace("12", "11"), "ID=ubuntu\nVERSION_ID=22.04\n", "ID=fedora\nVERSION_ID=40\n"):
            with self.subTest(os_release=text):
                self.write("os-release", text)
                ran = self.install("run-example")
                self.assertEqual(ran.returncode, 1)
                self.assertIn("needs Debian 12 or Ubuntu 24.04", ran.stderr)
        self.assertEqual(self.calls("apt-get"), [])

    def test_newer_systems_will_do(self):
        self.installed("no")
        for text in ("ID=debian\n", "ID=debian\nVERSION_ID=13\n", 'ID=ubuntu\nVERSION_ID="24.04"\n'):
            with self.subTest(os_release=text):
                self.write("os-release", text)
                self.assertEqual(self.install("run-example").returncode, 0)

    def test_no_group_and_an_unknown_group_are_refused(self):
        for groups in ([], ["build", "everything"]):
            self.assertEqual(self.install(*groups).returncode, 2)


class Quickstart(ScriptTest):
    def setUp(self):
        super().setUp()
        (self.root / "app").mkdir()
        shutil.copy(SOURCE / "app/quickstart.sh", self.root / "app/quickstart.sh")
        for name in ("install_packages.sh", "build_release.sh"):
            self.stand_in(name, folder="cmake")
        self.troupe_ends_with(0)

    def troupe_ends_with(self, code: int, folder: str = "runs/fashion-mnist") -> None:
        self.stand_in("troupe", f'd={folder}; while [[ -e $d ]]; do d=$d-2; done; mkdir -p "$d"; exit {code}',
                      folder="build/release")

    def quickstart(self, *arguments: str) -> subprocess.CompletedProcess:
        return self.run_script(self.root / "app/quickstart.sh", *arguments, search=":/usr/bin:/bin")

    def test_it_installs_builds_trains_and_shows_the_way(self):
        ran = self.quickstart("train.epochs=1")
        self.assertEqual((ran.returncode, ran.stderr), (0, ""))
        self.assertEqual(self.calls("install_packages.sh", "build_release.sh", "troupe"),
                         ["install_packages.sh build run-example", "build_release.sh troupe",
                          "troupe train app/examples/fashion-mnist.yaml train.epochs=1"])
        self.assertIn(f"{self.root}/runs/fashion-mnist\n", ran.stdout)
        self.assertIn("--resume=runs/fashion-mnist\n", ran.stdout)

    def test_a_second_run_points_to_its_own_folder(self):
        self.quickstart()
        self.assertIn("trace summary runs/fashion-mnist-2\n", self.quickstart().stdout)

    def test_another_folder_for_runs_is_followed(self):
        self.troupe_ends_with(0, folder="elsewhere/mine")
        self.assertIn("--logdir elsewhere\n", self.quickstart("run.dir=elsewhere", "run.name=mine").stdout)

    def test_the_exit_code_of_training_is_kept(self):
        self.troupe_ends_with(4)
        self.assertEqual(self.quickstart().returncode, 4)

    def test_a_run_that_did_not_begin_has_no_results(self):
        self.stand_in("troupe", "exit 2", folder="build/release")
        ran = self.quickstart("train.epoch=1")
        self.assertEqual((ran.returncode, ran.stdout), (2, ""))

    def test_anything_but_a_key_and_its_value_is_refused(self):
        for argument in ("--resume", "-x=1", "epochs"):
            self.assertEqual(self.quickstart(argument).returncode, 2)
        self.assertFalse((self.root / "calls").exists())


class TestRun(ScriptTest):
    def setUp(self):
        super().setUp()
        for path in ("tests/run.sh", ".ci/run"):
            (self.root / path).parent.mkdir()
            shutil.copy(SOURCE / path, self.root / path)
        for name in ("install_packages.sh", "install_readers.sh", "build_release.sh"):
            self.stand_in(name, folder="cmake")
        self.stand_in("ctest", 'echo "CI=$CI closing line"; exit 8')

    def test_it_ends_with_what_ctest_says_and_its_exit_code(self):
        for path, ci in (("tests/run.sh", ""), (".ci/run", "true")):
            with self.subTest(path=path):
                ran = self.run_script(self.root / path, "-L", "fast", search=":/usr/bin:/bin")
                self.assertEqual((ran.returncode, ran.stdout), (8, f"CI={ci} closing line\n"))
        self.assertRegex(self.calls("ctest")[0], r"--test-dir build/release --output-on-failure .*-L fast$")
        self.assertEqual(self.calls("install_packages.sh")[0], "install_packages.sh build run-example test")

    def test_a_failing_build_runs_no_test(self):
        self.stand_in("build_release.sh", "exit 1", folder="cmake")
        self.assertEqual(self.run_script(self.root / "tests/run.sh", search=":/usr/bin:/bin").returncode, 1)
        self.assertEqual(self.calls("ctest"), [])


class TestReaders(ScriptTest):
    def setUp(self):
        super().setUp()
        (self.root / "cmake").mkdir(exist_ok=True)
        shutil.copy(SOURCE / "cmake/install_readers.sh", self.root / "cmake")

    def install(self):
        return self.run_script(self.root / "cmake/install_readers.sh", search=":/usr/bin:/bin")

    def test_they_are_fetched_once(self):
        self.stand_in("python3", 'mkdir -p build/readers/viztracer; touch build/readers/viztracer/__init__.py')
        self.assertEqual([self.install().returncode, self.install().returncode], [0, 0])
        self.assertEqual(len(self.calls("python3")), 1)
        self.assertRegex(self.calls("python3")[0], "pip install .*--target build/readers viztracer==")

    def test_without_a_network_the_rest_is_tested(self):
        self.stand_in("python3", "exit 1")
        ran = self.install()
        self.assertEqual(ran.returncode, 0)
        self.assertIn("will be skipped", ran.stderr)


class Checkout(unittest.TestCase):
    def test_every_script_can_be_executed(self):
        for path in ("app/quickstart.sh", "tests/run.sh", ".ci/run", "cmake/install_packages.sh",
                     "cmake/install_readers.sh", "cmake/build_release.sh"):
            self.assertTrue((SOURCE / path).stat().st_mode & 0o100, path)


if __name__ == "__main__":
    unittest.main(argv=["scripts"])
