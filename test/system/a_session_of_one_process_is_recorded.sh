# A program of one process that only uses sessions, in which MPICH has no engine for messages of
# others: it ends as without the recorder, and its calls and messages are in the archive.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"

need_mpi mpich
program=$TOP_BUILDDIR/test/system/session_of_one-mpich
[ -x "$program" ] || skip "test/system/session_of_one-mpich was not built"

# With nobody on one side MPI_Isendrecv is a send or a receive, whose length is known.
for set in mpi://self mpi://WORLD; do
    for talk in "" quiet; do
        rm -rf run.otf2.zip
        assert_equal 0 "$(status_of run_mpich 1 "$program" "$set" $talk)" "$set, by itself"
        assert_equal 0 "$(status_of run_mpich 1 "$record" -o run.otf2.zip "$program" "$set" \
            $talk)" "$set $talk: $(tail -5 stderr)"
        assert_equal "done" "$(cat stdout)" "$set $talk: output"
        reported info run
        reported calls run
        "$analyze" dump --json run.otf2.zip >events
        python_check "$set $talk" "$talk" <<'PYTHON'
import collections, json, sys
info, calls = (json.load(open(name)) for name in ("info.json", "calls.json"))
found = [info[what] for what in ("lost_events", "unmatched_sends", "unmatched_receives")]
assert found == [0, 0, 0], found
found = {call["name"]: call["count"] for call in calls["calls"]}
begin_and_end = ["Session_init", "Comm_create_from_group", "Comm_free", "Session_finalize"]
assert all(found.get("MPI_" + name) == 1 for name in begin_and_end), found
events = [json.loads(line) for line in open("events")]
count = collections.Counter(event["event"] for event in events)
ends = [count[what] for what in ("isend", "isend_complete", "irecv_post", "irecv")]
received = sorted((e["tag"], e["bytes"]) for e in events if e["event"] == "irecv")
talks = sys.argv[1] == ""
assert ends == ([2] * 4 if talks else [0] * 4), count
assert received == ([(2, 4), (3, 4)] if talks else []), received
PYTHON
    done
done
finish
