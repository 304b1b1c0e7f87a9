"""Who may include what: arrows point one way (messages <- actors <- app), rooms know nothing of each other, and every
library stays where it belongs, also when it would come in through another header of the project."""

import re
from pathlib import Path
from typing import Iterator, NamedTuple

from check_support import Finding, run_check
from include_graph import Include, IncludeGraph

VOCABULARY = r"messages/\w+\.hpp"
COMPONENTS = r"actors/support/components/\w+\.hpp"
SUPPORT = r"actors/support/(components/)?\w+\.hpp"
NETWORK = r"actors/support/network/\w+\.hpp"
IMAGING = r"actors/support/imaging/(\w+/)?\w+\.hpp"
GLUE = r"actors/glue/\w+\.hpp"
ANY_ACTORS = r"actors/.+\.hpp"
HEAVY = {"caf/all.hpp", "torch/all.h", "torch/extension.h", "torch/torch.h"}


class Row(NamedTuple):
    """What the files whose path fits `files` may include and reach. `{role}` in `own` is the group of that name."""

    name: str
    files: str
    own: list[str]
    libraries: set[str]


OWN_ROOM = r"actors/{role}/(\w+/)?\w+\.hpp"
CAF = {"light caf", "caf"}

# The first row that fits counts. A file that no row is for is refused: a new place or library is a decision.
ROWS = [
    # A protocol names handles and messages; it compiles in every room, so it gets no more of CAF than that takes.
    Row("a protocol", r"messages/(\w+_protocol|type_ids)\.hpp", [VOCABULARY], {"light caf"}),
    # Payloads are std only, so that logic can use them and any thread or process can hold them.
    Row("a payload", r"messages/\w+\.[hc]pp", [VOCABULARY], set()),
    Row("the network library", r"actors/support/network/\w+\.[hc]pp", [VOCABULARY, SUPPORT, NETWORK], {"torch"}),
    Row("the imaging library", r"actors/support/imaging/(\w+/)?\w+\.[hc]pp", [VOCABULARY, SUPPORT, IMAGING],
        {"opencv", "codec"}),
    # What plugins bring, as the rooms see it: no library but the standard one, so that every room can hold it.
    Row("a component", r"actors/support/components/\w+\.[hc]pp",
        [VOCABULARY, SUPPORT, r"actors/support/network/network_config\.hpp"], {"sanitizer"}),
    # Boost.CRC does the checksums.
    Row("shared support", r"actors/support/\w+\.[hc]pp", [VOCABULARY, SUPPORT], {"boost"}),
    # traced<Base> wraps CAF's actor classes: light headers are not enough here.
    Row("glue", r"actors/glue/\w+\.[hc]pp", [VOCABULARY, SUPPORT, GLUE], CAF),
    # What the author of a plugin includes: whatever a plugin may want, LibTorch only where it asks for it.
    Row("the plugins' header", r"actors/plugin\.hpp",
        [VOCABULARY, SUPPORT, r"actors/plugin/\w+\.hpp", r"actors/support/network/image_model\.hpp"],
        CAF | {"opencv", "opencv version", "torch", "torch version"}),
    Row("the plugins' testing kit", r"actors/plugin/testing\w*\.[hc]pp",
        [VOCABULARY, SUPPORT, GLUE, r"actors/plugin\.hpp", r"actors/plugin/\w+\.hpp"],
        CAF | {"opencv", "opencv version", "torch", "torch version"}),
    Row("the plugin interface", r"actors/plugin/\w+\.[hc]pp", [VOCABULARY, SUPPORT, GLUE, r"actors/plugin/\w+\.hpp"],
        CAF | {"opencv", "opencv version"}),
    # Its torch stays behind the logic's headers; what it may touch of the network library are the parts without torch.
    Row("an actor", r"actors/(?P<role>trainer|validator)/(?P=role)_actor\.[hc]pp",
        [VOCABULARY, SUPPORT, NETWORK, GLUE, OWN_ROOM], CAF),
    Row("an actor", r"actors/(?P<role>\w+)/(?P=role)_actor\.[hc]pp", [VOCABULARY, SUPPORT, GLUE, OWN_ROOM], CAF),
    # The loader has hands of its own: readers.
    Row("an actor", r"actors/(?P<role>loader)/reader_actor\.[hc]pp", [VOCABULARY, SUPPORT, GLUE, OWN_ROOM], CAF),
    # Questions to listeners are messages.
    Row("an actor", r"actors/(?P<role>trainer)/(listener_desk|trainer_state)\.[hc]pp",
        [VOCABULARY, SUPPORT, GLUE, OWN_ROOM], CAF),
    # Logic knows no CAF, whoever brings it. The rooms differ in the libraries that their job takes.
    Row("logic with torch", r"actors/(?P<role>trainer|validator)/\w+\.[hc]pp",
        [VOCABULARY, SUPPORT, NETWORK, OWN_ROOM], {"torch"}),
    Row("logic with images", r"actors/(?P<role>loader|augmenter)/(\w+/)?\w+\.[hc]pp",
        [VOCABULARY, SUPPORT, IMAGING, OWN_ROOM], {"opencv", "codec", "zlib", "archive", "nlohmann"}),
    # It has pictures drawn (imaging), but does not draw: no OpenCV.
    Row("logger logic", r"actors/(?P<role>logger)/\w+\.[hc]pp", [VOCABULARY, SUPPORT, IMAGING, OWN_ROOM],
        {"nlohmann"}),
    # The layout of the trace in memory is glue's, since the hooks write it; reading it takes no CAF.
    Row("tracer logic", r"actors/(?P<role>tracer)/\w+\.[hc]pp",
        [VOCABULARY, SUPPORT, r"actors/glue/trace_\w+\.hpp", OWN_ROOM], {"nlohmann"}),
    Row("relay logic", r"actors/(?P<role>relay)/\w+\.[hc]pp", [VOCABULARY, SUPPORT, OWN_ROOM], set()),
    Row("saver logic", r"actors/(?P<role>saver)/\w+\.[hc]pp", [VOCABULARY, SUPPORT, OWN_ROOM], {"nlohmann"}),
    # Boost.Math has the beta distribution that batches are mixed by.
    Row("collator logic", r"actors/(?P<role>collator)/\w+\.[hc]pp", [VOCABULARY, SUPPORT, OWN_ROOM], {"boost"}),
    # An example is what a user would write: one header of ours, and any library.
    Row("an example", r"app/examples/plugins/\w+\.cpp", [r"actors/plugin\.hpp"],
        CAF | {"opencv", "opencv version", "torch", "torch version"}),
    # What a plugin does to pictures is looked at with pictures.
    Row("looking at plugins", r"app/plugins/(check|offer|new)_\w+\.[hc]pp", [VOCABULARY, ANY_ACTORS, r"app/.+\.hpp"],
        CAF | {"fmt", "opencv"}),
    # `troupe doctor` names OpenCV's version, the loader of plugins LibTorch's: headers of macros.
    Row("the app", r"app/.+\.[hc]pp", [VOCABULARY, ANY_ACTORS, r"app/.+\.hpp"],
        CAF | {"CLI", "fmt", "nlohmann", "opencv version", "torch version", "yaml-cpp"}),
    # A test includes what it tests, and looks at it with whatever library it takes.
    Row("a test", r"tests/.+\.[hc]pp", [VOCABULARY, ANY_ACTORS, r"app/.+\.hpp", r"tests/.+\.hpp"],
        CAF | {"CLI", "archive", "codec", "doctest", "fmt", "nlohmann", "opencv", "opencv version", "torch",
               "torch version", "yaml-cpp", "zlib"}),
]


def own_findings(row: Row, role: str, path: str, include: Include, graph: IncludeGraph) -> Iterator[Finding]:
    if include.header not in graph.includes:
        yield Finding(path, include.line, f'there is no "{include.header}" (paths start at the top folder)')
    elif not any(re.fullmatch(own.replace("{role}", role), include.header) for own in row.own):
        yield Finding(path, include.line, f'{row.name} may not include "{include.header}"')


def library_findings(row: Row, path: str, include: Include, graph: IncludeGraph) -> Iterator[Finding]:
    named = {"system"}
    for found in graph.reached(include, path):
        if found.library not in row.libraries and found.library not in named:
            named.add(found.library)
            way = "" if found.by == path else f" (it comes with {found.by})"
            yield Finding(path, include.line, f"{row.name} may not use {found.library}: <{found.header}>{way}")


def findings(root: Path) -> Iterator[Finding]:
    graph = IncludeGraph(root)
    for path, includes in graph.includes.items():
        fits = ((row, re.fullmatch(row.files, path)) for row in ROWS)
        row, match = next(((row, match) for row, match in fits if match), (None, None))
        if row is None:
            yield Finding(path, 0, "no row of the include rules is for this place: add one to check_include_rules.py")
            continue
        for include in includes:
            if path.endswith(".hpp") and include.header in HEAVY:
                yield Finding(path, include.line, f"no header may include <{include.header}>: name the parts it needs")
            if include.own:
                yield from own_findings(row, match.groupdict().get("role", ""), path, include, graph)
            yield from library_findings(row, path, include, graph)


if __name__ == "__main__":
    run_check(findings)
