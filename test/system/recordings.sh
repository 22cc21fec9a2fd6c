# Functions of the tests that record the examples and hold the archives against what the
# examples expect. A test sources lib.sh, then this file. What goes wrong is said and
# counted, so that one run of a test tells all; `finish` ends it.

wrong_count=0

# Spools lie inside the scratch, where a test sees what is left of them.
spools=$scratch/spools
mkdir "$spools"
export MPIWATCH_SPOOL=$spools

# wrong SENTENCE: the test goes on, and fails in the end.
wrong() {
    printf 'FAILED: %s\n' "$*" >&2
    wrong_count=$((wrong_count + 1))
}

# finish: ends the test.
finish() {
    [ "$wrong_count" -eq 0 ] || fail "$wrong_count of the above"
    exit 0
}

# ranks_have_ended: waits for the ranks of a run that died: MPICH's mpiexec ends before them.
ranks_have_ended() {
    local attempt
    for attempt in $(seq 100); do
        "$TOP_BUILDDIR/mpiwatch-recover" 2>/dev/null | grep -q 'still running' || return 0
        sleep 0.1
    done
    wrong "ranks still run, attempt $attempt"
}

# end_ranks PROGRAM: ends those that still run it, as MPICH 4.2's mpiexec leaves ranks that wait for
# one that has ended. PROGRAM is a file in the scratch, which nobody else runs.
end_ranks() {
    local process
    for process in /proc/[0-9]*; do
        if [ "$process/exe" -ef "$1" ]; then
            kill -KILL "${process#/proc/}" 2>/dev/null || true
        fi
    done
}

# built_mpis: the MPIs that the examples were built for.
built_mpis() {
    local mpi
    for mpi in $(mpis); do
        [ ! -x "$TOP_BUILDDIR/examples/ring-$mpi" ] || echo "$mpi"
    done
}

# ranks_of MPI: how many ranks to test with; MPICH's idle ranks spin.
ranks_of() {
    if [ "$1" = mpich ]; then echo 2; else echo 4; fi
}

# spools_of MPI RANKS NAME [ARGUMENT...]: records examples/NAME-MPI, which dies at the beginning of
# MPI_Finalize, and keeps its spools in the directory NAME.
spools_of() {
    local mpi=$1 ranks=$2 name=$3
    shift 3
    (
        kill_at_once
        MPIWATCH_TEST_DIE_AT=1:0 run_mpi "$mpi" "$ranks" "$record" -o "$name.otf2.zip" \
            "$(example "$name" "$mpi")" "$@"
    ) >"$name.out" 2>"$name.err" || true
    [ -n "$(ls "$spools")" ] || fail "$name, $mpi, has left no spools: $(head -5 "$name.err")"
    rm -rf "${name:?}" "$name.otf2.zip.run"
    mv "$spools" "$name"
    mkdir "$spools"
}

# run_plain MPI RANKS NAME [ARGUMENT...]: runs examples/NAME-MPI, output in plain.out and
# plain.err, status in $plain_status.
run_plain() {
    local mpi=$1 ranks=$2 name=$3
    shift 3
    plain_status=0
    run_mpi "$mpi" "$ranks" "$(example "$name" "$mpi")" "$@" >plain.out 2>plain.err ||
        plain_status=$?
}

# recorded MPI RANKS NAME [ARGUMENT...]: records examples/NAME-MPI into NAME.otf2.zip,
# output in NAME.out and NAME.err, status in $status.
recorded() {
    local mpi=$1 ranks=$2 name=$3 left
    shift 3
    rm -rf "$name.otf2.zip"
    status=0
    run_mpi "$mpi" "$ranks" "$record" -o "$name.otf2.zip" "$(example "$name" "$mpi")" "$@" \
        >"$name.out" 2>"$name.err" || status=$?
    left=$(ls -A "$spools")
    [ -z "$left" ] || wrong "$name, $mpi: spools are left: $left"
}

# as_expected MPI RANKS SOURCE [OPTION...]: holds the archive that recorded made against
# the comment on top of examples/SOURCE.
as_expected() {
    local mpi=$1 ranks=$2 source=$3 name=${3%.*}
    shift 3
    if [ ! -e "$name.otf2.zip" ]; then
        wrong "$name, $mpi: there is no archive; stderr: $(head -5 "$name.err")"
        return 0
    fi
    "$python" "$TOP_SRCDIR/test/system/check_archive.py" --analyze "$analyze" \
        --source "$TOP_SRCDIR/examples/$source" --ranks "$ranks" --stdout "$name.out" "$@" \
        "$name.otf2.zip" >"$name.check" 2>&1 ||
        wrong "$name, $mpi, $ranks ranks:
$(cat "$name.check")"
}

# archives_of SOURCE...: each of these examples, recorded with every MPI, is as expected.
archives_of() {
    archives_with "$(built_mpis)" "$@"
}

# archives_with MPIS SOURCE...: the same with these MPIs.
archives_with() {
    local source name mpi ranks mpis=$1
    shift
    for mpi in $mpis; do
        ranks=$(ranks_of "$mpi")
        for source; do
            name=${source%.*}
            recorded "$mpi" "$ranks" "$name"
            [ "$status" -eq 0 ] || wrong "$name, $mpi: exit $status: $(head -5 "$name.err")"
            as_expected "$mpi" "$ranks" "$source"
        done
    done
}

# reported COMMAND NAME: `mpiwatch-analyze COMMAND --json` of NAME.otf2.zip, in COMMAND.json.
reported() {
    local code=0
    echo '{}' >"$1.json"
    "$analyze" "$1" --json "$2.otf2.zip" >"$1.json" 2>analyze.err || code=$?
    [ "$code" -eq 0 ] || wrong "$2: $1 --json: exit $code: $(head -3 analyze.err)"
}

# python_check WHAT [ARGUMENT...]: the Python on stdin runs without an exception.
python_check() {
    local what=$1
    shift
    "$python" - "$@" >python.out 2>&1 || wrong "$what: $(tail -3 python.out)"
}
