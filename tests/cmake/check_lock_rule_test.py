"""The lock rule sees every way to lock or share, and notices when its list is out of date."""

import unittest

from small_tree import TreeTest
from check_lock_rule import INFRASTRUCTURE, findings

SHARING = [
    "std::mutex m;",
    "std::shared_mutex m;",
    "std::recursive_timed_mutex m;",
    "std::condition_variable_any c;",
    "std::atomic<int> n;",
    "std::atomic_flag f;",
    "std::atomic_ref<int> r{n};",
    "volatile int n;",
    "std::counting_semaphore<4> s;",
    "std::binary_semaphore s;",
    "std::latch l;",
    "std::barrier b;",
    "std::scoped_lock lock(m);",
    "std::once_flag once;",
    "#include <mutex>",
    "# include <atomic>",
    "pthread_mutex_t m;",
    "__atomic_fetch_add(&n, 1, 0);",
]


class LockRule(TreeTest):
    def test_every_way_to_share_is_refused(self):
        for line in SHARING:
            for path in ("actors/saver/names.cpp", "messages/sample.hpp"):
                with self.subTest(line=line, path=path):
                    self.setUp()
                    self.write(path, f"\n{line}\n")
                    self.assertEqual(self.places(findings(self.root, {})), [f"{path}:2"])

    def test_words_that_only_look_alike_pass(self):
        self.write("actors/saver/names.cpp", "// std::mutex\nauto s = \"volatile\";\nint barrier, atomically;\n")
        self.write("app/main.cpp", "std::mutex m;\n")
        self.assertEqual(self.places(findings(self.root, {})), [])

    def test_infrastructure_may_share_but_must_need_to(self):
        listed = {"messages/lease.hpp": "why", "messages/idle.hpp": "why", "messages/gone.hpp": "why"}
        self.write_all({"messages/lease.hpp": "std::atomic<bool> taken;", "messages/idle.hpp": "int n;"})
        self.assertEqual(self.places(findings(self.root, listed)), ["messages/gone.hpp:0", "messages/idle.hpp:0"])

    def test_every_infrastructure_file_says_why(self):
        for path, why in INFRASTRUCTURE.items():
            self.assertRegex(why, r"^[A-Z].{20,}\.$", path)


if __name__ == "__main__":
    unittest.main(argv=["check_lock_rule"])
