# mpiwatch-top on a job of three hosts, none of which sees another one's spools: one process a host
# tells the first one, whose lines have the numbers of all, which are known beforehand; who waits
# for whom across hosts, of a run that runs and one that was killed; a host that stands still is not
# heard of, and holds nobody up; when it goes on, what ranks of all hosts waited is known. On both
# MPIs.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"
. "$TOP_SRCDIR/test/system/three_hosts.sh"

cat >check.py <<'PYTHON'
import json, sys

for line in map(json.loads, open(sys.argv[1])):
    assert line["schema"] == 1 and line["ranks"] == 3 and line["running"], line
    names = [host["name"] for host in line["hosts"]]
    assert len(set(names)) == 3 and names[1:] == ["node1", "node2"], names
    for host in line["hosts"]:
        assert host["dropped"] == 0 and not host["silent"] and not host["refused"], host
        assert host["heard_s"] < 5, host
    assert [each["rank"] for each in line["threads"]] == [0, 1, 2], line
    for each in line["threads"]:
        assert each["messages_sent"] == each["messages_received"] == 300, each
        assert each["bytes_sent"] == each["bytes_received"] == 2400, each
        assert 0 <= each["mpi_share_all"] <= 1, each
    zero, one, two = line["threads"]
    assert all(each["line"] in (None, sys.argv[2]) for each in (one, two)), line
    assert zero["line"] is None, zero
    assert zero["state"] == "computing" and zero["calls_per_s"] == 0, zero
    for each in one, two:
        assert (each["state"], each["call"], each["comm"]) == ("MPI", "MPI_Recv", "all three"), each
        assert (each["source"], each["source_tag"], each["peer"]) == (0, 9, None), each
        assert each["mpi_share_1s"] > 0.99, each
PYTHON

# stand_still: stops what tells of node2, looks, and lets it go on.
stand_still() {
    local watch stopped lines
    rm -f lines # of those before: nobody is to take them for these
    run_hosts "$mpi" --json --waits run.zip.run >lines 2>err &
    watch=$!
    await "word of all hosts" all_heard
    stopped=$(on_host node2 mpiwatch-carry)
    [ -n "$stopped" ] || fail "$mpi: nothing tells of node2"
    kill -STOP $stopped
    await "a host that is not heard of" not_heard
    lines=$(wc -l <lines)
    sleep 3
    [ "$(wc -l <lines)" -ge $((lines + 2)) ] || fail "$mpi: one that stands still holds others up"
    tail -n 1 lines >last
    assert_equal '["MPI", "elsewhere"]' "$(json last '[d["threads"][1]["state"],
        d["threads"][2]["state"]]')" "$mpi: the ranks"
    kill -CONT $stopped
    await "the host again" all_heard
    touch go
    wait "$run" || fail "$mpi: the program ended with $?: $(cat err)"
    wait "$watch" || fail "$mpi: --json to the end: exit $?: $(cat err)"
    tail -n 1 lines >last
    assert_equal 0 "$(json last 'int(d["running"])')" "$mpi: the end: $(cat last)"
    "$analyze" waits --json -o waits.json run.zip
    "$python" - <<'PYTHON' || fail "$mpi: waits: $(cat last)"
import json

last, waits = json.load(open("last")), json.load(open("waits.json"))
late = [p["per_rank_ns"] for p in waits["patterns"] if p["name"] == "late_sender"][0]
error = last["events"]["clock_error_ns"]
for rank in 1, 2:
    live = last["threads"][rank]["waited_ns"]
    # Each of 301 receives may have waited, and each wait may be off so much.
    assert abs(live - late[rank]) < 10**6 + 301 * error, (live, late, error)
    assert live > 10**9, live
PYTHON
}
not_heard() {
    tail -n 1 lines >last && [ "$(json last '[h["silent"] for h in d["hosts"]]' 2>/dev/null)" = \
        "[false, false, true]" ]
}
all_heard() {
    tail -n 1 lines >last && [ "$(json last 'd["threads"][2]["state"]' 2>/dev/null)" = MPI ]
}

# The line in which ranks 1 and 2 wait is told by their hosts, where it is looked up meanwhile.
waits_at=held.c:$(grep -n "MPI_Recv(&got" held.c | cut -d: -f1)
lines_told() {
    run_hosts "$mpi" --json --count 4 run.zip.run >lines 2>err &&
        [ "$(tail -n 1 lines >last && json last '" ".join(str(t["line"]) for t in d["threads"])')" \
            = "None $waits_at $waits_at" ]
}

variables_told() {
    run_hosts "$mpi" --json --variable=x --count=4 run.zip.run >lines 2>err &&
        tail -n 1 lines >last && [ "$(json last '[v["of_ranks"] for v in d["events"]["variables"]
            if "posted" in v["name"]][0]')" = "[0.0, 0.0, 0.0]" ]
}

all_wait() {
    run_hosts "$mpi" --once run.zip.run >text 2>err && [ "$(grep -c " MPI_Recv from 0 " text)" = 2 ]
}

for mpi in $(built_mpis); do
    start_run "$mpi"
    assert_equal "1 1 1" "$(count spools0) $(count spools1) $(count spools2)" "$mpi: hosts' spools"
    run_hosts "$mpi" --json --count 2 run.zip.run >lines 2>err || fail "$mpi: --json: $(cat err)"
    assert_equal 2 "$(wc -l <lines)" "$mpi: lines"
    "$python" check.py lines "$waits_at" || fail "$mpi: $(cat lines)"
    if [ -x "$TOP_BUILDDIR/mpiwatch-resolve" ]; then
        await "$mpi: lines of all hosts" lines_told
        "$python" check.py lines "$waits_at" || fail "$mpi: lines: $(cat lines)"
    fi
    run_hosts "$mpi" --once run.zip.run >text 2>err || fail "$mpi: --once: $(cat err)"
    run_hosts "$mpi" --once --view=calls run.zip.run >view 2>err || fail "$mpi: --view: $(cat err)"
    assert_contains "$(cat view)" "calls are read from spools: mpiwatch-top on the ranks' own host"
    if [ "$mpi" = openmpi ]; then # which has variables
        run_hosts "$mpi" --once --variable=POSTED run.zip.run >view 2>err || fail "$(cat err)"
        assert_contains "$(cat view)" "variable: pml_ob1_posted_recvq_length"
        run_hosts "$mpi" --once --view=variables run.zip.run >view 2>err || fail "$(cat err)"
        assert_matches "$(cat view)" '^pml_ob1_posted_recvq_length .*▁$'
        await "variables of the three hosts" variables_told
    fi
    assert_matches "$(cat text)" '^held-.*: 3 of 3 ranks run on 3 hosts$'
    assert_matches "$(cat text)" '^ +2 +MPI_Recv from 0 \(tag 9, all three\) .* 100\.0% '
    run_hosts "$mpi" --why run.zip.run >why 2>err || fail "$mpi: --why: $(cat err)"
    assert_matches "$(cat why)" '^ranks 1-2 in MPI_Recv from 0 .* for rank 0, which is outside'
    assert_equal "" "$(find . -name '*.why*')" "$mpi: what --why leaves"
    hosts=2 run_hosts "$mpi" --why run.zip.run >why 2>err || fail "$mpi: --why of two: $(cat err)"
    assert_matches "$(cat why)" '^not known: what rank 2 .*; there is no record .* on node2$'
    stand_still
    assert_file run.zip

    # Killed: what is left on the three hosts.
    start_run "$mpi"
    await "$mpi: ranks that wait" all_wait
    kill_run "$mpi"
    run_hosts "$mpi" --once run.zip.run >text 2>err || fail "$mpi: killed: $(cat err)"
    assert_matches "$(cat text)" '^held-.*: 0 of 3 ranks run on 3 hosts$'
    assert_matches "$(cat text)" '^ +1 +gone: killed.*in MPI_Recv from 0 \(tag 9, all three\)'
    run_hosts "$mpi" --why run.zip.run >why 2>err || fail "$mpi: killed: --why: $(cat err)"
    assert_matches "$(cat why)" 'ranks 1-2 .*MPI_Recv from 0'
done

# A run that nobody sees, and one that is not named.
mpi=$(built_mpis | head -1)
status=0
run_hosts "$mpi" --once nowhere.run >out 2>err || status=$?
[ "$status" != 0 ] || fail "a run that is not there is shown"
assert_contains "$(cat err)" "nowhere.run: can't open it: No such file"
status=0
run_hosts "$mpi" --once >out 2>err || status=$?
[ "$status" != 0 ] || fail "a run without a name is shown on several hosts"
assert_contains "$(cat err)" "on several hosts the run has to be named"
finish
