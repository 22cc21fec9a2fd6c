# Who reads does not matter: fifteen archives, whole and with losses, say the same byte by byte to
# one thread, to two, and to one, two and four processes that mpirun starts, of which each follows a
# part of a run that can be cut; in ten and more orders of reading and telling. Where it can't be,
# that is said. One that is killed there ends all.
. "$TOP_SRCDIR/test/system/lib.sh"
export XDG_CACHE_HOME=$PWD/cache
mkdir cache
make=$TOP_BUILDDIR/test/data/make_archive
irregular=$TOP_BUILDDIR/test/data/make_irregular
# Processes look for the library of their MPI beside the program.
cp "$TOP_BUILDDIR/test/system/any_order" .
for mpi in $(mpis); do
    ln -s "$(library "$mpi")" .
done

for name in allreduce delay_chain names waits_collective; do
    "$make" "$name" "$name"
done
for name in chapters-{none,hole,tail} phases-{none,hole} threads-none windows-none halo-hole \
    mistakes-tail requests-none servers-none probers-none; do
    "$irregular" "${name%-*}" "${name#*-}" "$name"
done
archives="allreduce delay_chain names waits_collective chapters-none chapters-hole chapters-tail
    phases-none phases-hole threads-none windows-none halo-hole mistakes-tail requests-none
    servers-none"

# by ARCHIVE COMMAND STATUS WHO WORDS…: what is said, by the words before the command.
by() {
    local archive=$1 command=$2 status=$3 who=$4
    shift 4
    assert_equal "$status" "$(status_of "$@" $command "$archive")" "$command of $archive, $who"
    cmp expected stdout || fail "$command of $archive says something else to $who"
}

# next_mpi: one of those that are there, by turns.
all_mpis=($(mpis))
turn=0
next_mpi() {
    turn=$((turn + 1))
    mpi=${all_mpis[turn % ${#all_mpis[@]}]}
}

# in_processes COUNT: what the command says when so many of $mpi follow it.
in_processes() {
    seed=$((seed + 1))
    by "$archive" "$command" "$status" "$1 processes, $mpi" run_mpi "$mpi" "$1" \
        env MPIWATCH_SCHEDULE=$seed MPIWATCH_CHAPTERS=$((seed % 5 + 2)) ./any_order
}

seed=0
cut=0
for archive in $archives; do
    chapters=$("$TOP_BUILDDIR/test/data/keep_blocks" "$archive" |
        sed -n 's/.*, chapters \([0-9]*\),.*/\1/p')
    cut=$((cut + (${chapters:-1} > 1)))
    for command in "waits --json" "report --json" "pop --json" "critical-path --json" \
        "mistakes --json" "comms --json" "info --json" "check --max waits.share=0.5" report; do
        # What only matches messages needs fewer archives.
        [[ ! $command =~ ^(comms|info|check) || $archive =~ ^(chapters|requests|threads) ]] ||
            continue
        status=$(status_of "$analyze" $command -j 1 "$archive")
        cp stdout expected
        by "$archive" "$command" "$status" "two threads" "$analyze" -j 2
        seed=$((seed + 1))
        by "$archive" "$command" "$status" "schedule $seed" env MPIWATCH_SCHEDULE=$seed \
            MPIWATCH_CHAPTERS=$((seed % 7 + 2)) ./any_order -j 2
        case $command in pop* | critical*) continue ;; esac
        [[ $command != mistakes* || $archive =~ hole|tail ]] || continue
        [[ $command != report || $archive =~ chapters|names ]] || continue
        next_mpi
        in_processes 2
        [ "$command" = "waits --json" ] || continue
        in_processes 4
        next_mpi
        in_processes $((seed % 3 == 0 ? 1 : 2))
    done
done
[ $cut -ge 9 ] || fail "only $cut archives can be cut"

# Where most of them have little to do, it is said why.
said() {
    local reason=$1
    local sentence="one of 2 processes follows the run, which is not cut into parts for all"
    shift
    for mpi in $(mpis); do
        assert_equal 0 "$(status_of run_mpi "$mpi" 2 env MPIWATCH_CHAPTERS=4 ./any_order "$@")" "$*"
        [ -n "$reason" ] || assert_lacks "$(cat stderr)" "$sentence"
        [ -z "$reason" ] || assert_contains "$(cat stderr)" "$sentence: $reason"
    done
}
nowhere="there is no place where all ranks meet, or rest, while nothing is under way"
said "$nowhere" waits threads-none
# This one has two places, both before the first quarter of its events: behind them ends are lost.
"$irregular" servers tail early
"$TOP_BUILDDIR/test/data/keep_blocks" early | grep -q "quiet 2," || fail "other places of early"
said "where all ranks meet, or rest, while nothing is under way is too early in the run" waits early
said "nobody looks where it can be cut without the cache" waits --no-cache chapters-none
"$make" waits_alltoallv few # which nobody has looked at
said "nobody looks where it can be cut, of so few events" waits few
said "" waits chapters-none
said "" calls chapters-none
said "" comms chapters-none
said "" check --max waits.share=0.9 chapters-none
said "" report requests-none

# Of several archives, of which.
for mpi in $(mpis); do
    run_mpi "$mpi" 2 env MPIWATCH_CHAPTERS=4 ./any_order compare threads-none chapters-none \
        probers-none >stdout 2>stderr
    assert_equal "threads-none probers-none " \
        "$(sed -n 's/^mpiwatch-analyze: \(.*\): one of 2 processes.*/\1/p' stderr | tr '\n' ' ')" \
        "archives that are not cut, $mpi"
done

# Where a run can be cut they find out together, and keep what one keeps.
"$TOP_BUILDDIR/test/bench/generate" large 16 11000000 >/dev/null
rm -rf cache
"$analyze" waits --json -j 2 large >expected
(cd cache/mpiwatch && md5sum -- *-blocks) >kept
for mpi in $(mpis); do
    rm -rf cache
    by large "waits --json" 0 "three processes, $mpi, which find out" run_mpi "$mpi" 3 "$analyze"
    (cd cache/mpiwatch && md5sum -- *-blocks) | cmp kept - ||
        fail "three processes, $mpi, have kept something else"
    by large "waits --json" 0 "two processes, $mpi, which know" run_mpi "$mpi" 2 "$analyze"
done

# The page, of which all follow what it is made of.
for archive in chapters-none phases-hole; do
    "$TOP_BUILDDIR/test/data/keep_blocks" "$archive" >/dev/null
    "$analyze" report --html=one.html -j 1 "$archive" >stdout 2>stderr || true
    for mpi in $(mpis); do
        run_mpi "$mpi" 3 env MPIWATCH_SCHEDULE=5 MPIWATCH_CHAPTERS=5 ./any_order report \
            --html=three.html "$archive" >stdout 2>stderr || true
        cmp one.html three.html || fail "three processes, $mpi: the page of $archive"
        rm three.html
    done
    rm one.html
done

# The second one is killed where it begins with its chapter: it reads the first rank only there.
cat >killed.c <<'PROGRAM'
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

int open(const char *path, int flags, ...)
{
    int (*next)(const char *, int, ...) = dlsym(RTLD_NEXT, "open");
    const char *rank = getenv("OMPI_COMM_WORLD_RANK") ?: getenv("PMI_RANK");

    if (rank && strcmp(rank, "1") == 0 && strstr(path, "traces/0.evt")) {
        raise(SIGKILL);
    }
    return next(path, flags, 0600);
}

int open64(const char *path, int flags, ...) __attribute__((alias("open")));
PROGRAM
$CC -D_GNU_SOURCE -shared -fPIC -o killed.so killed.c
"$TOP_BUILDDIR/test/data/keep_blocks" chapters-none >/dev/null
for mpi in $(mpis); do
    # MPICH 4.2's mpirun ends with 0 and says nothing of one job in ten that ends so, whatever it
    # is.
    for try in {1..10}; do
        status=$(status_of run_mpi "$mpi" 2 env LD_PRELOAD="$PWD/killed.so" MPIWATCH_CHAPTERS=4 \
            ./any_order waits chapters-none)
        [ "$status" = 0 ] && [ ! -s stdout ] && [ ! -s stderr ] || break
    done
    case $status in
    0 | 124) fail "$mpi: status $status of a job of which one was killed in its chapter" ;;
    esac
    assert_lacks "$(cat stdout)" "late sender"
    assert_contains "$(cat stdout stderr)" "ignal 9" # Hydra says so on standard output
done

# One has no memory for the waits of 997 bins per rank, which is known before chapters are begun.
cat >lacks.c <<'PROGRAM'
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

void *calloc(size_t count, size_t size)
{
    void *(*next)(size_t, size_t) = dlsym(RTLD_NEXT, "calloc");
    const char *rank = getenv("OMPI_COMM_WORLD_RANK") ?: getenv("PMI_RANK");

    return count > 997 && count % 997 == 1 && rank && strcmp(rank, "1") == 0 ? NULL
                                                                         : next(count, size);
}
PROGRAM
$CC -D_GNU_SOURCE -shared -fPIC -o lacks.so lacks.c
for mpi in $(mpis); do
    assert_equal 3 "$(status_of run_mpi "$mpi" 2 env LD_PRELOAD="$PWD/lacks.so" \
        MPIWATCH_CHAPTERS=4 ./any_order timeline --bins=997 chapters-none)" \
        "$mpi: status where one has no memory"
    assert_contains "$(cat stderr)" "no memory for the results of rank_waits"
    assert_empty stdout
done

# The second one's file is damaged in one of its chapters, the third or the fourth.
for process in 0 1; do
    mkdir "$process"
    cp -r chapters-none "$process"
done
(cd 0 && "$TOP_BUILDDIR/test/data/keep_blocks" chapters-none >/dev/null)
head -c 64 /dev/zero | tr '\0' '\377' |
    dd of=1/chapters-none/traces/6.evt bs=1 conv=notrunc status=none \
        seek=$(($(wc -c <1/chapters-none/traces/6.evt) * 5 / 8))
cat >of_rank <<'SCRIPT'
cd "${OMPI_COMM_WORLD_RANK-${PMI_RANK}}" && exec "$@"
SCRIPT
for mpi in $(mpis); do
    assert_equal 3 "$(status_of run_mpi "$mpi" 2 env MPIWATCH_CHAPTERS=4 sh of_rank \
        ../any_order waits --json chapters-none)" "$mpi: status where a chapter is damaged"
    assert_equal 1 "$(grep -c "^mpiwatch-analyze: chapters-none/traces/6.evt: offset" stderr)" \
        "sentences, $mpi"
done
