# An application that starts and stops a variable by MPI_T gets what it gets without the
# recorder. What it starts in a session of its own is not started in the recorder's: that needs
# --pvar-start. Open MPI has one switch for all that its monitoring counts, so that the samples
# tell when the application switches it off.
. "$TOP_SRCDIR/test/system/lib.sh"
need_mpi openmpi # Debian's MPICH has no variables to start
need "$MPICC_OPENMPI"

cat >starts.c <<'C'
#include <mpi.h>
#include <stdio.h>
#include <string.h>

static void reduce(int times)
{
    int one = 1, sum;

    for (int i = 0; i < times; i++) {
        MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    }
}

int main(int argc, char **argv)
{
    MPI_Comm world = MPI_COMM_WORLD;
    unsigned long long count = 0;
    int index = -1, elements, rank, provided;
    MPI_T_pvar_session session;
    MPI_T_pvar_handle handle;

    MPI_Init(&argc, &argv);
    MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (MPI_T_pvar_get_index("coll_monitoring_a2a_count", MPI_T_PVAR_CLASS_COUNTER, &index) !=
        MPI_SUCCESS) {
        return 77;
    }
    MPI_T_pvar_session_create(&session);
    MPI_T_pvar_handle_alloc(session, index, &world, &handle, &elements);
    reduce(3);
    MPI_T_pvar_start(session, handle);
    reduce(10);
    MPI_T_pvar_read(session, handle, &count);
    MPI_T_pvar_stop(session, handle);
    reduce(5);
    MPI_T_pvar_handle_free(session, &handle);
    MPI_T_pvar_session_free(&session);
    if (rank == 0) {
        printf("%llu\n", count);
    }
    MPI_Finalize();
    return 0;
}
C
$MPICC_OPENMPI -o starts starts.c
export OMPI_MCA_pml_monitoring_enable=1
plain=$(run_openmpi 2 ./starts) || skip "no monitoring of collectives here"
for start in "" --pvar-start; do
    recorded=$(run_openmpi 2 "$record" -q $start -o starts$start.otf2.zip --pvar-interval=0 \
        ./starts)
    assert_equal "$plain" "$recorded" "what the application reads, option '$start'"
    "$analyze" counters --json "starts$start.otf2.zip" >"counters$start.json"
done
row='[row for row in d["pvars"]
    if row["name"] == "coll_monitoring_a2a_count" and row["rank"] == 0][0]'
assert_equal '[false, null, 0.0]' \
    "$(json counters.json "[$row[key] for key in ('observed', 'total', 'coverage')]")" \
    "what another session starts"
mv starts--pvar-start.otf2.zip starts.otf2.zip
"$analyze" dump --json --rank=0 starts.otf2.zip >events
cat >check.py <<'PYTHON'
import json
flags, reductions = [], 0
for line in open("events"):
    event = json.loads(line)
    reductions += event["event"] == "leave" and event["region"] == "MPI_Allreduce"
    if event["event"] == "metric" and "coll_monitoring_a2a_count" in event["values"]:
        flags += [[reductions, name] for bit, name in ((16, "start"), (32, "stop"))
                  if event["flags"] & bit]
print(json.dumps(flags))
PYTHON
# The sample is in the call that follows: it is told before that has been left.
assert_equal '[[0, "start"], [3, "start"], [13, "stop"]]' "$("$python" check.py)" \
    "what the samples tell"
assert_equal '[13, true, true]' "$(json counters--pvar-start.json "[$row['total'],
    $row['unobserved_ns'] > 0, $row['coverage'] < 1]")" \
    "reductions up to the stop, and the time in which it stood still"
