# mpiwatch-top --waits on a job of three hosts whose clocks are days apart: what ranks wait for
# those of other hosts, in messages, in receives from anybody and in collective operations, watched
# to the end of the run, is what mpiwatch-analyze finds in its archive, but for what clocks may be
# off, which is told. What they wait for on windows is not known. On both MPIs. Rank 0 waits in its
# large receive until rank 1, which has begun to send, is in MPI again.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"
. "$TOP_SRCDIR/test/system/three_hosts.sh"
unshare --uts --time --monotonic 1 true 2>/dev/null || skip "unshare --uts --time is not permitted"

cat >place <<'SCRIPT'
rank=${OMPI_COMM_WORLD_RANK-${PMI_RANK-}}
exec unshare --uts --mount --time --monotonic $((5 * 86400 * rank)) sh -c '
    [ "$0" = 0 ] || hostname "node$0"
    mount --bind "spools$0" "$MPIWATCH_SPOOL" && exec "$@"' "$rank" "$@"
SCRIPT

# Each wait is a quarter of a second or more; others come in between that wait for nobody.
cat >held.c <<'PROGRAM'
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

static int rank, size;

static void late(int who)
{
    if (rank == who) {
        usleep(250000);
    }
}

int main(int argc, char **argv)
{
    static double many[1 << 17]; /* 1 MiB, which no MPI keeps */
    double one = 1, sum, got[3];
    MPI_Request requests[3];
    MPI_Status statuses[3];
    MPI_Comm ring, half;
    MPI_Win window;
    FILE *here;

    MPI_Init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &ring);
    MPI_Comm_rank(ring, &rank);
    MPI_Comm_size(ring, &size);
    MPI_Comm_split(ring, rank > 0, -rank, &half); /* rank 2 leads it: 2, 1 */
    here = rank == 0 ? fopen("here", "w") : NULL;
    if (here) {
        fclose(here);
    }
    for (int i = 0; rank == 0 && access("go", F_OK) != 0; i++) {
        usleep(10000);
    }
    MPI_Barrier(ring);
    for (int i = 0; i < 3; i++) {
        late(1);
        if (rank > 0) {
            MPI_Send(&one, 1, MPI_DOUBLE, 0, 1, ring);
        }
        for (int k = 1; k < size && rank == 0; k++) {
            MPI_Recv(got, 1, MPI_DOUBLE, MPI_ANY_SOURCE, 1, ring, MPI_STATUS_IGNORE);
        }
        MPI_Irecv(&got[0], 1, MPI_DOUBLE, MPI_ANY_SOURCE, 2, ring, &requests[0]);
        MPI_Irecv(&got[1], 1, MPI_DOUBLE, rank, 3, ring, &requests[1]); /* from itself */
        MPI_Send(&one, 1, MPI_DOUBLE, rank, 3, ring);
        late(2);
        MPI_Isend(&one, 1, MPI_DOUBLE, (rank + 1) % size, 2, ring, &requests[2]);
        MPI_Waitall(3, requests, statuses);
        if (rank == 1) {
            MPI_Isend(many, 1 << 17, MPI_DOUBLE, 0, 4, ring, &requests[0]);
            late(1);
            MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
        }
        if (rank == 0) {
            MPI_Recv(many, 1 << 17, MPI_DOUBLE, 1, 4, ring, MPI_STATUS_IGNORE);
        }
        late(0);
        MPI_Bcast(&one, 1, MPI_DOUBLE, 0, ring);
        late(1);
        MPI_Allreduce(&one, &sum, 1, MPI_DOUBLE, MPI_SUM, half);
        MPI_Iallreduce(&one, &sum, 1, MPI_DOUBLE, MPI_SUM, half, &requests[0]);
        MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    }
    MPI_Win_create(got, sizeof got, 1, MPI_INFO_NULL, ring, &window);
    late(1);
    MPI_Win_fence(0, window);
    MPI_Put(&one, 1, MPI_DOUBLE, (rank + 1) % size, 0, 1, MPI_DOUBLE, window);
    MPI_Win_fence(0, window);
    MPI_Win_free(&window);
    late(2);
    MPI_Allreduce(&one, &sum, 1, MPI_DOUBLE, MPI_SUM, ring);
    MPI_Finalize();
    return 0;
}
PROGRAM

cat >equal.py <<'PYTHON'
import json

# All that count in the archive, but those that are not known of a run whose hosts tell each other.
NOT_LIVE = {"wait_at_comm_create", "wait_at_window", "wait_at_fence", "late_post", "early_wait",
            "lock_contention"}
last = [json.loads(line) for line in open("lines")][-1]
waits = json.load(open("waits.json"))
live = [thread["waited_ns"] for thread in last["threads"]]
archive = [0, 0, 0]
for pattern in waits["patterns"]:
    if pattern["role"] == "wait" and pattern["name"] not in NOT_LIVE:
        archive = [sum(both) for both in zip(archive, pattern["per_rank_ns"])]
error = last["events"]["clock_error_ns"]
assert not last["running"] and last["events"]["read_share"] == 1, last
assert None not in live and 0 < error < 10**11, (live, error)
# 20 waits of a rank at most, each of which may be off so much; and clocks drift by us a second.
off = max(abs(a - b) for a, b in zip(live, archive))
assert off <= 20 * error + 10**6, (live, archive, error)
assert error > 10**7 or all(ns > 500_000_000 for ns in live), (live, archive, error)
# Ranks 0 and 2 are a quarter of a second in the fence before rank 1 comes. Shares are of a time
# that begins before MPI_Init, which may take seconds.
doubtful = [thread["doubtful_share_all"] / thread["waiting_share_all"] * thread["waited_ns"]
            for thread in (last["threads"][0], last["threads"][2])]
assert min(doubtful) > 200_000_000, doubtful
print("off by %d ns, clocks to %d ns: %s" % (off, error, live))
PYTHON

for mpi in $(built_mpis); do
    start_run "$mpi"
    run_hosts "$mpi" --json --waits run.zip.run >lines 2>err &
    watch=$!
    await "$mpi: waits of all hosts" grep -q '"rank":2[^}]*"waited_ns":[0-9]' lines
    touch go
    wait "$run" || fail "$mpi: the program ended with $?: $(cat err)"
    wait "$watch" || fail "$mpi: --waits to the end: exit $?: $(cat err)"
    "$analyze" waits --json -o waits.json run.zip
    "$python" equal.py || fail "$mpi: $(tail -n 1 lines)"
done
finish
