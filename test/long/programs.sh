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
