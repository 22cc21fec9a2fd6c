#!/usr/bin/python3
"""Holds an archive against what the example that it was recorded from expects.

    check_archive.py --source examples/ring.c --ranks 4 --analyze ./mpiwatch-analyze
                     [--stdout FILE] [--set NAME=VALUE] [--only analyze] ARCHIVE

The example's comment has, under "Expected in the archive of n ranks", lines of a name
and an expression of n, of --set, and of the lines "name = number" that the example
printed (summed over ranks). The counts are taken three times: by otf2-print and by
python3-otf2 from the unzipped archive, neither of which may say a word on stderr, and
by mpiwatch-analyze from the archive itself. In the second, each send must also have a
receive of the same communicator, ranks, tag and length ("unpaired" ones are counted).

Names: MPI_X (calls of X; what is not listed was not called), calls (any: only that both
analyzers count the same), messages, bytes (both of sends and receives), sent, received
(where they differ), "region NAME" (how often the program's own was entered), "marker TEXT"
(also names by which communicators were registered and unregistered), collectives, "moved
BCAST" (bytes of an operation, as sent and as received, summed over ranks), cancelled,
errors, pauses, resumes, locations, threads (that begin, and end; each in the contingent of
its process), unmatched_sends, unmatched_receives. Exit: 0 as expected, 1 not, one line each.
"""
import argparse
import collections
import json
import os
import re
import subprocess
import sys
import tempfile
import zipfile

COUNTS = ("sent", "received", "sent bytes", "received bytes", "collectives", "cancelled",
          "errors", "pauses", "resumes", "locations", "threads begun", "threads ended")
MPI = ("MPI_", "MPIX_")
COLLECTIVES_END = ("MPI_COLLECTIVE_END", "NON_BLOCKING_COLLECTIVE_COMPLETE")


class Archive:
    """An archive, unzipped where it is a zip file."""

    def __init__(self, path, scratch):
        self.path = path
        self.directory = path
        if os.path.isfile(path):
            self.directory = os.path.join(scratch, "unzipped")
            with zipfile.ZipFile(path) as members:
                members.extractall(self.directory)
        self.anchor = os.path.join(self.directory, "traces.otf2")


def output_of(command, problems):
    """The output of a command that has to succeed in silence."""
    run = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                         check=False)
    name = os.path.basename(command[0])
    if run.returncode != 0:
        problems.append(f"{name}: exit {run.returncode}: {' '.join(command)}")
    if run.stderr:
        problems.append(f"{name}: says on stderr: {run.stderr[:300].strip()}")
    return run.stdout


# --- what is expected ---------------------------------------------------------


def expected_lines(source):
    """The (name, expression) pairs of the comment on top of an example."""
    inside = False
    with open(source, encoding="utf-8") as lines:
        for line in lines:
            text = re.sub(r"^\s*(\*|C|!)?\s*", "", line).strip()
            if text.startswith("Expected in the archive of n ranks"):
                inside = True
            elif inside and not text:
                return
            elif inside:
                parts = re.split(r"\s{2,}", text, maxsplit=1)
                if len(parts) != 2:
                    return
                yield parts[0], parts[1]


def printed_numbers(path):
    """The sums of the lines "name = number" in a file."""
    numbers = collections.Counter()
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            match = re.fullmatch(r"(\w+) = (\d+)", line.strip())
            if match:
                numbers[match[1]] += int(match[2])
    return numbers


def expectation(options):
    """All that is expected, by name; what the example need not say is filled in."""
    known = {"n": options.ranks, "any": None}
    if options.stdout:
        known.update(printed_numbers(options.stdout))
    for setting in options.set:
        name, value = setting.split("=")
        known[name] = int(value)
    want = {"MPI_Init": options.ranks, "MPI_Finalize": options.ranks, "collectives": 0,
            "cancelled": 0, "errors": 0, "pauses": 0, "resumes": 0, "unmatched_sends": 0,
            "unmatched_receives": 0, "lost_events": 0, "clock_violations": 0,
            "threads begun": 0, "threads ended": 0,
            "ranks": options.ranks}
    for name, expression in expected_lines(options.source):
        value = eval(expression, {"__builtins__": {}}, known)  # our own source
        if name.startswith("moved "):
            want["sent" + name[5:]] = want["received" + name[5:]] = value
        else:
            want[name] = value
    if "messages" in want:
        want["sent"] = want["received"] = want["messages"]
    if "bytes" in want:
        want["sent bytes"] = want["received bytes"] = want["bytes"]
    if "threads" in want:
        want["threads begun"] = want["threads ended"] = want["threads"]
    want.setdefault("locations", options.ranks)
    if not want["unmatched_sends"] + want["unmatched_receives"] + want["errors"]:
        want["unpaired"] = 0
    return want


# --- what there is --------------------------------------------------------------


def counted_by_otf2_print(archive, problems):
    """Counts from the text that otf2-print makes of the archive."""
    counts = collections.Counter({name: 0 for name in COUNTS})
    region = event = None
    for line in output_of(["otf2-print", archive.anchor], problems).splitlines():
        attribute = re.findall(r'\("mpiwatch\.(\w+)" <\d+>; \w+; (-?\d+)\)', line)
        for name, value in attribute:
            if name == "repeat" and event == "ENTER":
                counts[region] += int(value) - 1
            counts["errors"] += name == "error"
        match = re.match(r"([A-Z_]+) +(\d+) +(\d+)  (.*)", line)
        if not match:
            continue
        event, rest = match[1], match[4]
        counts["events"] += 1
        if event == "ENTER":
            region = named(re.match(r'Region: "([^"]+)"', rest)[1])
            counts[region] += 1
        else:
            count_text_event(counts, event, rest)
    text = output_of(["otf2-print", "-G", archive.anchor], problems)
    counts["locations"] = len(re.findall(r"^LOCATION +\d+ ", text, re.M))
    counts["intercomms"] = len(re.findall(r"^INTER_?COMM +\d+ ", text, re.M))
    return counts


def named(region):
    """What a region is counted as: an MPI call, or the program's own."""
    return region if region.startswith(("MPI_", "MPIX_")) else "region " + region


def count_text_event(counts, event, rest):
    """Adds one event of otf2-print's that is no ENTER."""
    def number(label):
        return int(re.search(label + r": (\d+)", rest)[1])

    if event in ("MPI_SEND", "MPI_ISEND"):
        counts["sent"] += 1
        counts["sent bytes"] += number("Length")
    elif event in ("MPI_RECV", "MPI_IRECV"):
        counts["received"] += 1
        counts["received bytes"] += number("Length")
    elif event in COLLECTIVES_END:
        operation = re.match(r"Operation: (\w+)", rest)[1]
        counts["collectives"] += 1
        counts["sent " + operation] += number("Sent")
        counts["received " + operation] += number("Received")
    elif event == "PARAMETER_STRING":
        counts["marker " + re.search(r'Value: "([^"]+)"', rest)[1]] += 1
    elif event == "MPI_REQUEST_CANCELLED":
        counts["cancelled"] += 1
    elif event in ("THREAD_BEGIN", "THREAD_END"):
        counts["threads begun" if event == "THREAD_BEGIN" else "threads ended"] += 1
    elif event == "MEASUREMENT_ON_OFF":
        counts["pauses" if rest.startswith("Mode: OFF") else "resumes"] += 1


PYTHON_READER = r"""
import collections, json, sys
import otf2
from otf2 import events as e
counts = collections.Counter(dict.fromkeys(json.loads(sys.argv[2]), 0))
pairs = collections.Counter()  # messages by all that tells them apart: sends - receives

def master(location):
    return masters[location._ref & 0xffffffff]

def rank(comm, location):
    if str(comm.group.group_type).endswith("COMM_SELF"):
        return location._ref & 0xffffffff, 0
    return None, comm.rank(master(location))

with otf2.reader.open(sys.argv[1]) as trace:
    counts["locations"] = len(trace.definitions.locations)
    masters = {location._ref: location for location in trace.definitions.locations}
    for location, event in trace.events:
        counts["events"] += 1
        kind = type(event)
        attributes = {a.name: v for a, v in (event.attributes or {}).items()}
        counts["errors"] += "mpiwatch.error" in attributes
        if kind is e.Enter:
            name = event.region.name
            name = name if name.startswith(("MPI_", "MPIX_")) else "region " + name
            counts[name] += attributes.get("mpiwatch.repeat", 1)
        elif kind in (e.MpiSend, e.MpiIsend):
            counts["sent"] += 1
            counts["sent bytes"] += event.msg_length
            process, me = rank(event.communicator, location)
            pairs[event.communicator._ref, process, me, event.receiver, event.msg_tag,
                  event.msg_length] += 1
        elif kind in (e.MpiRecv, e.MpiIrecv):
            counts["received"] += 1
            counts["received bytes"] += event.msg_length
            process, me = rank(event.communicator, location)
            pairs[event.communicator._ref, process, event.sender, me, event.msg_tag,
                  event.msg_length] -= 1
        elif hasattr(event, "size_sent"):
            operation = str(event.collective_op).split(".")[-1]
            counts["collectives"] += 1
            counts["sent " + operation] += event.size_sent
            counts["received " + operation] += event.size_received
        elif kind is e.ParameterString:
            counts["marker " + event.string] += 1
        elif kind is e.MpiRequestCancelled:
            counts["cancelled"] += 1
        elif kind is e.MeasurementOnOff:
            off = str(event.measurement_mode).endswith(".OFF")
            counts["pauses" if off else "resumes"] += 1
        elif kind in (e.ThreadBegin, e.ThreadEnd):
            threads = masters[location._ref & 0xffffffff].group
            assert event.thread_contingent.name == "threads of " + threads.name, threads
            assert location in event.thread_contingent.group.members, location
            counts["threads begun" if kind is e.ThreadBegin else "threads ended"] += 1
counts["unpaired"] = sum(map(abs, pairs.values()))
print(json.dumps(counts))
"""


def counted_by_python_otf2(archive, problems):
    """Counts from python3-otf2, in a process of its own, whose stderr is looked at."""
    text = output_of(["/usr/bin/python3", "-c", PYTHON_READER, archive.anchor,
                      json.dumps(COUNTS)], problems)
    return collections.Counter(json.loads(text)) if text else None


def counted_by_analyze(archive, analyze, problems):
    """Counts from mpiwatch-analyze's JSON, under the same names."""
    def report(command):
        text = output_of([analyze, command, "--json", archive.path], problems)
        return json.loads(text) if text else {}

    info, calls, ranks = report("info"), report("calls"), report("ranks")
    messages = report("messages")
    counts = collections.Counter()
    for name in ("ranks", "locations", "events", "lost_events", "unmatched_sends",
                 "unmatched_receives", "clock_violations"):
        counts[name] = info.get(name)
    # What hosts' clocks, compared on busy processors, are not known better than is no violation.
    if (info.get("clock_violation_max_ns") or 0) <= 2 * (info.get("hosts_clock_error_ns") or 0):
        counts["clock_violations"] = 0
    for call in calls.get("calls", []):
        counts[call["name"]] += call["count"]
        if call["group"] == "coll" and not call["name"].startswith("MPI_I"):
            operation = call["name"][4:].upper().removesuffix("_C")
            counts["sent " + operation] += call["bytes_sent"]
            counts["received " + operation] += call["bytes_received"]
    counts["messages"] = messages.get("messages")
    counts["bytes"] = messages.get("bytes")
    of_pairs = sum(pair["count"] for pair in messages.get("pairs", []))
    if of_pairs != counts["messages"]:
        problems.append(f"analyze: pairs have {of_pairs} messages of {counts['messages']}")
    of_ranks = sum(rank["calls"] for rank in ranks.get("ranks", []))
    numbers = [rank["rank"] for rank in ranks.get("ranks", [])]
    if numbers != list(range(counts["ranks"] or 0)):
        problems.append(f"analyze: ranks are {numbers}")
    of_calls = sum(call["count"] for call in calls.get("calls", []))
    if of_ranks != of_calls:
        problems.append(f"analyze: ranks have {of_ranks} calls, calls has {of_calls}")
    if info.get("complete") is not True:
        problems.append(f"analyze: complete is {info.get('complete')}")
    return counts


# --- the comparison -------------------------------------------------------------


def call_counts(counts):
    """Only the calls."""
    return {name: count for name, count in sorted(counts.items()) if name.startswith(MPI)}


def compare(who, have, want, problems):
    """Says where have is not as expected; names that a reader does not know are skipped."""
    calls = {name for name in list(have) + list(want)
             if name.startswith(MPI) or
             (who != "analyze" and name.startswith(("region ", "marker ")))}
    if "calls" in want:
        calls = set()
    volumes = {name for name in have if re.fullmatch("(sent|received) [A-Z_]+", name)}
    for name in sorted(calls | volumes | (set(want) & set(have))):
        found, expected = have.get(name, 0), want.get(name, 0)
        if found != expected:
            problems.append(f"{who}: {name}: {found}, expected {expected}")
    for name in sorted(set(want) - set(have) - calls):
        if name.startswith(("sent ", "received ")) and want[name] and who != "analyze":
            problems.append(f"{who}: {name}: none, expected {want[name]}")


def check(options, archive):
    """All that is wrong with the archive, a line each."""
    problems = []
    want = expectation(options)
    if os.path.isfile(archive.path):
        output_of(["unzip", "-tqq", archive.path], problems)
    have = counted_by_analyze(archive, options.analyze, problems)
    compare("analyze", have, want, problems)
    if options.only != "analyze":
        printed = counted_by_otf2_print(archive, problems)
        compare("otf2-print", printed, want, problems)
        if printed["events"] != have["events"]:
            problems.append(f"info has {have['events']} events, otf2-print {printed['events']}")
        if "calls" in want and call_counts(printed) != call_counts(have):
            counted = f"{call_counts(printed)}, analyze {call_counts(have)}"
            problems.append(f"otf2-print counts {counted}")
        # python3-otf2 3.0.2 cannot read the definition of an inter-communicator at all.
        if not printed["intercomms"]:
            read = counted_by_python_otf2(archive, problems)
            if read is not None:
                compare("python3-otf2", read, want, problems)
    return problems


def main():
    """Reads the command line, checks, reports."""
    parser = argparse.ArgumentParser()
    parser.add_argument("archive")
    parser.add_argument("--source", required=True)
    parser.add_argument("--ranks", type=int, required=True)
    parser.add_argument("--analyze", default="./mpiwatch-analyze")
    parser.add_argument("--stdout")
    parser.add_argument("--set", action="append", default=[])
    parser.add_argument("--only", choices=["analyze"])
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        try:
            problems = check(options, Archive(options.archive, scratch))
        except (OSError, zipfile.BadZipFile) as failure:
            problems = [str(failure)]
    for problem in problems:
        print(problem)
    sys.exit(1 if problems else 0)


main()
