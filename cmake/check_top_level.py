"""The top level is the table of contents: it holds exactly these, dot-files, and the two ignored folders of output."""

from pathlib import Path
from typing import Iterator

from check_support import Finding, run_check

FOLDERS = {"actors", "messages", "app", "tests", "cmake"}
FILES = {"CMakeLists.txt", "CMakePresets.json", "README.md", "CHANGELOG.md", "LICENSE"}
OUTPUT = {"build", "runs"}


def findings(root: Path) -> Iterator[Finding]:
    there = {path.name: path.is_dir() for path in root.iterdir() if not path.name.startswith(".")}
    for name, is_folder in sorted(there.items()):
        if name not in (FOLDERS | OUTPUT if is_folder else FILES):
            yield Finding(name, 0, "has no place at the top level")
    for name in sorted((FOLDERS | FILES) - there.keys()):
        yield Finding(name, 0, "is missing at the top level")
    ignored = root / ".gitignore"
    rules = ignored.read_text(encoding="utf-8").split() if ignored.is_file() else []
    for name in sorted(OUTPUT):
        if f"{name}/" not in rules and f"/{name}/" not in rules:
            yield Finding(".gitignore", 0, f"does not ignore {name}/")


if __name__ == "__main__":
    run_check(findings)
