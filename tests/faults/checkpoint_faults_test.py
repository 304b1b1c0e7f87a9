#!/usr/bin/env python3
"""Makes every file call of the checkpoint writer fail, or kills it there, and looks at what is left.

usage: checkpoint_faults_test.py WRITER SHIM CASE

Each case runs the writer again and again, with the fault at the first counted call, the second, and so on, until a run
comes to its end without meeting it.
  kill, torn     After kill -9 at any call, or in the middle of any write: whatever has its final name verifies, and the
                 newest that loads is never older than the last one said to be durable. A new start goes on from there.
  EIO, ENOSPC, EMFILE
                 The failure is reported, the next checkpoints are saved, nothing partial is visible and no temporary
                 folder is left behind after the next start.
  short, EINTR   A short or interrupted write costs nothing.
  order          Without any fault: every file is synced before its folder gets its final name, so is the folder, and
                 the parent is synced before "durable" is said.
"""

import os
import shutil
import signal
import subprocess
import sys
import tempfile

NUM_CHECKPOINTS = 4
MAX_CALLS = 2000


class Folder:
    """A checkpoint folder under faults."""

    def __init__(self, writer, shim, scratch):
        self.writer, self.shim, self.scratch = writer, shim, scratch
        self.path = os.path.join(scratch, "checkpoints")
        self.reset()

    def reset(self):
        shutil.rmtree(self.path, ignore_errors=True)

    def write(self, count=NUM_CHECKPOINTS, **faults):
        """Runs the writer; returns (exit status, lines)."""
        env = dict(os.environ, TROUPE_FAULT_PATH=self.path, LD_PRELOAD=self.shim, **faults)
        # The sanitizers want to come first in the list of libraries, and a killed process cannot look for leaks.
        env["ASAN_OPTIONS"] = "verify_asan_link_order=0:detect_leaks=0"
        done = subprocess.run([self.writer, "write", self.path, str(count)], env=env, capture_output=True, text=True)
        if done.returncode not in (0, 1, -signal.SIGKILL):
            fail(f"writer ended with {done.returncode}: {done.stderr}")
        return done.returncode, done.stdout.splitlines()

    def read(self):
        """Returns {first word: [rest of the line]} of what the folder holds."""
        done = subprocess.run([self.writer, "read", self.path], capture_output=True, text=True, check=True)
        result = {"newest": [], "none": [], "visible": [], "passed-over": []}
        for line in done.stdout.splitlines():
            word, rest = line.split(" ", 1)
            result[word].append(rest)
        return result

    def names(self):
        return sorted(os.listdir(self.path)) if os.path.isdir(self.path) else []


def fail(why):
    print("FAILED:", why)
    sys.exit(1)


def check(condition, why):
    if not condition:
        fail(why)


def version(name):
    return int(name.split("-")[2][1:])


def durable(lines):
    return [line.split()[1] for line in lines if line.startswith("durable ")]


def check_contents(folder, acknowledged, where):
    """All that is visible verifies, and none that was acknowledged last is lost. Returns the newest version."""
    found = folder.read()
    bad = [x for x in found["visible"] if not x.endswith(" good")]
    check(not bad and not found["passed-over"], f"{where}: visible and bad: {bad} {found['passed-over']}")
    if found["none"]:
        check(found["none"] == ["not_found"], f"{where}: nothing loads: {found['none']}")
        check(not acknowledged, f"{where}: {acknowledged} durable, nothing found")
        return 0
    newest = version(found["newest"][0])
    if acknowledged:
        check(newest >= version(acknowledged[-1]), f"{where}: {acknowledged[-1]} durable, newest is {found['newest']}")
    for link in ("latest", "best"):
        path = os.path.join(folder.path, link)
        if os.path.islink(path):
            check(os.path.isdir(path), f"{where}: the link {link} points at nothing")
    return newest


def kill_everywhere(folder, what):
    for k in range(1, MAX_CALLS):
        folder.reset()
        where = f"{what} at call {k}"
        status, lines = folder.write(TROUPE_FAULT=f"{'any' if what == 'kill' else 'write'}:{k}:{what}")
        newest = check_contents(folder, durable(lines), where)
        if status == 0:
            return k - 1
        check(status == -signal.SIGKILL, f"{where}: exit status {status}")
        status, lines = folder.write(1)
        check(status == 0 and len(durable(lines)) == 1, f"{where}: the next start failed: {lines}")
        check(version(durable(lines)[0]) > newest, f"{where}: the next start used a version again")
        check(not [x for x in folder.names() if x.startswith(".")], f"{where}: not cleaned: {folder.names()}")
        check_contents(folder, durable(lines), where + ", then a new start")
    fail(f"still killed at call {MAX_CALLS}")


def fail_everywhere(folder, error):
    for k in range(1, MAX_CALLS):
        folder.reset()
        where = f"{error} at call {k}"
        log = os.path.join(folder.scratch, "log")
        if os.path.exists(log):
            os.remove(log)
        status, lines = folder.write(TROUPE_FAULT=f"any:{k}:{error}", TROUPE_FAULT_LOG=log)
        acknowledged = durable(lines)
        check_contents(folder, acknowledged, where)
        with open(log) as calls:
            calls = calls.read().splitlines()
        if len(calls) < k:
            check(status == 0 and len(acknowledged) == NUM_CHECKPOINTS, f"{where}: {lines}")
            return k - 1
        reported = [x for x in lines if not x.startswith("durable ")]
        # Deletion of a stale temporary link that is not there, and the release of a folder just read, lose nothing.
        harmless = calls[k - 1].startswith("unlink ") and "/.tmp-" in calls[k - 1] or calls[k - 1].startswith("close ")
        check(reported or harmless, f"{where}: {calls[k - 1]} failed and nobody said so")
        if status == 1:
            check(reported[0].startswith(("probe ", "version ")), f"{where}: gave up over {reported}")
            continue
        num_failed = len([x for x in reported if x.startswith("failed ")])
        check(num_failed <= 1, f"{where}: one fault cost {num_failed} checkpoints")
        check(len(acknowledged) + num_failed == NUM_CHECKPOINTS, f"{where}: books do not balance: {lines}")
        check(not [x for x in folder.names() if x.startswith(".tmp-step")], f"{where}: left behind: {folder.names()}")
        visible = [x.split()[0] for x in folder.read()["visible"]]
        check(set(visible) <= set(acknowledged), f"{where}: visible but not durable: {visible}, {lines}")
    fail(f"still failing at call {MAX_CALLS}")


def shrug_everywhere(folder, what):
    for k in range(1, MAX_CALLS):
        folder.reset()
        log = os.path.join(folder.scratch, f"log-{k}")
        status, lines = folder.write(TROUPE_FAULT=f"write:{k}:{what}", TROUPE_FAULT_LOG=log)
        where = f"{what} at write {k}"
        check(status == 0 and len(durable(lines)) == len(lines) == NUM_CHECKPOINTS, f"{where}: {lines}")
        check_contents(folder, durable(lines), where)
        with open(log) as calls:
            num_writes = len([x for x in calls if x.startswith("write ")])
        if num_writes < k:
            return k - 1
    fail(f"still writing at write {MAX_CALLS}")


def check_order(folder):
    log = os.path.join(folder.scratch, "log")
    status, lines = folder.write(TROUPE_FAULT_LOG=log)
    check(status == 0, f"exit status {status}")
    with open(log) as calls:
        calls = [x.split() for x in calls]
    renames = [i for i, x in enumerate(calls) if x[0] == "rename" and os.path.basename(x[2]).startswith("step-")]
    check(len(renames) == NUM_CHECKPOINTS, f"{len(renames)} folders got their final name")
    for i in renames:
        temporary = calls[i][1]
        begin = max(j for j in range(i) if calls[j] == ["mkdir", temporary])
        seen = calls[begin:i]
        files = {x[1] for x in seen if x[0] == "write"}
        check(len(files) == 6, f"{temporary} has {len(files)} files")
        last_made = max(j for j, x in enumerate(seen) if x[0] == "open" and x[1] in files)
        for path in files:
            written = max(j for j, x in enumerate(seen) if x == ["write", path])
            check(["fsync", path] in seen[written:], f"{path} is renamed before it is synced")
        order = [x[1] for x in seen if x[0] == "fsync"]
        check(order[-2].endswith("/MANIFEST.json"), f"the manifest is not the last file: {order}")
        check(["fsync", temporary] in seen[last_made:], f"{temporary} is renamed before it is synced")
        # The writer says "durable" before it touches any link.
        after = calls[i + 1 :]
        until = next(j for j, x in enumerate(after) if "latest" in x[1])
        check(["fsync", folder.path] in after[:until], f"{calls[i][2]} is durable before its parent is synced")
    for i, x in enumerate(calls):
        if x[0] == "rename" and "/.del-" in x[2]:
            check(calls[i + 1 : i + 3][-1] == ["fsync", folder.path], f"{x[1]} is emptied before its name is gone")
    return len(calls)


def main():
    writer, shim, case = sys.argv[1:]
    # Folders in memory where there are some: the calls are the same and thousands of fsyncs cost nothing.
    base = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(dir=base) as scratch:
        folder = Folder(writer, shim, scratch)
        if case in ("kill", "torn"):
            count = kill_everywhere(folder, case)
        elif case in ("short", "EINTR"):
            count = shrug_everywhere(folder, case)
        elif case == "order":
            count = check_order(folder)
        else:
            count = fail_everywhere(folder, case)
        check(count > 0, "no call was counted: is the shim loaded?")
        print(f"{case}: {count} calls, all well")


if __name__ == "__main__":
    main()
