"""sites.py JSON RANKS FILE MARK [FILE MARK...]: whether `sites --json` has, for each line of FILE
with "MARK FUNCTION COUNT" behind it, the call, the line, the function and COUNT calls of each rank,
and no other line of these files, but for Fortran's MPI_Init and MPI_Finalize. Names of functions
count without underscores at the end."""
import json
import os
import re
import sys

sites = json.load(open(sys.argv[1]))["sites"]
ranks = int(sys.argv[2])
expected, files = {}, set()
for path, mark in zip(sys.argv[3::2], sys.argv[4::2]):
    files.add(os.path.basename(path))
    for number, line in enumerate(open(path), 1):
        found = re.search(r"\b%s (\w+) (\d+)" % mark, line)
        if found:
            call = re.search(r"\bP?(MPI_\w+)\(|\b(SHARE)\(", line)
            call = call.group(1) or "MPI_Bcast"
            expected[call, os.path.basename(path), number, found.group(1).rstrip("_")] = \
                int(found.group(2)) * ranks
told = {}
for site in sites:
    file = os.path.basename(site["file"] or "")
    is_end = file.endswith(".F90") and site["call"] in ("MPI_Init", "MPI_Finalize")
    if file in files and not is_end:
        key = site["call"], file, site["line"], (site["function"] or "").rstrip("_")
        told[key] = told.get(key, 0) + site["count"]
wrong = False
for key in sorted(set(expected) | set(told)):
    if expected.get(key) != told.get(key):
        print(*key, "expected:", expected.get(key), "told:", told.get(key))
        wrong = True
sys.exit(wrong)
