"""What the checks of the house rules share: the project's files, C++ text without its comments, the report."""

import re
import sys
from pathlib import Path
from typing import Callable, Iterable, NamedTuple

CPP_ROOMS = ("messages", "actors", "app", "tests")
ROOMS = (*CPP_ROOMS, "cmake")
CPP = (".hpp", ".cpp")

_COMMENT_OR_LITERAL = re.compile(
    r"""//[^\n]* | /\*.*?\*/
      | R"(?P<mark>[^(\s]*)\(.*?\)(?P=mark)"
      | "(?:\\.|[^"\\\n])*"
      | (?<![0-9A-Fa-f])'(?:\\.|[^'\\\n])+'      # not the separator in 100'000""",
    re.VERBOSE | re.DOTALL,
)


class Finding(NamedTuple):
    """A place that breaks a rule; line 0 stands for the file as a whole."""

    path: str
    line: int
    text: str

    def __str__(self) -> str:
        place = f"{self.path}:{self.line}" if self.line else self.path
        return f"{place}: {self.text}"


def project_files(root: Path, suffixes: Iterable[str], rooms: Iterable[str] = ROOMS) -> list[str]:
    """Paths below `root`, sorted, with "/" between folders."""
    endings = tuple(suffixes)
    found = (path for room in rooms for path in (root / room).rglob("*") if path.is_file())
    return sorted(path.relative_to(root).as_posix() for path in found if path.name.endswith(endings))


def read(root: Path, path: str) -> str:
    return (root / path).read_text(encoding="utf-8")


def without_comments(text: str, *, keep_literals: bool = False) -> str:
    """C++ text with its comments (and literals) blanked out; every line stays where it was."""

    def blank(match: re.Match) -> str:
        piece = match.group()
        return piece if keep_literals and not piece.startswith("/") else re.sub(r"[^\n]", " ", piece)

    return _COMMENT_OR_LITERAL.sub(blank, text)


def line_of(text: str, position: int) -> int:
    return text.count("\n", 0, position) + 1


def report(findings: Iterable[Finding]) -> int:
    """Prints what was found. Returns the exit code."""
    found = list(findings)
    for finding in found:
        print(finding)
    print(f"{len(found)} found" if found else "all as it should be")
    return 1 if found else 0


def run_check(check: Callable[[Path], Iterable[Finding]]) -> None:
    """The whole program of a check that takes nothing but the project's folder."""
    if len(sys.argv) != 2 or not (Path(sys.argv[1]) / "CMakeLists.txt").is_file():
        sys.exit(f"usage: {sys.argv[0]} FOLDER    (the top folder of the project)")
    sys.exit(report(check(Path(sys.argv[1]))))
