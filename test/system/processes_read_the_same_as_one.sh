# Read by several processes that mpirun starts, an archive says what it says to one, byte by byte;
# the first process speaks, and damage, a missing MPI and a process that is killed end in a
# sentence.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"
generate=$TOP_BUILDDIR/test/bench/generate

# MPICH's launcher ends by SIGPIPE itself now and then where a process ends at once, as in one of
# 100 runs of `sh -c 'exit 2'` on busy cores; a rank that does is 13 to it, and not 141. What is run
# here only reads, so that it can be run again.
run_mpi() {
    local status tries
    for tries in 1 2 3; do
        status=0
        "run_$1" "${@:2}" >"$scratch/run_mpi.out" 2>"$scratch/run_mpi.err" || status=$?
        [ "$status" = 141 ] || break
    done
    cat "$scratch/run_mpi.out"
    cat "$scratch/run_mpi.err" >&2
    return "$status"
}
export XDG_CACHE_HOME=$scratch/cache

# as_one MPI PROCESSES WORDS...: what several say and how they end is what one says, and how. A
# launcher adds words of its own where a status is not 0.
as_one() {
    local mpi=$1 processes=$2 expected
    shift 2
    expected=$(status_of "$analyze" -j 1 "$@")
    mv stdout one.out
    grep '^mpiwatch-analyze:' stderr >one.err || true
    assert_equal "$expected" "$(status_of run_mpi "$mpi" "$processes" "$analyze" "$@")" \
        "status of $processes processes, $mpi: $*"
    cmp one.out stdout || fail "$processes processes, $mpi, say something else: $*"
    grep '^mpiwatch-analyze:' stderr >several.err || true
    cmp one.err several.err || fail "$processes processes, $mpi, complain otherwise: $*"
}

# damage FILE...: in the middle of events.
damage() {
    local file
    for file; do
        head -c 64 /dev/zero | tr '\0' '\377' |
            dd of="$file" bs=1 seek=20000 conv=notrunc status=none
    done
}

# Of threads and streams, of counters, of a run that hangs, of one whose record ends inside calls,
# of communicators, and a larger one.
"$generate" made 4 60000 >/dev/null
for name in threads open comm_lives waits_losses; do
    "$TOP_BUILDDIR/test/data/make_archive" "$name" "$name"
done
"$python" "$TOP_SRCDIR/test/system/foreign.py" metrics metrics 2>/dev/null || rm -rf metrics
for mpi in $(built_mpis); do
    recorded "$mpi" 2 ring
    recorded "$mpi" 2 comms
done
for mpi in $(mpis); do
    for processes in 2 3; do
        as_one "$mpi" "$processes" calls --json made
        as_one "$mpi" "$processes" ranks made
        as_one "$mpi" "$processes" imbalance --csv threads
    done
    as_one "$mpi" 1 calls made
    as_one "$mpi" 2 calls --from 1ms --to 5ms --json made
    as_one "$mpi" 2 calls --comm MPI_COMM_WORLD made
    as_one "$mpi" 2 hang open
    as_one "$mpi" 2 timeline --comms --json comm_lives
    as_one "$mpi" 2 calls --json waits_losses
    for archive in *.otf2.zip metrics; do
        [ ! -e "$archive" ] || as_one "$mpi" 2 counters --series --csv "$archive"
    done
    # What the MPI takes for itself is no part of what they may take.
    as_one "$mpi" 2 ranks --max-memory=16M threads
    # The first process follows messages, the others see the events meanwhile.
    as_one "$mpi" 3 waits --json threads
    as_one "$mpi" 2 report threads
    as_one "$mpi" 3 report --json waits_losses
    as_one "$mpi" 3 timeline --json made
    as_one "$mpi" 2 timeline --from 1ms --to 5ms made
    for archive in threads made; do
        "$analyze" report --html one.html -j 1 "$archive" >/dev/null
        run_mpi "$mpi" 3 "$analyze" report --html several.html "$archive" >/dev/null
        cmp one.html several.html || fail "three processes, $mpi: the page of $archive"
        rm several.html
    done
    # Several archives, each read together; limits that are not kept, and keys that there are not.
    as_one "$mpi" 2 compare --json made threads
    as_one "$mpi" 3 check --max pop.ranks=3 --baseline made made
    as_one "$mpi" 2 check --max no.such.key=3 made
    as_one "$mpi" 2 check --keys threads
    # What one process does alone: the others end, with nothing to say.
    as_one "$mpi" 2 validate threads
    as_one "$mpi" 2 dump --json open
done

# Each has a share: what the others read is nothing that it could read. of_rank PROGRAM...: in the
# directory of its own that a process has.
cat >of_rank <<'SCRIPT'
cd "${OMPI_COMM_WORLD_RANK-${PMI_RANK}}" && exec "$@"
SCRIPT
for process in 0 1; do
    mkdir "$process"
    cp -r made "$process"
done
damage 0/made/traces/[23].evt 1/made/traces/[01].evt
"$analyze" calls --json made >one
for mpi in $(mpis); do
    run_mpi "$mpi" 2 sh of_rank "$analyze" calls --json made >two
    cmp one two || fail "$mpi: each with its share, they say something else"
done

# One of them has another archive under that name.
rm -rf 1/made
"$generate" 1/made 4 50000 >/dev/null
for mpi in $(mpis); do
    assert_equal 2 "$(status_of run_mpi "$mpi" 2 sh of_rank "$analyze" calls made)" "status, $mpi"
    assert_contains "$(cat stderr)" "process 1 has another archive under this name"
    assert_empty stdout
    assert_equal 2 "$(status_of run_mpi "$mpi" 2 sh of_rank "$analyze" compare ../threads made)" \
        "status of two archives, $mpi"
    assert_contains "$(cat stderr)" \
        "mpiwatch-analyze: made: process 1 has another archive under this name"
done

# Or can't read the first events of it, though not of its share: times would count from elsewhere.
rm -rf 1/made
cp -r made 1
dd if=/dev/zero of=1/made/traces/0.evt bs=1 count=64 conv=notrunc status=none
for mpi in $(mpis); do
    assert_equal 2 "$(status_of run_mpi "$mpi" 2 sh of_rank "$analyze" calls --to 5ms made)" \
        "status where one has damage at the beginning, $mpi"
    assert_contains "$(cat stderr)" "process 1 has another archive under this name, or can't read"
    assert_empty stdout
done

# Or none at all: it is said whose.
rm -rf 1/made
for mpi in $(mpis); do
    assert_equal 3 "$(status_of run_mpi "$mpi" 2 sh of_rank "$analyze" calls made)" "status, $mpi"
    assert_contains "$(cat stderr)" \
        "mpiwatch-analyze: made: cannot open (process 1, on $(uname -n)): No such file"
done

# One is killed while it reads: the launcher ends the job, and nothing is printed.
cat >killed.c <<'PROGRAM'
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>

int open(const char *path, int flags, ...)
{
    int (*next)(const char *, int, ...) = dlsym(RTLD_NEXT, "open");

    if (strstr(path, "traces/3.evt")) {
        raise(SIGKILL);
    }
    return next(path, flags, 0600);
}

int open64(const char *path, int flags, ...) __attribute__((alias("open")));
PROGRAM
$CC -D_GNU_SOURCE -shared -fPIC -o killed.so killed.c
for mpi in $(mpis); do
    status=$(status_of run_mpi "$mpi" 2 env LD_PRELOAD="$PWD/killed.so" "$analyze" calls made)
    case $status in
    0 | 124) fail "$mpi: status $status of a job of which one was killed" ;;
    esac
    assert_lacks "$(cat stdout)" MPI_Send
    assert_contains "$(cat stdout stderr)" "ignal 9" # Hydra says so on standard output
done

# --mpi=off: as many analyses as processes, each whole.
"$analyze" ranks --csv made >one
for mpi in $(mpis); do
    run_mpi "$mpi" 2 "$analyze" --mpi=off ranks --csv made >two
    cat one one | cmp - two || fail "$mpi: two that work by themselves say something else"
done

# A script that a batch system runs once is no process of a job of MPI, whatever it allots.
SLURM_JOB_ID=7 SLURM_PROCID=0 SLURM_NTASKS=8 SLURM_STEP_NUM_TASKS=8 "$analyze" ranks --csv made |
    cmp one - || fail "in an allocation something else is said"

# Without a library for the launcher's MPI one works, and says so once.
mkdir alone
cp "$analyze" alone/mpiwatch-analyze
for mpi in $(mpis); do
    assert_equal 0 "$(status_of run_mpi "$mpi" 2 alone/mpiwatch-analyze ranks --csv made)" "$mpi"
    cmp one stdout || fail "$mpi: one that works alone says something else"
    assert_equal 1 "$(grep -c 'one process works, the others do not: .*no libmpiwatch' stderr)" \
        "sentences, $mpi"
    assert_equal 2 "$(status_of run_mpi "$mpi" 2 alone/mpiwatch-analyze --mpi=abi ranks made)" \
        "an MPI that is named and not there, $mpi"
done

# Damage in one share ends the job with the sentence that one process has, and its status.
damage made/traces/[13].evt
for mpi in $(mpis); do
    as_one "$mpi" 3 calls made
    assert_contains "$(cat several.err)" made/traces/1.evt
    # Mistakes are said once.
    as_one "$mpi" 2 calls --no-such-option made
    as_one "$mpi" 2 calls no-such-archive
done
