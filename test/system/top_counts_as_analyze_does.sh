# Views of mpiwatch-top other than ranks: watched to their end, runs have the calls, pairs of ranks
# and communicators that mpiwatch-analyze finds in their archives, to the nanosecond, on both MPIs;
# a ring says what it lost. The page and OpenMetrics are whole and sound, rows say the line that
# calls, killed ranks and spools of random bytes do no harm, and in tmux keys change views, filter,
# find and choose among runs. What is compiled without ncurses says so.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/terminal.sh"
top=$TOP_BUILDDIR/mpiwatch-top

# Messages, collectives, communicators made, named and freed, a third of a second now and then; with
# an argument it waits for a file "go" before it ends.
cat >busy.c <<'PROGRAM'
#include <mpi.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    double sent = 1, got, sum;
    int rank, size;
    MPI_Comm ring, other;
    MPI_Request requests[2];
    MPI_Status statuses[2];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_dup(MPI_COMM_WORLD, &ring);
    MPI_Comm_set_name(ring, "ring");
    for (int i = 0; i < ROUNDS; i++) {
        MPI_Sendrecv(&sent, 1, MPI_DOUBLE, (rank + 1) % size, 1, &got, 1, MPI_DOUBLE,
                     (rank + size - 1) % size, 1, ring, MPI_STATUS_IGNORE);
        if (i % (ROUNDS / 4) == 0) {
            usleep(300000);
            MPI_Comm_split(ring, rank % 2, 0, &other);
            MPI_Allreduce(&sent, &sum, 1, MPI_DOUBLE, MPI_SUM, other);
            MPI_Comm_free(&other);
            MPI_Irecv(&got, 1, MPI_DOUBLE, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, &requests[0]);
            MPI_Isend(&sent, 1, MPI_DOUBLE, (rank + 1) % size, 2, MPI_COMM_WORLD, &requests[1]);
            MPI_Waitall(2, requests, statuses);
        }
    }
    if (argc > 1 && rank == 0) {
        while (access("go", F_OK) != 0) {
            usleep(10000);
        }
    }
    MPI_Barrier(ring);
    MPI_Comm_free(&ring);
    MPI_Finalize();
    return 0;
}
PROGRAM

cat >equal.py <<'PYTHON'
import json, re

last = json.loads(open("lines").readlines()[-1])
events = last["events"]
assert not last["running"] and events["read_share"] == 1, last
assert events["overwritten"] == events["damaged"] == 0, events

def rows(list, *keys):
    return sorted(tuple(row[key] for key in keys) for row in list)

def same(live, archive, *keys):
    live, archive = rows(live, *keys), rows(archive, *keys)
    assert live == archive, (set(live) ^ set(archive))

calls, messages, comms = (json.load(open(name + ".json"))
                          for name in ("calls", "messages", "comms"))
same(events["calls"], calls["calls"], "name", "count", "time_ns", "min_ns", "max_ns", "bytes_sent",
     "bytes_received")
same(events["pairs"], messages["pairs"], "from", "to", "count", "bytes")
assert all(pair["on_the_way"] == 0 for pair in events["pairs"]), events["pairs"]
assert events["messages"] == messages["messages"] and events["bytes"] == messages["bytes"]
same(events["communicators"], comms["communicators"], "size", "calls", "messages", "bytes",
     "collectives", "collective_bytes", "time_ns")
alive = [comm["name"] for comm in events["communicators"] if comm["alive"]]
assert sorted(alive) == ["MPI_COMM_SELF", "MPI_COMM_WORLD"], alive
assert "ring" in [comm["name"] for comm in events["communicators"]]
PYTHON

# What await says when it gives up, having let the program go.
give_up() {
    touch go
    close_terminal
    cat screen 2>/dev/null || true
}

rounds=4000 # of the first MPI, by which all is run; three ranks of MPICH take a time slice for each
for mpi in $(mpis); do
    rm -rf run.otf2.zip* go
    "$(mpicc_of "$mpi")" -DROUNDS=$rounds -g -o "busy-$mpi" busy.c
    rounds=400
    run_mpi "$mpi" 3 "$record" -o run.otf2.zip "./busy-$mpi" >out 2>err &
    run=$!
    await "$mpi: the program" test -e run.otf2.zip.run
    timeout "$test_timeout" "$top" --json --view=calls run.otf2.zip.run >lines || fail "$mpi: $?"
    wait "$run" || fail "$mpi: the program ended with $?: $(cat err)"
    for command in calls messages comms; do
        "$analyze" $command --json -o $command.json run.otf2.zip
    done
    "$python" equal.py || fail "$mpi: $(tail -1 lines)"
done
mpi=$(mpis | head -1)

# --- a ring that is written over: what can't be counted is said --------------------------------
rm -rf run.otf2.zip*
run_mpi "$mpi" 3 "$record" --on-full=wrap --max-spool=1M -o run.otf2.zip "./busy-$mpi" >out 2>err &
run=$!
await "the ring" test -e run.otf2.zip.run
timeout "$test_timeout" "$top" --json --view=calls run.otf2.zip.run >lines || fail "a ring: $?"
wait "$run" || fail "a ring: the program ended with $?: $(cat err)"
"$python" - <<'PYTHON' || fail "a ring: $(tail -1 lines)"
import json
last = json.loads(open("lines").readlines()[-1])
told = sum(call["count"] for call in last["events"]["calls"]) + last["events"]["overwritten"]
assert told == sum(thread["calls"] for thread in last["threads"]), told
PYTHON

# --- files and lines, of two runs that wait ----------------------------------------------------
rm -rf run.otf2.zip* go
run_mpi "$mpi" 3 "$record" -o run.otf2.zip "./busy-$mpi" hold >out 2>err &
run=$!
await "the program" test -e run.otf2.zip.run
waits() {
    "$top" --once --view=calls run.otf2.zip.run >text && grep -q "^MPI_Waitall" text &&
        "$top" --once run.otf2.zip.run >text && grep -q "^ *1 *MPI_Barrier" text
}
await "the barrier" waits
if [ -x "$TOP_BUILDDIR/mpiwatch-resolve" ]; then
    line_told() {
        "$top" --once --width=160 run.otf2.zip.run >text &&
            grep -Eq '^ +1 +MPI_Barrier on ring at busy\.c:[0-9]+ ' text
    }
    await "the line of the barrier" line_told
fi
"$top" --once --alarm=1 --width=100 run.otf2.zip.run >text
if grep -q ALARM text; then fail "rank 0 is outside of MPI: $(cat text)"; fi
"$top" --html=page.html --openmetrics=run.prom --view=messages --count=2 run.otf2.zip.run ||
    fail "page: $?"
for word in '<!DOCTYPE html>' 'http-equiv="refresh"' 'MPI_Barrier on ring' \
    '<h2>messages</h2>' '</html>'; do
    assert_contains "$(cat page.html)" "$word"
done
echo "my own" >mine
status=0
"$top" --html=mine --count=1 run.otf2.zip.run 2>err.top || status=$?
assert_equal 3 "$status" "a file of somebody else's"
assert_equal "my own" "$(cat mine)" "which stays"
"$python" - <<'PYTHON' || fail "OpenMetrics: $(cat run.prom)"
import re

lines = open("run.prom").read().split("\n")
assert lines[-2:] == ["# EOF", ""], lines[-2:]
sample = re.compile(r'[a-z_]+\{[a-z]+="[^"]*"(,[a-z_]+="[^"]*")*\} [0-9.]+$')
assert all(line.startswith("# ") or sample.match(line) for line in lines[:-1]), lines
sent = [float(line.split()[-1]) for line in lines
        if line.startswith("mpiwatch_messages_sent_total")]
assert sent == [4004] * 3, sent
try:
    from prometheus_client.openmetrics.parser import text_string_to_metric_families
except ImportError:
    raise SystemExit
families = {family.name for family in text_string_to_metric_families(open("run.prom").read())}
assert {"mpiwatch_calls", "mpiwatch_state", "mpiwatch_mpi_seconds"} <= families, families
PYTHON

# --- the screen ----------------------------------------------------------------------------------
only_ring() {
    shown "^ring" && ! grep -q "^MPI_COMM_SELF" screen # on the same screen
}
# look_at_screen COLUMNS ROWS
look_at_screen() {
    open_terminal "$1" "$1" "$2" "'$top' run.otf2.zip.run"
    await "rank 1" shown "^ *1 *MPI_Barr"
    key g
    await "ranks that do the same" shown "^ *1-2 *MPI_Barr"
    key Tab
    await "calls" shown "^MPI_Sendrecv"
    key 4
    await "messages" shown "^ *0 *1 "
    key 5
    await "variables" shown "by highest"
    key 3
    await "communicators" shown "^ring"
    key '\' rin Enter
    await "only one" only_ring
    key Escape
    await "all again" shown "^MPI_COMM_"
    key 2
    key '>'
    await "sorting" shown "by \(time\|of MPI\|longest\|sent\|received\|call\)"
    key / Allred Enter
    await "what is searched for" shown "^MPI_Allreduce"
    key q
    await "the end" shown "^over"
    close_terminal
}
if has_terminal "$top" run.otf2.zip.run; then
    look_at_screen 40 10
    look_at_screen 120 30
    # A second run: a list, and the older one chosen.
    rm -rf second.otf2.zip*
    run_mpi "$mpi" 2 "$record" -o second.otf2.zip "./busy-$mpi" hold >out2 2>err2 &
    second=$!
    list_told() {
        "$top" --once >text && grep -q "2 runs run here" text
    }
    await "both runs in the list" list_told
    "$top" --json >list.json
    assert_equal "2 3" "$(json list.json '" ".join(str(run["ranks"]) for run in d["runs"])')" \
        "the list"
    open_terminal list 100 20 "'$top'"
    await "the list" shown "^2 runs run here"
    key Down
    await "the mark" shown "^> .* 3 "
    key Enter
    await "the older one" shown "3 of 3 ranks run here"
    close_terminal
    touch go
    wait "$second" || fail "the second run: $(cat err2)"
fi
touch go
wait "$run" || fail "the program ended with $?: $(cat err)"
assert_file run.otf2.zip

# --- ranks that die, and spools of anybody -------------------------------------------------------
rm -rf run.otf2.zip* go
run_mpi "$mpi" 2 "$record" -o run.otf2.zip "./busy-$mpi" hold >out 2>err &
run=$!
await "the program" test -e run.otf2.zip.run
await "its spools" sh -c 'ls "$TMPDIR"/mpiwatch-*-1/0.events >spools 2>&1'
timeout "$test_timeout" "$top" --json --view=calls run.otf2.zip.run >lines &
watch=$!
sleep 2
for spool in "$TMPDIR"/mpiwatch-*-[01]; do
    cp -r "$spool" "copy-${spool##*-}"
done
kill_ranks run.otf2.zip.run
wait "$run" || true
wait "$watch" || fail "ranks that die: $?"
tail -n 1 lines >last
assert_equal "gone gone" "$(json last '" ".join(t["state"] for t in d["threads"])')" "killed ranks"
assert_equal 1 "$(json last 'int(d["events"]["read_share"])')" "all of their calls"
for seed in $(seq 12); do
    rm -rf bad
    mkdir bad
    cp -r copy-0 bad/mpiwatch-0123456789abcdef-0
    "$python" - "$seed" bad/*/* <<'PYTHON'
import random, sys
random.seed(int(sys.argv[1]))
for name in sys.argv[2:]:
    data = bytearray(open(name, "rb").read())
    for _ in range(random.choice((1, 20, 400))):
        data[random.randrange(len(data)) if random.random() < 0.7 else
             random.randrange(min(5000, len(data)))] = random.randrange(256)
    open(name, "wb").write(data)
PYTHON
    for view in ranks calls comms messages variables "ranks --waits"; do
        status=0
        timeout 20 "$top" --once --view=$view bad >out 2>err.top || status=$?
        [ $status -eq 0 ] || [ $status -eq 3 ] || fail "seed $seed, $view: exit $status"
        [ $status -eq 0 ] || assert_matches "$(cat err.top)" '^mpiwatch-top: '
    done
done

# --- without ncurses ------------------------------------------------------------------------
sed 's/^#define HAVE_NCURSES.*//' "$TOP_BUILDDIR/config.h" >config.h
compile=($CC -std=gnu11 -D_GNU_SOURCE -Wall -I. -I"$TOP_SRCDIR" -c -o view.o)
"${compile[@]}" "$TOP_SRCDIR/analyzer/live/live_view.c"
assert_contains "$(strings view.o)" "built without ncurses"
