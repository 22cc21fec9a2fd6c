# mpiwatch.h: registered communicators, regions, markers and counters of C, C++ and Fortran
# programs, which do the same without the recorder, however they are linked.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"

include=-I$TOP_SRCDIR/recorder/include
archive=$TOP_BUILDDIR/libmpiwatch.a
lines() {
    printf '%s\n' "$@"
}

# --- what comes into the archive -----------------------------------------------------

archives_of comm_life.c halo_columns.f90
for mpi in $(built_mpis); do
    ranks=$(ranks_of "$mpi")
    recorded "$mpi" "$ranks" comm_life
    reported comms comm_life
    python_check "comm_life, $mpi" "$ranks" <<'PYTHON'
import json, sys, zipfile
n = int(sys.argv[1])
about = json.loads(zipfile.ZipFile("comm_life.otf2.zip").read("mpiwatch.json"))
lives = {c["name"]: c for c in json.load(open("comms.json"))["communicators"]}
comms = {c["name"]: c for c in about["communicators"]}
workers = comms["workers, again"]
assert workers["default_name"] == "MPI_COMM_WORLD/dup#1", workers
intervals = [(r["rank"], r["name"], r["to_ns"] is None) for r in workers["registered"]]
assert intervals == [one for rank in range(n) for one in
                     ((rank, "workers", False), (rank, "workers, again", True))], intervals
life = lives["workers, again"]
first, second = life["registered"][:2]
assert life["created_ns"] <= first["from_ns"] <= first["to_ns"] <= second["from_ns"], life
assert second["from_ns"] <= second["to_ns"] <= life["freed_ns"], life
assert max(r["to_ns"] for r in life["registered"]) == life["freed_ns"], life
evens, half = comms["evens"], comms["half"]
assert [r["rank"] for r in evens["registered"]] == list(range(0, n, 2)), evens
assert half["registered"] == [] and half["groups"][0]["members"] == list(range(1, n, 2)), half
assert evens["groups"][0]["created_ns"] == [None] * len(evens["groups"][0]["members"]), evens
assert {x["name"] for x in evens["names"]} == {"half", "evens"}, evens
assert lives["leak"]["created_ns"] is not None and lives["leak"]["freed_ns"] is None, lives["leak"]
assert about["filtered"] == [], about["filtered"]
PYTHON
done

# --- what a program is told -------------------------------------------------------------

# By hand, from the manual.
lines "before 2" "recording 1" "name.null -1" "name.long -1" "name.longest 0" "comm.null -1" \
    "comm.name.null -1" "comm.unregister -1" "comm.world 1" "comm.self 0" "comm.bytes -1" \
    "counter.sort -1" "end.unknown -2" "end.outer -2" "end.again -2" "pause 0" \
    "pause.recording 0" "pause.begin 2" "pause.marker 2" "pause.end 2" "pause.end.before 0" \
    "resume 0" "resume.recording 1" "pcontrol.recording 1" "inside.marker -3" \
    "inside.region -3" "inside.register 0" "after 2" >told.txt

# speaking MPI: what the program is told, and what is left of it.
speaking() {
    local mpi=$1 compiler=$2
    "$compiler" -Wall $include -pthread -o "speaking-$mpi" "$TOP_SRCDIR/test/system/speaking.c" \
        "$archive"
    run_mpi "$mpi" 2 "$record" -q -o "speaking-$mpi.otf2.zip" "./speaking-$mpi" >out.txt
    diff told.txt out.txt || wrong "$mpi: told otherwise"
    "$analyze" validate "speaking-$mpi.otf2.zip" >validate.txt 2>&1 ||
        wrong "$mpi: $(cat validate.txt)"
    run_mpi "$mpi" 2 "./speaking-$mpi" >alone.txt
    awk '{ print $2 != 1 && $1 !~ /recording|comm\.(world|self)|counter.sort/ }' alone.txt |
        grep -q 1 && wrong "$mpi: told without a recorder: $(cat alone.txt)"
    rm -rf unzipped
    unzip -q "speaking-$mpi.otf2.zip" -d unzipped
    otf2-print unzipped/traces.otf2 >events.txt
    "$analyze" counters --json "speaking-$mpi.otf2.zip" >counters.json || wrong "$mpi: counters"
    python_check "speaking, $mpi" <<'PYTHON'
import collections, json, re
about = json.load(open("unzipped/mpiwatch.json"))
# Each rank: three ends without a begin ("unknown", "b", and "a" over two), two regions
# that a MPI_Finalize and four that threads end; a marker and a region inside, once each.
wrong = [rank["misuse"] for rank in about["ranks"]]
assert wrong == [{"unbalanced": 2 + 2 + 1 + 4, "not_recorded": 2}] * 2, wrong
text = open("events.txt").read()
entered = collections.Counter(re.findall(r'^ENTER .*Region: "([^"]*)"', text, re.M))
left = collections.Counter(re.findall(r'^LEAVE .*Region: "([^"]*)"', text, re.M))
assert entered == left, (entered, left)
own = {name: count for name, count in entered.items() if not name.startswith("MPI_")}
assert own == {"a": 2, "b": 2, "c": 2, "before the pause": 2, "never ended": 2, "thread": 800,
               "never ended in the thread": 8}, own
sums = [int(n) for n in re.findall(r'\("sum" <\d+>; INT64; (\d+)\)', text)]
assert sorted(sums) == sorted(2 * list(range(1, 401))), sums[:10]
# 5 - 2 + 4, counted from 0; what goes down is no reset.
balances = [(row["total"], row["first"], row["resets"], row["wraps"])
            for row in json.load(open("counters.json"))["pvars"] if row["name"] == "balance"]
assert balances == [(7, 5, 0, 0)] * 2, balances
PYTHON
}

for mpi in $(built_mpis); do
    case $mpi in
    openmpi) [ -z "$MPICC_OPENMPI" ] || speaking openmpi "$MPICC_OPENMPI" ;;
    mpich) [ -z "$MPICC_MPICH" ] || speaking mpich "$MPICC_MPICH" ;;
    esac
done

# --- ways to link ------------------------------------------------------------------------

cat >plain.c <<'C'
#define MPIWATCH_NO_MPI
#include <mpiwatch.h>
int main(void)
{
    return mpiwatch_region_begin("x") == MPIWATCH_ABSENT && !mpiwatch_is_recording() &&
                   !mpiwatch_comm_is_registered_handle("", 1)
               ? 0
               : 1;
}
C
for flags in -pie -no-pie -static -static-pie; do
    $CC -Wall -Werror -fno-pie $include -c -o plain.o plain.c
    case $flags in *-pie) [ $flags = -no-pie ] || $CC -fPIE $include -c -o plain.o plain.c ;; esac
    $CC $flags -o plain plain.o "$archive" >link.txt 2>&1 || wrong "$flags: $(cat link.txt)"
    [ ! -s link.txt ] || wrong "$flags: $(cat link.txt)"
    ./plain || wrong "$flags: exit $?"
done
if command -v g++ >/dev/null; then
    cp plain.c plain.cc
    g++ -Wall -Werror $include -o plain plain.cc "$archive" || wrong "C++"
    ./plain || wrong "C++: exit $?"
fi

# Threads that come first at the same time, under a sanitizer if there is one.
cat >first.c <<'C'
#define MPIWATCH_NO_MPI
#include <mpiwatch.h>
#include <pthread.h>
static void *speak(void *unused)
{
    mpiwatch_marker("first");
    return unused;
}
int main(void)
{
    pthread_t threads[8];
    for (int i = 0; i < 8; i++) {
        pthread_create(&threads[i], 0, speak, 0);
    }
    for (int i = 0; i < 8; i++) {
        pthread_join(threads[i], 0);
    }
    return 0;
}
C
if $CC -fsanitize=thread -pthread -D_GNU_SOURCE -I"$TOP_SRCDIR" $include -o first first.c \
    "$TOP_SRCDIR/recorder/library/mpiwatch.c" 2>/dev/null; then
    TSAN_OPTIONS=exitcode=66 ./first >first.txt 2>&1 || wrong "threads: $(head -20 first.txt)"
fi
finish
