# Each function of mpi.h, called by its MPI_ and by its PMPI_ name, is seen once by each of
# two, then of four instances, with the tools that the program, linked with the library,
# brings; and the functions are as many as mpi.h declares.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"
. "$TOP_SRCDIR/test/system/qmpi.sh"

for mpi in $(built_mpis); do
    declared=$(grep -c '^#define MWR_HAS_.* 1$' "$TOP_BUILDDIR/recorder/$mpi/mpi_has.h")
    [ "$declared" -gt 400 ] || wrong "$mpi: only $declared functions"
    for tools in pass,stop pass,pass,pass,stop mpiwatch,pass,stop; do
        instances=$(echo "$tools" | tr , '\n' | grep -c .)
        status=0
        MPIWATCH_TOOLS=$tools "$(program every_call "$mpi")" >run.out 2>run.err || status=$?
        [ "$tools" != mpiwatch,pass,stop ] || instances=2
        [ "$status" -eq 0 ] &&
            [ "$(cat run.out)" = "$declared functions, $instances instances, 0 errors" ] ||
            wrong "$mpi, $tools: exit $status: $(head -5 run.out run.err)"
    done
done
finish
