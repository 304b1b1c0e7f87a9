"""The rule of type names sees every type that two files could mistake for each other, and no other."""

import unittest

from small_tree import TreeTest
from check_type_names import findings


class TypeNames(TreeTest):
    def check(self, first, second, clash):
        self.setUp()
        self.write("app/one.hpp", first)
        self.write("actors/saver/two.cpp", second)
        self.assertEqual(self.places(findings(self.root)), ["app/one.hpp:3"] if clash else [])

    def in_troupe(self, text):
        return f"namespace troupe {{\n\n{text}\n\n}} // namespace troupe\n"

    def test_two_definitions_of_one_name_are_refused(self):
        for text in ("struct a {\n};", "class a final : public b {\n};", "enum class a : int { x };", "union a {\n};",
                     "struct alignas(64) a {\n};", "class [[nodiscard]] a {\n};", "template <class T>\nstruct a {\n};"):
            with self.subTest(text=text):
                self.check(self.in_troupe("struct a { int x; };"), self.in_troupe("struct a {\n};"), True)
                self.setUp()
                self.write("app/one.hpp", self.in_troupe(text))
                self.write("app/two.hpp", self.in_troupe("struct a {\n};"))
                self.assertEqual(len(list(findings(self.root))), 1)

    def test_what_cannot_clash_passes(self):
        for text in ("struct a;", "class a;\nstruct a* p();", "struct b {\n  struct a {\n  };\n};", "// struct a {",
                     "namespace {\n\nvoid f() {\n}\n\nstruct a {\n};\n\n} // namespace", "class b::a {\n};"):
            with self.subTest(text=text):
                self.check(self.in_troupe("struct a {\n};"), self.in_troupe(text), False)

    def test_other_namespaces_are_other_names(self):
        self.check(self.in_troupe("struct a {\n};"), "namespace other {\n\nstruct a {\n};\n\n} // namespace other\n", False)


if __name__ == "__main__":
    unittest.main()
