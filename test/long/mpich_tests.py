#!/usr/bin/python3
"""Runs MPICH's test suite without the recorder and with it: each test ends alike.

    mpich_tests.py --source MPICH/test/mpi --build FOLDER --record ./mpiwatch-record
                   --analyze ./mpiwatch-analyze --ranks N [--only PATTERN] LAUNCHER...

The suite is walked by its files "testlist", as its own runtests does: a line names a program or
a folder, the ranks, and NAME=VALUE. What was not built (an MPI lacks what it is made of), or wants
more than N ranks or gigabytes, is left out. LAUNCHER is mpirun, with options.

How a test ends is its exit status and what it printed, without numbers, line by line in order of
the alphabet: ranks that fail do so in any order. One that passes prints " No Errors" and nothing
else. A test that does not end alike is run again, both ways, and is wrong when it never ends with
the recorder as it once did without: the status of init/exitst2 is that of the rank that is first.
One that hangs without the recorder tells nothing of it. Of each recording it is asked that there
is an archive if the test passed, or a word why not (sessions without a communicator of all
processes), and that any archive is valid and otf2-print reads it. A line for each test; the last
says how many there were. Exit: 0 all alike, 1 not.
"""
import argparse
import fnmatch
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile

TRIES = 6
LONGEST = 60  # seconds that a test may take; some of those that hang would hang for ten minutes
LARGE = 1 << 20  # bytes of an archive that otf2-print takes minutes for
PASSED = ("exit 0", "No Errors")
HANGS = ("does not end", "")


class Test:
    """A line of a testlist."""

    def __init__(self, folder, words):
        self.folder = folder
        self.program = words[0]
        self.ranks = int(words[1]) if len(words) > 1 else 2
        self.arguments, self.variables, self.limit = [], {}, LONGEST
        self.is_large = False
        for word in words[2:]:
            key, _, value = word.partition("=")
            if key == "arg":
                self.arguments.append(value)
            elif key == "env":
                name, _, self.variables[name] = value.partition("=")
            elif key == "timeLimit":
                self.limit = min(int(value), LONGEST)
            elif key == "mem":
                self.is_large = True
        self.name = " ".join([os.path.join(folder, self.program), str(self.ranks)]
                             + [f"{name}={value}" for name, value in self.variables.items()]
                             + self.arguments)


def tests_of(options, folder=""):
    """The tests of a folder's testlist, and of the folders that it names."""
    built = os.path.join(options.build, folder)
    lists = [os.path.join(place, folder, "testlist") for place in (options.build, options.source)]
    with open(next(path for path in lists if os.path.exists(path)), encoding="utf-8") as lines:
        for line in lines:
            words = line.partition("#")[0].split()
            if not words:
                continue
            if os.path.isdir(os.path.join(built, words[0])):
                yield from tests_of(options, os.path.normpath(os.path.join(folder, words[0])))
            elif os.access(os.path.join(built, words[0]), os.X_OK):
                yield Test(folder, words)


def run(options, test, limit, recorder=()):
    """How the test ends: its status, and what it printed."""
    command = ["timeout", "-k", "10", str(limit), *options.launcher, "-n", str(test.ranks),
               *recorder, "./" + test.program, *test.arguments]
    with tempfile.TemporaryFile() as output, open("errors", "wb") as errors:
        status = subprocess.run(command, cwd=os.path.join(options.build, test.folder),
                                env={**os.environ, **test.variables}, stdin=subprocess.DEVNULL,
                                stdout=output, stderr=errors, check=False).returncode
        output.seek(0)
        lines = output.read().decode(errors="replace").splitlines()
    if status in (124, 137):
        return HANGS
    words = sorted({re.sub(r"0x[0-9a-f]+|\d+", "N", line).strip() for line in lines})
    # The status may be the number of errors found, which in a race is another each time.
    return f"exit {'N' if 'Found N errors' in words else status}", "\n".join(words)


def wrong_archives(options, ending):
    """What is wrong with the archives that a run left."""
    archives = glob.glob("archive*.otf2.zip")
    with open("errors", encoding="utf-8", errors="replace") as errors:
        if ending == PASSED and not archives and "mpiwatch: not recorded: " not in errors.read():
            yield "no archive, and not a word why"
    for archive in archives:
        valid = subprocess.run([options.analyze, "validate", archive], stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, text=True, check=False)
        if valid.returncode != 0:
            yield f"validate: exit {valid.returncode}: {valid.stdout[-300:]}"
        if os.path.getsize(archive) > LARGE:
            continue
        with tempfile.TemporaryDirectory(dir=".") as folder:
            with zipfile.ZipFile(archive) as members:
                members.extractall(folder)
            read = subprocess.run(["otf2-print", os.path.join(folder, "traces.otf2")],
                                  stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                                  check=False)
        if read.returncode != 0 or read.stderr:
            yield f"otf2-print: exit {read.returncode}: {read.stderr[:300]}"


def compare(options, test):
    """How the test ended, how often it was run, and what is wrong."""
    plain, recorded = set(), set()
    for attempt in range(1, TRIES + 1):
        for left in glob.glob("archive*") + glob.glob(os.environ["MPIWATCH_SPOOL"] + "/*"):
            shutil.rmtree(left) if os.path.isdir(left) else os.remove(left)
        ending = run(options, test, test.limit)
        if ending == HANGS:
            return ending, attempt, []
        plain.add(ending)
        ending = run(options, test, 2 * test.limit,
                     (options.record, "-o", os.path.abspath("archive.otf2.zip")))
        recorded.add(ending)
        wrong = list(wrong_archives(options, ending))
        if wrong or plain & recorded:
            return min(plain & recorded or plain), attempt, wrong
    with open("errors", encoding="utf-8", errors="replace") as errors:
        return min(plain), attempt, [f"with the recorder {sorted(recorded)}, without "
                                     f"{sorted(plain)}: {errors.read()[:500]}"]


def main():
    """Runs the tests and tells."""
    parser = argparse.ArgumentParser()
    for name in ("source", "build", "record", "analyze"):
        parser.add_argument("--" + name, required=True)
    parser.add_argument("--ranks", type=int, required=True)
    parser.add_argument("--only", default="*")
    parser.add_argument("launcher", nargs="+")
    options = parser.parse_args()
    count = {"ended": 0, "passed": 0, "run again": 0, "wrong": 0}
    for test in tests_of(options):
        is_wanted = fnmatch.fnmatch(test.name, options.only)
        if not is_wanted or test.is_large or test.ranks > options.ranks:
            continue
        ending, attempts, wrong = compare(options, test)
        count["ended"] += ending != HANGS
        count["passed"] += ending == PASSED
        count["run again"] += attempts > 1
        count["wrong"] += bool(wrong)
        print(f"{test.name}: {'passed' if ending == PASSED else ' '.join(ending)[:200]!r}"
              + (f", run {attempts} times" if attempts > 1 else "")
              + "".join(f"\nFAILED: {test.name}: {fault}" for fault in wrong), flush=True)
    print(", ".join(f"{number} {what}" for what, number in count.items()))
    return 1 if count["wrong"] else 0


if __name__ == "__main__":
    sys.exit(main())
