# --on-term=finish: of a run whose launcher is sent SIGTERM, or whose ranks are killed, there is an
# archive without a further word, and nothing is left of its spools. Without the option it is as
# ever. A handler of the program's own stays what it is, and one rank that nobody finishes ends by
# the signal. A run that ends as it should has one archive, and leaves no process.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"
test_timeout=60

# handles: SIGTERM makes it leave its loop, to MPI_Finalize.
cat >handles.c <<'PROGRAM'
#include <mpi.h>
#include <signal.h>
#include <unistd.h>

static volatile sig_atomic_t is_over;

static void end(int number)
{
    is_over = number;
}

int main(int argc, char **argv)
{
    int mine = 0, all = 0;

    MPI_Init(&argc, &argv);
    signal(SIGTERM, end);
    for (int i = 0; !all && i < 3000; i++) {
        usleep(10000);
        mine = is_over;
        MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
PROGRAM

# begin MPI OPTION PROGRAM...: runs two ranks in the background as $run, their launcher as
# $launcher, until the first rank has called MPI some times.
begin() {
    local mpi=$1 option=$2 mpirun=$MPIRUN_OPENMPI
    shift 2
    [ "$mpi" = openmpi ] || mpirun=$MPIRUN_MPICH
    rm -rf "${spools:?}"/* run.otf2.zip* count.*
    timeout -k 10 "$test_timeout" sh -c 'echo $$ >launcher && exec "$@"' launch "$mpirun" -n 2 \
        sh -c 'echo $$ >pid.$$ && exec "$@"' rank "$record" $option -o run.otf2.zip "$@" \
        </dev/null >out 2>err &
    run=$!
    await "$mpi: the program" test -s run.otf2.zip.run
    sleep 0.5
    launcher=$(cat launcher)
}

# numbers of the ranks' processes, as NAME.run has them.
ranks() {
    sed -n 's/.*"pid":\([0-9]*\),.*/\1/p' run.otf2.zip.run
}

# is_finished WHAT ENDING: the archive has both ranks' calls, and nothing else is left.
is_finished() {
    await "$1: the archive" test -s run.otf2.zip
    await "$1: the end of who made it" test ! -e run.otf2.zip.run
    await "$1: the end of the spools" rmdir "$spools"
    mkdir "$spools"
    "$analyze" info --json -o info.json run.otf2.zip 2>/dev/null || true
    assert_equal 2 "$(json info.json 'd["ranks"]')" "$1: ranks"
    "$analyze" ranks --json -o ranks.json run.otf2.zip 2>/dev/null || true
    assert_equal '[true, true]' "$(json ranks.json '[r["calls"] > 5 for r in d["ranks"]]')" "$1"
    assert_contains "$("$analyze" info run.otf2.zip 2>/dev/null)" "$2"
    assert_equal run.otf2.zip "$(ls run*)" "$1: files"
}

# launcher_fails: the run's, whose ranks were ended. MPICH 4.2's succeeds.
launcher_fails() {
    wait "$run" || return 0
    { [ "$mpi" = mpich ] && ! mpich_is_4_0; } || wrong "$mpi: its launcher succeeds all the same"
}

for mpi in $(built_mpis); do
    dies=$TOP_BUILDDIR/test/system/dies-$mpi
    "$(mpicc_of "$mpi")" -o "handles-$mpi" handles.c

    begin "$mpi" --on-term=finish "$dies" loop -1 2000
    kill -TERM "$launcher"
    wait "$run" || true # MPICH's succeeds
    is_finished "$mpi, SIGTERM of the launcher" "ended"

    begin "$mpi" --on-term=finish "$dies" loop -1 2000
    both=$(ranks)
    kill -TERM $both
    for pid in $both; do
        timeout 20 tail --pid="$pid" -s 0.02 -f /dev/null || wrong "$mpi: a rank does not end"
    done
    [ -s run.otf2.zip ] || wrong "$mpi: ranks have ended before there is an archive"
    launcher_fails
    is_finished "$mpi, SIGTERM of the ranks" "ended by SIGTERM: ranks 0-1"

    begin "$mpi" --on-term=finish "$dies" loop -1 2000
    kill -KILL $(ranks)
    wait "$run" || true
    is_finished "$mpi, SIGKILL" "killed, or ended without a word: ranks 0-1"

    begin "$mpi" "" "$dies" loop -1 2000
    kill -TERM $(ranks)
    wait "$run" || true
    sleep 1
    assert_equal "run.otf2.zip.run" "$(ls run*)" "$mpi: files without the option"

    begin "$mpi" --on-term=finish "./handles-$mpi"
    kill -TERM $(ranks)
    wait "$run" || wrong "$mpi: a program that handles the signal does not end well: $(cat err)"
    is_finished "$mpi, a handler of the program's" "finalized"
    assert_contains "$(cat err)" "lost 0"

    begin "$mpi" --on-term=finish "$dies" loop -1 2000
    for process in /proc/[0-9]*; do
        if [ "$process/exe" -ef "$TOP_BUILDDIR/mpiwatch-finish" ] &&
            tr '\0' ' ' <"$process/cmdline" | grep -qF "$scratch/"; then
            kill -KILL "${process#/proc/}"
        fi
    done
    kill -TERM $(ranks)
    launcher_fails
    assert_equal "run.otf2.zip.run" "$(ls run*)" "$mpi: files when nobody finishes"
done
finish
