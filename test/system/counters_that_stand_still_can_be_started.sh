# Open MPI's monitoring of collectives counts only once it is started: nothing by default,
# and with --pvar-start as many operations as the program makes.
. "$TOP_SRCDIR/test/system/lib.sh"
need_mpi openmpi # Debian's MPICH has no variables to start

cat >count.c <<'C'
#include <mpi.h>

int main(int argc, char **argv)
{
    int one = 1, sum;

    MPI_Init(&argc, &argv);
    for (int i = 0; i < 123; i++) {
        MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
C
need "$MPICC_OPENMPI"
$MPICC_OPENMPI -o count count.c
for start in "" --pvar-start; do
    OMPI_MCA_pml_monitoring_enable=1 run_openmpi 2 "$record" -q $start -o count$start.otf2.zip \
        ./count
    "$analyze" counters --json count$start.otf2.zip >counters.json
    row="[row for row in d['pvars'] if row['rank'] == 0
        and row['name'] == 'coll_monitoring_a2a_count']"
    assert_equal "$([ -z "$start" ] && echo 0 || echo 123)" \
        "$(json counters.json "$row[0]['total']")" "collectives of all with all, option '$start'"
done
