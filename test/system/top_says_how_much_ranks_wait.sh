# mpiwatch-top --waits: what ranks wait, watched to the end of the run, is what mpiwatch-analyze
# finds in its archive, to the nanosecond, on both MPIs and with threads; while it runs it is never
# more than the time in MPI, and what is not known yet is said. A ring and a pause are told as
# reasons why nothing is known. Rows have a variable, chosen by its name, and lines of calls that
# come late are their own. In tmux the keys do the same.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/terminal.sh"
top=$TOP_BUILDDIR/mpiwatch-top

# Waits of each kind for a tenth of a second, and at last one for as long as a file "go" is not
# there; with "pause" or "threads" also that.
cat >waits.c <<'PROGRAM'
#include <mpi.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static MPI_Comm ring, threads, half;
static int rank, size;
static double large[200000];

static void late(int who)
{
    if (rank == who) {
        usleep(100000);
    }
}

/* Fences, posts, starts, completions, waits and locks that come late. */
static void use_windows(void)
{
    const int peers[] = {rank == 0 ? 1 : 0};
    double *memory, one = 1;
    MPI_Win window;
    MPI_Group all, peer;

    MPI_Win_allocate(100 * sizeof one, sizeof one, MPI_INFO_NULL, ring, &memory, &window);
    MPI_Comm_group(ring, &all);
    MPI_Group_incl(all, 1, peers, &peer);
    late(1);
    MPI_Win_fence(0, window);
    MPI_Put(&one, 1, MPI_DOUBLE, (rank + 1) % size, 0, 1, MPI_DOUBLE, window);
    late(2);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, window);
    for (int i = 0; i < 3; i++) {
        late(0);
        if (rank == 0) {
            MPI_Win_post(peer, 0, window);
            MPI_Win_wait(window);
        } else if (rank == 1) {
            MPI_Win_start(peer, 0, window);
            MPI_Put(&one, 1, MPI_DOUBLE, 0, 1, 1, MPI_DOUBLE, window);
            late(1);
            MPI_Win_complete(window);
        }
        MPI_Barrier(ring);
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 2, 0, window);
        MPI_Put(&one, 1, MPI_DOUBLE, 2, 2, 1, MPI_DOUBLE, window);
        MPI_Win_flush(2, window);
        usleep(50000);
        MPI_Win_unlock(2, window);
        MPI_Win_lock_all(0, window);
        MPI_Get(&one, 1, MPI_DOUBLE, 2, 2, 1, MPI_DOUBLE, window);
        MPI_Win_unlock_all(window);
    }
    MPI_Group_free(&peer);
    MPI_Group_free(&all);
    late(0);
    MPI_Win_free(&window);
}

static void *talk(void *unused)
{
    double got = 0;
    for (int i = 0; i < 50; i++) {
        MPI_Sendrecv_replace(&got, 1, MPI_DOUBLE, (rank + 1) % size, 5, (rank + size - 1) % size, 5,
                             threads, MPI_STATUS_IGNORE);
    }
    return unused;
}

int main(int argc, char **argv)
{
    double one = 1, sum[2];
    MPI_Request requests[2];
    MPI_Status statuses[2];
    pthread_t thread;
    int got, flag = 0;
    const int has_threads = argc > 1 && strcmp(argv[1], "threads") == 0;

    MPI_Init_thread(&argc, &argv, has_threads ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &got);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_dup(MPI_COMM_WORLD, &ring);
    MPI_Comm_dup(MPI_COMM_WORLD, &threads);
    MPI_Comm_split(ring, rank < 2, 0, &half);
    if (argc > 1 && strcmp(argv[1], "pause") == 0) {
        MPI_Pcontrol(0);
        MPI_Pcontrol(1);
    }
    if (has_threads) {
        pthread_create(&thread, NULL, talk, NULL);
    }
    for (int i = 0; i < 3; i++) {
        late(1);
        if (rank == 1) {
            MPI_Send(&one, 1, MPI_DOUBLE, 0, 1, ring);
            MPI_Recv(large, 200000, MPI_DOUBLE, 0, 2, ring, MPI_STATUS_IGNORE);
        } else if (rank == 0) {
            MPI_Recv(sum, 1, MPI_DOUBLE, MPI_ANY_SOURCE, 1, ring, MPI_STATUS_IGNORE);
            MPI_Send(large, 200000, MPI_DOUBLE, 1, 2, ring);
        }
        MPI_Irecv(&sum[0], 1, MPI_DOUBLE, (rank + 1) % size, 3, ring, &requests[0]);
        late(2);
        MPI_Isend(&one, 1, MPI_DOUBLE, (rank + size - 1) % size, 3, ring, &requests[1]);
        MPI_Waitall(2, requests, statuses);
        late(0);
        MPI_Bcast(&one, 1, MPI_DOUBLE, 0, ring);
        MPI_Iallreduce(&one, sum, 1, MPI_DOUBLE, MPI_SUM, half, &requests[0]);
        late(1);
        MPI_Reduce(&one, sum + 1, 1, MPI_DOUBLE, MPI_SUM, 0, half);
        MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    }
    use_windows();
    if (has_threads) {
        pthread_join(thread, NULL);
    }
    for (int i = 0; i < 1000; i++) {
        MPI_Iprobe(MPI_ANY_SOURCE, 99, ring, &flag, MPI_STATUS_IGNORE);
    }
    while (rank == 2 && access("go", F_OK) != 0) {
        usleep(10000);
    }
    MPI_Allreduce(&one, sum, 1, MPI_DOUBLE, MPI_SUM, ring); /* the late line */
    MPI_Comm_free(&half);
    MPI_Comm_free(&threads);
    MPI_Comm_free(&ring);
    MPI_Finalize();
    return 0;
}
PROGRAM
late_line=$(grep -n "the late line" waits.c | cut -d: -f1)

cat >equal.py <<'PYTHON'
import json, sys

COUNTS = {"late_sender", "late_receiver", "early_reduce", "early_scan", "late_broadcast",
          "wait_for_last", "wait_at_nxn", "wait_at_barrier", "wait_at_neighbors", "wait_at_window",
          "wait_at_fence", "late_post", "early_wait", "lock_contention"}
lines = [json.loads(line) for line in open("lines")]
waits = json.load(open("waits.json"))
last = lines[-1]
assert not last["running"] and last["events"]["read_share"] == 1, last
live = {}
for thread in last["threads"]:
    live[thread["rank"]] = live.get(thread["rank"], 0) + thread["waited_ns"]
archive = dict.fromkeys(live, 0)
waited = {pattern["name"]: sum(pattern["per_rank_ns"]) for pattern in waits["patterns"]}
for name in "wait_at_window", "wait_at_fence", "late_post", "early_wait", "lock_contention":
    assert waited.get(name, 0) > 20_000_000, (name, waited)
for pattern in waits["patterns"]:
    if pattern["name"] in COUNTS:
        for rank, ns in enumerate(pattern["per_rank_ns"]):
            archive[rank] += ns
assert live == archive, (live, archive)
assert all(ns > 150_000_000 for ns in live.values()), live
seen = 0
for line in lines:
    for thread in line["threads"]:
        for of in "1s", "10s", "all":
            waiting, doubtful, mpi = (thread[key + of] for key in
                                      ("waiting_share_", "doubtful_share_", "mpi_share_"))
            if waiting is not None and mpi is not None:
                assert 0 <= waiting <= mpi + 1e-7 and waiting + doubtful <= mpi + 1e-7, thread
                seen += 1
        if thread["call"] == "MPI_Allreduce" and thread["line"]:
            assert thread["line"] == "waits.c:" + sys.argv[1], thread
assert seen > 3, seen
PYTHON

# run_watched MPI ARGUMENT PATTERN: the program, watched with --waits from its beginning to its end,
# once the screen, in the file text, has what matches PATTERN.
run_watched() {
    rm -rf run.otf2.zip* go lines
    run_mpi "$1" 3 "$record" -o run.otf2.zip "./waits-$1" "$2" >out 2>err &
    run=$!
    await "$1: the program" test -e run.otf2.zip.run
    timeout "$test_timeout" "$top" --json --waits run.otf2.zip.run >lines 2>err.top &
    watch=$!
    await "$1: the last wait" grep -q '"rank":0[^}]*"call":"MPI_Allreduce"' lines
    await "$1: $3" told "$3"
    touch go
    wait "$watch" || fail "$1: the watch ended with $?: $(cat err.top)"
    wait "$run" || fail "$1: the program ended with $?: $(cat err)"
}
told() {
    "$top" --once --waits --width=150 run.otf2.zip.run >text || fail "--once: $?"
    grep -Eq -- "$1" text
}
give_up() {
    touch go
    close_terminal
    cat lines text 2>/dev/null | tail -20
}

for mpi in $(mpis); do
    "$(mpicc_of "$mpi")" -g -pthread -o "waits-$mpi" waits.c
    # Nothing is known of the Allreduce that lasts; what came before is.
    run_watched "$mpi" plain '^ +0 MPI_Allreduce on .* 100\.0% .* - .* >=[0-9.]+% '
    "$analyze" waits --json -o waits.json run.otf2.zip
    "$python" equal.py "$late_line" || fail "$mpi: $(tail -1 lines)"
done
mpi=$(mpis | head -1)
run_watched "$mpi" threads '^ +0 MPI_Allreduce on '
"$analyze" waits --json -o waits.json run.otf2.zip
"$python" equal.py "$late_line" || fail "threads: $(tail -1 lines)"
run_watched "$mpi" pause "how much ranks wait is not known: recording was paused"
tail -n 1 lines >last
assert_equal "[null, null, null]" "$(json last '[t["waited_ns"] for t in d["threads"]]')" \
    "what ranks waited that were paused"

# --- variables, files and keys -------------------------------------------------------------------
# Messages that wait at rank 1, unexpected; Open MPI has a variable of how many.
cat >queue.c <<'PROGRAM'
#include <mpi.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int rank, got = 0, flag;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 7 && rank == 0; i++) {
        MPI_Send(&got, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    while (access("go", F_OK) != 0) { /* each look at the queue is told */
        MPI_Iprobe(MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
        usleep(10000);
    }
    for (int i = 0; i < 7 && rank == 1; i++) {
        MPI_Recv(&got, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
PROGRAM
if [ "$mpi" = openmpi ]; then
    "$(mpicc_of openmpi)" -g -o queue queue.c
    rm -rf run.otf2.zip* go
    run_mpi openmpi 2 "$record" -o run.otf2.zip ./queue >out 2>err &
    run=$!
    await "the program" test -e run.otf2.zip.run
    # Of both ranks, which need not have made calls between two looks of one that has just begun.
    queues() {
        told '^ *1 .*[%-] +7 +[0-9]' && grep -Eq '^ *0 .*[%-] +0 +[0-9]' text
    }
    await "the queues of 0 and 7" queues
    assert_contains "$(cat text)" "variable: pml_ob1_unexpected_msgq_length"
    "$top" --once --variable=POSTED run.otf2.zip.run >text
    assert_contains "$(cat text)" "variable: pml_ob1_posted_recvq_length"
    "$top" --once --variable=none_such run.otf2.zip.run >text
    assert_contains "$(cat text)" "no variable with none_such in its name is recorded"
    "$top" --json --waits --count=1 run.otf2.zip.run >last
    assert_equal "[0.0, 7.0]" "$(json last '[v["of_ranks"] for v in d["events"]["variables"]
                                             if "unexpected_msgq" in v["name"]][0]')" "of ranks"
    "$top" --waits --html=page.html --openmetrics=run.prom --count=1 run.otf2.zip.run
    assert_contains "$(cat page.html)" "wait 10 s"
    assert_matches "$(cat run.prom)" \
        '^mpiwatch_variable\{.*,rank="1",variable="pml_ob1_unexpected_msgq_length"\} 7$'
    assert_matches "$(cat run.prom)" '^mpiwatch_waiting_seconds_total\{.*rank="1".*\} [0-9.]+$'

    if has_terminal "$top" run.otf2.zip.run; then
        open_terminal waits 150 20 "'$top' run.otf2.zip.run"
        await "ranks" shown "MPI 1 s"
        hidden "wait 1 s" || fail "waiting was not asked for: $(cat screen)"
        key W
        await "waiting" shown "wait all .*variable"
        await "the queue" shown "^ *1 .* 7 "
        key v
        await "the other variable" shown "variable: pml_ob1_posted"
        key W
        await "no waiting" hidden "wait 1 s"
        close_terminal
    fi
    touch go
    wait "$run" || fail "the program ended with $?: $(cat err)"
fi

# --- a ring that is written over ------------------------------------------------------------------
cat >many.c <<'PROGRAM'
#include <mpi.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int rank, got = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 300000; i++) {
        MPI_Sendrecv_replace(&got, 1, MPI_INT, 0, 1, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    }
    while (rank == 0 && access("go", F_OK) != 0) {
        usleep(10000);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
PROGRAM
"$(mpicc_of "$mpi")" -g -o many many.c
rm -rf run.otf2.zip* go
run_mpi "$mpi" 2 "$record" --on-full=wrap --max-spool=1M -o run.otf2.zip ./many >out 2>err &
run=$!
await "the ring" test -e run.otf2.zip.run
lost() {
    "$top" --once --waits run.otf2.zip.run >text && grep -q "a ring has lost calls" text
}
await "what the ring lost" lost
assert_lacks "$(cat text)" ">="
touch go
wait "$run" || fail "the ring: the program ended with $?: $(cat err)"
