#!/usr/bin/python3
"""sums_of.py ARCHIVE NAME...: the values of these metrics in their order, without repetitions, read
by python3-otf2; then a line NAME WHAT at VALUE for each mpiwatch.discontinuity of them, with the
value of the last sample before it."""
import sys
import tempfile
import zipfile

import otf2
from otf2.events import Metric, ParameterUnsignedInt


def names_of(metric):
    """The names of a metric's members."""
    return [member.name for member in getattr(metric, "members", [metric])]


def main(path, wanted):
    values = {name: [] for name in wanted}
    steps = []
    with tempfile.TemporaryDirectory() as place:
        with zipfile.ZipFile(path) as archive:
            archive.extractall(place)
        with otf2.reader.open(place + "/traces.otf2") as trace:
            for _, event in trace.events:
                if isinstance(event, Metric):
                    for name, value in zip(names_of(event.metric), event.values):
                        if name in values and values[name][-1:] != [value]:
                            values[name].append(value)
                elif (isinstance(event, ParameterUnsignedInt) and
                      event.parameter.name == "mpiwatch.discontinuity"):
                    about, = [value for key, value in event.attributes.items()
                              if key.name == "mpiwatch.metric"]
                    steps += [(name, event.value, values[name][-1])
                              for name in names_of(about) if name in values]
    for name in wanted:
        print(name, *values[name])
    for name, what, before in sorted(steps):
        print(name, what, "at", before)


main(sys.argv[1], sys.argv[2:])
