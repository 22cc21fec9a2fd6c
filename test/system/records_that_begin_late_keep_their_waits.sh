# Ranks' records that begin at different moments, since a ring was written over or since they are a
# part of a longer archive, have the waits that were: the messages and collectives that belong
# together are taken together. Rank 0 sends 2 ms late in each step, and rank 1 comes 1 ms later to
# the operation behind; by what it tells itself its ring holds the fewer steps.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"

cat >steps.c <<'PROGRAM'
#include <mpi.h>
#include <stdlib.h>
#include <time.h>

static void rest(long us)
{
    nanosleep(&(struct timespec){ .tv_nsec = us * 1000 }, NULL);
}

int main(int argc, char **argv)
{
    const int steps = atoi(argv[1]), more = atoi(argv[2]);
    double one = 1, sum;
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < steps; i++) {
        if (rank == 0) {
            rest(2000);
            MPI_Send(&one, 1, MPI_DOUBLE, 1, 5, MPI_COMM_WORLD);
        } else {
            for (int j = 0; j < more; j++) {
                MPI_Sendrecv(&one, 1, MPI_DOUBLE, 0, 6, &sum, 1, MPI_DOUBLE, 0, 6, MPI_COMM_SELF,
                             MPI_STATUS_IGNORE);
            }
            MPI_Recv(&one, 1, MPI_DOUBLE, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            rest(1000);
        }
        MPI_Allreduce(&one, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        MPI_Reduce(&one, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
        MPI_Bcast(&sum, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
PROGRAM

cat >judge.py <<'PYTHON'
import json, sys
waits, calls, info = (json.load(open(name + ".json")) for name in ("waits", "calls", "info"))
steps = {each["name"]: each for each in calls["calls"]}["MPI_Recv"]["count"]
found = {each["name"]: each for each in waits["patterns"]}
edges = int(sys.argv[1])
assert info["clock_violations"] == 0, info
assert waits["collectives_uncertain"] == 0, waits["collectives_uncertain"]
for name, each in ("late_sender", 1.5e6), ("wait_at_nxn", 0.8e6):
    pattern = found[name]
    assert steps - edges <= pattern["instances"] <= 2 * steps, (name, pattern["instances"], steps)
    assert pattern["total_ns"] >= (steps - edges) * each, (name, pattern["total_ns"], steps)
    assert pattern["total_ns"] < steps * 2e7, (name, pattern["total_ns"], steps)
late = found["late_sender"]["per_rank_ns"]
assert late[0] == 0 < late[1], late
assert steps > 20, steps
PYTHON

# ask OUTPUT WORDS...: of archives that lack something the status is 4.
ask() {
    "$analyze" "${@:2}" >"$1" 2>err || [ $? = 4 ] || fail "${*:2}: $(cat err)"
}

# judge ARCHIVE EDGES: so many steps may lack a wait.
judge() {
    ask waits.json waits --json "$1"
    ask calls.json calls --json "$1"
    ask info.json info --full --json "$1"
    "$python" judge.py "$2" || fail "$1: $(head -c 3000 waits.json)"
    ask mistakes mistakes "$1"
    assert_lacks "$(cat mistakes)" "never received"
    assert_lacks "$(cat mistakes)" "order"
}

for mpi in $(built_mpis); do
    "$(mpicc_of "$mpi")" -o steps steps.c

    # A ring of rank 1 that keeps the last of 1200 steps, and rank 0's, which keeps all.
    run_mpi "$mpi" 2 "$record" -q --max-spool=268K --on-full=wrap -o ring.otf2.zip \
        ./steps 1000 60 >out 2>err || fail "$mpi: $(cat err)"
    ask info.json info --json ring.otf2.zip
    lost=$(json info.json 'd["lost_events"]')
    [ "$lost" -gt 10000 ] || fail "$mpi: the ring has lost $lost calls only"
    judge ring.otf2.zip 2
    received=$(json calls.json '[c["count"] for c in d["calls"] if c["name"] == "MPI_Recv"][0]')
    sent=$(json calls.json '[c["count"] for c in d["calls"] if c["name"] == "MPI_Send"][0]')
    [ "$sent" -gt $((received + 100)) ] || fail "$mpi: $sent sends of $received receives"
    assert_equal $((sent - received)) "$(json info.json 'd["unmatched_sends"]')" "$mpi: sends"

    # Parts of an archive that lacks nothing, which begin and end anywhere in its steps.
    run_mpi "$mpi" 2 "$record" -q -o whole.otf2.zip ./steps 200 0 >out 2>err ||
        fail "$mpi: $(cat err)"
    judge whole.otf2.zip 2
    for part in {1..12}; do
        "$analyze" export -q --otf2 part whole.otf2.zip --from=$((100000 + 777 * part))us \
            --to=$((300000 + 1234 * part))us 2>err || fail "$mpi: part $part: $(cat err)"
        judge part 4
        rm -r part
    done
    rm -f ./*.zip
done
