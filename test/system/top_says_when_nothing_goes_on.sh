# mpiwatch-top's line of alarm: it comes when all ranks have been in a call for so long, on the
# screen, the page and in tmux, and not before that, not when it was not asked for, and not of ranks
# one of which computes. Ranks that are told of late join those that were there, with all that they
# did. On both MPIs.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/terminal.sh"
top=$TOP_BUILDDIR/mpiwatch-top

# start MPI CASE: examples/hangs, until all of its ranks are where they hang.
start() {
    rm -rf run.otf2.zip* inside.*
    run_mpi "$1" 3 "$record" -o run.otf2.zip "$(example hangs "$1")" "$2" >out 2>err &
    run=$!
    await "$1, $2: the ranks" sh -c '[ "$(ls inside.* 2>/dev/null | wc -l)" = 3 ]'
    await "$1, $2: its spools" test -e run.otf2.zip.run
}
finish_run() {
    kill_ranks run.otf2.zip.run
    wait "$run" || true
}
give_up() {
    finish_run
    close_terminal
    cat text screen 2>/dev/null || true
}
# looks OPTION...: one screen.
looks() {
    "$top" --once "$@" run.otf2.zip.run >text
}
alarmed() {
    looks --alarm=1 && grep -q "^ALARM: no rank has left MPI for [0-9.]* s: --why tells" text
}

for mpi in $(mpis); do
    start "$mpi" recv_ring
    await "$mpi: an alarm" alarmed
    looks --alarm=100000
    assert_lacks "$(cat text)" ALARM
    looks --alarm=0
    assert_lacks "$(cat text)" ALARM
    "$top" --json --count=1 run.otf2.zip.run >line
    assert_equal True "$(json line 'str(1 <= d["stuck_s"] < 1000)')" "$mpi: since when"
    "$top" --html=page.html --alarm=1 --count=1 run.otf2.zip.run
    assert_contains "$(cat page.html)" "ALARM: no rank has left MPI"
    finish_run
    looks --alarm=1 # of ranks that are gone there is nothing to be said
    assert_lacks "$(cat text)" ALARM

    start "$mpi" computes
    sleep 1.5
    looks --alarm=1
    assert_lacks "$(cat text)" ALARM
    assert_matches "$(cat text)" '^ +1 +computing '
    "$top" --json --count=1 run.otf2.zip.run >line
    assert_equal 0.0 "$(json line 'd["stuck_s"]')" "$mpi: one computes"
    finish_run
done

# --- the screen, and ranks that come late --------------------------------------------------------
mpi=$(mpis | head -1)
start "$mpi" recv_ring
if has_terminal "$top" run.otf2.zip.run; then
    open_terminal alarm 100 20 "'$top' --alarm=3 run.otf2.zip.run"
    await "the alarm on the screen" shown "^ALARM: no rank has left MPI for"
    key w
    await "why" shown "^deadlock: rank 0 in MPI_Recv from 1 .*tag 7"
    key Enter
    await "the ranks again" shown "^ALARM"
    close_terminal
fi
# The run is told of rank by rank, as it is when their MPI_Init ends at different times.
grep -v '"rank": *[12]\b' run.otf2.zip.run >late.run
timeout "$test_timeout" "$top" --json --waits late.run >lines &
watch=$!
has() {
    tail -n 1 lines >last &&
        [ "$(json last '[t["rank"] for t in d["threads"]]' 2>/dev/null)" = "$1" ]
}
await "rank 0 alone" has "[0]"
assert_equal "3 None" "$(json last '"%d %s" % (d["ranks"], d["threads"][0]["waited_ns"])')" \
    "what ranks wait, where some are not there"
"$top" --once --waits late.run >text
assert_contains "$(cat text)" "how much ranks wait is not known: not all ranks are here"
grep '"rank": *2\b' run.otf2.zip.run >>late.run
await "rank 2" has "[0, 2]"
grep '"rank": *1\b' run.otf2.zip.run >>late.run
await "all ranks" has "[0, 1, 2]"
waits_known() {
    tail -n 1 lines >last && [ "$(json last 'str(all(t["waited_ns"] is not None
        for t in d["threads"]))' 2>/dev/null)" = True ]
}
await "what they wait" waits_known
assert_equal "MPI_Recv MPI_Recv MPI_Recv" \
    "$(json last '" ".join(t["call"] for t in d["threads"])')" "where they are"
finish_run
wait "$watch" || fail "the watch of a run that died ended with $?"
