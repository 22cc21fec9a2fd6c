# What made a communicator, of what, its members, its name whenever it came, its traffic
# and its end; inter-communicators; a thousand alive at once.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"
need otf2-print unzip

# check_communicators NAME RANKS: Python on stdin, over the list comms of NAME's archive.
check_communicators() {
    cat >script.py
    reported comms "$1"
    python_check "$1, $2 ranks" "$2" <<'PYTHON'
import json, sys
n = int(sys.argv[1])
report = json.load(open("comms.json"))
comms = report["communicators"]
def by(call):
    return [c for c in comms if c["created_by"] == call]
def expect(what, have, want):
    if have != want:
        sys.exit(f"{what}: {have}, expected {want}")
expect("schema", report["schema"], "mpiwatch-comms/1")
exec(open("script.py").read())
PYTHON
}

of_every_making() {
    check_communicators comms "$1" <<'PYTHON'
everyone, evens, odds = list(range(n)), list(range(0, n, 2)), list(range(1, n, 2))
world, = [c for c in comms if c["name"] == "MPI_COMM_WORLD"]
expect("size of the world", world["size"], n)
expect("parent of the world", world["parent"], None)
expect("members of the world", world["members"], everyone)
expect("uids are unique", len({c["uid"] for c in comms}), len(comms))

dup, = by("MPI_Comm_dup")
expect("name of the dup", dup["name"], "a dup with a name")
expect("parent of the dup", dup["parent"], world["uid"])
expect("messages on the dup", (dup["messages"], dup["bytes"]), (n, 8 * n))
expect("the dup is freed", dup["freed_ns"] > dup["created_ns"], True)

idup, = by("MPI_Comm_idup")
expect("members of the idup", idup["members"], everyone)
halves = by("MPI_Comm_split")
expect("members of the halves", sorted(c["members"] for c in halves), [evens, odds])
created, = by("MPI_Comm_create")
grouped, = by("MPI_Comm_create_group")
expect("members of the created", created["members"], evens)
expect("members of the grouped", grouped["members"], evens)
expect("parent of the grouped", grouped["parent"], world["uid"])

inter, = by("MPI_Intercomm_create")
expect("the intercomm is one", inter["inter"], True)
merged, = by("MPI_Intercomm_merge")
expect("members of the merge", merged["members"], evens + odds)
expect("parent of the merge", merged["parent"], inter["uid"])
expect("only one is inter", [c["inter"] for c in comms].count(True), 1)

line, = by("MPI_Cart_create")
expect("name of the line", line["name"], "a line that leaks")
expect("the line leaks", line["freed_ns"], None)
expect("messages on the line", (line["messages"], line["bytes"]), (n, 8 * n))
PYTHON
}

of_each_other() {
    check_communicators comms_of_comms "$1" <<'PYTHON'
world, = [c for c in comms if c["name"] == "MPI_COMM_WORLD"]
backwards = list(range(n - 1, 0, -1))
part, = by("MPI_Comm_split")
expect("members of the split", (part["members"], part["parent"]), (backwards, world["uid"]))

dups = by("MPI_Comm_dup")
again, = [c for c in dups if c["name"] == "all but the first, backwards"]
expect("the dup of the split", (again["members"], again["parent"]), (backwards, part["uid"]))
of_self = [c for c in dups if c is not again]
uids = {c["uid"] for c in of_self}
twice = [c for c in of_self if c["parent"] in uids]
expect("dups of SELF and of those", (len(uids), len(twice)), (2 * n, n))
expect("each rank has its own", sorted(c["members"] for c in twice), [[r] for r in range(n)])

host, = by("MPI_Comm_split_type")
informed, = by("MPI_Comm_dup_with_info")
expect("the dup with info", (informed["parent"], informed["members"]),
       (host["uid"], list(range(n))))
expect("it outlives its parent", informed["freed_ns"] > host["freed_ns"], True)
alone, = by("MPI_Comm_create")
expect("the last rank's", alone["members"], [n - 1])
PYTHON
}

a_thousand() {
    check_communicators many_comms "$1" <<'PYTHON'
dups = by("MPI_Comm_dup")
expect("dups", len(dups), 1000)
expect("messages of each", {(c["messages"], c["bytes"]) for c in dups}, {(n, 4 * n)})
expect("alive at once", max(c["created_ns"] for c in dups) < min(c["freed_ns"] for c in dups),
       True)
PYTHON
}

between_two_groups() {
    check_communicators intercomm_p2p "$1" <<'PYTHON'
inter, = by("MPI_Intercomm_create")
expect("messages", (inter["messages"], inter["bytes"]), (n, n // 2 * 64))
PYTHON
}

# Each has an end of its own, in the order of the program, whatever its handle; what was under
# way at the end of one is complete.
with_unusual_ends() {
    check_communicators comm_ends "$1" <<'PYTHON'
dups = sorted(by("MPI_Comm_dup"), key=lambda c: c["created_ns"])
expect("names", [c["name"] for c in dups],
       ["freed while pending", "after the pending one", "disconnected",
        "after the disconnected one", "frees another", "freed by an attribute",
        "after those two", "freed by a datatype", "the last one"])
expect("all are freed", [c["name"] for c in dups if c["freed_ns"] is None], [])
pending, another, *_, inner, after, _, _ = dups
expect("messages of the pending one", (pending["messages"], pending["bytes"]), (n, 4 * n))
expect("collectives of the others", [another["collectives"], after["collectives"]], [1, 1])
expect("the attribute's is freed inside", inner["freed_ns"] <= after["created_ns"], True)
PYTHON
    "$analyze" validate comm_ends.otf2.zip >validated || wrong "comm_ends: $(cat validated)"
    rm -rf ends && unzip -q comm_ends.otf2.zip -d ends
    otf2-print ends/traces.otf2 >printed || wrong "comm_ends: otf2-print"
    python_check "comm_ends: events" "$1" <<'PYTHON'
import re, sys
n = int(sys.argv[1])
for rank in range(n):
    inside, ends, last = None, {}, 0
    for line in open("printed"):
        found = re.match(r"(ENTER|LEAVE|MPI_COMM_DESTROY|COMM_DESTROY) +(\d+) +(\d+) +(.*)", line)
        if not found or int(found[2]) != rank:
            continue
        time = int(found[3])
        assert time >= last, line
        last = time
        if found[1] == "ENTER":
            inside = (re.search('"(MPI_[A-Za-z_]+)"', line)[1], time)
        elif found[1] == "LEAVE":
            inside = None
        else:
            name = re.search('"([^"]*)"', line)[1]
            assert name not in ends, "ends twice: " + name
            ends[name] = inside, time
    assert len(ends) == 9 and ends["freed by a datatype"][0] is None, ends
    (call, entered), time = ends["freed by an attribute"]
    (outer_call, outer_entered), outer_time = ends["frees another"]
    assert call == outer_call == "MPI_Comm_free" and entered == outer_entered, ends
    assert outer_time == outer_entered < time, ends
PYTHON
}

for mpi in $(built_mpis); do
    ranks=$(ranks_of "$mpi")
    for name in comms comms_of_comms many_comms intercomm_p2p comm_ends; do
        recorded "$mpi" "$ranks" $name
        assert_equal 0 "$status" "$name, $mpi: status"
        as_expected "$mpi" "$ranks" $name.c
    done
    of_every_making "$ranks"
    of_each_other "$ranks"
    a_thousand "$ranks"
    between_two_groups "$ranks"
    with_unusual_ends "$ranks"
done
finish
