#!/usr/bin/python3
"""What the end of a run takes with many ranks: each step of writing the archive, on rank 0 and on
the worst of the others, in processor time, in memory and in bytes to and from other ranks.

test/bench/scale has so many ranks in one process, whose transport copies memory: what a network and
a file system would take is not in it. For each number the exponent is printed of what comes, with
the last two numbers of ranks, to what the fewest take: 1.00 means in proportion to the ranks, 0.00
that it does not grow. From it comes what so many as --expect would take; where that is more than
--limit the line is marked with an asterisk, and the exit status is 1. Steps below 2 ms, or 1 MiB,
are left out. Memory is what the rank has from malloc in the step at most; steps that add nothing to
the one before are left out.

Run it in the build directory, as make bench-scale does.
"""

import argparse
import math
import os
import shutil
import subprocess
import sys
import tempfile

MEBIBYTE = 1 << 20
SIDES = (("rank 0", 0), ("worst other rank", 4))
#        title, number of it on a side, unit, in it, and less than it is noise
NUMBERS = (("processor time", 0, "ms", 1e6, 2.0), ("memory", 1, "MiB", MEBIBYTE, 1.0),
           ("taken from others", 2, "MiB", MEBIBYTE, 1.0),
           ("given to others", 3, "MiB", MEBIBYTE, 1.0))


def arguments():
    """Reads the command line."""
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ranks", default="10,100,1000,10000", help="(default %(default)s)")
    parser.add_argument("--comms", type=int, default=20,
                        help="duplicates of MPI_COMM_WORLD (default %(default)s)")
    parser.add_argument("--expect", type=int, default=100000, help="(default %(default)s)")
    parser.add_argument("--limit", type=float, default=1024, help="MiB (default %(default)s)")
    parser.add_argument("--builddir", default=".")
    return parser.parse_args()


def measure(program, ranks, comms):
    """The numbers of each step, by its name; two sides of four, and the time of all ranks."""
    directory = tempfile.mkdtemp(prefix="mpiwatch-scale-")
    try:
        said = subprocess.run([program, str(ranks), str(comms), directory], check=True,
                              stdout=subprocess.PIPE, universal_newlines=True).stdout
    finally:
        shutil.rmtree(directory, ignore_errors=True)
    steps = {}
    for line in said.splitlines():
        words = line.split(" ")
        if words[0] != "archive":
            steps[" ".join(words[:-9])] = [int(word) for word in words[-9:]]
    return steps


def growth_of(row, ranks):
    """The exponent of what comes to what the fewest ranks take; 0 where nothing does."""
    before, last = row[-2] - row[0], row[-1] - row[0]
    if before <= 0 or last <= 0:
        return 0.0
    return math.log(last / before) / math.log(ranks[-1] / ranks[-2])


def is_worth_a_line(row, before, noise, is_memory):
    """Whether a step takes something, and, of memory, more than the one before it."""
    return row[-1] >= noise and (not is_memory or row[-1] > 1.02 * before)


def table(title, rows, ranks, options, unit, noise):
    """Prints what steps take that is more than noise; whether one would be above the limit."""
    exceeded = False
    before = 0.0
    print("\n%s, %s" % (title, unit))
    print("%-20s" % "step" + "".join("%9d" % count for count in ranks) +
          "  growth %9d" % options.expect)
    for name, row in rows:
        if not is_worth_a_line(row, before, noise, title.endswith("memory")):
            continue
        before = row[-1]
        growth = growth_of(row, ranks)
        expected = row[0] + (row[-1] - row[0]) * (options.expect / ranks[-1]) ** growth
        mark = "*" if unit == "MiB" and expected > options.limit else ""
        exceeded = exceeded or mark != ""
        print("%-20s" % name + "".join("%9.1f" % number for number in row) +
              "%8.2f %9.0f%s" % (growth, expected, mark))
    return exceeded


def main():
    """Measures and prints."""
    options = arguments()
    program = os.path.join(options.builddir, "test/bench/scale")
    ranks = [int(word) for word in options.ranks.split(",")]
    measured = [measure(program, count, options.comms) for count in ranks]
    exceeded = False

    for side, first in SIDES:
        for title, number, unit, divisor, noise in NUMBERS:
            rows = [(name, [of[name][first + number] / divisor for of in measured])
                    for name in measured[-1]]
            if number == 0:
                rows.append(("all steps", [sum(row[1][i] for row in rows)
                                           for i in range(len(ranks))]))
            if max(row[1][-1] for row in rows) >= noise:
                exceeded |= table("%s: %s" % (side, title), rows, ranks, options, unit, noise)
    return 1 if exceeded else 0


if __name__ == "__main__":
    sys.exit(main())
