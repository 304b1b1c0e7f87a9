"""Small projects that the tests of the checks make, and the way to the checks."""

import sys
import tempfile
import unittest
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(SOURCE / "cmake"))


class TreeTest(unittest.TestCase):
    """A test with a folder of its own."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory(prefix="troupe-checks-")
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)

    def write(self, path: str, text: str = "") -> None:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")

    def write_all(self, files: dict[str, str]) -> None:
        for path, text in files.items():
            self.write(path, text)

    def places(self, findings) -> list[str]:
        """What was found, as "path:line"."""
        return sorted(f"{finding.path}:{finding.line}" for finding in findings)
