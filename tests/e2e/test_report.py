"""`troupe trace report`: one page about a run that needs nothing else."""

import html.parser
import json
import unittest
import xml.etree.ElementTree as tree

from tests.e2e.support import RunCase, base_config


class Texts(html.parser.HTMLParser):
    """What a reader sees, as browsers parse it."""

    def __init__(self, page):
        super().__init__()
        self.seen, self.attributes = [], []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.attributes += [(tag, *each) for each in attrs]

    def handle_data(self, data):
        self.seen.append(data)

    def text(self):
        return " ".join(self.seen)


class Report(RunCase):
    def report(self, *arguments):
        outcome = self.troupe("trace", "report", "runs/run", *arguments)
        self.assertEqual(outcome.code, 0, outcome)
        return outcome

    def page(self, *arguments):
        self.report("--html", "out.html", *arguments)
        page = (self.scratch / "out.html").read_text()
        tree.fromstring(page.removeprefix("<!DOCTYPE html>"))
        self.assertNotIn("http", page)
        self.assertLess(len(page), 5_000_000)
        for tag, name, value in Texts(page).attributes:
            if name in ("src", "href"):
                self.assertTrue(value.startswith("data:"), f"{tag} loads {value}")
        return page

    def test_a_full_trace(self):
        self.train("trace.mode=full")
        page = self.page()
        text = Texts(page).text()
        summary = self.folder().summary()
        self.assertIn(f"{summary['steps']:,}", text)
        self.assertIn(f"{summary['trace']['recorded']:,}", text)
        self.assertIn("done", text)
        self.assertEqual(page.count("data:image/png;base64,"), 12)
        for heading in ("Loss", "Timeline", "Where the time went", "Slowest samples", "Slowest messages"):
            self.assertIn(heading, text)
        verdict = json.loads(self.troupe("trace", "verdict", "runs/run", "--json").out)
        self.assertIn(verdict["finding"], text)

    def test_a_flight_trace(self):
        self.train("trace.mode=flight")
        page = self.page()
        self.assertNotIn("data:image", page)
        self.assertIn("Where the time went", page)

    def test_the_same_shares_as_the_summary(self):
        self.train("trace.mode=full")
        page = self.page()
        summary = json.loads(self.troupe("trace", "summary", "runs/run", "--json").out)
        for load in summary["actors"]:
            self.assertIn(f"{load['actor']}: busy {load['busy'] * 100:.1f} %", page)

    def test_a_resumed_run(self):
        self.train("trace.mode=full", "train.epochs=1")
        self.train("trace.mode=full", "train.epochs=2", "--resume")
        self.assertIn("2 processes", self.page())

    def test_for_programs(self):
        self.train("trace.mode=full")
        told = json.loads(self.report("--json").out)
        self.assertEqual(told["steps"], self.folder().summary()["steps"])
        self.assertTrue((self.scratch / "runs/run/report.html").is_file())

    def test_without_the_data(self):
        self.train("trace.mode=full")
        config = base_config()
        config["data"]["train"] = {"dataset": "image_folder", "root": "gone"}
        for place in [self.folder().path, *self.folder().checkpoints()]:
            (place / "config.yaml").write_text(json.dumps(config))
        page = self.page()
        self.assertIn("No pictures", page)
        self.assertNotIn("data:image", page)

    def test_no_trace_and_no_place(self):
        self.assertEqual(self.troupe("trace", "report", "nowhere").code, 2)
        self.train()
        outcome = self.troupe("trace", "report", "runs/run", "--html", "no/such/folder/x.html")
        self.assertIn("no/such/folder", outcome.err)
        self.assertIn(outcome.code, (1, 2))


if __name__ == "__main__":
    unittest.main()
