"""Comments and literals hide nothing and give nothing away."""

import unittest

from small_tree import TreeTest
from check_support import project_files, without_comments


class WithoutComments(unittest.TestCase):
    def test_comments_go_and_lines_stay(self):
        self.assertEqual(without_comments("a // b\n/* c\n d */ e").split(), ["a", "e"])
        self.assertEqual(without_comments("/* c\n d */ e").count("\n"), 1)

    def test_literals_go_unless_they_are_kept(self):
        self.assertEqual(without_comments('f("// x", \'"\', R"(" /* )")').replace(" ", ""), "f(,,)")
        self.assertIn('"// x"', without_comments('f("// x")', keep_literals=True))

    def test_a_digit_separator_opens_no_literal(self):
        self.assertEqual(without_comments("100'000; volatile; 1'0"), "100'000; volatile; 1'0")


class ProjectFiles(TreeTest):
    def test_only_the_rooms_count(self):
        self.write_all({"app/a.cpp": "", "app/b/c.hpp": "", "app/d.md": "", "build/e.cpp": "", "f.cpp": ""})
        self.assertEqual(project_files(self.root, (".hpp", ".cpp")), ["app/a.cpp", "app/b/c.hpp"])


if __name__ == "__main__":
    unittest.main(argv=["check_support"])
