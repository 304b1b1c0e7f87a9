"""Nothing is locked: an actor owns its state alone, and what it shares it sends. So no lock, no atomic and no volatile
appears in messages/ or actors/, but for the infrastructure below, where threads must meet outside of any mailbox."""

import re
from pathlib import Path
from typing import Iterator, Mapping

from check_support import CPP, Finding, line_of, project_files, read, run_check, without_comments

# Which file, and why no message can do its job.
INFRASTRUCTURE = {
    "messages/lease.hpp": "CAF copies message elements freely; which copy's holder gets the value is decided here.",
    "messages/batch_buffer.hpp": "Buffers are counted home from whatever thread let go of them, also of a dead actor.",
    "messages/recycler.hpp": "Holders of a snapshot give its memory back after its maker's mailbox may be gone.",
    "actors/glue/message_types.cpp": "Any thread may be the first to meet a message type; a list that only grows.",
    "actors/glue/trace_actors.cpp": "Stall reports read what an actor is doing while the actor cannot answer.",
    "actors/support/components/plugin_guard.hpp": "Many threads call a plugin's component; all must know when it is off.",
    "actors/glue/trace_actors.hpp": "Stall reports read what an actor is doing while the actor cannot answer.",
    "actors/glue/trace_map.hpp": "Threads take their rings here, and the tracer or another process reads them.",
    "actors/glue/trace_recorder.cpp": "Every hook of every thread finds the recorder through one pointer.",
    "actors/glue/trace_recorder.hpp": "Every hook of every thread finds the recorder through one pointer.",
    "actors/glue/trace_ring.cpp": "The tracer reads a ring while its thread writes: tracing never blocks a stage.",
    "actors/glue/trace_ring.hpp": "The tracer reads a ring while its thread writes: tracing never blocks a stage.",
    "actors/glue/trace_stats.cpp": "The tracer reads a thread's counts while the thread goes on counting.",
    "actors/glue/trace_stats.hpp": "The tracer reads a thread's counts while the thread goes on counting.",
    "actors/glue/trace_strings.hpp": "Any thread may be the first to use a name; filled without waiting.",
}

_SHARING = re.compile(
    r"""\#[ \t]*include[ \t]*<(?:mutex|shared_mutex|condition_variable|atomic|semaphore|latch|barrier|stdatomic\.h)>
      | \bstd::(?:(?:recursive_|shared_|timed_)*mutex|(?:shared_)?timed_mutex|condition_variable\w*|atomic\w*
                 |(?:counting|binary)_semaphore|latch|barrier|lock_guard|unique_lock|scoped_lock|shared_lock
                 |call_once|once_flag)\b
      | \bvolatile\b | \b(?:__atomic|__sync)_\w+ | \bpthread_(?:mutex|cond|rwlock|spin|barrier)\w*
      | \bsem_(?:init|open|wait|trywait|timedwait|post)\b | \b(?:SYS|__NR)_futex\b""",
    re.VERBOSE,
)


def findings(root: Path, infrastructure: Mapping[str, str] = INFRASTRUCTURE) -> Iterator[Finding]:
    needed = set()
    for path in project_files(root, CPP, ("messages", "actors")):
        code = without_comments(read(root, path))
        for match in _SHARING.finditer(code):
            if path in infrastructure:
                needed.add(path)
            else:
                yield Finding(path, line_of(code, match.start()), f"'{match.group()}' outside of the infrastructure")
    for path in sorted(infrastructure.keys() - needed):
        yield Finding(path, 0, "needs no place in the list of infrastructure files any more: take it out")


if __name__ == "__main__":
    run_check(findings)
