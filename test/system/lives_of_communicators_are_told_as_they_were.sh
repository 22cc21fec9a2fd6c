# comms and timeline --comms of examples/comm_life.c, held against what the program does and
# how long it sleeps, and of an archive made on paper, to the nanosecond.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"

# --- on paper: test/data/archives_comms.c, where MPI_Init is left at 100 -----------------

"$TOP_BUILDDIR/test/data/make_archive" comm_lives paper
"$analyze" timeline --comms --from=-100ns --to=900ns --bins=10 --json -o timeline.json paper
"$analyze" comms --json -o comms.json paper
python_check "the archive on paper" <<'PYTHON'
import json
d = json.load(open("timeline.json"))
assert list(d) == ["schema", "bins", "communicators", "alive"], list(d)
assert d["schema"] == "mpiwatch-comm-timeline/1"
assert d["bins"] == [{"from_ns": 100 * i - 100, "to_ns": 100 * i} for i in range(10)]
assert d["alive"] == [[-100, 0], [90, 1], [140, 2], [500, 1], [650, 0]], d["alive"]
world, self, alpha, beta = d["communicators"]
assert (world["name"], world["intervals"], self["activity"]) == ("MPI_COMM_WORLD", [], [])
assert beta == {
    "uid": "otf2:3", "name": "beta", "parent": "otf2:2", "created_by": None, "members": [1, 0],
    "intervals": [{"rank": 0, "created_ns": 140, "freed_ns": 500},
                  {"rank": 1, "created_ns": 150, "freed_ns": 400}],
    "registered": [],
    "activity": [{"bin": b, "calls": c, "bytes": n, "time_ns": t} for b, c, n, t in
                 [(2, 1, 0, 20), (3, 1, 64, 160), (4, 0, 0, 20), (5, 1, 0, 10), (6, 1, 0, 40)]]}
assert alpha["intervals"][2] == {"rank": 2, "created_ns": 110, "freed_ns": None}
d = json.load(open("comms.json"))
assert [f["kind"] for f in d["findings"]] == ["partly_freed"]
assert d["communicators"][2]["member_ranges"] == "0-2"
PYTHON
"$analyze" timeline --comms --from=-100ns --to=900ns --bins=10 --csv paper >table
assert_equal "uid,name,bin,from_ns,to_ns,calls,bytes,time_ns otf2:3,beta,3,200,300,1,64,160" \
    "$(sed -n '1p; /beta,3/p' table | xargs)" "the table"
"$analyze" timeline --comms --from=-100ns --to=900ns --bins=10 paper >text
assert_matches "$(cat text)" '^alpha +calls \| \.222\.\.2  \| 8$'
assert_matches "$(cat text)" '^beta +calls \|  11\.11   \| 4$'
assert_matches "$(cat text)" '^alive +count \| 1222211  \| most 2, at 140 ns$'
# Rank 2 is a member of all but beta, and what happens on them is told of all members.
"$analyze" timeline --comms --from=-100ns --to=900ns --bins=10 --rank=2 --csv paper >of_rank
assert_equal "$(grep -v ,beta, table)" "$(cat of_rank)" "the table of rank 2"
assert_equal 2 "$(status_of "$analyze" timeline --comm=beta paper)" "--comm of ranks over time"
assert_contains "$(cat stderr)" "timeline takes --comm, --name and --uid with --comms"
"$analyze" comms paper >text
assert_matches "$(cat text)" '^ +2 1,0 .* beta$'
assert_matches "$(cat text)" '^finding: 1 .* freed by some of its members only: alpha$'
assert_equal 2 "$(status_of "$analyze" comms --name=gamma paper)" "a name that there is not"
assert_equal 2 "$(status_of "$analyze" info --comm=beta paper)" "--comm of info"

# --- a program ---------------------------------------------------------------------------

as_it_was() {
    python_check "comm_life, $1" "$2" <<'PYTHON'
import json, sys
n = int(sys.argv[1])
comms = json.load(open("comms.json"))
timeline = json.load(open("timeline.json"))
by_name = {c["name"]: c for c in comms["communicators"]}
everyone, evens, odds = list(range(n)), list(range(0, n, 2)), list(range(1, n, 2))

# name: parent's name, members, messages, bytes, collectives, whether it is freed
expected = {
    "workers, again": ("MPI_COMM_WORLD", everyone, n, 4 * n, 15, True),
    "evens": ("MPI_COMM_WORLD", evens, 0, 0, 3, True),
    "half": ("MPI_COMM_WORLD", odds, 0, 0, 3, True),
    "MPI_COMM_WORLD/dup#1/dup#1": ("workers, again", everyone, 0, 0, 0, True),
    "MPI_COMM_WORLD/dup#3": ("MPI_COMM_WORLD", everyone, 0, 0, 0, True),
    "MPI_COMM_WORLD/dup#4": ("MPI_COMM_WORLD", everyone, 0, 0, 0, True),
    "leak": ("MPI_COMM_WORLD", everyone, 0, 0, 1, False),
}
assert set(by_name) == set(expected) | {"MPI_COMM_WORLD", "MPI_COMM_SELF"}, set(by_name)
for name, (parent, members, messages, sent, collectives, freed) in expected.items():
    c = by_name[name]
    have = (c["parent"], c["members"], c["messages"], c["bytes"], c["collectives"],
            c["freed_ns"] is not None)
    assert have == (by_name[parent]["uid"], members, messages, sent, collectives, freed), have
assert len({c["uid"] for c in comms["communicators"]}) == 9
assert {f["kind"]: len(f["communicators"]) for f in comms["findings"]} == {"leak": 1, "unused": 3}
assert comms["alive_max"] == 4
assert max(count for _, count in timeline["alive"]) == 4 and timeline["alive"][-1][1] == 1

# Each rank sleeps 5 ms at a time: so many of them lie in each life.
rest = 5000000
lanes = {c["name"]: c for c in timeline["communicators"]}
lives = {name: {i["rank"]: i for i in c["intervals"]} for name, c in lanes.items()}
rests = {"workers, again": 5, "MPI_COMM_WORLD/dup#1/dup#1": 1, "MPI_COMM_WORLD/dup#3": 1,
         "MPI_COMM_WORLD/dup#4": 1, "evens": 2, "half": 2}
for name, count in rests.items():
    assert sorted(lives[name]) == expected[name][1], name
    for life in lives[name].values():
        assert life["freed_ns"] - life["created_ns"] >= count * rest, (name, life)
for rank in everyone:
    half = lives["evens" if rank % 2 == 0 else "half"][rank]
    workers, idle, first, second, leak = (lives[name][rank] for name in (
        "workers, again", "MPI_COMM_WORLD/dup#1/dup#1", "MPI_COMM_WORLD/dup#3",
        "MPI_COMM_WORLD/dup#4", "leak"))
    moments = [workers["created_ns"], half["created_ns"], idle["created_ns"], idle["freed_ns"],
               half["freed_ns"], workers["freed_ns"], first["created_ns"], first["freed_ns"],
               second["created_ns"], second["freed_ns"], leak["created_ns"]]
    assert moments == sorted(moments), moments
    assert leak["freed_ns"] is None

# Registered twice with 5 reductions between, the second time until it was freed.
registered = {}
for interval in lanes["workers, again"]["registered"]:
    registered.setdefault(interval["rank"], []).append(interval)
assert sorted(registered) == everyone, registered
for rank, (one, other) in registered.items():
    life = lives["workers, again"][rank]
    assert (one["name"], other["name"]) == ("workers", "workers, again")
    assert life["created_ns"] <= one["from_ns"] <= one["to_ns"] - rest
    assert one["to_ns"] <= other["from_ns"] - rest and other["to_ns"] == life["freed_ns"]
assert sorted(i["rank"] for i in lanes["evens"]["registered"]) == evens
assert lanes["half"]["registered"] == []

# What is in the bins is all that there is: 10 + 5 reductions, a ring, a creation on it, its end.
for name, calls in (("workers, again", 15 + 1 + 1 + 1), ("leak", 1), ("evens", 3 + 1)):
    have = sum(cell["calls"] for cell in lanes[name]["activity"])
    assert have == calls * len(expected[name][1]), (name, have)
moved = 15 * n * n * 8 + 4 * n
assert sum(cell["bytes"] for cell in lanes["workers, again"]["activity"]) == moved
time = sum(cell["time_ns"] for cell in lanes["workers, again"]["activity"])
assert time == by_name["workers, again"]["time_ns"], (time, by_name["workers, again"])
PYTHON
}

for mpi in $(built_mpis); do
    ranks=$(ranks_of "$mpi")
    recorded "$mpi" "$ranks" comm_life
    assert_equal 0 "$status" "comm_life, $mpi: status"
    reported comms comm_life
    "$analyze" timeline --comms --bins=7 --json -o timeline.json comm_life.otf2.zip
    as_it_was "$mpi" "$ranks"
    # Intervals of registration are events, too: they outlive mpiwatch.json. MPI_COMM_WORLD's begins
    # inside of MPI_Init, where there is no event.
    rm -rf unpacked
    unzip -q comm_life.otf2.zip -x mpiwatch.json mpiwatch.idx -d unpacked
    "$analyze" comms --json -o without.json unpacked
    python_check "registrations without mpiwatch.json, $mpi" <<'PYTHON'
import json
one, other = (sorted((r["rank"], r["name"], r["from_ns"], r["to_ns"])
                     for c in json.load(open(file))["communicators"] for r in c["registered"])
              for file in ("comms.json", "without.json"))
one = [r for r in one if r[1] != "MPI_COMM_WORLD"]
assert len(one) > 2 and [r[:2] for r in one] == [r[:2] for r in other], (one, other)
# The event is written right behind the definition.
assert all(a[2] <= b[2] < a[3] <= b[3] for a, b in zip(one, other)), (one, other)
PYTHON
    "$analyze" calls --comm='workers*' --json -o calls.json comm_life.otf2.zip
    assert_equal "$((15 * ranks)) $ranks" "$(json calls.json \
        '" ".join(str(c["count"]) for n in ("MPI_Allreduce", "MPI_Sendrecv")
                  for c in d["calls"] if c["name"] == n)')" "calls on workers"
    "$analyze" messages --comm=leak --json -o messages.json comm_life.otf2.zip
    assert_equal 0 "$(json messages.json 'd["messages"]')" "messages on leak"
    assert_matches "$("$analyze" comms --name='evens' comm_life.otf2.zip)" \
        'registered "evens" from .* on ranks 0'
    # The recorder has that one registered of itself, in each run.
    assert_lacks "$("$analyze" comms comm_life.otf2.zip)" 'registered "MPI_COMM_WORLD"'
done
finish
