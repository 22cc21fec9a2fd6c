# Functions of the tests that record the examples; to be read with `.` from a test.
#
# A test runs in a directory of its own, which is removed when it is over. It counts what
# goes wrong with `fail` and ends with `finish`, whose exit status tells.

top_builddir=$(cd "${top_builddir:-.}" && pwd)
top_srcdir=$(cd "${top_srcdir:-${srcdir:-$(dirname "$0")/../..}}" && pwd)
examples=$top_builddir/examples
record=$top_builddir/mpiwatch-record
analyze=$top_builddir/mpiwatch-analyze
failures=0

export LC_ALL=C
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_mpi_yield_when_idle=1

scratch=$(mktemp -d "${TMPDIR:-/tmp}/mpiwatch-test.XXXXXX") || exit 99
trap 'cd / && rm -rf "$scratch"' EXIT
cd "$scratch" || exit 99

# The spools of these runs lie inside the scratch, so that a test sees what is left of them.
mkdir spools
export MPIWATCH_SPOOL=$scratch/spools

fail() {
    echo "FAILED: $*"
    failures=$((failures + 1))
}

finish() {
    [ "$failures" -eq 0 ] && exit 0
    echo "$failures failures"
    exit 1
}

skip() {
    echo "SKIPPED: $*"
    exit 77
}

# The MPIs that examples were built for; test with each of them.
mpis=
for mpi in openmpi mpich; do
    [ -x "$examples/ring-$mpi" ] && mpis="$mpis $mpi"
done
[ -n "$mpis" ] || skip "no example was built"

# ranks_of MPI: how many ranks to test with. MPICH does not yield when oversubscribed.
ranks_of() {
    if [ "$1" = mpich ]; then echo 2; else echo 4; fi
}

# launch MPI RANKS COMMAND...: runs it under that MPI; seconds to live are in $patience.
launch() {
    launch_mpi=$1
    launch_ranks=$2
    shift 2
    timeout -k 5 "${patience:-60}" "mpirun.$launch_mpi" -n "$launch_ranks" "$@"
}

# recorded MPI RANKS NAME [ARGUMENT...]: records examples/NAME-MPI into NAME.otf2.zip;
# its output in NAME.out and NAME.err, its status in $status.
recorded() {
    recorded_mpi=$1
    recorded_ranks=$2
    recorded_name=$3
    shift 3
    rm -rf "$recorded_name.otf2.zip"
    launch "$recorded_mpi" "$recorded_ranks" "$record" -o "$recorded_name.otf2.zip" \
        "$examples/$recorded_name-$recorded_mpi" "$@" \
        >"$recorded_name.out" 2>"$recorded_name.err"
    status=$?
    leftovers=$(ls -A spools)
    [ -z "$leftovers" ] || fail "$recorded_name, $recorded_mpi: spools left: $leftovers"
}

# as_expected MPI RANKS SOURCE [OPTION...]: holds NAME.otf2.zip against examples/SOURCE.
as_expected() {
    expected_mpi=$1
    expected_ranks=$2
    expected_source=$3
    expected_name=${3%.*}
    shift 3
    if [ ! -e "$expected_name.otf2.zip" ]; then
        fail "$expected_name, $expected_mpi: no archive; stderr: $(head -5 "$expected_name.err")"
        return
    fi
    /usr/bin/python3 "$top_srcdir/test/system/check_archive.py" --analyze "$analyze" \
        --source "$top_srcdir/examples/$expected_source" --ranks "$expected_ranks" \
        --stdout "$expected_name.out" "$@" "$expected_name.otf2.zip" >"$expected_name.check" 2>&1 ||
        fail "$expected_name, $expected_mpi, $expected_ranks ranks:
$(cat "$expected_name.check")"
}

# archives_of SOURCE...: each example of the list, recorded with every MPI, is as expected.
archives_of() {
    for archive_source; do
        for archive_mpi in $mpis; do
            archive_ranks=$(ranks_of "$archive_mpi")
            [ -x "$examples/${archive_source%.*}-$archive_mpi" ] || continue
            recorded "$archive_mpi" "$archive_ranks" "${archive_source%.*}"
            [ "$status" -eq "${expected_status:-0}" ] ||
                fail "${archive_source%.*}, $archive_mpi: exit $status:" \
                    "$(head -5 "${archive_source%.*}.err")"
            as_expected "$archive_mpi" "$archive_ranks" "$archive_source"
        done
    done
}
