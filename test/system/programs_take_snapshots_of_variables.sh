# mpiwatch_snapshot, and communicators that are registered: with --pvar-when=user variables are
# read where the program says and nowhere else, of a communicator while it is registered.
. "$TOP_SRCDIR/test/system/lib.sh"

cat >snapshots.c <<'C'
#include <mpi.h>
#include <mpiwatch.h>
#include <stdint.h>

void fake_set(int kind, uintptr_t handle, unsigned long value);
void fake_report(void);

int main(int argc, char **argv)
{
    MPI_Comm rows;

    MPI_Init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_SELF, &rows);
    for (unsigned long i = 1; i <= 40; i++) {
        fake_set(0, (uintptr_t)rows, 10 * i);
        MPI_Barrier(rows);
        if (i == 10) {
            mpiwatch_comm_register(rows, "rows");
        }
        if (i == 20) {
            mpiwatch_snapshot();
            mpiwatch_snapshot();
        }
        if (i == 30) {
            mpiwatch_comm_unregister(rows);
            mpiwatch_snapshot();
        }
    }
    MPI_Comm_free(&rows);
    MPI_Finalize();
    fake_report();
    return 0;
}
C
# series OPTION...: the values of the counter on "rows", what came since it was registered; those of
# MPI_COMM_WORLD, which is registered from the start, are left out.
series() {
    LD_PRELOAD=$scratch/libfake.so run_mpi "$mpi" 1 "$record" -q --force -o rows.zip \
        --pvars='fake_comm@comm=registered' "$@" ./snapshots >out
    "$analyze" counters --series rows.zip | awk '/fake_comm/ && / rows/ { printf "%s ", $2 }'
}
for mpi in $(mpis); do
    mpicc=$(mpicc_of "$mpi")
    $mpicc -shared -fPIC -o libfake.so "$TOP_SRCDIR/test/system/fake_objects.c"
    $mpicc -I"$TOP_SRCDIR/recorder/include" -o snapshots snapshots.c \
        "$TOP_BUILDDIR/libmpiwatch.a" -L. -lfake -Wl,-rpath,"$scratch"

    # Registered at 100: two snapshots of 200, the last sample of 300 when it is unregistered.
    assert_equal "100 100 200 " "$(series --pvar-when=user)" "where the program says"
    assert_equal "most 2 alive 0 wrong 0" "$(cat out)" "handles, of MPI_COMM_WORLD and of rows"
    # At each exit: from the first call after the registration on.
    assert_equal "$(seq -s ' ' 10 10 100) 100 100 $(seq -s ' ' 110 10 200) 200 " \
        "$(series --pvar-interval=0)" "at each call while it is registered"
done
