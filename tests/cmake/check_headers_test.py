"""The header check refuses headers that lean on what was included before them; it trusts the build only where it may."""

import json
import shutil
import unittest

from small_tree import TreeTest
from check_headers import findings
from include_graph import includes_of

COMPILER = shutil.which("c++")
LEANING = "#pragma once\ninline std::string leaning() { return {}; }\n"


class Headers(TreeTest):
    def build(self, *files: str, flags: str = "") -> None:
        entries = [{"file": str(self.root / file), "command": f"c++ {flags} -std=c++20 -c {file}"} for file in files]
        self.write("build/compile_commands.json", json.dumps(entries))

    def found(self, with_torch: bool = False) -> list[str]:
        return self.places(findings(self.root, self.root / "build", COMPILER, with_torch))

    def test_a_header_that_stands_alone_passes(self):
        self.build("app/b.cpp")
        self.write_all({"app/a.hpp": "/// A.\n#pragma once\n#include <string>\ninline std::string a;\n",
                        "app/b.cpp": ""})
        self.assertEqual(self.found(), [])

    def test_a_header_that_leans_on_others_is_refused(self):
        self.build("app/a.cpp")
        self.write_all({"app/a.hpp": LEANING, "app/a.cpp": '#include <string>\n#include "app/a.hpp"\n'})
        self.assertEqual(self.found(), ["app/a.hpp:0"])

    def test_what_leads_a_compiled_file_is_proven_by_the_build(self):
        self.build("app/a.cpp")
        self.write_all({"app/a.cpp": '// A.\n#include "app/a.hpp"\n',
                        "app/a.hpp": '#pragma once\n#include "app/b.hpp"\n', "app/b.hpp": LEANING})
        self.assertEqual(self.found(), [])  # The build would have failed.

    def test_a_precompiled_header_proves_nothing(self):
        self.build("app/a.cpp", flags="-include /somewhere/cmake_pch.hxx")
        self.write_all({"app/a.cpp": '#include "app/a.hpp"\n', "app/a.hpp": LEANING})
        self.assertEqual(self.found(), ["app/a.hpp:0"])

    def test_a_file_that_is_not_built_proves_nothing(self):
        self.build("app/b.cpp")
        self.write_all({"app/a.cpp": '#include "app/a.hpp"\n', "app/a.hpp": LEANING, "app/b.cpp": ""})
        self.assertEqual(self.found(), ["app/a.hpp:0"])

    def test_a_header_that_leads_a_compiled_header_is_not_forgotten(self):
        self.build("app/b.cpp")
        self.write_all({"app/a.hpp": '#pragma once\n#include "app/leaning.hpp"\n#include <string>\n',
                        "app/leaning.hpp": LEANING, "app/b.cpp": ""})
        self.assertEqual(self.found(), ["app/a.hpp:0"])

    def test_the_build_tells_where_headers_are(self):
        self.build("app/b.cpp", flags=f"-DNAME=3 -isystem {self.root}/far")
        self.write_all({"app/a.hpp": "#pragma once\n#include <near.h>\nstatic_assert(NAME == 3);\n", "far/near.h": "",
                        "app/b.cpp": ""})
        self.assertEqual(self.found(), [])

    def test_headers_with_torch_are_a_run_of_their_own(self):
        self.build("app/b.cpp")
        self.write_all({"app/a.hpp": "#pragma once\n#include <torch/types.h>\n" + LEANING, "app/b.cpp": ""})
        self.assertEqual((self.found(with_torch=False), self.found(with_torch=True)), ([], ["app/a.hpp:0"]))

    def test_a_header_without_a_guard_is_refused(self):
        self.build("app/a.cpp")
        self.write_all({"app/a.cpp": '#include "app/a.hpp"\n', "app/a.hpp": "struct a {};\n"})
        self.assertEqual(self.found(), ["app/a.hpp:0"])


class FirstInclude(unittest.TestCase):
    def test_code_before_an_include_takes_its_place(self):
        self.assertTrue(includes_of('// A.\n#pragma once\n#include "a.hpp"\n')[0].first)
        self.assertFalse(includes_of('#define A\n#include "a.hpp"\n')[0].first)
        self.assertFalse(includes_of('#include "a.hpp"\n#include "b.hpp"\n')[1].first)


if __name__ == "__main__":
    unittest.main(argv=["check_headers"])
