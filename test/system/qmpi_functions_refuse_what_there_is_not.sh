# Each function of QMPI returns a code, and nothing breaks, when it gets ids, function numbers,
# names and pointers that are none, at all times; a tool may register after MPI's first
# call, but not once the list has been read.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"
. "$TOP_SRCDIR/test/system/qmpi.sh"

for mpi in $(built_mpis); do
    MPIWATCH_TOOLS=known,late chained "$mpi" 1 "$(program errors "$mpi")"
    [ "$status" -eq 0 ] && [ "$(cat run.out)" = done ] ||
        wrong "$mpi: exit $status: $(head -20 run.out run.err)"
done
finish
