#!/usr/bin/python3
"""What recording costs: test/bench/overhead with and without the recorder, by turns.

    overhead.py [--builddir DIR] [--mpi openmpi] [--millions 1] [--runs 5] [ROW...]

Prints a table: ns per call without, with, and what is added (the least minimum and the
least median of the runs), the 99.99th percentile of one round of the pattern (the least
of the runs) and the longest stall ever, bytes per call on disk at the default level,
memory added, and seconds that MPI_Finalize takes longer per million calls of a rank.
"unselected" is self with the group of these calls switched off; "filtered" ones are on a
communicator that --comms leaves out, so that they are counted with their bytes: 15 ns more than
"unselected" is the goal; "+pvars" is with the
performance variables that are recorded by default, which the other rows are without;
"+every" writes each of their changes. What misses its goal has an asterisk.

Then what sampling costs beside the same pattern without it: ns per call, by how much the
archive grows, by how much its events do before they are compressed, which is what samples
add, and bytes of a sample, compressed, where many are written. The archive of self grows with
hardly a sample in it: its calls follow each other at once, after some 21 ns, which vary by 2.9
bits; with the reading of variables in between it is some 55 ns, and 4.5 bits, as with any other
work of that length.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile
import zipfile

# row: pattern, ranks, options of mpiwatch-record, ns per call added at most (None: no goal)
CALLS = ["--pvars=none"]
ROWS = {
    "local": ("local", 1, CALLS + ["-e", "all"], 100),
    "self": ("self", 1, CALLS, 130),
    "unselected": ("self", 1, CALLS + ["-e", "coll"], 10),
    "filtered": ("self", 1, CALLS + ["--no-world"], 17),
    "filtered local": ("local", 1, CALLS + ["-e", "all", "--no-world"], 17),
    "filtered allreduce": ("allreduce", 1, CALLS + ["--no-world"], 17),
    "filtered halo": ("halo", 2, CALLS + ["--no-world"], 20),
    "pingpong": ("pingpong", 2, CALLS, None),
    "halo": ("halo", 2, CALLS, 150),
    "allreduce": ("allreduce", 1, CALLS, 130),
    "self+pvars": ("self", 1, [], None),
    "halo+pvars": ("halo", 2, [], None),
    "halo+every": ("halo", 2, ["--pvar-interval=0"], None),
}
SAMPLING_GOAL, GROWTH_GOAL = 120, 10
BYTES_GOAL, FINALIZE_GOAL, MEMORY_GOAL = 12, 0.8, 16 * 1024


def run(options, name, recorded, scratch):
    """One run of a row: what the program printed, by name, and the archive's size."""
    pattern, ranks, record_options, _ = ROWS[name]
    program = os.path.join(options.builddir, "test/bench/overhead-" + options.mpi)
    archive = os.path.join(scratch, "bench.otf2.zip")
    command = ["mpirun." + options.mpi, "-n", str(ranks)]
    if recorded:
        command += [os.path.join(options.builddir, "mpiwatch-record"), "-o", archive,
                    *record_options]
    command += [program, pattern, str(options.millions)]
    environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1",
                       OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                       OMPI_MCA_rmaps_base_oversubscribe="1", TMPDIR=scratch)
    environment.pop("OMPI_MCA_mpi_yield_when_idle", None)
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          timeout=600, env=environment, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}: exit {done.returncode}\n{done.stderr}")
    numbers = {name: float(value) for name, value in map(str.split, done.stdout.splitlines())}
    if recorded:
        numbers["archive"] = os.path.getsize(archive)
        numbers["bytes"] = numbers["archive"] / (numbers["calls"] * ranks)
        numbers["samples"] = samples_in(options, archive) if "+" in name else 0
        with zipfile.ZipFile(archive) as members:
            numbers["events"] = sum(member.file_size for member in members.infolist()
                                    if member.filename.endswith(".evt"))
        os.remove(archive)
    return numbers


def samples_in(options, archive):
    """How many samples the archive has: a variable's statistics are one."""
    counters = subprocess.run([os.path.join(options.builddir, "mpiwatch-analyze"), "counters",
                               "--json", archive], stdout=subprocess.PIPE, check=True)
    return sum(row["samples"] for row in json.loads(counters.stdout)["pvars"]
               if "." not in row["name"] or row["name"].endswith(".sum"))


def sampling(results):
    """Prints what sampling adds to the rows that were measured with and without it."""
    for name, recorded in results.items():
        plain = results.get(name.split("+")[0])
        if "+" not in name or not plain:
            continue
        added = [min(runs[what] for runs in recorded) - min(runs[what] for runs in plain)
                 for what in ("minimum", "median")]
        bytes_added = min(runs["archive"] for runs in recorded) - \
            min(runs["archive"] for runs in plain)
        growth = 100 * bytes_added / min(runs["archive"] for runs in plain)
        events_added = min(runs["events"] for runs in recorded) - \
            min(runs["events"] for runs in plain)
        events_growth = 100 * events_added / min(runs["events"] for runs in plain)
        samples = max(1, max(runs["samples"] for runs in recorded))
        is_default = not ROWS[name][2]
        print(f"sampling {name}: added {added[0]:.1f} ns per call, median {added[1]:.1f}"
              + ("*" if is_default and added[0] > SAMPLING_GOAL else "")
              + f"; archive {growth:+.1f} %"
              + ("*" if is_default and growth > GROWTH_GOAL else "")
              + f", events {events_growth:+.2f} %"
              + ("*" if is_default and events_growth > GROWTH_GOAL else "")
              + f"; {samples:.0f} samples"
              + (f" of {bytes_added / samples:.1f} bytes" if samples > 1000 else ""))


def measure(options, name):
    """The runs of a row, without and with, by turns."""
    without, recorded = [], []
    with tempfile.TemporaryDirectory() as scratch:
        for _ in range(options.runs):
            without.append(run(options, name, False, scratch))
            recorded.append(run(options, name, True, scratch))
    return without, recorded


def row(name, without, recorded):
    """The line of the table."""
    def least(runs, what):
        return min(numbers[what] for numbers in runs)

    def flag(value, goal, text):
        return text + ("*" if goal is not None and value > goal else " ")

    goal = ROWS[name][3]
    cells = [f"{name:10}"]
    for what in ("minimum", "median"):
        off, on = least(without, what), least(recorded, what)
        cells.append(f"{off:7.1f} {on:7.1f} " + flag(on - off, goal, f"{on - off:6.1f}"))
    cells.append(f"{least(without, 'p9999'):8.0f} {least(recorded, 'p9999'):8.0f}")
    longest = [max(numbers["longest"] for numbers in runs) / 1e6 for runs in (without, recorded)]
    cells.append(f"{longest[0]:7.2f} {longest[1]:7.2f}")
    size = least(recorded, "bytes")
    cells.append(flag(size, BYTES_GOAL, f"{size:6.2f}"))
    memory = least(recorded, "peak") - least(without, "peak")
    cells.append(flag(memory, MEMORY_GOAL, f"{memory / 1024:6.1f}"))
    seconds = least(recorded, "finalize") - least(without, "finalize")
    seconds /= recorded[0]["calls"] / 1e6
    cells.append(flag(seconds, FINALIZE_GOAL, f"{seconds:6.2f}"))
    return "  ".join(cells)


def main():
    """Reads the command line, measures, prints."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--builddir", default=".")
    parser.add_argument("--mpi", default="openmpi", choices=["openmpi", "mpich"])
    parser.add_argument("--millions", type=float, default=1)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("rows", nargs="*", metavar="ROW")
    options = parser.parse_args()
    options.builddir = os.path.abspath(options.builddir)
    print(f"{options.mpi}, {options.runs} runs each way, {options.millions:g} million calls a rank")
    print("            minimum, ns per call       median, ns per call        p99.99, ns"
          "         longest, ms      bytes/  memory  finalize")
    print("pattern        off      on   added      off      on   added       off       on"
          "      off      on    call     MiB   s/million")
    results = {}
    for name in options.rows or ROWS:
        without, recorded = measure(options, name)
        results[name] = recorded
        print(row(name, without, recorded), flush=True)
    sampling(results)
    print("* misses its goal: added 100 local, 130 self and allreduce, 150 halo, "
          "10 unselected; 12 bytes, 16 MiB, 0.8 s; sampling 120 ns, 10 % of the archive")


main()
