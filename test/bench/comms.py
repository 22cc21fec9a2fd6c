#!/usr/bin/python3
"""What making communicators costs: test/bench/comms with and without the recorder, by turns.

    comms.py [--builddir DIR] [--mpi openmpi] [--count 50000] [--ranks 1] [--runs 5] [KIND...]

A line for each kind of creation: microseconds that making and freeing one takes of the
processor's time, and of the clock's, without, with, and added (each the mean of a whole loop;
the least of the runs, and the mean of the runs behind the slash); microseconds for each that
MPI_Finalize takes longer of the processor's time, bytes of the archive, and bytes of memory
at the peak. What misses its goal has an asterisk: 2 us of the processor's time, 100 bytes of
the archive on up to two ranks.
"""
import argparse
import os
import statistics
import subprocess
import sys
import tempfile

KINDS = ["dup", "idup", "split", "create", "group", "cart", "graph"]
GOAL, BYTES_GOAL = 2, 100


def run(options, kind, recorded, scratch):
    """One run: what the program printed, by name, and the archive's size."""
    archive = os.path.join(scratch, "bench.otf2.zip")
    command = ["mpirun." + options.mpi, "-n", str(options.ranks)]
    if recorded:
        command += [os.path.join(options.builddir, "mpiwatch-record"), "-o", archive,
                    *options.record.split()]
    command += [os.path.join(options.builddir, "test/bench/comms-" + options.mpi), kind,
                str(options.count)]
    environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1",
                       OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                       OMPI_MCA_rmaps_base_oversubscribe="1",
                       PRTE_MCA_rmaps_default_mapping_policy=":oversubscribe", TMPDIR=scratch)
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          timeout=600, env=environment, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}: exit {done.returncode}\n{done.stderr}")
    numbers = {name: float(value) for name, value in map(str.split, done.stdout.splitlines())}
    if recorded:
        numbers["archive"] = os.path.getsize(archive)
        os.remove(archive)
    return numbers


def row(options, kind, without, recorded):
    """The line of a kind."""
    def cell(what, goal=None):
        text = []
        for take in (min, statistics.mean):
            off, on = (take(numbers[what] for numbers in runs) for runs in (without, recorded))
            text.append((off, on, on - off))
        miss = "*" if goal is not None and text[0][2] > goal else " "
        return "  ".join(f"{least:6.2f}/{mean:6.2f}" for least, mean in zip(*text)) + miss

    def each(what, scale):
        off = min(numbers[what] for numbers in without) if what in without[0] else 0
        return (min(numbers[what] for numbers in recorded) - off) * scale / recorded[0]["made"]

    size = each("archive", 1)
    return (f"{kind:7} {cell('cpu', GOAL)} {cell('wall')} {each('finalize_cpu', 1e6):6.2f}"
            f" {size:6.1f}{'*' if size >= BYTES_GOAL and options.ranks <= 2 else ' '}"
            f" {each('peak', 1024):6.0f}")


def main():
    """Reads the command line, measures, prints."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--builddir", default=".")
    parser.add_argument("--mpi", default="openmpi", choices=["openmpi", "mpich"])
    parser.add_argument("--count", type=int, default=50000)
    parser.add_argument("--ranks", type=int, default=1)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--record", default="", help="options of mpiwatch-record")
    parser.add_argument("kinds", nargs="*", metavar="KIND")
    options = parser.parse_args()
    options.builddir = os.path.abspath(options.builddir)
    print(f"{options.mpi}, {options.ranks} ranks, {options.runs} runs each way, "
          f"{options.count} communicators, us each (least/mean)")
    print("        cpu: off       on             added          wall: off      on             added"
          "        finalize  bytes memory")
    for kind in options.kinds or KINDS:
        without, recorded = [], []
        with tempfile.TemporaryDirectory() as scratch:
            for _ in range(options.runs):
                without.append(run(options, kind, False, scratch))
                recorded.append(run(options, kind, True, scratch))
        print(row(options, kind, without, recorded), flush=True)


main()
