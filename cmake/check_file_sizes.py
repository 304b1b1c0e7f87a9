"""A file that outgrows 300 lines holds more than one idea: split it. Tests, being lists, may be longer."""

from pathlib import Path
from typing import Iterator, Mapping

from check_support import CPP, Finding, project_files, read, run_check

MOST_LINES = 300
MOST_TEST_LINES = 500
CODE = (*CPP, ".cmake", ".py", ".sh", "CMakeLists.txt")

# Which file may be longer, and why it is one idea all the same.
EXCEPTIONS: dict[str, str] = {}


def most_lines(path: str) -> int:
    return MOST_TEST_LINES if path.startswith("tests/") else MOST_LINES


def findings(root: Path, exceptions: Mapping[str, str] = EXCEPTIONS) -> Iterator[Finding]:
    long_files = set()
    for path in project_files(root, CODE):
        lines, most = len(read(root, path).splitlines()), most_lines(path)
        if lines > most:
            long_files.add(path)
            if path not in exceptions:
                yield Finding(path, 0, f"{lines} lines are more than {most}")
    for path in sorted(exceptions.keys() - long_files):
        yield Finding(path, 0, "needs no place in the list of exceptions any more: take it out")


if __name__ == "__main__":
    run_check(findings)
