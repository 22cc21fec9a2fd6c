# The recorder is the tool mpiwatch: innermost when the list does not have it, where the list
# has it, gone with -mpiwatch. The archive lists the tools in order. What the list or
# --tools-path has in vain is one line, and left out. An MPI with QMPI of its own is told so.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"
. "$TOP_SRCDIR/test/system/qmpi.sh"

# listed MPI LIST EXPECTED [LINE]: the archive has these tools, and stderr this one line, not
# counting those of call_count.
listed() {
    MPIWATCH_TOOLS=$2 chained "$1" 2 "$(example ring "$1")"
    [ "$status" -eq 0 ] || wrong "$1, $2: exit $status: $(head -5 run.err)"
    unzip -p run.otf2.zip mpiwatch.json >run.json
    assert_equal "$3" "$(json run.json 'd["settings"]["tools"]')" "$1, $2: the tools"
    assert_equal "${4-}" "$(grep -v '^call_count' run.err || true)" "$1, $2: stderr"
}

for mpi in $(built_mpis); do
    count=$(tool call_count "$mpi")
    export MPIWATCH_TOOLS_PATH=$count
    listed "$mpi" call_count call_count:mpiwatch
    listed "$mpi" call_count:mpiwatch,call_count call_count:mpiwatch:call_count
    listed "$mpi" ',mpiwatch::call_count,' mpiwatch:call_count
    listed "$mpi" mpiwatch mpiwatch
    listed "$mpi" nobody,call_count call_count:mpiwatch \
        'mpiwatch: there is no tool "nobody": it is left out'
    listed "$mpi" mpiwatch,call_count,mpiwatch mpiwatch:call_count \
        'mpiwatch: the list of tools has mpiwatch twice: the second is left out'
    listed "$mpi" '' mpiwatch \
        'mpiwatch: tools were loaded by --tools-path, but none is named by --tools'
    many=$(printf 'call_count,%.0s' $(seq 64))
    listed "$mpi" "mpiwatch,${many%,}" \
        "mpiwatch$(printf ':call_count%.0s' $(seq 63))" \
        'mpiwatch: a chain has at most 64 tools: call_count is left out'

    MPIWATCH_TOOLS=call_count,-mpiwatch chained "$mpi" 2 "$(example ring "$mpi")"
    [ ! -e run.otf2.zip ] || wrong "$mpi: -mpiwatch records"
    assert_equal "MPI_Send 20" "$(counted 1 run.err | grep Send)" "$mpi, without recorder"

    MPIWATCH_TOOLS_PATH=/nowhere.so:$count listed "$mpi" call_count call_count:mpiwatch \
        "mpiwatch: a library of tools can't be loaded: /nowhere.so: cannot open shared object\
 file: No such file or directory"

    native=$TOP_BUILDDIR/test/system/qmpi_native-$mpi.so
    status=0
    run_mpi "$mpi" 2 env MPIWATCH_QUIET=1 LD_PRELOAD="$(library "$mpi"):$native" \
        MPIWATCH_OUTPUT=native.otf2.zip MPIR_CVAR_QMPI_TOOL_LIST=call_count \
        "$(example ring "$mpi")" >run.out 2>run.err || status=$?
    assert_equal "mpiwatch: this MPI has QMPI itself; mpiwatch runs the tools in its place" \
        "$(grep -v '^call_count' run.err || true)" "$mpi, with QMPI of its own"
    assert_equal "MPI_Send 20" "$(counted 1 run.err | grep Send)" "$mpi, with QMPI of its own"
    rm -f native.otf2.zip
done
finish
