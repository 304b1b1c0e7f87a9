"""The checks of file sizes, of the top level and of text refuse what they should."""

import unittest

from small_tree import TreeTest
import check_file_sizes
import check_text
import check_top_level


class FileSizes(TreeTest):
    def test_a_file_may_have_as_many_lines_as_its_place_allows(self):
        self.write_all({"app/long.cpp": "x\n" * 300, "tests/long_test.cpp": "x\n" * 500, "app/long.md": "x\n" * 900})
        self.assertEqual(self.places(check_file_sizes.findings(self.root)), [])

    def test_one_line_more_is_refused(self):
        for path, lines in [("app/long.cpp", 301), ("actors/a/b.hpp", 301), ("messages/a.hpp", 301),
                            ("cmake/c.py", 301), ("cmake/c.cmake", 301), ("app/CMakeLists.txt", 301),
                            ("tests/d_test.cpp", 501)]:
            with self.subTest(path=path):
                self.setUp()
                self.write(path, "x\n" * lines)
                self.assertEqual(self.places(check_file_sizes.findings(self.root)), [f"{path}:0"])

    def test_an_exception_holds_only_while_it_is_needed(self):
        self.write_all({"app/long.cpp": "x\n" * 301, "app/short.cpp": "x\n"})
        found = check_file_sizes.findings(self.root, {"app/long.cpp": "why", "app/short.cpp": "why"})
        self.assertEqual(self.places(found), ["app/short.cpp:0"])


class TopLevel(TreeTest):
    def setUp(self):
        super().setUp()
        self.write_all({f"{folder}/file": "" for folder in check_top_level.FOLDERS})
        self.write_all({file: "" for file in check_top_level.FILES})
        self.write(".gitignore", "build/\nruns/\n")

    def test_the_tree_itself_dot_files_and_output_pass(self):
        self.write_all({".ci/run": "", ".clang-format": "", "build/x": "", "runs/x": ""})
        self.assertEqual(self.places(check_top_level.findings(self.root)), [])

    def test_anything_else_is_refused(self):
        self.write_all({"docs/page": "", "notes.txt": ""})
        self.assertEqual(self.places(check_top_level.findings(self.root)), ["docs:0", "notes.txt:0"])

    def test_what_is_missing_is_named(self):
        (self.root / "LICENSE").unlink()
        self.write(".gitignore", "build/\n")
        self.assertEqual(self.places(check_top_level.findings(self.root)), [".gitignore:0", "LICENSE:0"])


class Text(TreeTest):
    def test_ascii_text_passes(self):
        self.write("app/a.cpp", "// to do: nothing, TODOS\n")
        self.assertEqual(self.places(check_text.findings(self.root)), [])

    def test_other_characters_are_refused(self):
        self.write_all({"app/a.cpp": "\n// \u2192\n", "README.md": "caf\u00e9\n"})
        self.assertEqual(self.places(check_text.findings(self.root)), ["README.md:1", "app/a.cpp:2"])

    def test_work_left_undone_is_refused(self):
        self.write_all({"cmake/a.cmake": "# TO" + "DO: later\n", "tests/b.py": "\n# FIX" + "ME\n"})
        self.assertEqual(self.places(check_text.findings(self.root)), ["cmake/a.cmake:1", "tests/b.py:2"])


if __name__ == "__main__":
    unittest.main(argv=["check_tree"])
