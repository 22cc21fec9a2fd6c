# Functions of the tests that run other people's programs; sourced after recordings.sh.

# prepare_hpcc N: writes hpccinf.txt for a matrix of N rows on a 1 x 2 grid.
prepare_hpcc() {
    sed "6s/.*/$1 Ns/; 11s/.*/1 Ps/; 12s/.*/2 Qs/" /usr/share/doc/hpcc/examples/_hpccinf.txt \
        >hpccinf.txt
}

# scalapack_of MPI: the folder of ScaLAPACK's test programs, or nothing.
scalapack_of() {
    local folder
    for folder in /usr/lib/*/scalapack/"$1"-tests; do
        [ ! -d "$folder" ] || echo "$folder"
    done
}

# verdicts_of FILE: what a test says of its results, without the times it took. How often
# hpcc says that something passed depends on these, too.
verdicts_of() {
    grep -oE 'PASSED|FAILED|passed|failed|Success=[01]|^ *[0-9]+ tests completed.*' "$1" |
        sort -u
}

# same_verdicts MPI RANKS PROGRAM FILE [ARGUMENT...]: runs the program without and with the
# recorder; FILE is where it writes its verdicts ("output" is stdout).
same_verdicts() {
    local mpi=$1 ranks=$2 program=$3 file=$4 name plain=0 code=0
    name=$(basename "$program")
    shift 4
    rm -f "$file"
    run_mpi "$mpi" "$ranks" "$program" "$@" >output 2>plain.err || plain=$?
    verdicts_of "$file" >plain.verdicts
    rm -f "$file" archive.otf2.zip
    run_mpi "$mpi" "$ranks" "$record" -o archive.otf2.zip "$program" "$@" >output 2>recorded.err ||
        code=$?
    verdicts_of "$file" >verdicts
    [ "$plain" -eq "$code" ] || wrong "$name, $mpi: exit $code, without the recorder $plain"
    [ -s verdicts ] || wrong "$name, $mpi: it says nothing of its results"
    cmp -s plain.verdicts verdicts || wrong "$name, $mpi: $(diff plain.verdicts verdicts)"
    matched "$name, $mpi"
}

# matched WHAT: nothing is unmatched or lost in archive.otf2.zip.
matched() {
    if [ ! -e archive.otf2.zip ]; then
        wrong "$1: no archive: $(grep mpiwatch: recorded.err | head -3)"
        return 0
    fi
    reported info archive
    assert_equal "0 0 0" "$(json info.json \
        '" ".join(str(d[k]) for k in ("unmatched_sends", "unmatched_receives", "lost_events"))')" \
        "$1: unmatched sends, unmatched receives, lost events"
}

# find_mpi4py_tests: sets $mpi4py_tests, the folder test/ of mpi4py's sources: MPI4PY_TESTS, or
# that of the release which Debian 12 has, by pip. Skips the test where there is neither.
find_mpi4py_tests() {
    "$python" -c 'import mpi4py' 2>/dev/null || skip "no mpi4py here"
    mpi4py_tests=${MPI4PY_TESTS-}
    if [ -z "$mpi4py_tests" ]; then
        echo "mpi4py==3.1.4" \
            "--hash=sha256:17858f2ebc623220d0120d1fa8d428d033dde749c4bc35b33d81a66ad7f93480" >wanted
        timeout 120 "$python" -m pip download --quiet --no-deps --no-binary :all: \
            --no-build-isolation --retries 0 --timeout 20 --require-hashes -r wanted \
            >fetched 2>&1 && tar xf mpi4py-3.1.4.tar.gz ||
            skip "the sources of mpi4py can't be fetched by pip, and MPI4PY_TESTS does not say" \
                "where their test/ is"
        mpi4py_tests=$scratch/mpi4py-3.1.4/test
    fi
    [ -f "$mpi4py_tests/runtests.py" ] || skip "$mpi4py_tests has no runtests.py"
}

# mpi4py_suite OPTIONS COMMAND...: runs it on 2 ranks, each with its output in a file of its
# own, and prints test, outcome.
mpi4py_suite() {
    local options=$1
    shift
    rm -f suite.out.*
    (cd "$mpi4py_tests" && run_openmpi 2 sh -c \
        "exec \"\$@\" >'$scratch'/suite.out.\$OMPI_COMM_WORLD_RANK 2>&1" sh \
        "$@" "$python" runtests.py --verbose --no-builddir $options) >launcher.out 2>&1 || true
    grep -haoE '[a-z_A-Z0-9]+ \([A-Za-z_0-9.]+\) \.\.\. (ok|FAIL|ERROR|skipped)' suite.out.* |
        sort | uniq -c
}

# same_mpi4py_outcomes LEAST OPTION...: of LEAST tests and more, with the recorder and without.
same_mpi4py_outcomes() {
    local least=$1
    shift
    mpi4py_suite "$*" >plain.outcomes
    mpi4py_suite "$*" "$record" -o "$scratch/archive.otf2.zip" >outcomes
    [ "$(grep -c ok outcomes)" -ge "$least" ] ||
        wrong "few tests ran: $(tail -n 5 suite.out.0 launcher.out)"
    cmp -s plain.outcomes outcomes ||
        wrong "outcomes differ: $(diff plain.outcomes outcomes | head)"
    [ -e archive.otf2.zip ] || wrong "there is no archive"
}
