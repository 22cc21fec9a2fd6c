#!/usr/bin/python3
"""Counts the events of one-sided communication and MPI-IO in an archive, by python3-otf2.

    count_objects.py ARCHIVE.otf2.zip RANKS NAME=EXPRESSION...

Each NAME has to have the value of EXPRESSION, in which n is the number of ranks. Names are
those of the events ("RmaPut") and sums over them: put, got, sent, fetched (bytes of RmaPut,
RmaGet and RmaAtomic), asked_read, asked_write, done (bytes of IoOperationBegin by mode, of
IoOperationComplete), sought (results of IoSeek), offsets (attributes of IoOperationBegin),
windows, files, handles (definitions), target_N (operations on rank N).
"""
import collections
import sys
import tempfile
import zipfile

import otf2
from otf2 import events as e


def count(anchor):
    """All that there is, by name."""
    counts = collections.Counter()
    with otf2.reader.open(anchor) as trace:
        counts["windows"] = len(list(trace.definitions.rma_wins))
        counts["files"] = len(list(trace.definitions.io_regular_files))
        counts["handles"] = len(list(trace.definitions.io_handles))
        for _, event in trace.events:
            kind = type(event)
            counts[kind.__name__] += 1
            if kind in (e.RmaPut, e.RmaGet, e.RmaAtomic):
                counts[f"target_{event.remote}"] += 1
            if kind is e.RmaPut:
                counts["put"] += event.bytes
            elif kind is e.RmaGet:
                counts["got"] += event.bytes
            elif kind is e.RmaAtomic:
                counts["sent"] += event.bytes_sent
                counts["fetched"] += event.bytes_received
            elif kind is e.IoOperationBegin:
                mode = str(event.mode).rsplit(".", maxsplit=1)[-1].lower()
                counts["asked_" + mode] += event.bytes_request
                attributes = {a.name: v for a, v in (event.attributes or {}).items()}
                counts["offsets"] += attributes.get("mpiwatch.offset", 0)
            elif kind is e.IoOperationComplete:
                counts["done"] += event.bytes_result
            elif kind is e.IoSeek:
                counts["sought"] += event.offset_result
    return counts


def main():
    archive, ranks, wanted = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
    with tempfile.TemporaryDirectory() as scratch:
        with zipfile.ZipFile(archive) as members:
            members.extractall(scratch)
        counts = count(scratch + "/traces.otf2")
    wrong = 0
    for want in wanted:
        name, expression = want.split("=")
        value = eval(expression, {"__builtins__": {"sum": sum, "range": range}, "n": ranks})
        if counts[name] != value:
            print(f"{name}: {counts[name]}, expected {value}")
            wrong += 1
    sys.exit(wrong != 0)


main()
