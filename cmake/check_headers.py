"""Every header compiles on its own. One that the compiler reads before anything else in some .cpp is proven by the
build, unless a precompiled header comes before it; the others are compiled here.

usage: check_headers.py FOLDER BUILD_FOLDER COMPILER with-torch|without-torch"""

import json
import os
import shlex
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Iterable, Iterator

from check_support import Finding, read, report, without_comments
from include_graph import IncludeGraph

_TAKE_A_VALUE = ("-I", "-isystem", "-D")
_MOST_ERRORS, _MOST_CHARACTERS = 5, 200

Commands = list[tuple[str, list[str]]]  # What the build compiles: the file's path from the top folder, the command.


def compile_commands(root: Path, build: Path) -> Commands:
    entries = json.loads((build / "compile_commands.json").read_text(encoding="utf-8"))
    return [(os.path.relpath(entry["file"], root), shlex.split(entry["command"])) for entry in entries]


def shared_flags(commands: Commands) -> list[str]:
    """Where the build finds headers and what it defines: the union over all its files, in order of appearance."""
    flags: dict[tuple[str, ...], None] = {}
    for _, command in commands:
        for word, value in zip(command, [*command[1:], ""]):
            if word in _TAKE_A_VALUE:
                flags[word, value] = None
            elif word.startswith((*_TAKE_A_VALUE, "-std=")):
                flags[(word,)] = None
    return [word for flag in flags for word in flag]


def proven_by_build(graph: IncludeGraph, commands: Commands) -> set[str]:
    return {header for path, command in commands if not any("cmake_pch" in word for word in command)
            for header in graph.led_by(path)}


def to_compile(graph: IncludeGraph, proven: set[str]) -> list[str]:
    """A choice of headers that proves all those left: who compiles alone proves the headers that lead it, too."""
    left = [path for path in graph.includes if path.endswith(".hpp") and path not in proven]
    led = {leader for header in left for leader in graph.led_by(header)}
    return [header for header in left if header not in led]


def compile_alone(root: Path, compiler: list[str], header: str) -> list[Finding]:
    ran = subprocess.run([*compiler, "-w", "-fsyntax-only", "-x", "c++", "-"], input=f'#include "{header}"\n',
                         cwd=root, capture_output=True, text=True, check=False)
    if ran.returncode == 0:
        return []
    errors = [line for line in ran.stderr.splitlines() if "error:" in line] or ran.stderr.splitlines()
    shown = [line[:_MOST_CHARACTERS] for line in errors[:_MOST_ERRORS]]
    return [Finding(header, 0, "\n  ".join(["does not compile on its own:", *shown]))]


def guard_findings(root: Path, graph: IncludeGraph) -> Iterator[Finding]:
    for path in graph.includes:
        if path.endswith(".hpp") and not without_comments(read(root, path)).lstrip().startswith("#pragma once\n"):
            yield Finding(path, 0, "does not begin with #pragma once")


def findings(root: Path, build: Path, compiler: str, with_torch: bool) -> Iterable[Finding]:
    graph, commands = IncludeGraph(root), compile_commands(root, build)
    proven = proven_by_build(graph, commands)
    headers = [path for path in to_compile(graph, proven) if ("torch" in graph.libraries(path)) == with_torch]
    print(f"{len(proven)} headers are proven by the build; compiling {len(headers)}", flush=True)
    command = [compiler, f"-I{root}", *shared_flags(commands)]
    with ThreadPoolExecutor(min(2, os.cpu_count() or 1)) as threads:
        found = threads.map(lambda header: compile_alone(root, command, header), headers)
        return [*guard_findings(root, graph), *(each for list_ in found for each in list_)]


def main() -> int:
    if len(sys.argv) != 5 or sys.argv[4] not in ("with-torch", "without-torch"):
        sys.exit(__doc__)
    root, build, compiler, which = sys.argv[1:]
    return report(findings(Path(root).resolve(), Path(build), compiler, which == "with-torch"))


if __name__ == "__main__":
    sys.exit(main())
