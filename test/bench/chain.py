#!/usr/bin/python3
"""What the chain of tools costs: MPI_Comm_rank of test/bench/overhead through 0 to 8
instances of a tool that does nothing (test/bench/passive.c).

    chain.py [--builddir DIR] [--mpi openmpi] [--millions 1] [--runs 7]

Prints ns per call, the mean of a whole loop, the least of the runs, which go by turns. "plain"
is without mpiwatch; "unrecorded" with the recorder in the chain but the group not selected;
"recorded" with it selected; "removed" with the list saying -mpiwatch. "shared" and "looking" are
tools that find their instance, or their next function, at every call. The last column is what
one instance adds: an asterisk if that is more than 2 ns (looking has no goal).
"""
import argparse
import os
import subprocess
import sys
import tempfile

LEVELS = (0, 1, 2, 4, 8)
GOAL = 2.0
# row: tool, groups recorded, what comes last in the list
ROWS = {
    "unrecorded": ("passive", "coll", []),
    "removed": ("passive", "coll", ["-mpiwatch"]),
    "looking": ("looking", "coll", []),
    "recorded": ("passive", "all", []),
    "shared": ("shared", "all", []),
}


def run(options, scratch, tools, groups):
    """One run: the mean of the calls, in ns."""
    program = os.path.join(options.builddir, "test/bench/overhead-" + options.mpi)
    command = ["mpirun." + options.mpi, "-n", "1"]
    if tools is not None:
        command += [os.path.join(options.builddir, "mpiwatch-record"), "-e", groups, "--force",
                    "-o", os.path.join(scratch, "chain.otf2.zip"), "--tools=" + ",".join(tools),
                    "--tools-path=" +
                    os.path.join(options.builddir, f"test/bench/passive-{options.mpi}.so")]
    command += [program, "local", str(options.millions)]
    environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1",
                       OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", TMPDIR=scratch)
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          timeout=600, env=environment, check=False)
    if done.returncode != 0 or "there is no tool" in done.stderr:
        sys.exit(f"{' '.join(command)}: exit {done.returncode}\n{done.stderr}")
    return float(dict(map(str.split, done.stdout.splitlines()))["mean"])


def main():
    """Reads the command line, measures, prints."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--builddir", default=".")
    parser.add_argument("--mpi", default="openmpi", choices=["openmpi", "mpich"])
    parser.add_argument("--millions", type=float, default=1)
    parser.add_argument("--runs", type=int, default=7)
    options = parser.parse_args()
    options.builddir = os.path.abspath(options.builddir)
    least = {}
    with tempfile.TemporaryDirectory() as scratch:
        for _ in range(options.runs):
            for name, level in [("plain", 0)] + [(n, l) for n in ROWS for l in LEVELS]:
                if name == "plain":
                    time = run(options, scratch, None, None)
                else:
                    tool, groups, last = ROWS[name]
                    time = run(options, scratch, [tool] * level + last, groups)
                least[name, level] = min(time, least.get((name, level), time))
    print(f"{options.mpi}: MPI_Comm_rank, ns; plain {least['plain', 0]:.1f}")
    print("instances   " + "".join(f"{level:8}" for level in LEVELS) + "     each")
    for name in ROWS:
        each = (least[name, LEVELS[-1]] - least[name, 0]) / LEVELS[-1]
        missed = "*" if each > GOAL and name != "looking" else ""
        print(f"{name:12}" + "".join(f"{least[name, level]:8.1f}" for level in LEVELS) +
              f"{each:9.2f}{missed}")


main()
