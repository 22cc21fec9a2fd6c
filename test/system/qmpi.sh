# Functions of the tests of the chain of tools. A test sources lib.sh, recordings.sh, and
# then this file.

# No list of tools, nor delays, from outside.
unset MPIR_CVAR_QMPI_TOOL_LIST QMPI_TOOL_LIST QMPI_DELAY

# program NAME MPI: the path of test/system/qmpi_NAME.
program() {
    local path=$TOP_BUILDDIR/test/system/qmpi_$1-$2
    [ -x "$path" ] || skip "test/system/qmpi_$1-$2 was not built"
    echo "$path"
}

# tool NAME MPI: the path of the library of examples/qmpi_NAME.
tool() {
    local path=$TOP_BUILDDIR/examples/qmpi_$1-$2.so
    [ -f "$path" ] || skip "examples/qmpi_$1-$2.so was not built"
    echo "$path"
}

# chained MPI RANKS COMMAND...: records into run.otf2.zip, output in run.out and run.err,
# status in $status; MPIWATCH_TOOLS and MPIWATCH_TOOLS_PATH are the caller's to set.
chained() {
    local mpi=$1 ranks=$2
    shift 2
    rm -rf run.otf2.zip
    status=0
    run_mpi "$mpi" "$ranks" "$record" -q -o run.otf2.zip "$@" >run.out 2>run.err || status=$?
}

# calls_of ARCHIVE: "MPI_Send 20" and so on, sorted.
calls_of() {
    "$analyze" calls --json "$1" >calls.json 2>calls.err ||
        wrong "calls of $1: $(head -3 calls.err)"
    json calls.json '"\n".join(sorted("%s %d" % (c["name"], c["count"]) for c in d["calls"]))'
}

# counted ID FILE: what the instance of call_count with this id has counted, likewise.
counted() {
    sed -n "s/^call_count $1: //p" "$2" | sort
}

# events_of ARCHIVE: all events without their times, by location; not the samples of MPI's
# queues, which are as the ranks' timing has it.
events_of() {
    rm -rf unpacked && mkdir unpacked && (cd unpacked && unzip -q "../$1")
    otf2-print unpacked/traces.otf2 | grep -E '^[A-Z_]+ +[0-9]+ ' | grep -v '^METRIC ' |
        sed -E 's/^([A-Z_]+ +[0-9]+ +)[0-9]+/\1/' | sort -s -k2,2n
}
