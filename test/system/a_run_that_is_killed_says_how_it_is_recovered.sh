# When a rank has died Open MPI's mpirun sends the others SIGTERM, a second before SIGKILL: one of
# them says, once and on standard error, which mpiwatch-recover makes the archive. Nothing is said
# of a run whose archive is made, with --on-term=off, or where SIGTERM is the program's own, which
# stays so: what a program finds of SIGTERM after MPI_Finalize is what it was before MPI_Init.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"
need_mpi openmpi
test_timeout=${TEST_TIMEOUT-60}

cat >own.c <<'C'
/* own WHEN: installs a handler of SIGTERM WHEN (before or after MPI_Init, never), by which
 * rank 0 says "handled", and rank 1 dies. "whole": nobody dies, and what SIGTERM does is told. */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void handle(int number)
{
    (void)!write(1, "handled\n", 8);
    _exit(number);
}

int main(int argc, char **argv)
{
    struct sigaction action;
    int rank;

    if (strcmp(argv[1], "before") == 0) {
        signal(SIGTERM, handle);
    }
    MPI_Init(&argc, &argv);
    if (strcmp(argv[1], "after") == 0) {
        signal(SIGTERM, handle);
    }
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1 && strcmp(argv[1], "whole") != 0) {
        usleep(300000);
        raise(SIGKILL);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    sigaction(SIGTERM, NULL, &action);
    printf("%s\n", action.sa_handler == SIG_DFL ? "default" : "changed");
    return 0;
}
C
"$(mpicc_of openmpi)" -o own own.c

# run_own RANKS OPTION WHEN: what the ranks write themselves is in said and told.
run_own() {
    rm -rf "${spools:?}"/* "a run".otf2.zip* said told
    run_mpi openmpi "$1" sh -c 'exec "$@" 2>>said >>told' rank \
        "$record" $2 -o "a run.otf2.zip" ./own "$3" >out 2>err || true
}

next="mpiwatch-recover '$PWD/a run.otf2.zip.run'"
sentence="mpiwatch: the run is ended by SIGTERM; what was recorded is kept; next: $next"
for ranks in 2 4; do
    run_own "$ranks" "" never
    assert_equal "$sentence" "$(grep '^mpiwatch: ' said)" "$ranks ranks"
    assert_equal "" "$(cat told)" "$ranks ranks: standard output"
    assert_equal 1 "$(grep -c '"ended":"signal","code":15' "a run.otf2.zip.run")" "$ranks ranks"
done
# The command is one that can be copied.
PATH=$TOP_BUILDDIR:$PATH bash -c "$next" >recovered 2>&1 || [ $? = 4 ] || wrong "$(cat recovered)"
[ -s "a run.otf2.zip" ] || wrong "there is no archive: $(cat recovered)"

run_own 2 --on-term=off never
assert_equal "" "$(grep '^mpiwatch: ' said)" "off"
run_own 2 --quiet never
assert_equal "" "$(grep '^mpiwatch: ' said)" "quiet"
for when in before after; do
    run_own 2 "" $when
    assert_equal handled "$(cat told)" "a handler from $when MPI_Init"
    assert_equal "" "$(grep '^mpiwatch: ' said)" "a handler from $when MPI_Init"
done
run_own 2 "" whole
assert_equal "$(printf 'default\ndefault')" "$(cat told)" "after MPI_Finalize"
assert_equal "" "$(grep 'SIGTERM' said)" "a run that is whole"
finish
