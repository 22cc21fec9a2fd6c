# Programs with one planted fault each (examples/faults.c), recorded, and what the report says of
# them: the cause, the ranks, the line. They compute by the clock and for long, and what they wait
# for a core is not recorded, so that it matters little what else the machine does; those that
# others' work on the machine may bring about have their counter-examples in planted.py.
. "$TOP_SRCDIR/test/system/lib.sh"

# line_of TEXT: its number in the program's source, the first.
line_of() {
    grep -nF "$1" "$TOP_SRCDIR/examples/faults.c" | head -1 | cut -d: -f1
}
leak=$(line_of "MPI_Comm_dup(")
request=$(line_of "MPI_Irecv(")
# report RANKS FAULT [OPTION]: its report as JSON, in report.json, recorded with OPTION.
report() {
    run_mpi "$mpi" "$1" "$record" -q --force ${3:---cpu=off} -o run.otf2.zip \
        "$TOP_BUILDDIR/examples/faults-$mpi" "$2" >/dev/null
    "$analyze" report --json run.otf2.zip >report.json || fail "report of $2"
}
# ids: of all causes that the report names.
ids() {
    json report.json '" ".join(c["id"] for c in d["causes"])'
}
# names RANKS FAULT ID PATTERN: the cause's sentence, of one run of at most five. Where there are
# fewer cores than ranks it is in doubt.
names() {
    local sentence run
    for run in 1 2 3 4 5; do
        report "$1" "$2"
        sentence=$(json report.json '"; ".join(c["sentence"] for c in d["causes"]
            if c["id"] == "'"$3"'")')
        ! printf '%s\n' "$sentence" | grep -qE "$4" || break
    done
    assert_matches "$sentence" "$4"
}
# names_alone RANKS FAULT ID PATTERN: the same, and the run without the fault does not have it.
names_alone() {
    names "$@"
    report "$1" "$2_not"
    case " $(ids) " in *" $3 "*) fail "$mpi, $2_not: $(ids)" ;; esac
}

for mpi in $(mpis); do
    names 2 imbalance imbalance \
        "^(perhaps )?rank 1 computes .* average, mostly before MPI_Allreduce, faults\.c:[0-9]+: "
    names 2 late_sender late_sender \
        "^(perhaps )?rank 0 sends late, MPI_Send, faults\.c:[0-9]+, though it computes about"
    names 2 late_receiver late_receiver \
        "^(perhaps )?rank 1 receives late, MPI_Recv, faults\.c:[0-9]+, while MPI_Send of large "
    names_alone 2 tiny tiny_messages \
        "^40\.0 k tiny messages .* from rank 0 to rank 1, 8 B each, MPI_Send, faults\.c:"
    names_alone 2 polling polling "^polling: .* calls, mostly MPI_Iprobe, faults\.c:"
    names_alone 2 comm_leak communicators_not_freed \
        "^200 communicators were made and never freed, MPI_Comm_dup, faults\.c:$leak"
    names_alone 2 request_leak requests_not_completed \
        "^20 requests were never completed, MPI_Irecv, faults\.c:$request"
    names_alone 2 flood unexpected_messages \
        "^rank 0 is flooded: on average [0-9]{4} messages of 4 B wait .* MPI_Recv, faults\.c:"
    names_alone 2 overlap no_overlap \
        "^MPI_Bcast takes [0-9]+% .* waiting, mostly faults\.c:[0-9]+, 40\.0 MB on average"
    # Who sleeps and who lacks a core is told by what the kernel says of threads.
    report 2 threads --cpu=on
    assert_contains "$(json report.json '"; ".join(c["sentence"] for c in d["causes"])')" \
        "other threads of ranks 0 and 1 do not run for "
    report 2 threads_not --cpu=on
    assert_equal false "$(json report.json '"threads_idle" in [c["id"] for c in d["causes"]]')" \
        "$mpi, threads that compute"
    names 2 chain serialisation \
        "^(perhaps )?the ranks work one after the other: a chain of messages through 2 ranks"
    names_alone 2 file_sync file_sync \
        "^file I/O: .* flush files to disk for .* MPI_File_sync, faults\.c:[0-9]+, faults\.out"
    [ "$mpi" = mpich ] || names 3 master master \
        "^(perhaps )?rank 0 serves all others by receives for anybody \(MPI_ANY_SOURCE\)"
done
