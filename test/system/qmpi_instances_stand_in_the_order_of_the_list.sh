# A program with a tool of its own wants two instances of it, outer and inner, each with its
# id and storage; it notices when there is one, or none. The list comes from any of three
# variables, the tool from the program, by LD_PRELOAD on either side, or by --tools-path.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"
. "$TOP_SRCDIR/test/system/qmpi.sh"

# accepts MPI LIST [ARGUMENT]: the program is content.
accepts() {
    MPIWATCH_TOOLS=$2 chained "$1" 2 "$(program acceptance "$1")" ${3:+"$3"}
    [ "$status" -eq 0 ] && [ "$(cat run.out)" = "no errors" ] ||
        wrong "$1, $2 ${3-}: exit $status: $(head -5 run.err)"
}

# rejects MPI LIST: it is not, and says so.
rejects() {
    MPIWATCH_TOOLS=$2 chained "$1" 2 "$(program acceptance "$1")"
    [ "$status" -ne 0 ] && grep -q 'there are not two instances' run.err ||
        wrong "$1, $2: exit $status: $(head -5 run.err)"
}

for mpi in $(built_mpis); do
    accepts "$mpi" twin:twin
    accepts "$mpi" twin,twin thread
    accepts "$mpi" mpiwatch,twin,twin
    accepts "$mpi" nobody:twin:nobody:twin:-mpiwatch
    rejects "$mpi" twin
    rejects "$mpi" twin:twin:twin
    rejects "$mpi" ''

    # Without mpiwatch there is no registering: MPICH's function says no, Open MPI has none.
    status=0
    QMPI_TOOL_LIST=twin:twin MPIR_CVAR_QMPI_TOOL_LIST=twin:twin \
        run_mpi "$mpi" 2 "$(program acceptance "$mpi")" >run.out 2>run.err || status=$?
    [ "$status" -ne 0 ] && grep -q 'the tool could not be registered' run.err ||
        wrong "$mpi, without mpiwatch: exit $status: $(head -5 run.err)"

    # --tools counts most, then MPICH's own variable, then the short one.
    for variables in 'QMPI_TOOL_LIST=twin:twin' 'MPIR_CVAR_QMPI_TOOL_LIST=twin:twin' \
        'MPIR_CVAR_QMPI_TOOL_LIST=twin:twin QMPI_TOOL_LIST=twin' \
        'MPIWATCH_TOOLS=twin:twin MPIR_CVAR_QMPI_TOOL_LIST=twin'; do
        status=0
        run_mpi "$mpi" 2 env $variables "$record" -q -o list.otf2.zip \
            "$(program acceptance "$mpi")" >run.out 2>run.err || status=$?
        [ "$status" -eq 0 ] || wrong "$mpi, $variables: exit $status: $(head -5 run.err)"
    done

    # Four instances of a tool that is loaded in each possible way.
    count=$(tool call_count "$mpi")
    library=$(library "$mpi")
    for way in "MPIWATCH_TOOLS_PATH=$count LD_PRELOAD=$library" \
        "LD_PRELOAD=$library:$count" "LD_PRELOAD=$count:$library"; do
        status=0
        run_mpi "$mpi" 2 env MPIWATCH_QUIET=1 MPIWATCH_FORCE=1 MPIWATCH_OUTPUT=way.otf2.zip \
            MPIWATCH_TOOLS=call_count:call_count:mpiwatch:call_count:call_count \
            $way "$(example ring "$mpi")" >run.out 2>run.err || status=$?
        [ "$status" -eq 0 ] || wrong "$mpi, $way: exit $status: $(head -5 run.err)"
        for id in 1 2 4 5; do
            diff <(counted "$id" run.err) - >counts.diff <<'COUNTS' ||
MPI_Comm_rank 2
MPI_Comm_size 2
MPI_Finalize 2
MPI_Init 2
MPI_Recv 20
MPI_Send 20
COUNTS
                wrong "$mpi, $way, instance $id: $(cat counts.diff)"
        done
    done
done
finish
