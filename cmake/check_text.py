"""Source text is ASCII, and work that is left undone is not hidden in it."""

import re
from pathlib import Path
from typing import Iterator

from check_support import CPP, Finding, project_files, run_check

TEXT = (*CPP, ".c", ".h", ".cmake", ".py", ".sh", ".txt", ".yaml", ".yml", ".json", ".md")
TOP_LEVEL = ("CMakeLists.txt", "CMakePresets.json", "README.md", "CHANGELOG.md", "LICENSE", ".ci/run")

# Spelt in halves, so that this file passes.
_UNDONE = re.compile(r"\b(?:TO" r"DO|FIX" r"ME)\b")


def line_findings(path: str, number: int, line: bytes) -> Iterator[Finding]:
    if not line.isascii():
        column = next(i for i, byte in enumerate(line) if byte > 127) + 1
        yield Finding(path, number, f"not ASCII at column {column}")
    if undone := _UNDONE.search(line.decode("ascii", "replace")):
        yield Finding(path, number, f"{undone.group()}: do it, or open an issue")


def findings(root: Path) -> Iterator[Finding]:
    top_level = [name for name in TOP_LEVEL if (root / name).is_file()]
    for path in [*project_files(root, TEXT), *top_level]:
        for number, line in enumerate((root / path).read_bytes().splitlines(), start=1):
            yield from line_findings(path, number, line)


if __name__ == "__main__":
    run_check(findings)
