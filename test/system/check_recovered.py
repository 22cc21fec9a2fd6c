"""Holds a recovered archive against what its ranks counted themselves before they died.

check_recovered.py WAY ARCHIVE RANKS [MISSING...]: WAY is only said in the line that is
printed: way | calls that had returned | calls in the archive | otf2-print's verdict.
MPI_Init is in the archive and not in the counts. A rank may have one call more in the
archive than it has counted: the one that its death interrupted, or whose return was
not counted any more.
"""
import json
import struct
import subprocess
import sys
import tempfile
import zipfile

way, archive, ranks = sys.argv[1], sys.argv[2], int(sys.argv[3])
missing = [int(rank) for rank in sys.argv[4:]]
directory = tempfile.mkdtemp(dir=".")
with zipfile.ZipFile(archive) as members:
    assert members.testzip() is None, "the zip file is damaged"
    members.extractall(directory)
about = json.load(open(directory + "/mpiwatch.json"))
printed = subprocess.run(["otf2-print", directory + "/traces.otf2"], capture_output=True, text=True)
assert printed.returncode == 0 and not printed.stderr, "otf2-print: " + printed.stderr

enters = [0] * ranks
leaves = [0] * ranks
for line in printed.stdout.splitlines():
    words = line.split()
    if words and words[0] in ("ENTER", "LEAVE"):
        (enters if words[0] == "ENTER" else leaves)[int(words[1]) & 0xFFFFFFFF] += 1
assert enters == leaves, "calls entered and not left: %s %s" % (enters, leaves)
assert about["ranks_expected"] == ranks, about["ranks_expected"]

total = 0
for rank in range(ranks):
    row = about["ranks"][rank]
    assert row["recorded"] == (rank not in missing), row
    assert row["calls"] == enters[rank], (row["calls"], enters[rank])
    counted = struct.unpack("QQ", open("count.%d" % rank, "rb").read(16))[1]
    if rank in missing:
        assert enters[rank] == 0, enters
        continue
    total += counted
    more = enters[rank] - 1 - counted
    assert more in (0, 1), "rank %d: %d calls returned, %d in the archive" % (
        rank, counted, enters[rank] - 1)
print("%-28s | %8d | %8d | read without a word" % (way, total + ranks - len(missing), sum(enters)))
