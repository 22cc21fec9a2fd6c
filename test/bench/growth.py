#!/usr/bin/python3
"""How the work and the memory of mpiwatch-recover and mpiwatch-analyze grow with each thing that
there can be many of.

test/bench/shapes makes spools in which one thing is doubled again and again and all others stay;
mpiwatch-recover makes archives of them, with the code that writes them in MPI_Finalize, and each
command reads these. A shape is doubled until mpiwatch-analyze report takes --seconds, or its most
is reached. For each command two numbers are printed, the exponents of CPU time (user and system)
and of peak memory over the last two doublings: 1.00 means in proportion to what there is, 2.00 to
its square. Where the last one adds less than 0.08 s, or 16 MiB, there is nothing to judge by, and a
dash stands. An exponent above --limit is measured again and, if it stays, marked with an asterisk;
then the exit status is 1. On a machine that does other things as well times are not to be trusted:
--count takes instructions.

Run it in the build directory, as make bench-growth does.
"""

import argparse
import math
import os
import shutil
import subprocess
import sys
import tempfile

COMMANDS = {
    "recover": None,
    "validate": ["validate"],
    "report": ["report"],
    "page": ["report", "--html", "OUTPUT"],
    "waits": ["waits"],
    "comms": ["comms"],
    "watermarks": ["watermarks"],
    "counters": ["counters"],
    "pop": ["pop"],
    "path": ["critical-path"],
    "timeline": ["timeline"],
    "lives": ["timeline", "--comms"],
    "imbalance": ["imbalance"],
    "messages": ["messages"],
    "perfetto": ["export", "--perfetto", "OUTPUT"],
}
SECONDS = 0.08  # or 1e9 instructions; less is noise
MEBIBYTES = 16.0
REPEATS = 5  # of what is to be measured again


def arguments():
    """Reads the command line."""
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shapes", help="only these, separated by commas (all: shapes --list)")
    parser.add_argument("--commands", default=",".join(COMMANDS), help="(default %(default)s)")
    parser.add_argument("--seconds", type=float, default=0.4, help="(default %(default)s)")
    parser.add_argument("--limit", type=float, default=1.15, help="(default %(default)s)")
    parser.add_argument("--builddir", default=".")
    parser.add_argument("--count", action="store_true",
                        help="1e9 instructions, counted by valgrind, in place of seconds")
    parser.add_argument("--verbose", action="store_true", help="print seconds and MiB, too")
    return parser.parse_args()


def counted(command):
    """The instructions of a command, in 1e9: alike however busy the machine is."""
    valgrind = ["valgrind", "--tool=cachegrind", "--cache-sim=no",
                "--cachegrind-out-file=/dev/null"]
    done = subprocess.run(valgrind + command, check=False, stdout=subprocess.DEVNULL,
                          stderr=subprocess.PIPE, text=True)
    return int(done.stderr.rsplit("refs:", 1)[1].split()[0].replace(",", "")) / 1e9


class Run:
    """Spools and the archive of a shape with n of what grows."""

    def __init__(self, options, scratch, shape, n):
        self.builddir = options.builddir
        self.counts = options.count
        self.n = n
        self.folder = os.path.join(scratch, f"{shape}-{n}")
        self.archive = os.path.join(self.folder, "made.otf2.zip")
        self.spools = os.path.join(self.folder, "spools")
        self.found = {}
        os.makedirs(self.spools)
        subprocess.run([os.path.join(self.builddir, "test/bench/shapes"), shape, str(n),
                        self.spools], check=True)
        subprocess.run(self.command("recover"), check=True, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)

    def command(self, name):
        """The command line of one of COMMANDS."""
        if name == "recover":
            return [os.path.join(self.builddir, "mpiwatch-recover"), "--force", "-o",
                    self.archive, self.spools]
        output = os.path.join(self.folder, "output")
        return ([os.path.join(self.builddir, "mpiwatch-analyze")] +
                [output if word == "OUTPUT" else word for word in COMMANDS[name]] +
                ["-q", "-j", "1", self.archive])

    def measure(self, name, repeats=1):
        """The least seconds and MiB of all runs so far, and some more unless there were any."""
        command = self.command(name)
        for _ in range(repeats if repeats > 1 or name not in self.found else 0):
            done = subprocess.run([os.path.join(self.builddir, "test/bench/measure")] + command,
                                  check=True, stdout=subprocess.PIPE, text=True)
            status, seconds, kibibytes = done.stdout.split()
            if status != "0" and not (status == "1" and name == "validate"):
                sys.exit(f"{' '.join(command)}: status {status}")
            work = counted(command) if self.counts else float(seconds)
            before = self.found.get(name, (math.inf, math.inf))
            self.found[name] = (min(work, before[0]), min(int(kibibytes) / 1024, before[1]))
        return self.found[name]

    def remove(self):
        """It is not needed any more."""
        shutil.rmtree(self.folder)


def exponent(numbers, floor):
    """Of growth over two doublings: what each adds is twice what the one before did, if the whole
    is in proportion, whatever there is in any case. None where there is nothing to judge by, or
    where something else is the most at first."""
    first, middle, last = numbers
    if last - middle < floor or middle - first < floor / 5:
        return None
    return math.log2((last - middle) / (middle - first))


def exponents(runs, name, repeats):
    """Of time and memory of a command."""
    found = [run.measure(name, repeats) for run in runs]
    return (exponent([seconds for seconds, _ in found], SECONDS),
            exponent([mebibytes for _, mebibytes in found], MEBIBYTES))


def is_above(pair, limit):
    """Whether one of them is too much."""
    return any(number is not None and number > limit for number in pair)


def judge(options, runs, name):
    """The exponents of a command, measured again if they are too much."""
    found = exponents(runs, name, 1)
    if is_above(found, options.limit) and not options.count:
        found = exponents(runs, name, REPEATS)
    if options.verbose:
        steps = ", ".join("{:.2f} s {:.0f} MiB".format(*run.measure(name))
                          for run in runs)
        print(f"    {name:10} {steps}", flush=True)
    return found


def text_of(pair, limit):
    """Such as 1.02/0.98, with an asterisk behind what is too much."""
    words = ["-" if number is None else f"{number:.2f}" + ("*" if number > limit else "")
             for number in pair]
    return "/".join(words)


def double(options, scratch, shape, n, most):
    """Runs of a shape, until the last one takes long enough."""
    runs = []
    while len(runs) < 3 or (runs[-1].measure("report")[0] < options.seconds and n <= most):
        runs.append(Run(options, scratch, shape, n))
        if len(runs) > 3:
            runs.pop(0).remove()
        n *= 2
    return runs


def grow(options, scratch, shape, limits):
    """All commands on a shape; returns the names of those that grow too fast."""
    runs = double(options, scratch, shape, *limits)
    print(f"  from {runs[0].n} to {runs[-1].n}", flush=True)
    found = {name: judge(options, runs, name) for name in options.commands.split(",")}
    for run in runs:
        run.remove()
    words = [f"{name} {text_of(pair, options.limit)}" for name, pair in found.items()
             if pair != (None, None)]
    print("  " + (", ".join(words) or "nothing to judge by"), flush=True)
    return [name for name, pair in found.items() if is_above(pair, options.limit)]


def main():
    """Measures shape by shape."""
    options = arguments()
    listed = subprocess.run([os.path.join(options.builddir, "test/bench/shapes"), "--list"],
                            check=True, stdout=subprocess.PIPE, text=True).stdout
    shapes = [line.split(" ", 3) for line in listed.splitlines()]
    wanted = options.shapes.split(",") if options.shapes else [shape[0] for shape in shapes]
    worse = []
    with tempfile.TemporaryDirectory(prefix="mpiwatch-growth.") as scratch:
        for name, begin, most, words in shapes:
            if name in wanted:
                print(f"{name}: {words}", flush=True)
                worse += [f"{name}: {command}" for command in
                          grow(options, scratch, name, (int(begin), int(most)))]
    print(f"above {options.limit}: " + (", ".join(worse) or "none"))
    sys.exit(1 if worse else 0)


main()
