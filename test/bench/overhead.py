#!/usr/bin/python3
"""What recording costs: whole loops of test/bench/overhead, and a real program, with and
without the recorder, by turns.

    overhead.py [--builddir DIR] [--mpi openmpi] [--millions 1] [--runs 5] [--seconds 10] [ROW...]

The first figure is what a user's run time shows: ns that recording adds to a call, as the mean
of a whole loop, changes of window included; with its standard error, from the differences of
neighbouring runs. "cpu" is the same of the process's user and system time, to be believed where
others use the machine; "least" the difference of the least means of either kind, by the clock.
Then ns per call without the recorder; bytes per call in the archive, at the default level, and
on disk before MPI_Finalize, in the spools; seconds of processor that MPI_Finalize takes longer
per million calls of a rank; memory added at the peak. Rows of two ranks want two idle cores.

"30k" and "1m" are self with that many receives posted. "unselected" is self with the group of
these calls switched off; "filtered" ones are on a communicator that --comms leaves out, so that
they are counted with their bytes; "-sites" is without the lines of calls, "-cpu" without looks
whether threads run, "-16ns" with times in that unit; "+pvars" is with the performance variables
that are recorded by default, which the other rows are without; "+every" writes each of their
changes. What misses its goal has an asterisk. "stalls" are rounds of self, 5 us apart for
--seconds, of which each is timed by itself, without the recorder, with it, and with it while
somebody writes and syncs on the spool's disk: the 99th percentile of all rounds, how many took
10 us or more, what these took in the median, the 99th percentile and at the longest. "lammps"
is seconds that LAMMPS takes from mpirun's start to its end, and of processor.

Then what sampling costs beside the same loop without it: ns per call, by how much the
archive grows, by how much its events do before they are compressed, which is what samples
add, and bytes of a sample, compressed, where many are written. The archive of self grows with
hardly a sample in it: its calls follow each other at once, after some 21 ns, which vary by 2.9
bits; with the reading of variables in between it is some 55 ns, and 4.5 bits, as with any other
work of that length.
"""
import argparse
import contextlib
import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import zipfile

# row: loop, ranks, options of mpiwatch-record, ns per call added at most (None: no goal)
CALLS = ["--pvars=none"]
ROWS = {
    "local": ("local", 1, CALLS + ["-e", "all"], 55),
    "self": ("self", 1, CALLS, 80),
    "pingpong": ("pingpong", 2, CALLS, 80),
    "halo": ("halo", 2, CALLS, 105),
    "allreduce": ("allreduce", 1, CALLS, 70),
    "30k": ("30k", 1, CALLS, 120),
    "1m": ("1m", 1, CALLS, 250),
    "unselected": ("self", 1, CALLS + ["-e", "coll"], 10),
    "filtered": ("self", 1, CALLS + ["--no-world"], 17),
    "filtered local": ("local", 1, CALLS + ["-e", "all", "--no-world"], 17),
    "filtered allreduce": ("allreduce", 1, CALLS + ["--no-world"], 17),
    "filtered halo": ("halo", 2, CALLS + ["--no-world"], 20),
    "local-sites": ("local", 1, CALLS + ["-e", "all", "--sites=off"], None),
    "self-sites": ("self", 1, CALLS + ["--sites=off"], None),
    "self-cpu": ("self", 1, CALLS + ["--cpu=off"], None),
    "halo-16ns": ("halo", 2, CALLS + ["--time-unit=16ns"], None),
    "30k-32ns": ("30k", 1, CALLS + ["--time-unit=32ns"], None),
    "self+pvars": ("self", 1, [], None),
    "halo+pvars": ("halo", 2, [], None),
    "halo+every": ("halo", 2, ["--pvar-interval=0"], None),
}
# MPICH 4.0 has at most 262,144 requests at once, and fails an assertion at the next one.
MISSING = {"mpich": ["1m"]}
SAMPLING_GOAL, GROWTH_GOAL = 120, 10
BYTES_GOAL, SPOOL_GOAL, FINALIZE_GOAL, MEMORY_GOAL = 7, 18, 0.25, 8 * 1024
OUTSTANDING = {"30k": 30_000, "30k-32ns": 30_000, "1m": 1_000_000}
REQUEST_GOAL = 64 / 1024
LAMMPS_STEPS, LAMMPS_RANKS = 1000, (2, 4)


def launch(options, ranks, command, record_options, scratch):
    """Runs command on ranks, recorded if there are options for that: what it printed."""
    archive = os.path.join(scratch, "bench.otf2.zip")
    spools = os.path.join(scratch, "spools")
    launcher = ["mpirun." + options.mpi, "-n", str(ranks)]
    environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1",
                       OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                       OMPI_MCA_rmaps_base_oversubscribe="1",
                       PRTE_MCA_rmaps_default_mapping_policy=":oversubscribe", TMPDIR=scratch)
    environment.pop("OMPI_MCA_mpi_yield_when_idle", None)
    if record_options is not None:
        os.makedirs(spools, exist_ok=True)
        environment["MPIWATCH_SPOOL"] = spools
        launcher += [os.path.join(options.builddir, "mpiwatch-record"), "-o", archive,
                     *record_options]
    done = subprocess.run(launcher + command, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True, timeout=1800, env=environment, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(launcher + command)}: exit {done.returncode}\n{done.stderr}")
    return done.stdout, archive


def run(options, name, recorded, scratch, how):
    """One run of a row: what the program printed, by name, and the archive's size."""
    loop, ranks, record_options, _ = ROWS[name]
    program = os.path.join(options.builddir, "test/bench/overhead-" + options.mpi)
    text, archive = launch(options, ranks, [program, loop, *how],
                           record_options if recorded else None, scratch)
    numbers = {name: float(value) for name, value in map(str.split, text.splitlines())}
    if recorded:
        calls = numbers["calls"] * ranks
        numbers["archive"] = os.path.getsize(archive)
        numbers["bytes"] = numbers["archive"] / calls
        numbers["spool"] = numbers["spool"] / calls
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


def added(without, recorded, what):
    """The mean of the differences of neighbouring runs, and its standard error."""
    differences = [on[what] - off[what] for off, on in zip(without, recorded)]
    error = (statistics.stdev(differences) / len(differences) ** 0.5
             if len(differences) > 1 else float("nan"))
    return statistics.mean(differences), error


def least(runs, what):
    """The least number of that name."""
    return min(numbers[what] for numbers in runs)


def flag(value, goal, text):
    """The text, with an asterisk where the goal is missed."""
    return text + ("*" if goal is not None and value > goal else " ")


def sampling(results):
    """Prints what sampling adds to the rows that were measured with and without it."""
    for name, recorded in results.items():
        plain = results.get(name.split("+")[0])
        if "+" not in name or not plain:
            continue
        mean, error = added(plain, recorded, "mean")
        cpu, cpu_error = added(plain, recorded, "cpu")
        grown = least(recorded, "archive") - least(plain, "archive")
        growth = 100 * grown / least(plain, "archive")
        events_growth = 100 * (least(recorded, "events") / least(plain, "events") - 1)
        samples = max(1, max(runs["samples"] for runs in recorded))
        is_default = not ROWS[name][2]
        print(f"sampling {name}: added {mean:.1f} +- {error:.1f} ns per call"
              + ("*" if is_default and mean > SAMPLING_GOAL else "")
              + f", cpu {cpu:.1f} +- {cpu_error:.1f}; archive {growth:+.1f} %"
              + ("*" if is_default and growth > GROWTH_GOAL else "")
              + f", events {events_growth:+.2f} %"
              + ("*" if is_default and events_growth > GROWTH_GOAL else "")
              + f"; {samples:.0f} samples"
              + (f" of {grown / samples:.1f} bytes" if samples > 1000 else ""))


def measure(options, name):
    """The runs of a row, without and with, by turns."""
    without, recorded = [], []
    with tempfile.TemporaryDirectory() as scratch:
        for _ in range(options.runs):
            for runs, is_recorded in (without, False), (recorded, True):
                runs.append(run(options, name, is_recorded, scratch, [str(options.millions)]))
    return without, recorded


def row(name, without, recorded):
    """The line of the table."""
    goal = ROWS[name][3]
    mean, error = added(without, recorded, "mean")
    cpu, cpu_error = added(without, recorded, "cpu")
    millions = recorded[0]["calls"] / 1e6
    seconds = (least(recorded, "finalize_cpu") - least(without, "finalize_cpu")) / millions
    memory = least(recorded, "peak") - least(without, "peak")
    return " ".join([
        f"{name:18}", flag(mean, goal, f"{mean:8.1f} +-{error:6.1f}"),
        flag(cpu, goal, f"{cpu:8.1f} +-{cpu_error:6.1f}"),
        flag(least(recorded, "mean") - least(without, "mean"), goal,
             f"{least(recorded, 'mean') - least(without, 'mean'):8.1f}"),
        f"{statistics.mean(runs['mean'] for runs in without):9.1f}",
        flag(least(recorded, "bytes"), BYTES_GOAL, f"{least(recorded, 'bytes'):7.2f}"),
        flag(least(recorded, "spool"), SPOOL_GOAL, f"{least(recorded, 'spool'):6.1f}"),
        flag(seconds, FINALIZE_GOAL, f"{seconds:8.3f}"),
        flag(memory, MEMORY_GOAL + REQUEST_GOAL * OUTSTANDING.get(name, 0),
             f"{memory / 1024:6.1f}")])


@contextlib.contextmanager
def busy_disk(directory):
    """Somebody writes and syncs in the directory meanwhile."""
    script = ("import os, sys\n"
              "file = os.open(sys.argv[1], os.O_CREAT | os.O_WRONLY, 0o600)\n"
              "while True:\n"
              "    os.pwrite(file, bytes(1 << 24), 0)\n"
              "    os.fsync(file)\n")
    writer = subprocess.Popen([sys.executable, "-c", script, os.path.join(directory, "busy")])
    try:
        yield
    finally:
        writer.kill()
        writer.wait()


def stalls(options):
    """Prints the lines of rounds that are timed one by one."""
    print(f"\nstalls, {options.seconds:g} s   p99 of all, us   10 us and more   their median, us"
          "        p99    longest")
    with tempfile.TemporaryDirectory() as scratch:
        for name, recorded, busy in (("without", False, False), ("disk idle", True, False),
                                     ("disk busy", True, True)):
            with busy_disk(scratch) if busy else contextlib.nullcontext():
                numbers = run(options, "self", recorded, scratch, ["0", str(options.seconds)])
            print(f"{name:12} {numbers['p99'] / 1e3:18.2f} {numbers['stalls']:16.0f}"
                  f" {numbers['stall50'] / 1e3:18.1f} {numbers['stall99'] / 1e3:10.1f}"
                  f" {numbers['longest'] / 1e3:10.1f}", flush=True)


def lammps_run(options, ranks, recorded, scratch):
    """Seconds of one run of LAMMPS, by the clock and of processor."""
    source = os.path.join(os.path.dirname(os.path.abspath(__file__)),
                          "../../examples/lennard-jones.in")
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    launch(options, ranks, ["lmp", "-in", source, "-log", "none", "-var", "steps",
                            str(LAMMPS_STEPS)], ["-q", "--force"] if recorded else None, scratch)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return {"wall": time.monotonic() - start,
            "cpu": after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime}


def lammps(options):
    """Prints the lines of LAMMPS, or why there are none."""
    program = shutil.which("lmp")
    linked = program and subprocess.run(["ldd", program], stdout=subprocess.PIPE, text=True,
                                        check=True).stdout
    if not program:
        print("\nlammps: lmp is not installed")
    elif {"openmpi": "libmpi.so", "mpich": "libmpich.so"}[options.mpi] not in linked:
        print(f"\nlammps: lmp is not linked with {options.mpi}")
    else:
        print(f"\nlammps, {LAMMPS_STEPS} steps      without, s   with, s            added, s"
              "         added, cpu s")
        for ranks in LAMMPS_RANKS:
            without, recorded = [], []
            with tempfile.TemporaryDirectory() as scratch:
                for _ in range(options.runs):
                    without.append(lammps_run(options, ranks, False, scratch))
                    recorded.append(lammps_run(options, ranks, True, scratch))
            means = [statistics.mean(run["wall"] for run in runs) for runs in (without, recorded)]
            print(f"{ranks} ranks {means[0]:23.2f} {means[1]:9.2f}"
                  + "".join(" {:13.3f} +-{:6.3f}".format(*added(without, recorded, what))
                            for what in ("wall", "cpu")), flush=True)


def main():
    """Reads the command line, measures, prints."""
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--builddir", default=".")
    parser.add_argument("--mpi", default="openmpi", choices=["openmpi", "mpich"])
    parser.add_argument("--millions", type=float, default=1)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=10, help="of stalls; 60 to publish")
    parser.add_argument("rows", nargs="*", metavar="ROW", help="also: stalls, lammps")
    options = parser.parse_args()
    options.builddir = os.path.abspath(options.builddir)
    others = {"stalls": stalls, "lammps": lammps}
    rows = options.rows or [*ROWS, *others]
    print(f"{options.mpi}, {options.runs} runs each way, {options.millions:g} million calls a rank,"
          f" {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    print("                   added, ns a call    cpu                least      without "
          " archive  spool  finalize memory")
    results = {}
    for name in rows:
        if name in MISSING.get(options.mpi, []):
            print(f"{name:18} this MPI can't")
        elif name not in others:
            without, recorded = measure(options, name)
            results[name] = recorded
            print(row(name, without, recorded), flush=True)
    print("* misses its goal: added 55 local, 80 self and pingpong, 105 halo, 70 allreduce, 120"
          " 30k, 250 1m, 10 unselected, 17 filtered (halo 20); 7 bytes, spool 18; finalize 0.25 s"
          " a million; 8 MiB, 64 bytes a request; sampling 120 ns, 10 % of the archive")
    sampling(results)
    for name in rows:
        if name in others:
            others[name](options)


main()
