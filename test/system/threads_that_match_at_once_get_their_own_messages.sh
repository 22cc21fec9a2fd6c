# Of threads of a rank that wait at once for messages with the same source and tag, by MPI_Mprobe or
# MPI_Recv, each is told the message that it got, and its wait for that, whatever the order in which
# the MPI serves them: MPICH gives a message to the MPI_Mprobe that looks first, Open MPI to the one
# that was entered first.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"

cat >threads.c <<'PROGRAM'
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>

enum { THREADS = 3, EACH = 4, MESSAGES = THREADS * EACH };

static FILE *log_file;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static long long now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static void rest(long ms)
{
    nanosleep(&(struct timespec){ .tv_nsec = ms * 1000000 }, NULL);
}

/* The third receives, the others match and receive; the second rests in between. */
static void *work(void *number)
{
    const long self = (long)number;

    for (int i = 0; i < EACH; i++) {
        const long long enter = now();
        long long mail[2], leave;
        MPI_Message message;

        if (self == 2) {
            MPI_Recv(mail, 2, MPI_LONG_LONG, 1, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            leave = now();
        } else {
            MPI_Mprobe(1, 5, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
            leave = now();
            MPI_Mrecv(mail, 2, MPI_LONG_LONG, &message, MPI_STATUS_IGNORE);
        }
        pthread_mutex_lock(&lock);
        fprintf(log_file, "%lld %lld %lld %lld\n", mail[1], mail[0], enter, leave);
        pthread_mutex_unlock(&lock);
        MPI_Send(NULL, 0, MPI_INT, 1, 6, MPI_COMM_WORLD);
        rest(self == 1 ? 7 : 0);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    int provided, rank;
    pthread_t threads[THREADS];

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        log_file = fopen("log", "w");
        for (long i = 0; i < THREADS; i++) {
            pthread_create(&threads[i], NULL, work, (void *)i);
            rest(2);
        }
        for (int i = 0; i < THREADS; i++) {
            pthread_join(threads[i], NULL);
        }
        fclose(log_file);
    } else {
        for (int i = 0; i < MESSAGES; i++) {
            long long mail[2] = { 0, i };

            rest(i % 3 == 0 ? 40 : 20);
            mail[0] = now();
            MPI_Send(mail, 2, MPI_LONG_LONG, 0, 5, MPI_COMM_WORLD);
            MPI_Recv(NULL, 0, MPI_INT, 0, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
    }
    MPI_Finalize();
    return provided != MPI_THREAD_MULTIPLE;
}
PROGRAM

# Each message is sent when the one before has been received, so that there is no doubt of whose it
# is. 5: a wait is another one than was written down, or MPICH served all in their order.
cat >judge.py <<'PYTHON'
import csv, sys
log = sorted([int(word) for word in line.split()] for line in open("log"))
told = sorted((int(row["sent_ns"]), int(row["wait_ns"] or 0))
              for row in csv.DictReader(open("tables/message_records.csv")) if row["tag"] == "5")
assert len(log) == len(told) == 12, (log, told)
overtaking = sum(any(other[0] > number and other[2] < enter for other in log)
                 for number, _, enter, _ in log)
wrong = []
for (number, sent, enter, leave), (_, wait) in zip(log, told):
    own = max(0, min(sent, leave) - enter)
    if abs(own - wait) > 4000000:
        wrong.append((number, own, wait))
print("%d overtook; wrong: %s" % (overtaking, wrong))
sys.exit(5 if wrong or (sys.argv[1] == "mpich" and not overtaking) else 0)
PYTHON

recorded_once() {
    rm -rf log tables
    run_mpi "$1" 2 "$record" -q --force -o threads.otf2.zip ./threads >out 2>err ||
        fail "$1: $(cat err)"
    "$analyze" validate threads.otf2.zip >validated || fail "$1: $(cat validated)"
    assert_contains "$(cat validated)" "24 messages matched"
    "$analyze" export -q --csv tables --force threads.otf2.zip || fail "$1: export"
    "$python" judge.py "$1" >judged 2>&1
}

for mpi in $(mpis); do
    "$(mpicc_of "$mpi")" -o threads threads.c -lpthread
    # Where others have the cores, a thread may rest between its look at the clock and its call.
    recorded_once "$mpi" || recorded_once "$mpi" || recorded_once "$mpi" || recorded_once "$mpi" ||
        fail "$mpi: $(cat judged)"
    "$analyze" waits --json -j 1 threads.otf2.zip >one.json
    "$analyze" waits --json -j 2 threads.otf2.zip | cmp - one.json || fail "$mpi: -j 2"
done
