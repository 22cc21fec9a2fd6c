"""given.py ANCHOR: prints for each rank, in their order, what operations have for attributes that
say whom they take something from, "RANK: neighbors 0 2", and "RANK: nothing" for an Alltoallv that
has none; by otf2-print."""
import re
import subprocess
import sys


def lines_of(*options):
    done = subprocess.run(["otf2-print", *options, sys.argv[1]], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, check=True)
    assert not done.stderr, done.stderr
    return done.stdout.splitlines()


groups = {}
for line in lines_of("-G"):
    group = re.match(r"GROUP +(\d+) .*Type: COMM_GROUP,.*, (\d+) Members?(?:: (.*))?$", line)
    if group:
        members = re.findall(r"(\d+) \(", group[3] or "")
        assert len(members) == int(group[2]), line
        groups[group[1]] = members
told = {}
last = None
for line in lines_of():
    end = re.match(r"(?:MPI_COLLECTIVE_END|NON_BLOCKING_COLLECTIVE_COMPLETE) +(\d+) ", line)
    attribute = re.search(r'\("mpiwatch\.(neighbors|sources)" <\d+>; GROUP; "" <(\d+)>\)', line)
    if attribute:
        assert last is not None, line
        told[last][-1] = " ".join([attribute[1], *groups[attribute[2]]])
    if re.match(r"[A-Z]", line):
        last = None
    if end and re.search("ALLTOALL[VW]|ALLTOALL|ALLGATHER", line):
        last = int(end[1])
        told.setdefault(last, []).append("nothing")
for rank in sorted(told):
    for each in told[rank]:
        print("%d: %s" % (rank, each))
