#!/usr/bin/python3
"""How fast mpiwatch-analyze reads, and how much memory it takes, on archives that
test/bench/generate makes, or with --box test/bench/generate_box: ns an event on the wall and of
processor time, peak memory for each location, and whether the waiting it finds is the waiting that
was put in. Beside it, by turns: libotf2, which reads the same events and does nothing with them
(of directories), and with --before another version.

Run it in the build directory, on a machine that does nothing else. Each command is run --repeat
times and the fastest counts. A way is a number of threads (-j), or of processes under mpirun
(mpich:2), for which the time of mpirun is what counts. Where a run can be cut is found out
before.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--events", type=int, default=20_000_000)
    parser.add_argument("--ranks", default="64,1000",
                        help="one archive each (default %(default)s)")
    parser.add_argument("--commands", default="calls,waits,report")
    parser.add_argument("--ways", default="1,2,mpich:2",
                        help="threads, or an MPI and its processes (default %(default)s)")
    parser.add_argument("--containers", default="zip,directory")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--before", metavar="BUILD", help="the build directory of another version")
    parser.add_argument("--box", action="store_true",
                        help="uneven ranks, far apart: neighbours in three dimensions, and "
                             "collectives along two of them")
    return parser.parse_args()


def pack(directory, path):
    """As archives of the recorder are: with an index of blocks."""
    subprocess.run(["./mpiwatch-analyze", "export", "-q", "--otf2", path, directory], check=True)


def measured(command):
    """Seconds on the wall and of processor time, and peak KiB, of a command nobody listens to."""
    begin = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.monotonic() - begin
    if status != 0:
        sys.exit("%s: status %d" % (" ".join(command), status))
    return seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss


# Of a call of the wrong order, in part late sender; and beside the run.
NOT_IN_TRUTH = {"wrong_order_same_source", "wrong_order_different_source", "wait_at_finalize"}
# Where a call is left just as the one of a neighbour's begins: so much of all waiting at most.
BY_CHANCE = {"late_progress": 1e-6}
EVENTS_PER_STEP_IN_BOX = 50  # of a rank, about


def generate(options, directory, ranks):
    """Makes the archive: what is in it."""
    command = ["test/bench/generate", directory, str(ranks), str(options.events)]
    if options.box:
        steps = max(1, options.events // ranks // EVENTS_PER_STEP_IN_BOX)
        command = ["test/bench/generate_box", directory, str(ranks), str(steps)]
    made = subprocess.run(command, check=True, stdout=subprocess.PIPE)
    return json.loads(made.stdout)


def check_truth(archive, truth):
    """The waiting found is the waiting made, to the nanosecond."""
    found = json.loads(subprocess.run(["./mpiwatch-analyze", "waits", "--json", archive],
                                      check=True, stdout=subprocess.PIPE).stdout)
    total = {p["name"]: p["total_ns"] for p in found["patterns"]
             if p["total_ns"] and p["name"] not in NOT_IN_TRUTH}
    expected = {name: ns for name, ns in truth["waits"].items() if ns}
    for name, share in BY_CHANCE.items():
        if total.get(name, 0) <= share * sum(expected.values()):
            total.pop(name, None)
    if total != expected:
        sys.exit("waiting found: %s, made: %s" % (total, expected))


def way_of(program, command, way, archive):
    """The words that run program's command in this way."""
    if ":" in way:
        mpi, processes = way.split(":")
        return ["mpirun." + mpi, "-n", processes, program, command, "-q", "-j", "1", archive]
    return [program, command, "-q", "-j", way, archive]


def compare(commands, repeat):
    """The fastest of repeat runs of each, by turns; peak memory is the least, too."""
    runs = [[measured(command) for command in commands] for _ in range(repeat)]
    return [tuple(min(run[i][part] for run in runs) for part in range(3))
            for i in range(len(commands))]


def show(what, way, ranks, events, seconds, processor, peak):
    print("%-24s %-10s %8.1f %8.1f %10.0f" % (
        what, way, seconds / events * 1e9, processor / events * 1e9, peak / ranks), flush=True)


def bench(options, container, ranks, events, archive, directory):
    """All commands in all ways, of one archive."""
    print("\n%d locations, %d events, %s\n%-24s %-10s %8s %8s %10s" % (
        ranks, events, container, "", "way", "ns wall", "ns cpu", "KiB/loc."))
    if container == "directory":
        show("libotf2", "", ranks, events,
             *compare([["test/bench/libotf2_reads", directory]], options.repeat)[0])
    programs = {"": "./mpiwatch-analyze"}
    if options.before:
        programs[", before"] = os.path.join(options.before, "mpiwatch-analyze")
    subprocess.run([programs[""], "waits", "-q", "-j", "2", archive], check=True,
                   stdout=subprocess.DEVNULL)
    for command in options.commands.split(","):
        for way in options.ways.split(","):
            found = compare([way_of(program, command, way, archive)
                             for program in programs.values()], options.repeat)
            for name, one in zip(programs, found):
                show(command + name, way, ranks, events, *one)


def main():
    options = arguments()
    scratch = tempfile.mkdtemp(prefix="mpiwatch-speed.")
    os.environ["XDG_CACHE_HOME"] = os.path.join(scratch, "cache")
    try:
        for ranks in map(int, options.ranks.split(",")):
            directory = os.path.join(scratch, "made")
            truth = generate(options, directory, ranks)
            for container in options.containers.split(","):
                archive = directory
                if container == "zip":
                    archive = os.path.join(scratch, "made.otf2.zip")
                    pack(directory, archive)
                bench(options, container, ranks, truth["events"], archive, directory)
                check_truth(archive, truth)
            shutil.rmtree(directory)
    finally:
        shutil.rmtree(scratch)


if __name__ == "__main__":
    main()
