"""C++ files are laid out as clang-format does it. Versions differ in taste: the one of Debian 12 decides, and with any
other, or none, the check is skipped (exit code 77)."""

import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Iterator, Optional

from check_support import CPP, Finding, project_files, report

VERSION = "14"
SKIPPED = 77


def find_clang_format() -> Optional[str]:
    """The program of the deciding version, if there is one."""
    for program in (f"clang-format-{VERSION}", "clang-format"):
        if shutil.which(program):
            told = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
            if re.search(rf"version {VERSION}\.", told):
                return program
    return None


def findings(root: Path, program: str) -> Iterator[Finding]:
    files = project_files(root, CPP)
    ran = subprocess.run([program, "--dry-run", "--Werror", "--style=file", *files], cwd=root, capture_output=True,
                         text=True, check=False)
    places = re.findall(r"^(\S+?):(\d+):\d+: error: code should be clang-formatted", ran.stderr, re.MULTILINE)
    first_of = {path: int(line) for path, line in reversed(places)}
    for path, line in sorted(first_of.items()):
        yield Finding(path, line, f"not formatted: {program} -i {path}")
    if ran.returncode != 0 and not places:
        yield Finding(program, 0, ran.stderr.strip())


def main() -> int:
    if len(sys.argv) != 2 or not (Path(sys.argv[1]) / ".clang-format").is_file():
        sys.exit(f"usage: {sys.argv[0]} FOLDER    (the top folder of the project)")
    program = find_clang_format()
    if program is None:
        print(f"skipped: there is no clang-format {VERSION} (cmake/install_packages.sh test)")
        return SKIPPED
    return report(findings(Path(sys.argv[1]), program))


if __name__ == "__main__":
    sys.exit(main())
