"""The lines of a program that wait longest for messages, and for whom: lines_that_wait.py ARCHIVE

A worked example of the module mpiwatch. Without pandas:

    PYTHONPATH=$(pkg-config --variable=python_modules mpiwatch) python3 lines_that_wait.py ARCHIVE
"""
from __future__ import annotations

import collections
import sys
import typing

import mpiwatch


def main() -> None:
    archive = mpiwatch.Archive(sys.argv[1])
    waited: collections.Counter[typing.Tuple[mpiwatch.Value, str, mpiwatch.Value]]
    waited = collections.Counter()
    for message in archive.messages():
        place = "%s:%s" % (message["receive_file"] or "?", message["receive_line"] or "?")
        waited[message["receive_call"], place, message["from"]] += int(message["wait_ns"] or 0)
    print("verdict:", archive.report()["verdict"])
    for (call, place, source), ns in waited.most_common(5):
        if ns > 0:
            print("%12d ns  %s at %s for rank %s" % (ns, call, place, source))


if __name__ == "__main__":
    main()
