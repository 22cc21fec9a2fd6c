# Helpers of the system tests, which source this file first of all:
#
#     . "$TOP_SRCDIR/test/system/lib.sh"
#
# It leaves the test in a fresh scratch directory, removed at the end, with TMPDIR in it
# (spools are found in $TMPDIR), with the paths $record, $analyze and $python set, and
# with an environment in which mpirun works as root and on few cores. Nothing of the
# user's MPIWATCH_* variables or LD_PRELOAD comes in. `set -eu` is on: a command that
# fails and isn't expected to fails the test.
#
# By hand, from the build directory: TOP_SRCDIR=.. TOP_BUILDDIR=. bash ../test/system/X.sh

set -eu

TOP_SRCDIR=$(cd "$TOP_SRCDIR" && pwd)
TOP_BUILDDIR=$(cd "$TOP_BUILDDIR" && pwd)
record=$TOP_BUILDDIR/mpiwatch-record
analyze=$TOP_BUILDDIR/mpiwatch-analyze
python=/usr/bin/python3 # the distribution's, which has otf2 and mpi4py
test_timeout=${TEST_TIMEOUT-120} # seconds that one mpirun may take, or what is awaited
: "${MPIRUN_OPENMPI=$(command -v mpirun.openmpi)}" "${MPIRUN_MPICH=$(command -v mpirun.mpich)}"
: "${MPICC_OPENMPI=$(command -v mpicc.openmpi)}" "${MPICC_MPICH=$(command -v mpicc.mpich)}"
: "${CC=cc}"

# Unbuffered, Python writes a line and its end one by one, and mpirun mixes the ranks'.
for variable in $(compgen -e | grep '^MPIWATCH_' || true) LD_PRELOAD COLUMNS NO_COLOR \
    PYTHONHOME PYTHONPATH PYTHONUNBUFFERED PYTHONWARNINGS; do
    unset "$variable"
done
export COLUMNS=200 # of text that is laid out: what is looked for is on one line
export LC_ALL=C
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_mpi_yield_when_idle=1
export PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe # what Open MPI 5 wants instead
export OMPI_MCA_osc=^ucx OMPI_MCA_btl=self,vader,tcp
export OMPI_MCA_btl_tcp_if_include=lo OMPI_MCA_oob_tcp_if_include=lo
export UCX_LOG_LEVEL=fatal # its warnings go to stdout

scratch=$(mktemp -d "${TMPDIR:-/tmp}/mpiwatch-test.XXXXXX")
trap clean_up EXIT
export TMPDIR=$scratch/tmp
mkdir "$TMPDIR"
cd "$scratch"
export HOME="${HOME:-$scratch}" # Open MPI's mpirun wants one

# end_leftovers: ends what the test has started and nobody has ended, as a rank of MPICH whose
# launcher was killed by a signal: it would keep a core from all tests behind it.
end_leftovers() {
    local pid
    for pid in $(grep -lsaF "TMPDIR=$TMPDIR" /proc/[0-9]*/environ | cut -d/ -f3); do
        kill -9 "$pid" 2>/dev/null && printf 'left running: %s\n' "$pid" >&2
    done
    true
}

# clean_up: what is due when a test ends. Its log ends with the processor time, of the user and of
# the system, that the test took and then its programs: many tests share two cores.
clean_up() {
    times
    cd / && end_leftovers && rm -rf "$scratch"
}

# --- outcomes ------------------------------------------------------------------

# fail SENTENCE: ends the test.
fail() {
    printf 'FAILED: %s\n' "$*" >&2
    exit 1
}

# skip REASON: ends the test as not applicable here.
skip() {
    printf 'skipped: %s\n' "$*" >&2
    exit 77
}

# need PROGRAM...: skips the test when one is missing.
need() {
    local program
    for program; do
        command -v "$program" >/dev/null || skip "no $program here"
    done
}

# tells_stacks: whether the recorder can tell by which functions calls come on this machine.
tells_stacks() {
    case $(uname -m) in
    x86_64 | aarch64) ;;
    *) return 1 ;;
    esac
}

# can_mount: whether a file system of one's own can be made, as unshare and mount allow it.
can_mount() {
    unshare --mount sh -c "mount -t tmpfs -o size=64k none '$TMPDIR'" 2>/dev/null
}

# --- MPI -------------------------------------------------------------------------

# mpis: the MPIs that can be tested here, "openmpi mpich" or one of them.
mpis() {
    [ -z "$MPIRUN_OPENMPI" ] || echo openmpi
    [ -z "$MPIRUN_MPICH" ] || echo mpich
}

# need_mpi openmpi|mpich: skips the test when this MPI is missing.
need_mpi() {
    mpis | grep -qx "$1" || skip "no $1 here"
}

# mpicc_of openmpi|mpich: its C compiler.
mpicc_of() {
    local compiler=$MPICC_OPENMPI
    [ "$1" = openmpi ] || compiler=$MPICC_MPICH
    [ -n "$compiler" ] || skip "no C compiler of $1 here"
    echo "$compiler"
}

# Both mpiruns cut the lines of ranks that print at the same time ("12\n12\n" arrives as
# "1212\n\n"). So each rank's output goes to files of its own, and is printed by rank when
# the job is over.

# new_outputs: makes an empty directory $outputs.
new_outputs() {
    outputs=$(mktemp -d "$scratch/outputs.XXXXXX")
}

# print_outputs STATUS FILE...: those named *out to stdout, the others to stderr. Takes
# $outputs away and returns STATUS.
print_outputs() {
    local status=$1 file
    shift
    for file; do
        case $file in
        *\**) ;; # nothing ran
        *out) cat "$file" ;;
        *) tr -d '\0' <"$file" >&2 ;;
        esac
    done
    rm -rf "$outputs"
    return "$status"
}

# openmpi_is_4: whether Open MPI is of the versions up to 4, which have the persistent collectives
# as an extension, and windows over messages.
openmpi_is_4() {
    [ "$("$MPIRUN_OPENMPI" --version | sed 's/.*) \([0-9]*\)\..*/\1/;q')" -le 4 ]
}

# gently: from now on ranks that wait sleep for it, and leave the cores to other tests.
gently() {
    $CC -O1 -shared -fPIC -o "$scratch/gently.so" "$TOP_SRCDIR/test/system/gently.c" -ldl
    export LD_PRELOAD=$scratch/gently.so
}

# kill_at_once: where a rank has died, Open MPI's launcher ends the others by SIGTERM and, a second
# later, by SIGKILL. From now on it does not wait for that second: for tests in which many die.
kill_at_once() {
    export OMPI_MCA_odls_base_sigkill_timeout=0 PRTE_MCA_odls_base_sigkill_timeout=0
}

# mpich_is_4_0: whether MPICH is of a version before 4.1, whose launcher notices each death.
mpich_is_4_0() {
    "$MPIRUN_MPICH" --version | grep -q ' Version: *\(3\|4\.0\)\.'
}

# The launcher of Open MPI 5 loses output when it is asked for files: each process opens its own.
# What it says itself ends with a null.
own_outputs='exec "$@" >>"$OWN_OUTPUTS/rank.$OMPI_COMM_WORLD_RANK.out" \
    2>>"$OWN_OUTPUTS/rank.$OMPI_COMM_WORLD_RANK.err"'

# note_timeout BEGIN COMMAND...: in the file $TIMEOUTS, where that is asked for, which launcher took
# all of its time, having begun at BEGIN of $SECONDS. A test may go on behind it, and pass.
note_timeout() {
    [ -z "${TIMEOUTS-}" ] || [ $((SECONDS - $1)) -lt "$test_timeout" ] ||
        printf '%s: %s s: %s\n' "${0##*/}" "$test_timeout" "${*:2}" >>"$TIMEOUTS"
}

# run_openmpi N COMMAND...: on N ranks, with a timeout (status 124) and no input. mpirun is given
# the words of $mpirun_options, too.
run_openmpi() {
    local ranks=$1 outputs begin=$SECONDS status=0
    shift
    new_outputs
    if openmpi_is_4; then
        timeout -k 10 "$test_timeout" "$MPIRUN_OPENMPI" --output-filename "$outputs:nocopy" \
            ${mpirun_options-} -n "$ranks" "$@" </dev/null || status=$?
        note_timeout "$begin" "$MPIRUN_OPENMPI" "$@"
        print_outputs "$status" "$outputs"/*/rank.*/*
    else
        OWN_OUTPUTS=$outputs timeout -k 10 "$test_timeout" "$MPIRUN_OPENMPI" \
            ${mpirun_options-} -n "$ranks" sh -c "$own_outputs" sh "$@" </dev/null \
            2>"$outputs/launcher.err" || status=$?
        note_timeout "$begin" "$MPIRUN_OPENMPI" "$@"
        print_outputs "$status" "$outputs"/*
    fi
}

# run_mpich N COMMAND...: N of at most 3, since idle ranks of MPICH spin.
run_mpich() {
    local ranks=$1 outputs begin=$SECONDS status=0
    shift
    new_outputs
    timeout -k 10 "$test_timeout" "$MPIRUN_MPICH" -outfile-pattern "$outputs/%g.%r.out" \
        -errfile-pattern "$outputs/%g.%r.err" -n "$ranks" "$@" </dev/null || status=$?
    note_timeout "$begin" "$MPIRUN_MPICH" "$@"
    print_outputs "$status" "$outputs"/*
}

# run_mpi openmpi|mpich N COMMAND...
run_mpi() {
    local mpi=$1
    shift
    "run_$mpi" "$@"
}

# beside FUNCTION MPI...: the function with each of these MPIs, beside each other, for tests that
# wait more than they work. Each is in a directory of its own, with spools of its own, and what it
# says comes when all have ended.
beside() {
    local mpi job code status=0 jobs=()
    for mpi in "${@:2}"; do
        mkdir "$mpi" "$TMPDIR/$mpi"
        (
            cd "$mpi"
            export TMPDIR=$TMPDIR/$mpi
            if [ -n "${spools-}" ]; then
                spools=$PWD/spools
                mkdir "$spools"
                export MPIWATCH_SPOOL=$spools
            fi
            "$1" "$mpi"
        ) >"$mpi.beside" 2>&1 &
        jobs+=($!)
    done
    for job in "${jobs[@]}"; do
        wait "$job" || {
            code=$?
            [ $code = 77 ] && [ $status != 0 ] || status=$code
        }
    done
    cat ./*.beside >&2
    [ "$status" = 0 ] || exit "$status"
}

# example NAME openmpi|mpich: the path of an example's program.
example() {
    local path=$TOP_BUILDDIR/examples/$1-$2
    [ -x "$path" ] || skip "examples/$1-$2 was not built"
    echo "$path"
}

# library openmpi|mpich: the path of the built library that is preloaded.
library() {
    echo "$TOP_BUILDDIR/.libs/libmpiwatch-$1.so"
}

# --- assertions ------------------------------------------------------------------

# assert_equal EXPECTED ACTUAL WHAT
assert_equal() {
    [ "$1" = "$2" ] || fail "$3: expected \"$1\", got \"$2\""
}

# assert_contains TEXT FRAGMENT: FRAGMENT is taken literally.
assert_contains() {
    case $1 in
    *"$2"*) ;;
    *) fail "\"$2\" is not in: $1" ;;
    esac
}

# assert_lacks TEXT FRAGMENT
assert_lacks() {
    case $1 in
    *"$2"*) fail "\"$2\" is in: $1" ;;
    esac
}

# assert_matches TEXT PATTERN: an extended regular expression, on one line at least.
assert_matches() {
    printf '%s\n' "$1" | grep -Eq -- "$2" || fail "nothing matches /$2/ in: $1"
}

# assert_empty FILE: shows what is in it otherwise.
assert_empty() {
    [ ! -s "$1" ] || fail "$1 is not empty: $(head -c 2000 "$1")"
}

# assert_file PATH
assert_file() {
    [ -f "$1" ] || fail "there is no file $1"
}

# status_of COMMAND...: prints the exit status; the output goes to the files stdout, stderr.
status_of() {
    local status=0
    "$@" >stdout 2>stderr || status=$?
    echo "$status"
}

# await WHAT COMMAND...: until the command succeeds, for as long as a mpirun may take. A test that
# lets programs go then, and shows something, has a function give_up.
await() {
    local what=$1 end=$((SECONDS + test_timeout))
    shift
    until "$@"; do
        [ $SECONDS -lt $end ] || fail "$what: not within $test_timeout s:" \
            "$(! declare -F give_up >/dev/null || give_up)"
        sleep 0.1
    done
}

# --- JSON ------------------------------------------------------------------------

# json FILE EXPRESSION: evaluates a Python expression over the document d and prints it
# (text as it is, everything else as JSON): json info.json 'd["lost_events"]'. There are thousands
# of these: Python looks for no modules but its own, which takes a third of the time.
json() {
    "$python" -I -S - "$1" "$2" <<'PYTHON'
import json, sys
d = json.load(open(sys.argv[1]))
value = eval(sys.argv[2])
print(value if isinstance(value, str) else json.dumps(value))
PYTHON
}

# kill_ranks RUN: with SIGKILL the processes that a run's file names. The launcher may have been
# quicker, which ends those that are left.
kill_ranks() {
    local pid
    for pid in $(sed -n 's/.*"pid": *\([0-9]*\).*/\1/p' "$1"); do
        kill -9 "$pid" 2>/dev/null || true
    done
}
