"""No two types of the project have the same name: a program that holds both would take the inline functions of one for
those of the other (the one definition rule), and no compiler or linker says so."""

import re
from pathlib import Path
from typing import Iterator

from check_support import CPP, Finding, line_of, project_files, read, run_check, without_comments

# A definition that begins its line: not nested in another type. What follows the name is its bases and its body.
DEFINITION = re.compile(r"^(?:template <[^;{]*>\s*)?(?:class|struct|union|enum class|enum)\s+(?:\[\[\w+\]\]\s*)?"
                        r"(?:alignas\([^)]*\)\s*)?(\w+)\s*(?:final\s*)?(?::(?!:)[^;{]*)?\{", re.MULTILINE)
ANONYMOUS = re.compile(r"^namespace \{$.*?^\} // namespace$", re.MULTILINE | re.DOTALL)
NAMESPACE = re.compile(r"^namespace ([\w:]+) \{", re.MULTILINE)


def definitions(text: str) -> Iterator[tuple[str, int]]:
    """Qualified name and line of each type that other files could see."""
    text = without_comments(ANONYMOUS.sub(lambda match: re.sub(r"[^\n]", " ", match.group()), text))
    for match in DEFINITION.finditer(text):
        spaces = [space.group(1) for space in NAMESPACE.finditer(text[: match.start()])]
        yield f"{spaces[-1] if spaces else ''}::{match.group(1)}", line_of(text, match.start(1))


def findings(root: Path) -> Iterator[Finding]:
    seen: dict[str, str] = {}
    for path in project_files(root, CPP, ("messages", "actors", "app")):
        for name, line in definitions(read(root, path)):
            if name in seen:
                yield Finding(path, line, f"{name} is the name of a type in {seen[name]} too")
            seen.setdefault(name, f"{path}:{line}")


if __name__ == "__main__":
    run_check(findings)
