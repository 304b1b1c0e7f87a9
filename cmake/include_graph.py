"""Who includes whom: the include lines of the project's C++ files, and the libraries reached through them."""

import re
from pathlib import Path
from typing import Iterator, NamedTuple

from check_support import CPP, CPP_ROOMS, line_of, project_files, read, without_comments

_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(?:<([^>\n]+)>|"([^"\n]+)")', re.MULTILINE)

# The first prefix that fits names the library. What is light gets a name of its own, since more may use it: CAF's light
# headers say what a message or a handle is, and know neither actors nor the system.
_LIBRARIES = {
    "caf/allowed_unsafe_message_type.hpp": "light caf",
    "caf/atom.hpp": "light caf",
    "caf/error.hpp": "light caf",
    "caf/fwd.hpp": "light caf",
    "caf/meta/": "light caf",
    "caf/replies_to.hpp": "light caf",
    "caf/type_id.hpp": "light caf",
    "caf/typed_actor.hpp": "light caf",
    "caf/": "caf",
    "torch/csrc/api/include/torch/version.h": "torch version",
    "torch/": "torch",
    "ATen/": "torch",
    "c10/": "torch",
    "cuda": "torch",
    "opencv2/core/version.hpp": "opencv version",
    "opencv2/": "opencv",
    "jpeglib.h": "codec",
    "turbojpeg.h": "codec",
    "png.h": "codec",
    "zlib.h": "zlib",
    "archive.h": "archive",
    "archive_entry.h": "archive",
    "sys/": "system",
    "linux/": "system",
}


class Include(NamedTuple):
    header: str
    line: int
    own: bool  # Quoted: a header of the project, by its path from the top folder.
    first: bool  # Nothing but comments and `#pragma once` comes before it.


class Reached(NamedTuple):
    library: str
    header: str
    by: str  # The file of the project that includes it.


def library_of(header: str) -> str:
    """The library that a header in angle brackets belongs to; "system" for the standard library and POSIX."""
    for prefix, library in _LIBRARIES.items():
        if header.startswith(prefix):
            return library
    return header.split("/")[0] if "/" in header else "system"


def includes_of(text: str) -> list[Include]:
    code = without_comments(text, keep_literals=True)

    def include(match: re.Match) -> Include:
        first = not code[: match.start()].replace("#pragma once", "").strip()
        return Include(match[1] or match[2], line_of(code, match.start()), match[2] is not None, first)

    return [include(match) for match in _INCLUDE.finditer(code)]


class IncludeGraph:
    def __init__(self, root: Path):
        self.includes = {path: includes_of(read(root, path)) for path in project_files(root, CPP, CPP_ROOMS)}

    def reached(self, start: Include, by: str) -> Iterator[Reached]:
        """Every library that the include line brings in, also through other headers of the project."""
        waiting, seen = [(start, by)], set()
        while waiting:
            include, includer = waiting.pop()
            if not include.own:
                yield Reached(library_of(include.header), include.header, includer)
            elif include.header not in seen:
                seen.add(include.header)
                waiting += ((each, include.header) for each in self.includes.get(include.header, ()))

    def led_by(self, path: str) -> Iterator[str]:
        """The headers of the project that a compiler reads before anything else where `path` comes first: the file's
        first include, that one's first include, and so on."""
        seen = {path}
        while path in self.includes and self.includes[path] and self.includes[path][0].first:
            include = self.includes[path][0]
            if not include.own or include.header in seen:
                return
            path = include.header
            seen.add(path)
            yield path

    def libraries(self, path: str) -> set[str]:
        return {found.library for include in self.includes[path] for found in self.reached(include, path)}
