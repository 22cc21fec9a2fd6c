#!/usr/bin/python3
"""Whether two versions record the same: runs programs with the recorders of two build directories
and compares what otf2-print says of their archives, location by location, in order.

    same_events.py --before BUILD [--mpi MPI] [PROGRAM:RANKS ...]

In the build directory, with that of the other version, which needs to have mpiwatch-record and
the preloaded libraries only. Programs are this one's examples: point to point, requests,
collectives, communicators, files, windows, threads, bindings, if none are said.

Not compared, as no two runs have them alike: times, numbers that requests, regions and definitions
have (requests are numbered as they start), how often was polled in vain (MPI_Test*, MPI_Iprobe,
MPI_Waitsome, and the requests that were not complete then). What is newer than the other version
and can be switched off is, by --with; what differs else is printed, "-" of the one before.
"""
import argparse
import collections
import os
import re
import subprocess
import sys
import tempfile

PROGRAMS = """p2p_all_modes:2 halo:2 any_source:3 wildcards:2 probes:2 proc_null:2 zero_bytes:2
    cancel_free:2 cancelled_sends:2 completions:2 persistent:2 many_requests:2 large_message:2
    collectives:3 icollectives:3 persistent_collectives:2 neighbors:3 topologies:4 counts:2
    comms:2 comm_life:3 comms_of_comms:3 intercomm_p2p:2 many_comms:2 errors:2 grequest:2
    file_io:2 files_and_windows:2 one_sided:2 pcontrol:2 longjmp:2 callbacks:2
    bindings_f08:2 bindings_mpif:2 bindings_usempi:2 short_threads:2""".split()
POLLS = re.compile(r'(ENTER|LEAVE) Region: "MPI_(Test|Testall|Testany|Testsome|Iprobe|Improbe'
                   r'|Waitsome)"|MPI_REQUEST_TEST ')
STARTS = ("MPI_ISEND", "MPI_IRECV_REQUEST", "NON_BLOCKING_COLLECTIVE_REQUEST")


def events_of(text):
    """What otf2-print has printed, as a list of events for each location."""
    events = collections.defaultdict(list)
    requests = collections.defaultdict(dict)
    begun = collections.Counter()
    here = None
    for line in text.splitlines():
        event = re.match(r"([A-Z_0-9]+) +(\d+) +\d+ *(.*)", line)
        attributes = re.match(r" +ADDITIONAL ATTRIBUTES: (.*)", line)
        if attributes and here:
            here[-1] += " " + attributes.group(1)
        if not event:
            continue
        kind, location, rest = event.groups()
        here = events[location]
        request = re.search(r"Request: (\d+)", rest)
        if request:
            known = requests[location]
            if kind in STARTS:
                known[request.group(1)] = begun[location]
                begun[location] += 1
            rest = rest.replace(request.group(0), f"Request: {known.get(request.group(1))}")
        here.append(kind + " " + re.sub(r'("[^"]*") <\d+>', r"\1", rest))
    return {location: [event for event in all_events if not POLLS.match(event)]
            for location, all_events in events.items()}


def record(build, extra, program, options):
    """The events of a run under the recorder of that build directory."""
    name, ranks = program.split(":")
    environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_MCA_osc="^ucx",
                       OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", OMPI_MCA_rmaps_base_oversubscribe="1")
    with tempfile.TemporaryDirectory() as scratch:
        archive = os.path.join(scratch, "run.otf2.zip")
        environment["TMPDIR"] = scratch
        done = subprocess.run(
            ["mpirun." + options.mpi, "-n", ranks, os.path.join(build, "mpiwatch-record"), "-q",
             "-o", archive, "--pvars=none", "-e", "all", *extra,
             os.path.abspath(f"examples/{name}-{options.mpi}")],
            env=environment, cwd=scratch, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            text=True, timeout=120, check=False)
        if not os.path.exists(archive):
            sys.exit(f"{program}: no archive by {build}\n{done.stderr}")
        subprocess.run(["unzip", "-qq", archive, "-d", scratch], check=True)
        printed = subprocess.run(["otf2-print", os.path.join(scratch, "traces.otf2")],
                                 stdout=subprocess.PIPE, text=True, check=True)
    return events_of(printed.stdout)


def differences(before, now):
    """Lines that one has and the other has not, with how often, and locations in another order."""
    found = collections.Counter()
    for location in sorted(set(before) | set(now)):
        old, new = before.get(location, []), now.get(location, [])
        counts = collections.Counter(old), collections.Counter(new)
        for sign, more, fewer in (("-", *counts), ("+", *reversed(counts))):
            for event, count in (more - fewer).items():
                found[f"{sign} {event}"] += count
        if old != new and counts[0] == counts[1]:
            found[f"location {location} has another order"] = 1
    return found


def main():
    """Reads the command line, compares, and fails where something differs."""
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--before", required=True, help="the other version's build directory")
    parser.add_argument("--mpi", default="openmpi", choices=["openmpi", "mpich"])
    parser.add_argument("--with", dest="extra", default="--sites=off --cpu=off",
                        help="options of this version's recorder, to record what both can")
    parser.add_argument("programs", nargs="*", metavar="PROGRAM:RANKS")
    options = parser.parse_args()
    failed = 0
    for program in options.programs or PROGRAMS:
        before = record(os.path.abspath(options.before), [], program, options)
        now = record(os.getcwd(), options.extra.split(), program, options)
        found = differences(before, now)
        print(f"{program} {options.mpi}: {sum(map(len, before.values()))} events: "
              + ("differ" if found else "the same"), flush=True)
        for line, count in found.most_common(8):
            print(f"    {count} times {line}")
        failed += bool(found)
    return failed > 0


sys.exit(main())
