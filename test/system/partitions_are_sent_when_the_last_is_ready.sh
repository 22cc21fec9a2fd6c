# A message in partitions (MPI 4) is sent by the MPI_Pready of the last one, whichever thread calls
# it, and not at MPI_Start: the receiver waits for that, as the program's own clock says. One that
# is ready at once is waited for by nobody. A call that failed has made nothing ready; what is never
# all ready, or was so while recording was paused, was not sent. Looks with MPI_Parrived that find
# nothing are counted, each, and take no room. Of two on one channel the receiver waits for the one
# that was made as its own was, in whatever order they become ready. Who waits for a send that lacks
# partitions is told to hang for these.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"

# parts WHAT: rank 0 sends four partitions to rank 1, and prints when the last one was ready; rank 1
# prints when it began to wait; ms.
cat >parts.c <<'PROGRAM'
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define PARTITIONS 4
#define COUNT 1000

static MPI_Request request;
static const char *what;

static double now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

static void *make_one_ready(void *number)
{
    const int partition = (int)(long)number;

    usleep((unsigned)(PARTITIONS - partition) * 60000);
    if (partition == 0) { /* the last */
        printf("ready %.3f\n", now());
    }
    MPI_Pready(partition, request);
    return NULL;
}

static void by_threads(void)
{
    pthread_t threads[PARTITIONS];

    for (long i = 0; i < PARTITIONS; i++) {
        pthread_create(&threads[i], NULL, make_one_ready, (void *)i);
    }
    for (int i = 0; i < PARTITIONS; i++) {
        pthread_join(threads[i], NULL);
    }
}

static void one_by_one(void)
{
    int some[] = {1, 3};

    MPI_Pready_list(2, some, request);
    usleep(60000);
    if (strcmp(what, "wrong") == 0) {
        MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
        printf("error %d\n", MPI_Pready(PARTITIONS, request) != MPI_SUCCESS);
    }
    MPI_Pready_range(2, 2, request);
    usleep(120000);
    if (strncmp(what, "never", 5) == 0) {
        return;
    }
    if (strcmp(what, "pause") == 0) {
        MPI_Pcontrol(0);
    }
    printf("ready %.3f\n", now());
    MPI_Pready(0, request);
    MPI_Pcontrol(1);
}

/* Twice, so that a request that is started again has none ready. */
static void transfer(int rank, int is_measured)
{
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Start(&request);
    if (rank == 0 && (!is_measured || strcmp(what, "early") == 0)) {
        MPI_Pready_range(0, PARTITIONS - 1, request);
    } else if (rank == 0 && strcmp(what, "threads") == 0) {
        by_threads();
    } else if (rank == 0) {
        one_by_one();
    } else if (is_measured && strcmp(what, "looks") == 0) {
        long looks = 0;

        for (int flag = 0; !flag; looks++) {
            MPI_Parrived(request, 1, &flag);
        }
        printf("looks %ld\n", looks);
    } else if (is_measured) {
        printf("wait %.3f\n", now());
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE); /* wait */
    if (rank == 0 && is_measured) {
        printf("waited\n");
    }
}

/* The second of two on one channel is ready, and the first 180 ms later, which rank 1 waits for
 * first. */
static void transfer_two(int rank, double *data)
{
    static double other[PARTITIONS];
    MPI_Request second;

    if (rank == 0) {
        MPI_Psend_init(data, PARTITIONS, COUNT, MPI_DOUBLE, 1, 7, MPI_COMM_WORLD, MPI_INFO_NULL,
                       &request);
        MPI_Psend_init(other, PARTITIONS, 1, MPI_DOUBLE, 1, 7, MPI_COMM_WORLD, MPI_INFO_NULL,
                       &second);
    } else {
        MPI_Precv_init(data, PARTITIONS, COUNT, MPI_DOUBLE, 0, 7, MPI_COMM_WORLD, MPI_INFO_NULL,
                       &request);
        MPI_Precv_init(other, PARTITIONS, 1, MPI_DOUBLE, 0, 7, MPI_COMM_WORLD, MPI_INFO_NULL,
                       &second);
    }
    MPI_Start(&request);
    MPI_Start(&second);
    if (rank == 0) {
        MPI_Pready_range(0, PARTITIONS - 1, second);
        usleep(180000);
        printf("ready %.3f\n", now());
        MPI_Pready_range(0, PARTITIONS - 1, request);
    } else {
        printf("wait %.3f\n", now());
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Wait(&second, MPI_STATUS_IGNORE);
    MPI_Request_free(&second);
}

int main(int argc, char **argv)
{
    static double data[PARTITIONS * COUNT];
    int rank, given;

    what = argv[1];
    if (strcmp(what, "threads") == 0 || strcmp(what, "never_by_threads") == 0) {
        MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &given);
    } else {
        MPI_Init(&argc, &argv);
    }
    setvbuf(stdout, NULL, _IOLBF, 0);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (strcmp(what, "two") == 0) {
        transfer_two(rank, data);
        MPI_Request_free(&request);
        MPI_Finalize();
        return 0;
    }
    if (rank == 0) {
        MPI_Psend_init(data, PARTITIONS, COUNT, MPI_DOUBLE, 1, 7, MPI_COMM_WORLD, MPI_INFO_NULL,
                       &request);
    } else {
        MPI_Precv_init(data, 2, PARTITIONS / 2 * COUNT, MPI_DOUBLE, 0, 7, MPI_COMM_WORLD,
                       MPI_INFO_NULL, &request);
    }
    transfer(rank, 0);
    transfer(rank, 1);
    MPI_Request_free(&request);
    MPI_Finalize();
    return 0;
}
PROGRAM

# line_of WORD: where it stands in a comment of its own.
line_of() {
    grep -n "/\* $1 \*/" parts.c | cut -d: -f1
}

# said WORD: the time or number behind it.
said() {
    sed -n "s/^$1 //p" parts.out
}

# run WHAT [OPTION...]: recorded, and read: waits.json, messages.json, calls.json.
run() {
    local what=$1
    shift
    rm -rf parts.otf2.zip*
    status=$(status_of run_mpi "$mpi" 2 "$record" "$@" --force -o parts.otf2.zip \
        "./parts-$mpi" "$what")
    mv stdout parts.out
    case $what in
        never*) ;;
        *)
            assert_equal 0 "$status" "$mpi, $what: exit status: $(cat stderr)"
            read_it
            ;;
    esac
}

read_it() {
    reported waits parts
    reported messages parts
    reported calls parts
}

# late_ms: what ranks wait for late senders, whole ms.
late_ms() {
    json waits.json 'sum(round(p["total_ns"] / 1e6) for p in d["patterns"]
        if p["name"] == "late_sender")'
}

# waited_as_said WHAT: from the receiver's wait to the last partition, to 5 ms and what the machine
# takes between a print and a call.
waited_as_said() {
    local truth late
    truth=$(echo "$(said ready) $(said wait)" | awk '{ printf "%.0f", $1 - $2 }')
    late=$(late_ms)
    [ "$truth" -ge 100 ] || wrong "$mpi, $1: the receiver was late itself: $truth ms"
    [ $((late - truth)) -le 10 ] && [ $((truth - late)) -le 10 ] ||
        wrong "$mpi, $1: waited $late ms for a late sender, not $truth"
}

sent() {
    json messages.json '"%d of %d B" % (d["messages"], d["bytes"])'
}

cat >null.c <<'PROGRAM'
#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    static int cells[4];
    MPI_Request request;
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    if (rank == 0) {
        MPI_Psend_init(cells, 4, 1, MPI_INT, 1, 3, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
        MPI_Start(&request);
        if (MPI_Pready_list(2, NULL, request) != MPI_SUCCESS) {
            puts("refused");
        }
        MPI_Pready_range(0, 3, request);
    } else {
        MPI_Precv_init(cells, 1, 4, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
        MPI_Start(&request);
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
    return MPI_Finalize();
}
PROGRAM

tried=
for mpi in $(mpis); do
    "$(mpicc_of "$mpi")" -g -o "parts-$mpi" parts.c -lpthread 2>cc.err || continue
    tried="$tried $mpi"

    # A partition that there is not: MPICH says so, Open MPI 5 crashes.
    wrong_one=
    [ "$mpi" = openmpi ] || wrong_one=wrong
    for what in late threads $wrong_one; do
        run "$what"
        waited_as_said "$what"
        assert_equal "2 of 64000 B" "$(sent)" "$mpi, $what: messages" # twice 4 x 1000 doubles
    done
    [ -z "$wrong_one" ] || assert_equal 1 "$(said error)" "$mpi: a partition that there is not"

    run two
    waited_as_said two
    assert_equal "2 of 32032 B" "$(sent)" "$mpi, two: messages" # 4 x 1000 doubles, and 4
    reported info parts
    assert_equal 0 "$(json info.json 'd["size_mismatches"]')" "$mpi, two: both of the same size"

    run early
    [ "$(late_ms)" -le 20 ] || wrong "$mpi, early: waited $(late_ms) ms for a late sender"
    assert_equal "2 of 64000 B" "$(sent)" "$mpi, early: messages"

    # Only the first message was sent while there was recording.
    run pause
    [ "$(late_ms)" -le 20 ] || wrong "$mpi, pause: waited $(late_ms) ms for what is not recorded"
    assert_equal 32000 "$(json calls.json 'sum(c["bytes_sent"] for c in d["calls"])')" \
        "$mpi, pause: bytes of sends that are told"

    # On a communicator that is filtered bytes count all the same, in the same calls.
    run late --no-world
    unzip -p parts.otf2.zip mpiwatch.json >about.json
    assert_equal "MPI_Pready 32000, MPI_Pready_range 32000; 64000" "$(json about.json '"%s; %d" % (
        ", ".join("%s %d" % (c["call"], c["bytes_sent"]) for c in sorted(
            d["filtered"], key=lambda c: c["call"]) if c["bytes_sent"] > 0),
        sum(c["bytes_received"] for c in d["filtered"]))')" "$mpi: bytes that are filtered"

    run looks
    assert_equal "$(said looks)" "$(json calls.json 'sum(c["count"] for c in d["calls"]
        if c["name"] == "MPI_Parrived")')" "$mpi: looks"
    [ "$(stat -c %s parts.otf2.zip)" -le 100000 ] ||
        wrong "$mpi: $(said looks) looks take $(stat -c %s parts.otf2.zip) bytes"

    # A list that is null is the library's to refuse, if it looks: as it does without mpiwatch.
    "$(mpicc_of "$mpi")" -g -o "null-$mpi" null.c
    for with in "" "$record --force -o null.otf2.zip"; do
        status=$(status_of run_mpi "$mpi" 2 $with "./null-$mpi")
        echo "$status $(cat stdout)" >"null.${with:+recorded}"
    done
    [ "$(cat null.)" = "0 refused" ] || echo "$mpi does not refuse a null list: $(cat null.)"
    [ "$(cat null.)" != "0 refused" ] || cmp null. null.recorded ||
        wrong "$mpi: a null list, recorded: $(cat null.recorded)"

    # A run that is ended while the receiver waits for a partition: recovered, with what was sent.
    # Nobody but another thread of the sender could make it ready, where there may be one.
    for what in never never_by_threads; do
        { sleep 2; end_ranks "./parts-$mpi"; } &
        run "$what"
        wait
        ranks_have_ended
        "$TOP_BUILDDIR/mpiwatch-recover" parts.otf2.zip.run >recover.out 2>&1 || true # incomplete
        "$analyze" messages --json parts.otf2.zip >messages.json 2>/dev/null || true
        assert_equal "1 of 32000 B" "$(sent)" "$mpi, $what: messages"
        "$analyze" hang --json parts.otf2.zip >hang.json 2>/dev/null || true
        if grep -q waited parts.out; then # as Open MPI 5 does: the receiver alone waits
            assert_contains "$(json hang.json 'd["sentences"][0]')" "rank 1 in MPI_Wait at \
parts.c:$(line_of wait) for 1 request: a receive from 0" "$mpi, $what: the sender does not wait"
            continue
        fi
        verdict=deadlock
        unless=
        if [ "$what" != never ]; then
            verdict="possible deadlock"
            unless=", unless another thread of rank 0 goes on"
        fi
        assert_equal "$verdict: rank 0 in MPI_Wait at parts.c:$(line_of wait) for 1 request: a \
send to 1 (tag 7, 32000 bytes, MPI_COMM_WORLD) without MPI_Pready of 1 partition: 0$unless" \
            "$(json hang.json 'd["sentences"][0]')" "$mpi, $what: why it hangs"
        assert_equal "make_ready [0], send [0]" "$(json hang.json '", ".join("%s %s" % (w["to"],
            w["any_of"]) for r in d["ranks"] for w in r["waits_for"])')" "$mpi, $what: who for whom"
    done
done
[ -n "$tried" ] || skip "no MPI here has messages in partitions"
finish
