# A run that is cut where all ranks meet, and followed by several threads in chapters, has the same
# waits, causes, efficiencies, mistakes and critical path, byte by byte, as one that is followed
# from the beginning to the end: of archives that are whole and of what is left of others.
. "$TOP_SRCDIR/test/system/lib.sh"
export XDG_CACHE_HOME=$PWD/cache
any_order=$TOP_BUILDDIR/test/system/any_order
make=$TOP_BUILDDIR/test/data/make_archive
irregular=$TOP_BUILDDIR/test/data/make_irregular
commands="info comms waits pop critical-path messages watermarks sites timeline report mistakes"
mkdir cache

# compare ARCHIVE CHAPTERS …: in so many, by 3 threads; 1000: in as many as can be.
compare() {
    local archive=$1
    shift
    for command in $commands; do
        compare_one "$archive" "$command --json" "$@"
    done
    compare_one "$archive" report "$@"
    compare_one "$archive" "check --max waits.share=0.5" "$@"
    compare_one "$archive" "compare --json $archive" "$@"
    compare_pages "$archive" "$@"
}

# compare_pages ARCHIVE CHAPTERS …
compare_pages() {
    local archive=$1 chapters
    shift
    "$analyze" report --html=expected.html --force -j 1 "$archive" >stdout 2>stderr || true
    for chapters; do
        MPIWATCH_SCHEDULE=$chapters MPIWATCH_CHAPTERS=$chapters \
            "$any_order" report --html=page.html --force -j 3 "$archive" >stdout 2>stderr || true
        cmp expected.html page.html || fail "page of $archive in $chapters chapters"
        rm page.html
    done
}

# compare_one ARCHIVE COMMAND CHAPTERS …
compare_one() {
    local archive=$1 command=$2 chapters status
    shift 2
    status=$(status_of "$analyze" $command -j 1 "$archive")
    cp stdout expected
    for chapters; do
        assert_equal "$status" "$(MPIWATCH_SCHEDULE=$chapters MPIWATCH_CHAPTERS=$chapters \
            status_of "$any_order" $command -j 3 "$archive")" \
            "$command of $archive in $chapters chapters: status"
        cmp expected stdout || fail "$command of $archive in $chapters chapters says something else"
    done
}

# chapters_of ARCHIVE: in how many it can be cut.
chapters_of() {
    "$TOP_BUILDDIR/test/data/keep_blocks" "$1" | sed -n 's/.*, chapters \([0-9]*\),.*/\1/p'
}

for name in allreduce delay_chain names waits_collective; do
    "$make" $name $name
    [ "$(chapters_of $name)" -gt 1 ] || fail "$name can't be cut"
    compare $name 2 1000
done
"$make" waits_alltoallv waits_alltoallv
"$TOP_BUILDDIR/test/data/keep_blocks" waits_alltoallv | grep -q "quiet 0," ||
    fail "not all need all in MPI_Alltoallv"
compare waits_alltoallv 2 1000
for name in chapters-{none,hole,tail,filter} phases-{none,hole}; do
    "$irregular" "${name%-*}" "${name#*-}" "$name"
done
[ "$(chapters_of chapters-none)" = 21 ] || fail "not all meetings are seams"
[ "$(chapters_of phases-none)" -gt 50 ] || fail "few meetings are seams"
[ "$(chapters_of chapters-hole)" -gt 4 ] || fail "before the hole and behind it nothing is seen"
[ "$(chapters_of chapters-tail)" -gt 4 ] || fail "before the end nothing is seen"
[ "$(chapters_of chapters-filter)" -lt 10 ] || fail "a run without receives is never quiet again"
compare chapters-none 2 3 7 1000
compare chapters-hole 3 1000
compare chapters-tail 4 1000
compare chapters-filter 3
compare phases-none 2 5 1000
compare phases-hole 1000

# Requests that are open where all meet: sends that are received, receives of what is sent later,
# and those that never end.
for name in requests-{none,hole,tail}; do
    "$irregular" "${name%-*}" "${name#*-}" "$name"
done
[ "$(chapters_of requests-none)" = 121 ] || fail "requests that are open keep a run from being cut"
[ "$(chapters_of requests-hole)" -gt 20 ] || fail "before the hole nothing is seen"
[ "$(chapters_of requests-tail)" -gt 30 ] || fail "before the end nothing is seen"
"$irregular" probes none probes-none
"$irregular" probes hole probes-hole
assert_equal 121 "$(chapters_of probes-none)" "chapters of what is probed for"
compare probes-none 3 1000
compare probes-hole 1000
compare requests-none 2 3 7 1000
compare requests-hole 7 1000
compare requests-tail 5 1000

# Numbers of requests that are used again, and meetings in another order.
"$irregular" numbers none numbers-none
[ "$(chapters_of numbers-none)" -gt 10 ] || fail "numbers used again are no seam"
compare numbers-none 2 3 1000
"$analyze" watermarks --json numbers-none | "$python" -c '
import json, sys
for mark in json.load(sys.stdin)["watermarks"]:
    if mark["name"] == "bytes of outstanding sends" and mark["rank"] == 0:
        assert mark["low"]["value"] == 0, mark
        assert mark["high"]["value"] == 4 * 1024, mark
' || fail "a receive that was cancelled ends a send"

# Sends are waited for behind the next of 40 meetings. Who waits for one of the 20 that are large
# does so for 250 ns, for a call before the meeting, which is no seam; for the others none is
# looked for.
"$irregular" behind none behind-none
assert_equal 21 "$(chapters_of behind-none)" "chapters where sends are open"
compare behind-none 2 3 1000
"$analyze" waits --json behind-none >waits.json
assert_equal 5000 "$(json waits.json '[row["total_ns"] for row in d["patterns"]
    if row["name"] == "late_progress"][0]')" "waits for a call before a meeting"

# What is wrong in one chapter and in others, and what is looked at no further after one of them.
for name in mistakes-{none,hole,tail}; do
    "$irregular" "${name%-*}" "${name#*-}" "$name"
done
[ "$(chapters_of mistakes-none)" = 91 ] || fail "where ranks agree again is no seam"
"$analyze" mistakes mistakes-none >found
grep -q "the order of collectives" found || fail "no order: $(cat found)"
assert_equal 56 "$(sed -n 's/.*roots differ (\([0-9]*\) times).*/\1/p' found |
        awk '{ sum += $1 } END { print sum }')" \
    "mistakes before the order differed, and on the other communicator"
for name in mistakes-{none,hole,tail}; do
    compare "$name" 2 3 7 1000
done

# Several threads of a rank call MPI: main threads meet while others wait, send, or have nothing to
# do, and what these begin and end is their own.
for name in servers-{none,hole,tail,filter}; do
    "$irregular" "${name%-*}" "${name#*-}" "$name"
done
# … of 150 where nothing is under way, and no thread sends while main threads come to the meeting.
[ "$(chapters_of servers-none)" = 32 ] || fail "other threads keep a run from being cut"
[ "$(chapters_of servers-tail)" -gt 2 ] || fail "before the end nothing is seen"
[ "$(chapters_of servers-hole)" = 1 ] || fail "a thread ends what it has not begun"
compare servers-none 2 3 7 1000
compare servers-tail 2 1000

# Who waits for such a thread does so until before main threads have met: where it comes to an
# operation while some of these wait is no seam. In 20 of 60 steps it comes before.
for name in crews-{none,hole,tail}; do
    "$irregular" "${name%-*}" "${name#*-}" "$name"
done
assert_equal 21 "$(chapters_of crews-none)" "chapters where other threads meet"
compare crews-none 2 3 1000
compare crews-hole 2 1000
compare crews-tail 2 1000

# A receive is open that another thread has overtaken, whose message has come: in 20 of 60
# meetings, which are no seams.
"$irregular" pools none pools-none
assert_equal 41 "$(chapters_of pools-none)" "chapters of threads that receive the same way"
compare pools-none 2 3 1000

# A message is there, by clocks that disagree, before the meeting behind which it was sent: in 20
# of 80, which are no seams.
"$irregular" clocks none clocks-none
assert_equal 61 "$(chapters_of clocks-none)" "chapters where clocks disagree"
compare clocks-none 2 3 1000

# Windows: a lock is waited for where all meet at the latest, and shared ones by nobody.
for name in {epochs,shares}-{none,hole,tail,head}; do
    "$irregular" "${name%-*}" "${name#*-}" "$name"
done
[ "$(chapters_of epochs-none)" -gt 20 ] || fail "few meetings between epochs are seams"
[ "$(chapters_of epochs-hole)" -gt 10 ] || fail "before the hole and behind it nothing is seen"
[ "$(chapters_of shares-none)" -gt 25 ] || fail "locks that nobody waits for are waited for"
# Rank 1 is before the first call that is left of it, and nobody has come to a fence that it lacks.
assert_equal "epochs-head: quiet 0, lulls 1, chapters 2, blocks: 0" \
    "$("$TOP_BUILDDIR/test/data/keep_blocks" epochs-head)" "whose fences are lost is never quiet"
compare epochs-head 1000
for name in {epochs,shares}-{none,hole,tail}; do
    compare "$name" 2 3 1000
done

# What mpiwatch records.
cat >steps.c <<'PROGRAM'
#include <mpi.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int rank, size, sent[4] = { 0 }, received[4];
    MPI_Request requests[2];
    MPI_Comm some;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_split(MPI_COMM_WORLD, rank > 0, rank, &some);
    for (int step = 0; step < 40; step++) {
        usleep(100 * ((rank + step) % size));
        MPI_Irecv(received, 4, MPI_INT, (rank + size - 1) % size, 1, MPI_COMM_WORLD, &requests[0]);
        MPI_Isend(sent, 4, MPI_INT, (rank + 1) % size, 1, MPI_COMM_WORLD, &requests[1]);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        MPI_Bcast(sent, 4, MPI_INT, 0, step % 2 ? some : MPI_COMM_WORLD);
        if (step % 4 == 3) {
            MPI_Allreduce(sent, received, 4, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        }
    }
    MPI_Comm_free(&some);
    MPI_Finalize();
    return 0;
}
PROGRAM
# Windows, as programs use them: by fences, by locks for each access, by one for the whole run, by
# post and wait; and what would have to be known of before where they do not end. What is cancelled
# has ended.
cat >windows.c <<'PROGRAM'
#include <mpi.h>
#include <string.h>

static MPI_Win window;
static int next, previous;

static void put(int target)
{
    static double local[16];

    MPI_Put(local, 16, MPI_DOUBLE, target, 0, 16, MPI_DOUBLE, window);
}

static void access_window(const char *how, MPI_Group to, MPI_Group from)
{
    if (!strcmp(how, "fences")) {
        MPI_Win_fence(0, window);
        put(next);
        MPI_Win_fence(0, window);
    } else if (!strcmp(how, "shared")) {
        put(next);
        MPI_Win_flush(next, window);
    } else if (!strcmp(how, "posts")) {
        MPI_Win_post(from, 0, window);
        MPI_Win_start(to, 0, window);
        put(next);
        MPI_Win_complete(window);
        MPI_Win_wait(window);
    } else if (!strcmp(how, "exclusive") || !strcmp(how, "held")) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window);
        put(0);
        MPI_Win_unlock(0, window);
    }
}

static void cancel(void)
{
    MPI_Request request;
    int received;

    MPI_Irecv(&received, 1, MPI_INT, previous, 5, MPI_COMM_WORLD, &request);
    MPI_Cancel(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    const char *how = argv[1];
    int rank, size, sent = 1, sum;
    MPI_Group world, to, from;
    double *base;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    next = (rank + 1) % size;
    previous = (rank + size - 1) % size;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 1, &next, &to);
    MPI_Group_incl(world, 1, &previous, &from);
    MPI_Win_allocate(4096, 8, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &window);
    if (!strcmp(how, "shared")) {
        MPI_Win_lock_all(0, window);
    } else if (!strcmp(how, "held")) {
        MPI_Win_lock(MPI_LOCK_SHARED, next == 0 ? rank : next, 0, window);
    }
    for (int step = 0; step < 20; step++) {
        access_window(how, to, from);
        if (!strcmp(how, "cancelled")) {
            cancel();
        }
        if (step % 4 == 3) {
            MPI_Allreduce(&sent, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        }
    }
    if (!strcmp(how, "shared")) {
        MPI_Win_unlock_all(window);
    } else if (!strcmp(how, "held")) {
        MPI_Win_unlock(next == 0 ? rank : next, window);
    }
    MPI_Win_free(&window);
    MPI_Group_free(&to);
    MPI_Group_free(&from);
    MPI_Group_free(&world);
    MPI_Finalize();
    return 0;
}
PROGRAM
# What ranks disagree on for a while, which each tells where it changes, in one chapter, and what is
# never complete.
cat >errors.c <<'PROGRAM'
#include <mpi.h>

/* In some steps ranks disagree on what they reduce by, on types, on how much. */
static void step_of(int step, int rank, MPI_Comm some)
{
    const MPI_Op operation = step / 8 % 2 == 1 && rank == 1 ? MPI_MAX : MPI_SUM;
    const MPI_Datatype type = step >= 20 && step < 27 && rank == 2 ? MPI_FLOAT : MPI_INT;
    int sent[4] = { 0 }, received[16];

    if (step % 3 == 0) {
        MPI_Allreduce(sent, received, 4, type, operation, MPI_COMM_WORLD);
    } else {
        MPI_Reduce(sent, received, 4, type, operation, 0, some);
    }
    MPI_Gather(sent, 1, MPI_INT, received, step % 11 == 5 ? 2 : 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (step % 13 == 6) {
        MPI_Gather(sent, 1, MPI_INT, received, 3, type, 0, MPI_COMM_WORLD);
    }
}

int main(int argc, char **argv)
{
    MPI_Request requests[2];
    MPI_Comm some;
    int rank, sent = 0, received[2];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank > 0, rank, &some);
    for (int step = 0; step < 48; step++) {
        step_of(step, rank, some);
        if (step % 2 == 1) {
            MPI_Barrier(MPI_COMM_WORLD);
        }
    }
    if (rank == 0) {
        MPI_Isend(&sent, 1, MPI_INT, 1, 7, MPI_COMM_WORLD, &requests[0]);
        MPI_Request_free(&requests[0]);
        MPI_Irecv(received, 1, MPI_INT, 1, 8, MPI_COMM_WORLD, &requests[1]);
    }
    MPI_Comm_free(&some);
    MPI_Finalize();
    return 0;
}
PROGRAM
for mpi in $(mpis | head -n 1); do
    "$(mpicc_of "$mpi")" -o steps steps.c
    run_mpi "$mpi" 3 "$record" -q -o steps.otf2.zip ./steps >out 2>err ||
        fail "steps under $mpi: $(cat err)"
    [ "$(chapters_of steps.otf2.zip)" -gt 3 ] || fail "the recorded run can't be cut"
    compare steps.otf2.zip 2 1000
    "$(mpicc_of "$mpi")" -o errors errors.c
    run_mpi "$mpi" 3 "$record" -q -o errors.otf2.zip ./errors >out 2>err ||
        fail "errors under $mpi: $(cat err)"
    [ "$(chapters_of errors.otf2.zip)" -gt 20 ] || fail "the run with mistakes can't be cut"
    status_of "$analyze" mistakes errors.otf2.zip >/dev/null
    for words in "operations differ (MPI_SUM, MPI_MAX)" "types differ (int32, float32)" \
        "counts differ" "never received" "never was complete"; do
        tr -s '\n ' ' ' <stdout | grep -qF "$words" || fail "no '$words': $(cat stdout)"
    done
    compare_one errors.otf2.zip mistakes 2 3 7 1000
    compare_one errors.otf2.zip "mistakes --json" 2 3 7 1000
    "$(mpicc_of "$mpi")" -o windows windows.c
    for how in fences shared posts exclusive held cancelled; do
        run_mpi "$mpi" 3 "$record" -q -o "$how.otf2.zip" ./windows "$how" >out 2>err ||
            fail "$how under $mpi: $(cat err)"
        if [ "$how" = held ]; then
            [ "$(chapters_of held.otf2.zip)" = 1 ] || fail "who waits for a lock that is held?"
        else
            [ "$(chapters_of "$how.otf2.zip")" -gt 4 ] || fail "$how: the run can't be cut"
            compare "$how.otf2.zip" 2 1000
        fi
    done
done
