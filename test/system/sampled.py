"""Says of a planted run, a directory, where its ranks were when they were sampled:

    sampled.py RUN <SAMPLES

SAMPLES is what mpiwatch.json has as "samples", as JSON; a place in a row may be "NAME:LINE" instead
of the number of a region."""
import json
import sys

import otf2

directory = sys.argv[1]
samples = json.load(sys.stdin)
with otf2.reader.open(directory + "/traces.otf2") as trace:
    numbers = {"%s:%d" % (region.name, region.begin_line_number): number
               for number, region in enumerate(trace.definitions.regions)}
for row in samples.get("rows", []):
    row[1] = numbers[row[1]] if isinstance(row[1], str) else row[1]
with open(directory + "/mpiwatch.json", "w") as out:
    json.dump({"schema": "mpiwatch-archive/1", "samples": samples}, out)
