#!/usr/bin/python3
"""How fast mpiwatch-analyze reads, and how much memory it takes, on archives that
test/bench/generate makes, or with --box test/bench/generate_box: events per second, peak memory
in MiB, and whether the waiting it finds is the waiting that was put in.

Run it in the build directory. Each command is run --repeat times and the fastest counts.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--events", type=int, default=10_000_000)
    parser.add_argument("--ranks", default="4,64,1000",
                        help="one archive each (default %(default)s)")
    parser.add_argument("--commands", default="calls,report,waits,pop")
    parser.add_argument("--threads", default="1", help="values of -j (default %(default)s)")
    parser.add_argument("--repeat", type=int, default=2)
    parser.add_argument("--box", action="store_true",
                        help="uneven ranks, far apart: neighbours in three dimensions, and "
                             "collectives along two of them")
    parser.add_argument("--directory", action="store_true", help="don't zip the archives")
    return parser.parse_args()


def pack(directory, path):
    """As the recorder packs: deflated at level 1."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for folder, _, names in os.walk(directory):
            for name in sorted(names):
                full = os.path.join(folder, name)
                archive.write(full, os.path.relpath(full, directory))


def measured(command):
    """Seconds and peak MiB of a command whose output nobody wants."""
    begin = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.monotonic() - begin
    if status != 0:
        sys.exit("%s: status %d" % (" ".join(command), status))
    return seconds, usage.ru_maxrss / 1024


# Of a call of the wrong order, in part late sender; and beside the run.
NOT_IN_TRUTH = {"wrong_order_same_source", "wrong_order_different_source", "wait_at_finalize"}
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
    if total != expected:
        sys.exit("waiting found: %s, made: %s" % (total, expected))


def main():
    options = arguments()
    scratch = tempfile.mkdtemp(prefix="mpiwatch-speed.")
    try:
        print("%6s %10s %-8s %2s %8s %12s %9s %12s" % (
            "ranks", "events", "command", "-j", "s", "events/s", "MiB", "KiB/location"))
        for ranks in map(int, options.ranks.split(",")):
            directory = os.path.join(scratch, "made")
            truth = generate(options, directory, ranks)
            archive = directory
            if not options.directory:
                archive = os.path.join(scratch, "made.otf2.zip")
                pack(directory, archive)
            for command in options.commands.split(","):
                for threads in options.threads.split(","):
                    runs = [measured(["./mpiwatch-analyze", command, "-q", "-j", threads, archive])
                            for _ in range(options.repeat)]
                    seconds, memory = min(runs)
                    print("%6d %10d %-8s %2s %8.2f %12.3g %9.1f %12.0f" % (
                        ranks, truth["events"], command, threads, seconds,
                        truth["events"] / seconds, memory, memory * 1024 / ranks), flush=True)
            check_truth(archive, truth)
            shutil.rmtree(directory)
    finally:
        shutil.rmtree(scratch)


if __name__ == "__main__":
    main()
