# The archives of a job and of the one that it spawned, read together: messages between them have
# both ends, and who waits for whom is what follows from the times of both (jobs_wait.c), which
# otf2-print reads, in whatever order the archives are named; alone, each has half of it. The
# barrier and the merging of both are operations of all ranks.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"
need_mpi openmpi # Debian's MPICH can't spawn
need "$MPICC_OPENMPI" otf2-print
$MPICC_OPENMPI -o jobs_wait "$TOP_SRCDIR/test/system/jobs_wait.c"

cat >check.py <<'PYTHON'
"""check.py SIZE ARCHIVE ARCHIVE: what waits and messages of both say, against the times in them.
Late sender and late receiver are Scalasca's: from entering the one call to entering the other's,
while it goes on. So may be who sends what nobody has to wait for, on cores that others have."""
import json
import re
import subprocess
import sys

SIZE = int(sys.argv[1])
EVENT = re.compile(r"(\w+) +(\d+) +(\d+)  (?:.* Tag: (\d+)|Region: \"(\w+)\")?")
sends, receives, barriers, probes, posts, posted = {}, {}, {}, {}, {}, {}


def read(path, first):
    """The calls that send, or complete a receive, of the archive's ranks by the message's tag: of
    a message that was probed for the probe."""
    calls = {}
    text = subprocess.run(["otf2-print", path + "/traces.otf2"], stdout=subprocess.PIPE,
                          check=True, text=True).stdout
    for event in filter(None, map(EVENT.match, text.splitlines())):
        kind, location, time, tag, region = event.groups()
        rank = first + int(location)  # of the only thread
        if kind == "ENTER":
            calls[rank] = [int(time), None]
            if region == "MPI_Barrier":
                barriers.setdefault(rank, []).append(int(time))
            elif region == "MPI_Probe":
                probes[rank] = calls[rank]
            elif region in ("MPI_Recv", "MPI_Irecv"):
                posts[rank] = int(time)
        elif kind == "LEAVE":
            calls[rank][1] = int(time)
        elif kind == "MPI_SEND":
            sends[int(tag)] = rank, calls[rank]
        elif kind in ("MPI_RECV", "MPI_IRECV"):
            receives[int(tag)] = rank, probes.pop(rank, calls[rank])
            posted[int(tag)] = posts[rank]


def main():
    """Prints what is wrong."""
    parent_is_first = sys.argv[2] == "parent"
    read("parent", 0 if parent_is_first else SIZE)
    read("child", SIZE if parent_is_first else 0)
    assert len(sends) == len(receives) == 3 * (2 * SIZE + 1), (len(sends), len(receives))
    late = {name: {"per_rank_ns": [0] * 2 * SIZE, "caused_by_rank_ns": [0] * 2 * SIZE}
            for name in ("late_sender", "late_receiver", "wait_at_barrier")}
    assert [len(times) for times in barriers.values()] == [3] * 2 * SIZE
    for times in zip(*(barriers[rank] for rank in range(2 * SIZE))):
        for rank, time in enumerate(times):
            late["wait_at_barrier"]["per_rank_ns"][rank] += max(times) - time
            late["wait_at_barrier"]["caused_by_rank_ns"][times.index(max(times))] += max(
                times) - time
    for tag, (sender, (sent, left)) in sends.items():
        receiver, (began, _) = receives[tag]
        if sent > began:
            late["late_sender"]["per_rank_ns"][receiver] += sent - began
            late["late_sender"]["caused_by_rank_ns"][sender] += sent - began
        if sent < posted[tag] < left:
            late["late_receiver"]["per_rank_ns"][sender] += posted[tag] - sent
            late["late_receiver"]["caused_by_rank_ns"][receiver] += posted[tag] - sent
        elif tag // 10 % 10 == 2:
            assert posted[tag] <= sent, "what is synchronous was complete before it was received"
    said = json.load(open("waits.json"))
    rows = {row["name"]: row for row in said["patterns"]}
    for name, expected in late.items():
        for key, value in expected.items():
            assert rows[name][key] == value, (name, key, rows[name][key], value)
        assert rows[name]["total_ns"] > 0, name
    print({name: rows[name]["total_ns"] for name in late})
    assert said["clock_violations"] == said["messages_unmatched"] == 0
    assert said["collectives_incomplete"] == said["calls_unresolved"] == 0
    assert said["other_job_sends"] == said["other_job_receives"] == 0
    assert said["joint_communicators"] == 2
    assert [(job["first_rank"], job["ranks"], job["clock"]) for job in said["jobs"]] == [
        (0, SIZE, "shared"), (SIZE, SIZE, "shared")]
    assert rows["wait_at_comm_create"]["instances"] > 0
    messages = json.load(open("messages.json"))
    assert messages["messages"] == messages["matched"] == len(sends), messages["matched"]
    pairs = {(pair["from"], pair["to"]): pair["count"] for pair in messages["pairs"]}
    expected = {}
    for tag, (sender, _) in sends.items():
        pair = sender, receives[tag][0]
        expected[pair] = expected.get(pair, 0) + 1
    assert pairs == expected, pairs


main()
PYTHON

for size in 1 2 probed; do
    rm -rf parent child ./*.zip
    [ $size != probed ] || { size=2; export JOBS_PROBE=1; }
    run_openmpi $size "$record" -q --format directory -o parent ./jobs_wait \
        "$record" -q --format directory -o child ./jobs_wait >out 2>err || fail "$(cat err)"
    for order in "parent child" "child parent"; do
        for jobs in 1 2; do
            "$analyze" waits --jobs $jobs --json $order >waits.json
            "$analyze" messages --json $order >messages.json
            "$python" check.py $size $order || fail "$size ranks, $order, $jobs threads"
        done
    done
done

assert_equal 9 "$("$analyze" dump parent | grep -c ' enter .* found_source=')" "what was probed for"

# Each alone: nothing of the other's, and no key of it.
for name in parent child; do
    reported() { "$analyze" "$1" --json $name >"$1.json"; }
    reported waits
    assert_equal "False 0" "$(json waits.json '"%s %d" % ("jobs" in d, d["messages_unmatched"])')" \
        "$name alone"
    reported info
    assert_equal 15 "$(json info.json 'd["other_job_sends"] + d["other_job_receives"]')" \
        "messages with the other job"
done

# For people: which ranks are whose.
assert_matches "$("$analyze" waits parent child)" '^ +2 +2 +shared +child$'
assert_matches "$("$analyze" messages child parent)" 'have in common: 2$'

# One that is named twice would be nobody's other half any more.
cp -r child copy
for twice in "parent child parent" "child parent copy"; do
    assert_equal 2 "$(status_of "$analyze" waits $twice)" "$twice"
    assert_contains "$(cat stderr)" "${twice##* }: it is of the same run as \"${twice%% *}\""
done

# A job on another host has another clock: its times are set by the hosts' dates, which is said.
cp -r child far
sed -i 's/"host": *"[^"]*"/"host": "far"/' far/mpiwatch.json
"$analyze" waits --json parent far >waits.json
assert_equal "shared, wall clock; 0 2" "$(json waits.json '"%s; %d %d" % (
    ", ".join(job["clock"] for job in d["jobs"]), d["messages_unmatched"],
    d["joint_communicators"])')" "a child on another host"
assert_contains "$("$analyze" waits parent far)" "hosts whose clocks were not compared"

# What is kept of each is forgotten with both.
XDG_CACHE_HOME=$PWD/cache "$TOP_BUILDDIR/test/data/keep_blocks" parent child >kept
assert_equal 2 "$(find cache -name '*-blocks' | wc -l)" "archives of which something is kept"
XDG_CACHE_HOME=$PWD/cache "$analyze" messages --forget parent child >/dev/null
assert_equal 0 "$(find cache -name '*-blocks' | wc -l)" "those of which it is after --forget"
finish
