# Open MPI's monitoring of collectives counts only once it is started. Nobody starts it by
# default: then nothing is known of it, and no output says 0. With --pvar-start it has as many
# operations, messages and bytes as the program's own reads of it say: the recorder's own
# messages are in none of them.
. "$TOP_SRCDIR/test/system/lib.sh"
need_mpi openmpi # Debian's MPICH has no variables to start

cat >count.c <<'C'
#include <mpi.h>
#include <stdio.h>

static MPI_T_pvar_session session;

static MPI_T_pvar_handle start(const char *name, int class)
{
    MPI_Comm world = MPI_COMM_WORLD;
    MPI_T_pvar_handle handle = MPI_T_PVAR_HANDLE_NULL;
    int index, elements;

    if (MPI_T_pvar_get_index(name, class, &index) == MPI_SUCCESS) {
        MPI_T_pvar_handle_alloc(session, index, &world, &handle, &elements);
        MPI_T_pvar_start(session, handle);
    }
    return handle;
}

static unsigned long long sum(MPI_T_pvar_handle handle)
{
    unsigned long long values[3] = {0};

    MPI_T_pvar_read(session, handle, values);
    return values[0] + values[1] + values[2];
}

int main(int argc, char **argv)
{
    int one = 1, all, rank, provided, reads = argc > 1;
    MPI_T_pvar_handle messages, bytes;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (reads) {
        MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
        MPI_T_pvar_session_create(&session);
        messages = start("coll_monitoring_messages_count", MPI_T_PVAR_CLASS_SIZE);
        bytes = start("coll_monitoring_messages_size", MPI_T_PVAR_CLASS_SIZE);
        if (messages == MPI_T_PVAR_HANDLE_NULL || bytes == MPI_T_PVAR_HANDLE_NULL) {
            return 77;
        }
    }
    for (int i = 0; i < 123; i++) {
        MPI_Allreduce(&one, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    }
    if (reads) {
        for (int i = 0; i < 3; i++) {
            if (rank == i) {
                printf("%d %llu %llu\n", rank, sum(messages), sum(bytes));
            }
        }
    }
    MPI_Finalize();
    return 0;
}
C
need "$MPICC_OPENMPI"
$MPICC_OPENMPI -o count count.c
export OMPI_MCA_pml_monitoring_enable=1
code=$(status_of run_openmpi 3 ./count read)
[ "$code" != 77 ] || skip "no monitoring of collectives here"
run_openmpi 3 ./count read | sort >truth
for start in "" --pvar-start; do
    run_openmpi 3 "$record" -q $start -o count$start.otf2.zip ./count
    "$analyze" counters --json count$start.otf2.zip >counters$start.json
done

# what START NAME KEY: of the variable's row of each rank.
what() {
    json counters$1.json "[row['$3'] for row in d['pvars'] if row['name'] == '$2'
        and row['comm'] == 'MPI_COMM_WORLD']"
}
assert_equal "[123, 123, 123]" "$(what --pvar-start coll_monitoring_a2a_count total)" \
    "collectives of all with all"
for rank in 0 1 2; do
    read -r _ messages bytes <<<"$(grep "^$rank " truth)"
    assert_equal "$messages $bytes" "$(
        json counters--pvar-start.json "next(row['total'] for row in d['pvars']
            if row['name'] == 'coll_monitoring_messages_count.sum' and row['rank'] == $rank)"
    ) $(
        json counters--pvar-start.json "next(row['total'] for row in d['pvars']
            if row['name'] == 'coll_monitoring_messages_size.sum' and row['rank'] == $rank)"
    )" "messages and bytes of rank $rank, as it reads them itself"
done

# Never started: not observed, in each output.
for key in total first last min max mean rate_per_s; do
    assert_equal "[null, null, null]" "$(what "" coll_monitoring_a2a_count "$key")" "its $key"
done
assert_equal "[false, false, false]" "$(what "" coll_monitoring_a2a_count observed)" "observed"
assert_equal "[0, 0, 0]" "$(what "" coll_monitoring_a2a_count samples)" "samples"
assert_equal "[0.0, 0.0, 0.0]" "$(what "" coll_monitoring_a2a_count coverage)" "coverage"
assert_equal true "$(json counters.json "all(row['unobserved_ns'] > 0 for row in d['pvars']
    if row['name'] == 'coll_monitoring_a2a_count')")" "time in which it stood still"
assert_equal "[true, true, true]" "$(what --pvar-start coll_monitoring_a2a_count observed)" \
    "observed, when it was started"
"$analyze" counters count.otf2.zip >counters.txt
assert_equal 3 "$(grep -c '^coll_monitoring_a2a_count .* not observed' counters.txt)" \
    "lines that say so"
run_openmpi 2 "$record" -q --pvars=coll_monitoring_a2a_count -o one.otf2.zip ./count
"$analyze" one.otf2.zip >report.txt
assert_equal 1 "$(grep -c 'recorded: coll_monitoring_a2a_count (not observed)$' report.txt)" \
    "the report's line"
"$analyze" watermarks --json count.otf2.zip >watermarks.json
assert_equal '[]' "$(json watermarks.json "[row['name'] for row in d['watermarks']
    if 'monitoring' in row['name']]")" "marks of what was not observed"
"$analyze" counters --csv count.otf2.zip >counters.csv
cat >check.py <<'PYTHON'
import csv
rows = [row for row in csv.DictReader(open("counters.csv"))
        if row["name"] == "coll_monitoring_a2a_count"]
print([row["total"] for row in rows], [row["mean"] for row in rows])
PYTHON
assert_equal "['', '', ''] ['', '', '']" "$("$python" check.py)" "the table's cells"
"$analyze" export --chrome chrome.json count.otf2.zip
assert_equal 0 "$(grep -c coll_monitoring_a2a_count chrome.json)" "values in an export"
