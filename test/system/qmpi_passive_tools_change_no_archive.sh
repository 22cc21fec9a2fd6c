# Two instances of a tool that only counts, one on either side of the recorder: the archive
# has the same events in the same order at each location, in C and Fortran, and with threads
# the same number of each call; the tool has counted what the archive has.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"
. "$TOP_SRCDIR/test/system/qmpi.sh"
need otf2-print unzip

# compared MPI NAME WHAT: WHAT of the archives without and with the tools.
compared() {
    local mpi=$1 name=$2 what=$3
    MPIWATCH_TOOLS= MPIWATCH_TOOLS_PATH= chained "$mpi" 2 -e all "$(example "$name" "$mpi")"
    "$what" run.otf2.zip >without
    MPIWATCH_TOOLS=call_count,mpiwatch,call_count \
        chained "$mpi" 2 -e all "$(example "$name" "$mpi")"
    [ "$status" -eq 0 ] || wrong "$mpi, $name: exit $status: $(head -5 run.err)"
    "$what" run.otf2.zip >with
    [ "$(wc -l <with)" -ge 5 ] || wrong "$mpi, $name: only $(wc -l <with) lines"
    diff without with >with.diff || wrong "$mpi, $name: $(head -5 with.diff)"
    for id in 1 3; do
        diff <(calls_of run.otf2.zip) <(counted "$id" run.err) >counts.diff ||
            wrong "$mpi, $name, instance $id: $(head -5 counts.diff)"
    done
}

for mpi in $(built_mpis); do
    export MPIWATCH_TOOLS_PATH=$(tool call_count "$mpi")
    for name in ring collectives comms p2p_all_modes persistent; do
        compared "$mpi" "$name" events_of
    done
    for name in inplace_mpif inplace_usempi inplace_f08; do
        [ ! -x "$TOP_BUILDDIR/examples/$name-$mpi" ] || compared "$mpi" "$name" events_of
    done
    compared "$mpi" threads_pingpong calls_of
done
finish
