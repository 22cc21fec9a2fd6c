# mpiwatch-record --hang: a run that hangs says why on standard error, once, and in FILE.run; with
# :kill it is ended if the deadlock is proved, with --stuck anyway. One that computes, writes a file
# bit by bit, or sends a message now and then, does not hang; one that asks again and again for what
# does not come does. Who watches is gone with the run, the program ends as without, and no pipe is
# kept open.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/hangs.sh"
gently

# works WHAT MS: rank 0 does that for so long, or until there is a file "said"; the others wait.
cat >works.c <<'PROGRAM'
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void work(const char *what, double end)
{
    static char block[4096];
    FILE *file = fopen("checkpoint", "w");
    volatile unsigned steps = 0;
    int flag = 0;

    while (MPI_Wtime() < end && access("said", F_OK) != 0) {
        if (strcmp(what, "compute") == 0) {
            steps = steps + 1;
        } else if (strcmp(what, "write") == 0) {
            fwrite(block, 1, sizeof block, file);
            fflush(file);
            usleep(20000);
        } else if (strcmp(what, "talk") == 0) {
            MPI_Sendrecv(block, 1, MPI_CHAR, 0, 1, block + 1, 1, MPI_CHAR, 0, 1, MPI_COMM_SELF,
                         MPI_STATUS_IGNORE);
            usleep(200000);
        } else {
            MPI_Iprobe(MPI_ANY_SOURCE, 77, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
            usleep(strcmp(what, "poll") == 0 ? 0 : 2000);
        }
    }
    fclose(file);
}

int main(int argc, char **argv)
{
    int rank, sum, one = 1;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        work(argv[1], MPI_Wtime() + atoi(argv[2]) / 1e3);
    }
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0) {
        printf("sum %d\n", sum);
    }
    MPI_Finalize();
    return 3;
}
PROGRAM

# later WHAT: three ranks stand still until there is a file "said", and then go on to their end. In
# what waits for an operation that does not block some have not begun it: rank 2 does later, or it
# need not, or something else will do.
cat >later.c <<'PROGRAM'
#include "stands.h"

#define LARGE 300000 /* ints: no library sends so many without its sender */

static int size, data[LARGE];

static void barrier(void)
{
    MPI_Request request;

    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

/* Rank 0 waits for 1, which waits for 2, which comes. */
static void late(void)
{
    if (rank == 1) {
        receive(2);
    } else if (rank == 2) {
        until_said();
        send(1);
    }
    barrier();
}

/* Rank 2 waits for the root, which has begun, and 1, which has not, for 2: both MPIs serve the last
 * rank without the others. */
static void rooted(void)
{
    int *all = calloc((size_t)size, sizeof data);
    MPI_Request request;

    if (rank == 1) {
        receive(2);
    }
    MPI_Iscatter(all, LARGE, MPI_INT, data, LARGE, MPI_INT, 0, MPI_COMM_WORLD, &request);
    if (rank == 0) {
        until_said();
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (rank == 2) {
        send(1);
    }
    free(all);
}

/* The root needs rank 1, which waits for 2, which comes. */
static void reduced(void)
{
    MPI_Request request;

    if (rank == 1) {
        receive(2);
    } else if (rank == 2) {
        until_said();
        send(1);
    }
    MPI_Ireduce(&rank, data, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

/* Rank 1 waits for 0, which waits for the barrier or for 2, and that one sends. */
static void any(void)
{
    MPI_Request requests[2];
    int index, got;

    if (rank == 0) {
        MPI_Ibarrier(MPI_COMM_WORLD, &requests[0]);
        MPI_Irecv(&got, 1, MPI_INT, 2, 1, MPI_COMM_WORLD, &requests[1]);
        MPI_Waitany(2, requests, &index, MPI_STATUS_IGNORE);
        send(1);
        MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
        return;
    }
    if (rank == 1) {
        receive(0);
    } else {
        until_said();
        send(0);
    }
    barrier();
}

/* Rank 1 waits for 0, which asks again and again whether all have come to the barrier, and 2 is in
 * it, and then does without. */
static void ask(void)
{
    MPI_Request request;
    int is_there = 0;

    if (rank != 0) {
        if (rank == 1) {
            receive(0);
        }
        barrier();
        return;
    }
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    while (!is_there && access("said", F_OK) != 0) {
        MPI_Test(&request, &is_there, MPI_STATUS_IGNORE);
        usleep(2000);
    }
    send(1);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (strcmp(argv[1], "late") == 0) {
        late();
    } else if (strcmp(argv[1], "rooted") == 0) {
        rooted();
    } else if (strcmp(argv[1], "reduced") == 0) {
        reduced();
    } else if (strcmp(argv[1], "any") == 0) {
        any();
    } else {
        ask();
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        printf("all came\n");
    }
    MPI_Finalize();
    return 3;
}
PROGRAM

# run MPI OPTION PROGRAM...: out, err and status of two ranks, or of so many as $ranks says. A pipe
# that stays open keeps cat.
run() {
    local mpi=$1 option=$2
    shift 2
    rm -rf run.otf2.zip* inside.* checkpoint said
    status=0
    { run_mpi "$mpi" "${ranks-2}" "$record" "$option" -o run.otf2.zip "$@" 2>&3 ||
        echo $? >status_of_it; } 3>&1 >out | cat >err
    [ ! -e status_of_it ] || status=$(cat status_of_it)
    rm -f status_of_it
    nobody_watches
}

# A second at most after the end, and a zombie only until its new parent looks.
nobody_watches() {
    local i
    for i in $(seq 50); do
        ps -eo stat,args | grep -v '^Z' | grep "mpiwatch-[w]atch .*$PWD/" >still || return 0
        sleep 0.1
    done
    fail "who watched is still there: $(cat still)"
}

# let_go: what polls ends some time after it was said that it hangs, however long that took on a
# busy machine: it may be said again until then.
let_go() {
    rm -rf run.otf2.zip*
    (await "word of the hang" grep -qs '"hang"' run.otf2.zip.run && sleep 1.5 && touch said) &
}

said_once() {
    assert_equal 1 "$(grep -c 'mpiwatch: no progress' err || true)" "$1: times that it is said:
$(cat err)"
}

watched() {
    local mpi=$1 silent hangs what
    silent= # MPICH 4.2's launcher succeeds whatever its ranks ended of
    [ "$mpi" != mpich ] || mpich_is_4_0 || silent=0
    "$(mpicc_of "$mpi")" -o "works-$mpi" ../works.c
    hangs=$(example hangs "$mpi")

    # A deadlock that is proved is said and ended.
    run "$mpi" --hang=1s:kill "$hangs" recv_ring
    said_once "$mpi, recv_ring"
    assert_matches "$(cat err)" "^mpiwatch: no progress for [1-9][.0-9]* s: deadlock: rank 0 in \
MPI_Recv from 1 \(tag 7, ring\)( at hangs\.c:[0-9]+)? for [0-9.]+ s <- rank 1 in "
    assert_contains "$(cat err)" "sent SIGTERM, as --hang=TIME:kill says"
    case $mpi in
        openmpi) assert_equal 143 "$status" "Open MPI's word for a rank that got SIGTERM" ;;
        mpich) [ "$status" = 15 ] || [ "$status" = 143 ] || [ "$status" = "$silent" ] ||
            fail "MPICH's word for a rank that got SIGTERM: $status" ;;
    esac
    grep '^{"hang"' run.otf2.zip.run >line # behind it stands who got SIGTERM
    assert_equal deadlock "$(json line 'd["hang"]["verdict"]')" "$mpi: the verdict in FILE.run"
    assert_matches "$(json line 'd["hang"]["sentences"][0]')" '^deadlock: rank 0 in MPI_Recv'

    # Also where the wait is for an operation that does not block, and nobody says more of it than
    # its members need.
    for what in ibarrier iallreduce ibcast igather; do
        ranks=3 run "$mpi" --hang=1s:kill "$hangs" $what
        said_once "$mpi, $what"
        assert_matches "$(cat err)" "^mpiwatch: no progress for [1-9][.0-9]* s: deadlock: rank 0 in\
 MPI_Wait(all)?( at hangs\.c:[0-9]+)? for [12] requests?: MPI_${what^} on ring"
        assert_contains "$(cat err)" "sent SIGTERM, as --hang=TIME:kill says"
    done
    "$(mpicc_of "$mpi")" -o "later-$mpi" ../later.c
    for what in late rooted reduced any ask; do
        let_go
        ranks=3 run "$mpi" --hang=1s:kill "./later-$mpi" $what
        wait
        said_once "$mpi, $what"
        assert_contains "$(cat err)" "not killed: this is no deadlock that is proved"
        assert_equal "all came" "$(cat out)" "$mpi, $what: what it prints"
        assert_equal 3 "$status" "$mpi, $what: its status"
        assert_file run.otf2.zip
    done

    # What computes, writes a file or talks does not hang, and ends as it does without.
    for what in compute write talk; do
        run "$mpi" --hang=2s:kill "./works-$mpi" "$what" 3500
        assert_lacks "$(cat err)" "no progress"
        assert_equal "sum 2" "$(cat out)" "$mpi, $what: what it prints"
        assert_equal 3 "$status" "$mpi, $what: its status"
        assert_file run.otf2.zip
    done

    # What polls in vain hangs, and is no deadlock that is proved: it goes on to its end.
    for what in poll doze; do
        let_go
        run "$mpi" --hang=1s:kill "./works-$mpi" "$what" 60000
        wait
        said_once "$mpi, $what"
        assert_contains "$(cat err)" "not killed: this is no deadlock that is proved"
        assert_equal "sum 2" "$(cat out)" "$mpi, $what: what it prints"
        assert_equal 3 "$status" "$mpi, $what: its status"
        assert_file run.otf2.zip
    done

    # Unless the user wants it to end anyway.
    run "$mpi" --stuck=1s:kill "./works-$mpi" doze 60000
    assert_contains "$(cat err)" "sent SIGTERM, as --stuck=TIME:kill says"
    [ "$status" = "$silent" ] || { [ "$status" != 0 ] && [ "$status" != 3 ]; } ||
        fail "$mpi: it ended with $status"
}
beside watched $(mpis)

# --- a run that is killed takes its watch with it ----------------------------------------------
mpi=$(mpis | head -1)
rm -rf run.otf2.zip* inside.*
run_mpi "$mpi" 2 "$record" --hang=60s -o run.otf2.zip "$(example hangs "$mpi")" recv_ring \
    >out 2>err &
launched=$!
for i in $(seq 300); do
    [ ! -e inside.1 ] || break
    sleep 0.1
done
ps -eo args | grep -q "mpiwatch-[w]atch .*$scratch/" || fail "nobody watches: $(cat err)"
assert_equal 1 "$(ps -eo args | grep -c "mpiwatch-[w]atch .*$scratch/")" "who watches"
kill_ranks run.otf2.zip.run
wait "$launched" || true
nobody_watches

# --- a rank that is gone while the launcher lets the others go on -------------------------------
cat >goes.c <<'PROGRAM'
#include <mpi.h>
#include <signal.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    int rank, sum, one = 1;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1 && argc > 1) {
        exit(7);
    } else if (rank == 1) {
        raise(SIGKILL);
    }
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    return MPI_Finalize();
}
PROGRAM
if mpis | grep -q openmpi && openmpi_is_4; then
    $MPICC_OPENMPI -g -o goes goes.c
    for how in "" exits; do
        rm -rf run.otf2.zip* "${TMPDIR:?}"/*
        mpirun_options=--enable-recovery run_openmpi 2 "$record" --hang=1s --stuck=3s:kill \
            -o run.otf2.zip ./goes $how >out 2>err || true
        end="is gone: killed, or ended without a word"
        [ -z "$how" ] || end="exited with status 7 without MPI_Finalize"
        assert_matches "$(cat err)" "mpiwatch: no progress for 1[.0-9]* s: rank 1 $end \
\(last call MPI_Barrier at goes\.c:10\)"
        assert_matches "$(cat err)" "rank 0 in MPI_Allreduce .* for [0-9.]+ s for rank 1, which \
(is gone|has exited)\$"
        # When all are gone nobody has been anywhere for any time.
        "$TOP_BUILDDIR/mpiwatch-top" --why run.otf2.zip.run >why
        assert_lacks "$(sed '/^$/,$d' why | tr -s ' \n' ' ')" " s for rank 1"
        [ -n "$how" ] || assert_contains "$(tr -s ' \n' ' ' <why)" "or died there"
        [ -z "$how" ] || assert_contains "$(tr -s ' \n' ' ' <why)" "rank 1 $end"
    done
fi

# --- what can't be meant ------------------------------------------------------------------------
for wrong in --hang=1 --hang=10ms --hang=5s:end --stuck=5s --hang=; do
    status=0
    "$record" "$wrong" -n "./$mpi/works-$mpi" >out 2>err || status=$?
    [ "$status" != 0 ] || fail "$wrong is taken: $(cat out)"
done
"$record" --hang=5s:kill --stuck=60s:kill --env --mpi "$mpi" >out
assert_contains "$(cat out)" "MPIWATCH_HANG='5s:kill'"
assert_contains "$(cat out)" "MPIWATCH_STUCK='60s:kill'"
