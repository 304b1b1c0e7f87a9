"""The format check refuses a file that clang-format would change."""

import sys
import unittest

from small_tree import SOURCE, TreeTest
from check_format import SKIPPED, find_clang_format, findings

PROGRAM = find_clang_format()


class Format(TreeTest):
    def setUp(self):
        super().setUp()
        self.write(".clang-format", (SOURCE / ".clang-format").read_text(encoding="utf-8"))

    def test_a_formatted_file_passes(self):
        self.write("app/a.cpp", "int main() {\n  return 0;\n}\n")
        self.assertEqual(self.places(findings(self.root, PROGRAM)), [])

    def test_another_layout_is_refused(self):
        self.write_all({"app/a.cpp": "int one();\nint   main( ){return 0;}\n", "tests/b.hpp": "int\nb;\n"})
        self.assertEqual(self.places(findings(self.root, PROGRAM)), ["app/a.cpp:2", "tests/b.hpp:1"])

    def test_a_failing_program_is_no_success(self):
        self.write_all({".clang-format": "Nonsense: 1\n", "app/a.cpp": "int a;\n"})
        self.assertEqual(self.places(findings(self.root, PROGRAM)), [f"{PROGRAM}:0"])


if __name__ == "__main__":
    if PROGRAM is None:
        print("skipped: there is no clang-format of the deciding version")
        sys.exit(SKIPPED)
    unittest.main(argv=["check_format"])
