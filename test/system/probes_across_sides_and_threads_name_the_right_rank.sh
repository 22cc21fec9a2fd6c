# Who probes is told to wait for whom it finds, and nobody else: across the sides of an
# intercommunicator, where ranks are others', in two threads at once, in one thread what another
# one receives, of MPI_ANY_SOURCE, in Fortran and in Python. Who asks by MPI_Iprobe and MPI_Improbe
# until there is something, with other threads beside, probes for MPI_PROC_NULL or for a rank that
# is not there, is told to wait for nobody, and what was cut off by a short buffer belongs to its
# probe nevertheless.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"

cat >across.c <<'PROGRAM'
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* What a call waited for, of each rank: written down by who probes. */
static struct { int call, cause; long long ns; } waits[64];
static int wait_count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int rank;

enum { PROBE, MPROBE, CALLS };

static long long now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static void check(int good, const char *what)
{
    if (!good) {
        fprintf(stderr, "across: rank %d: %s\n", rank, what);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

/* Sends to is a message that tells when, ms later. */
static void send_late(int ms, int dest, int tag, MPI_Comm comm)
{
    long long mail[2] = { 0, rank };

    nanosleep(&(struct timespec){ .tv_nsec = ms * 1000000L }, NULL);
    mail[0] = now();
    MPI_Send(mail, 2, MPI_LONG_LONG, dest, tag, comm);
}

static void write_down(int call, long long enter, long long leave, const long long mail[2])
{
    const long long until = mail[0] < leave ? mail[0] : leave;

    pthread_mutex_lock(&lock);
    waits[wait_count].call = call;
    waits[wait_count].cause = (int)mail[1];
    waits[wait_count++].ns = until > enter ? until - enter : 0;
    pthread_mutex_unlock(&lock);
}

/* Probes for source and tag, which are found, and receives that. */
static void probe(int source, int tag, MPI_Comm comm, int found)
{
    long long mail[2], enter = now(), leave;
    MPI_Status status;

    MPI_Probe(source, tag, comm, &status);
    leave = now();
    check(status.MPI_SOURCE == found, "a probe found another source");
    MPI_Recv(mail, 2, MPI_LONG_LONG, status.MPI_SOURCE, status.MPI_TAG, comm, MPI_STATUS_IGNORE);
    write_down(PROBE, enter, leave, mail);
}

static void probe_matched(int source, int tag, MPI_Comm comm, int found)
{
    long long mail[2], enter = now(), leave;
    MPI_Message message;
    MPI_Status status;

    MPI_Mprobe(source, tag, comm, &message, &status);
    leave = now();
    check(status.MPI_SOURCE == found, "a matched probe found another source");
    MPI_Mrecv(mail, 2, MPI_LONG_LONG, &message, MPI_STATUS_IGNORE);
    write_down(MPROBE, enter, leave, mail);
}

/* Rank 0 is alone on its side; on the other one rank 2 is rank 0 and rank 1 is rank 1. */
static void across_sides(MPI_Comm inter)
{
    for (int turn = 0; turn < 3; turn++) {
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank == 0) {
            probe(0, 1, inter, 0);
            probe(MPI_ANY_SOURCE, MPI_ANY_TAG, inter, 1);
            probe_matched(1, 3, inter, 1);
            probe_matched(MPI_ANY_SOURCE, MPI_ANY_TAG, inter, 0);
            send_late(10, 0, 5, inter);
            send_late(10, 1, 5, inter);
        } else if (rank == 1) {
            send_late(25, 0, 2, inter);
            send_late(25, 0, 3, inter);
            probe(MPI_ANY_SOURCE, MPI_ANY_TAG, inter, 0);
        } else {
            send_late(10, 0, 1, inter);
            send_late(200, 0, 4, inter); /* when rank 1, on a busy machine, has been found */
            probe_matched(0, 5, inter, 0);
        }
    }
}

static MPI_Comm thread_comm;

static void *probe_in_thread(void *source)
{
    const int from = *(const int *)source;

    for (int turn = 0; turn < 3; turn++) {
        probe(from, 10 + from, thread_comm, from);
    }
    return NULL;
}

static void *probe_for_other(void *tag)
{
    MPI_Probe(MPI_ANY_SOURCE, *(const int *)tag, thread_comm, MPI_STATUS_IGNORE);
    return NULL;
}

/* Rank 0 has two threads that probe; then one that probes for what the other one receives. */
static void across_threads(void)
{
    static const int sources[2] = { 1, 2 }, other = 20;
    pthread_t threads[2];
    long long mail[2], enter, leave;

    MPI_Barrier(MPI_COMM_WORLD);
    if (rank > 0) {
        for (int turn = 0; turn < 3; turn++) {
            send_late(rank == 1 ? 15 : 25, 0, 10 + rank, thread_comm);
        }
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank == 2) {
            send_late(30, 0, 20, thread_comm);
        }
        return;
    }
    for (int i = 0; i < 2; i++) {
        pthread_create(&threads[i], NULL, probe_in_thread, (void *)&sources[i]);
    }
    for (int i = 0; i < 2; i++) {
        pthread_join(threads[i], NULL);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    enter = now();
    pthread_create(&threads[0], NULL, probe_for_other, (void *)&other);
    pthread_join(threads[0], NULL);
    leave = now();
    MPI_Recv(mail, 2, MPI_LONG_LONG, 2, 20, thread_comm, MPI_STATUS_IGNORE);
    write_down(PROBE, enter, leave, mail);
}

/* Nothing of this waits in a probe that blocks, or for somebody. */
static void wait_for_nobody(MPI_Comm inter)
{
    long long mail[2];
    MPI_Message message;
    MPI_Status status;
    int flag, code, error;

    MPI_Barrier(MPI_COMM_WORLD);
    if (rank > 0) {
        send_late(20, 0, 31, inter);
        send_late(20, 0, 32, inter);
        send_late(0, 0, 33, inter);
        send_late(0, 0, 33, inter);
        MPI_Barrier(MPI_COMM_WORLD);
        return;
    }
    for (int i = 0; i < 2; i++) {
        do {
            MPI_Iprobe(MPI_ANY_SOURCE, 31, inter, &flag, &status);
        } while (!flag);
        MPI_Recv(mail, 2, MPI_LONG_LONG, status.MPI_SOURCE, 31, inter, MPI_STATUS_IGNORE);
        do {
            MPI_Improbe(i, 32, inter, &flag, &message, &status);
        } while (!flag);
        MPI_Mrecv(mail, 2, MPI_LONG_LONG, &message, MPI_STATUS_IGNORE);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Probe(MPI_PROC_NULL, 1, inter, &status);
    MPI_Mprobe(MPI_PROC_NULL, 1, inter, &message, &status);
    MPI_Mrecv(mail, 2, MPI_LONG_LONG, &message, &status);
    MPI_Comm_set_errhandler(inter, MPI_ERRORS_RETURN);
    code = MPI_Probe(7, 1, inter, &status); /* the other side has two ranks */
    MPI_Error_class(code, &error);
    check(error == MPI_ERR_RANK, "rank 7 of 2 was probed for");
    for (int i = 0; i < 4; i++) {
        MPI_Probe(i / 2, 33, inter, MPI_STATUS_IGNORE);
        code = MPI_Recv(mail, i % 2 == 0 ? 1 : 2, MPI_LONG_LONG, i / 2, 33, inter,
                        MPI_STATUS_IGNORE);
        MPI_Error_class(code, &error);
        check(error == (i % 2 == 0 ? MPI_ERR_TRUNCATE : MPI_SUCCESS), "what is cut off is said");
    }
}

int main(int argc, char **argv)
{
    static const char *const names[CALLS] = { "MPI_Probe", "MPI_Mprobe" };
    int provided;
    MPI_Comm side, inter;
    FILE *log;
    char name[32];

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank > 0, -rank, &side);
    MPI_Intercomm_create(side, 0, MPI_COMM_WORLD, rank > 0 ? 0 : 2, 7, &inter);
    MPI_Comm_dup(MPI_COMM_WORLD, &thread_comm);
    across_sides(inter);
    if (provided == MPI_THREAD_MULTIPLE) {
        across_threads();
    }
    wait_for_nobody(inter);
    snprintf(name, sizeof name, "log.%d", rank);
    log = fopen(name, "w");
    for (int i = 0; i < wait_count; i++) {
        fprintf(log, "%d %s %d %lld\n", rank, names[waits[i].call], waits[i].cause, waits[i].ns);
    }
    fclose(log);
    MPI_Comm_free(&thread_comm);
    MPI_Comm_free(&inter);
    MPI_Comm_free(&side);
    MPI_Finalize();
    return 0;
}
PROGRAM

# Rank 0 waits for rank 1 in each of these three.
cat >usempi.f90 <<'PROGRAM'
program probes
    use mpi
    implicit none
    integer :: rank, tag, error, got(2), found(MPI_STATUS_SIZE), message

    call MPI_Init(error)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
    call MPI_Barrier(MPI_COMM_WORLD, error)
    got = 0
    if (rank == 0) then
        call MPI_Probe(MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
        call MPI_Recv(got, 2, MPI_INTEGER, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
        call MPI_Mprobe(1, MPI_ANY_TAG, MPI_COMM_WORLD, message, MPI_STATUS_IGNORE, error)
        call MPI_Mrecv(got, 2, MPI_INTEGER, message, MPI_STATUS_IGNORE, error)
        call MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, found, error)
        if (found(MPI_SOURCE) /= 1 .or. found(MPI_TAG) /= 3) stop 1
        call MPI_Recv(got, 2, MPI_INTEGER, 1, 3, MPI_COMM_WORLD, found, error)
    else
        do tag = 1, 3
            call rest
            call MPI_Send(got, 2, MPI_INTEGER, 0, tag, MPI_COMM_WORLD, error)
        end do
    end if
    call MPI_Finalize(error)
contains
    subroutine rest
        double precision :: since
        since = MPI_Wtime()
        do while (MPI_Wtime() < since + 0.1d0)
        end do
    end subroutine
end program
PROGRAM
sed 's/use mpi/use mpi_f08/
    s/, found(MPI_STATUS_SIZE), message/; type(MPI_Status) :: found; type(MPI_Message) :: message/
    s/found(MPI_\([A-Z]*\))/found%MPI_\1/g' usempi.f90 >f08.f90
cat >probes.py <<'PROGRAM'
import time
from mpi4py import MPI
comm = MPI.COMM_WORLD
comm.barrier()
if comm.rank == 0:
    comm.probe(source=MPI.ANY_SOURCE, tag=1)
    comm.recv(tag=1)
    comm.mprobe(tag=2).recv()
    found = MPI.Status()
    comm.Probe(MPI.ANY_SOURCE, MPI.ANY_TAG, found)
    assert found.source == 1 and found.tag == 3
    comm.recv(tag=3)
else:
    for tag in range(1, 4):
        time.sleep(.1)
        comm.send({"tag": tag}, 0, tag=tag)
PROGRAM

# judge.py LOG...: who waited for whom in what is as written down (else 5), and so are those who
# were found. After what is in the logs rank 0 finds four messages more, and three probes find
# nothing.
cat >judge.py <<'PYTHON'
import collections, csv, json, sys
log = [line.split() for name in sys.argv[1:] for line in open(name)]
own, longest = collections.Counter(), max(int(ns) for _, _, _, ns in log)
for rank, call, cause, ns in log:
    own[int(rank), int(cause)] += int(ns)
    own[call] += int(ns)
told = collections.Counter()
for rank, begin, end, name, arguments in json.load(open("perfetto.read"))["waits"]:
    if name == "late sender":
        told[rank, arguments["for rank"]] += end - begin
late = {each["name"]: each for each in json.load(open("waits.json"))["patterns"]}["late_sender"]
for each in late["per_call"]:
    told[each["call"]] += each["wait_ns"]
assert set(told) == set(own) and len(log) >= 18, (told, own)
found = [[row["rank"], row["name"], row["peer"]]
         for row in csv.DictReader(open("tables/call_records.csv"))
         if row["name"] in ("MPI_Probe", "MPI_Mprobe")]
wanted = [[rank, call, cause] for rank, call, cause, _ in log] + \
    [["0", "MPI_Probe", peer] for peer in ["1", "1", "2", "2", "", ""]] + [["0", "MPI_Mprobe", ""]]
assert sorted(found) == sorted(wanted), (sorted(found), sorted(wanted))
# Each time is written down some time before the call.
wrong = {who: (told[who], own[who]) for who in own
         if abs(told[who] - own[who]) > 0.05 * own[who] + longest / 2 + 1000000}
if wrong:
    print(wrong)
    sys.exit(5)
PYTHON

# in_three WHAT MPI PROGRAM…: rank 0 waits for rank 1 three times, for 0.1 s; less, or not at all,
# where others have its core meanwhile, so that it is recorded up to three times.
in_three() {
    local what=$1 mpi=$2 i
    shift 2
    for i in 1 2 3; do
        run_mpi "$mpi" 2 "$record" -q --force -o three.otf2.zip "$@" >out 2>err ||
            fail "$what: $(cat err)"
        "$analyze" waits --json three.otf2.zip >waits.json || fail "$what: waits"
        "$python" -c '
import json
late = {p["name"]: p for p in json.load(open("waits.json"))["patterns"]}["late_sender"]
assert 200000000 < late["caused_by_rank_ns"][1] == late["total_ns"], late
assert late["instances"] == 3, late' 2>judged && return
    done
    fail "$what: who was waited for: $(cat judged)"
}

# recorded_once MPI: 0; 5 if times are others than those that were written down.
recorded_once() {
    local code=0
    rm -rf log.* tables
    run_mpi "$1" 3 "$record" -q --force -o across.otf2.zip ./across >out 2>err ||
        fail "$1: $(cat err)"
    "$analyze" validate across.otf2.zip >validated || fail "$1: $(cat validated)"
    assert_contains "$(cat validated)" "33 messages matched"
    "$analyze" waits --json across.otf2.zip >waits.json || fail "$1: waits"
    "$analyze" export -q --perfetto across.pftrace --csv tables --force across.otf2.zip
    "$python" -B "$TOP_SRCDIR/test/system/exported.py" perfetto across.pftrace >perfetto.read ||
        fail "$1: what Perfetto gets"
    "$python" judge.py log.* >judged 2>&1 || code=$?
    [ $code = 0 ] || [ $code = 5 ] || fail "$1: $(cat judged)"
    return $code
}

for mpi in $(mpis); do
    "$(mpicc_of "$mpi")" -o across across.c -lpthread
    # Where others have the cores, a rank may rest between its look at the clock and its call.
    recorded_once "$mpi" || recorded_once "$mpi" || recorded_once "$mpi" ||
        fail "$mpi: $(cat judged)"
    "$analyze" waits --json -j 2 across.otf2.zip | cmp - waits.json || fail "$mpi: -j 2"
    run_mpi "$mpi" 2 "$analyze" waits --json across.otf2.zip | cmp - waits.json ||
        fail "$mpi: two processes"

    for source in usempi f08; do
        command -v "mpif90.$mpi" >/dev/null || continue
        "mpif90.$mpi" -o three $source.f90 2>err || fail "$mpi, $source: $(cat err)"
        in_three "$mpi, $source" "$mpi" ./three
    done
done

if mpis | grep -qx openmpi && "$python" -c 'import mpi4py' 2>/dev/null; then
    in_three Python openmpi "$python" probes.py
fi
