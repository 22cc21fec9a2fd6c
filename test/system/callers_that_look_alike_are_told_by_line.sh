# sites --stacks: where callers of a place have the same functions, their rows have the lines at
# which these call the next one; where functions tell them apart, they have none.
. "$TOP_SRCDIR/test/system/lib.sh"
tells_stacks || skip "stacks are not told on this machine"

cat >twice.c <<'C'
#include <mpi.h>
static __attribute__((noinline)) void inner(void) { MPI_Barrier(MPI_COMM_WORLD); }
static __attribute__((noinline)) void middle(void) { inner(); }
static __attribute__((noinline)) void other(void) { MPI_Comm_set_errhandler(MPI_COMM_WORLD,
    MPI_ERRORS_RETURN); }
static __attribute__((noinline)) void outer(void) { other(); }
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    middle();
    middle();
    other();
    outer();
    MPI_Finalize();
    return 0;
}
C
for mpi in $(mpis); do
    "$(mpicc_of "$mpi")" -g -O0 -o twice twice.c
    run_mpi "$mpi" 1 "$record" -q --force -e all --sites=stack -o twice.zip ./twice
    "$analyze" sites --stacks --csv twice.zip >stacks.csv
    # Lines of twice.c, by counting: middle calls at 3, main at 10 and 11.
    for stack in "inner < middle:3 < main:10" "inner < middle:3 < main:11" "other < main" \
        "other < outer < main"; do
        assert_equal 1 "$(grep -cE ",\"?$stack\"?\$" stacks.csv)" "$mpi: $stack: $(cat stacks.csv)"
    done
done
