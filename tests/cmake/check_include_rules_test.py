"""The include rules refuse every kind of include that points the wrong way, and nothing else."""

import unittest

from small_tree import TreeTest
from check_include_rules import findings

GOOD = {
    "messages/sample.hpp": "#include <string>\n",
    "messages/loader_protocol.hpp": '#include "messages/sample.hpp"\n#include <caf/typed_actor.hpp>\n',
    "actors/support/rng.hpp": "#include <cstdint>\n",
    "actors/support/network/model.hpp": "#include <ATen/core/Tensor.h>\n",
    "actors/support/network/names.hpp": "#include <string>\n",
    "actors/support/imaging/draw.cpp": "#include <opencv2/imgproc.hpp>\n",
    "actors/glue/traced.hpp": "#include <caf/local_actor.hpp>\n",
    "actors/glue/trace_map.hpp": "#include <atomic>\n",
    "actors/loader/loader_actor.hpp": '#include "messages/loader_protocol.hpp"\n#include "actors/glue/traced.hpp"\n',
    "actors/loader/index.hpp": '#include "messages/sample.hpp"\n#include <sys/stat.h>\n#include <opencv2/core.hpp>\n',
    "actors/trainer/trainer_actor.cpp": '#include "actors/support/network/names.hpp"\n',
    "actors/trainer/learner.hpp": '#include "actors/support/network/model.hpp"\n',
    "actors/saver/names.hpp": "#include <string>\n",
    "actors/tracer/drain.hpp": '#include "actors/glue/trace_map.hpp"\n',
    "app/main.cpp": '#include "actors/loader/loader_actor.hpp"\n#include <opencv2/core/version.hpp>\n',
    "tests/actors/loader/index_test.cpp": '#include "actors/loader/index.hpp"\n#include <doctest/doctest.h>\n',
}

# The file, and an include that it must not have.
REFUSED = [
    ("actors/loader/index.hpp", '"actors/saver/names.hpp"'),  # a room and another room
    ("actors/loader/loader_actor.hpp", '"actors/saver/names.hpp"'),
    ("messages/sample.hpp", '"actors/support/rng.hpp"'),  # against the arrows
    ("actors/support/rng.hpp", '"actors/saver/names.hpp"'),
    ("actors/loader/index.hpp", '"app/options.hpp"'),
    ("messages/sample.hpp", "<caf/fwd.hpp>"),  # a payload and CAF
    ("messages/sample.hpp", '"messages/loader_protocol.hpp"'),
    ("messages/loader_protocol.hpp", "<caf/actor_system.hpp>"),  # a protocol and more than light CAF
    ("actors/saver/names.hpp", "<caf/error.hpp>"),  # logic and CAF
    ("actors/saver/names.hpp", '"messages/loader_protocol.hpp"'),
    ("actors/tracer/drain.hpp", '"actors/glue/traced.hpp"'),
    ("actors/saver/names.hpp", "<torch/types.h>"),  # torch, OpenCV, codecs out of place
    ("actors/saver/names.hpp", '"actors/support/network/names.hpp"'),
    ("actors/trainer/trainer_actor.cpp", '"actors/trainer/learner.hpp"'),
    ("actors/trainer/trainer_actor.cpp", "<c10/core/Device.h>"),
    ("actors/trainer/learner.hpp", "<opencv2/core.hpp>"),
    ("actors/saver/names.hpp", "<jpeglib.h>"),
    ("actors/support/rng.hpp", "<boost/crc.hpp>\n#include <opencv2/core.hpp>"),
    ("app/main.cpp", "<opencv2/core.hpp>"),
    ("app/main.cpp", '"actors/trainer/learner.hpp"'),
    ("app/main.cpp", '"tests/support/stub.hpp"'),  # tests are included by tests only
    ("actors/trainer/learner.hpp", "<torch/torch.h>"),  # the heavy headers
    ("actors/glue/traced.hpp", "<caf/all.hpp>"),
    ("tests/support/stub.hpp", "<caf/all.hpp>"),
    ("app/main.cpp", "<spdlog/spdlog.h>"),  # a library that no row names
    ("app/main.cpp", '"app/nowhere.hpp"'),  # a header that is not there
    ("app/main.cpp", '"options.hpp"'),
    ("actors/loader/index.hpp", '"actors/loader/../saver/names.hpp"'),  # a way round
]
EXTRA = {"app/options.hpp": "", "tests/support/stub.hpp": ""}


class IncludeRules(TreeTest):
    def test_a_good_tree_passes(self):
        self.write_all(GOOD | EXTRA)
        self.assertEqual(self.places(findings(self.root)), [])

    def test_every_wrong_include_is_refused(self):
        for path, header in REFUSED:
            with self.subTest(path=path, header=header):
                self.setUp()
                self.write_all(GOOD | EXTRA)
                self.write(path, f"// One line.\n#  include {header}\n")
                found = [finding for finding in findings(self.root) if finding.path == path]
                self.assertEqual({finding.line for finding in found}, {2 + header.count("\n")})

    def test_an_include_in_a_comment_is_none(self):
        commented = '// #include <caf/all.hpp>\n/*\n#include "app/options.hpp"\n*/'
        self.write_all(GOOD | {"actors/saver/names.hpp": commented})
        self.assertEqual(self.places(findings(self.root)), [])

    def test_a_place_without_a_row_is_refused(self):
        self.write_all(GOOD | {"actors/prompter/lines.hpp": "", "messages/old/sample.hpp": ""})
        self.assertEqual(self.places(findings(self.root)), ["actors/prompter/lines.hpp:0", "messages/old/sample.hpp:0"])


if __name__ == "__main__":
    unittest.main(argv=["check_include_rules"])
