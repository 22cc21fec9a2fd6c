# Ranks compute in two functions and say for how long: by samples the archive tells as much, on the
# way to which call, of threads and beside children as well. Nothing else of the run changes, and
# where the kernel refuses, the archive says why.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"
need unzip
# Where other work takes cores, ranks that yield theirs are switched so often that notes end.
export OMPI_MCA_mpi_yield_when_idle=0

rate=400
cat >told.py <<'PYTHON'
import json
import math
import sys
import zipfile

rate = float(sys.argv[1])
lines = dict(zip(("MPI_Allreduce", "MPI_Barrier"), map(int, sys.argv[2:4])))
archive = zipfile.ZipFile("run.otf2.zip")
name = [each for each in archive.namelist() if each.endswith("mpiwatch.json")][0]
archive = json.loads(archive.read(name))
samples = archive["samples"]
places = {site["region"]: (site["call"], site["line"]) for site in archive["sites"]}
if samples["rate_hz"] != rate or [each["rank"] for each in samples["ranks"]] != [0, 1]:
    sys.exit("%s" % samples["ranks"])
for line in open("said"):
    rank, forces, neighbours = map(float, line.split())
    about = samples["ranks"][int(rank)]
    rows = [row for row in samples["rows"] if row[0] == rank]
    if about["refused"] or about["lost"] or sum(row[3] for row in rows) != about["outside"]:
        sys.exit("%s, of which %d are told" % (about, sum(row[3] for row in rows)))
    for function, spent in (("forces", forces), ("neighbours", neighbours)):
        of = [row for row in rows if samples["spots"][row[2]]["function"] == function]
        told = sum(row[3] for row in of) / rate * 1e3
        # Each is one of many small chances, and a tick more or less where a stretch begins.
        error = 5 * math.sqrt(spent / 1e3 * rate) / rate * 1e3 + 0.1 * spent
        if abs(told - spent) > error:
            sys.exit("rank %d was in %s for %d ms, told are %d" % (rank, function, spent, told))
        if any("functions.c" not in samples["spots"][row[2]]["file"] for row in of):
            sys.exit("%s is in another file" % function)
        calls = {places[row[1]] for row in of}
        if function == "forces" and calls != {("MPI_Allreduce", lines["MPI_Allreduce"])}:
            sys.exit("before %s" % calls)
        if not {(call, lines[call]) for call in lines} >= calls and len(sys.argv) < 5:
            sys.exit("before %s" % calls)
PYTHON

source=$TOP_SRCDIR/test/system/functions.c
allreduce=$(grep -n 'MPI_Allreduce(' "$source" | cut -d: -f1)
barrier=$(grep -n 'MPI_Barrier(MPI_COMM_WORLD)' "$source" | cut -d: -f1)

# recorded RATE [HOW...]
recorded() {
    run_mpi "$mpi" ${ranks-2} "$record" -q --force --functions="$1" -o run.otf2.zip \
        "$TOP_BUILDDIR/test/system/functions-$mpi" ${rounds-20} "${@:2}" >said
}

for mpi in $(built_mpis); do
    recorded $rate
    if unzip -p run.otf2.zip '*mpiwatch.json' | grep -q '"refused":"[^"]'; then
        skip "the kernel takes no samples here"
    fi
    "$python" told.py $rate "$allreduce" "$barrier" || wrong "$mpi: $(cat said)"
    "$analyze" functions --json --force -o functions.json run.otf2.zip
    assert_equal "0 MPI_Allreduce $allreduce" "$(json functions.json \
        '[(f["most_rank"], f["before"]) for f in d["functions"] if f["function"] == "forces"][0]' \
        | "$python" -c 'rank, call = eval(input())
print(rank, call["call"], call["line"])')" "who is in forces() most, on the way to what"
    recorded $rate forks
    "$python" told.py $rate "$allreduce" "$barrier" || wrong "$mpi, forks: $(cat said)"
    if [ "$mpi" = openmpi ]; then
        recorded $rate threads
        "$python" told.py $rate "$allreduce" "$barrier" threads ||
            wrong "$mpi, threads: $(cat said)"
        recorded $rate many || wrong "$mpi, many threads: $(cat said)"
    fi
    # Ranks that wait in calls which aren't recorded are where MPI works, and that is in MPI.
    run_mpi "$mpi" 2 "$record" -q --force --events=p2p --functions=$rate -o run.otf2.zip \
        "$TOP_BUILDDIR/test/system/functions-$mpi" 10 >said
    "$analyze" functions --json --force -o functions.json run.otf2.zip
    assert_equal "[]" "$(json functions.json '[f["function"] for f in d["functions"]
        if f["function"].startswith(("mca_", "opal_", "libopen-", "uct_", "ucp_", "libuc"))]')" \
        "$mpi: functions of MPI"
    rounds=1 recorded off
    ! unzip -p run.otf2.zip '*mpiwatch.json' | grep -q '"samples"' ||
        wrong "$mpi: samples that nobody asked for"
done

# What threads do that call no MPI: two are in neighbours() for 5 ms in each of 40 rounds.
cat >crew.py <<'PYTHON'
import json
import sys
d = json.load(open("functions.json"))
crew = d["other_threads"]
function = crew["functions"][0]
made = crew["samples_outside"] + crew["samples_inside"] + crew["samples_lost"]
ms = d["functions"][0]["time_ns"] * 1e-6
if not (crew["threads"] == 2 and crew["threads_refused"] == 0 and
        abs(made / d["rate_hz"] - 0.4) < 0.1 and
        function["function"] == "neighbours" and function["share"] > 0.9 and
        function["before"]["call"] == "MPI_Allreduce" and
        # They are there while the main thread computes, 25 ms in each round.
        2 * 0.8 < crew["there_ns"] * 1e-9):
    sys.exit("%s" % crew)
PYTHON
for mpi in $(built_mpis); do
    ranks=1 rounds=40 recorded $rate crew
    "$analyze" functions --json --force -o functions.json run.otf2.zip
    "$python" crew.py || wrong "$mpi, crew: $(cat said)"
    "$analyze" functions run.otf2.zip >functions.txt
    grep -q '^2 threads of 1 rank that call no MPI: .* samples' functions.txt ||
        wrong "$mpi: $(cat functions.txt)"
done

# Steps that are shorter than what is between looks, and one for which the kernel finds no room:
# whatever the thread does, the main one is between calls.
mpi=$(built_mpis | head -n 1)
cat >steps.py <<'PYTHON'
import json
import sys
crew = json.load(open("functions.json"))["other_threads"]
spent = float(open("said").read().split()[2])
outside = crew["samples_outside"] + crew["samples_lost"]
if abs(outside - spent) > 0.1 * spent or not 300 < crew["samples_lost"] < 600:
    sys.exit("%d ms, told are %s" % (spent, crew))
PYTHON
ranks=1 rounds=0 recorded 1000 steps
"$analyze" functions --json --force -o functions.json run.otf2.zip
"$python" steps.py || wrong "$mpi, steps"

# 6 s on the way to MPI_Finalize, of which 4.1 s find room at most: the rest is known to be lost,
# and is neither in MPI nor nowhere.
mpi=$(built_mpis | head -n 1)
ranks=1 rounds=1 recorded 1000 once
"$analyze" functions --json --force -o functions.json run.otf2.zip
assert_equal "True True" "$(json functions.json '"%s %s" % (
    abs(d["samples_lost"] + d["samples_outside"] - 6000) < 900,
    d["samples_lost"] > 6000 - 900 - 4200)')" "what found no room: $(cat functions.json)"
rate=200

# Of two libraries the same code at the same addresses, one after the other, is each one's own.
cat >first.c <<'C'
void plugin(void)
{
    volatile double sum = 0;

    for (int i = 1; i < 10000; i++) {
        sum += 1.0 / i;
    }
}
C
cp first.c second.c
for name in first second; do
    $CC -g -O1 -shared -fPIC -o $name.so $name.c
done
rounds=1 recorded $rate plugins "$PWD/first.so" "$PWD/second.so"
"$analyze" functions --json --force -o functions.json run.otf2.zip
assert_equal "True True" "$(json functions.json '"%s %s" % tuple(abs(sum(
    f["samples"] for f in d["functions"] if (f["file"] or "").endswith(name)) - all) < all / 3
    for name, all in (("first.c", 200), ("second.c", 600)))')" "each: $(cat functions.json)"

# Where the kernel switches between threads all the time, notes would cost more than all else.
recorded $rate switches
"$analyze" functions run.otf2.zip >functions.txt
grep -q '^note: threads of 2 ranks .* rank 0: the kernel switches between threads so often' \
    functions.txt || wrong "switches: $(cat functions.txt)"

# Of memory that stays in place half is left to others.
if built_mpis | grep -q openmpi; then
    run_mpi openmpi 2 sh -c 'ulimit -l 64; exec "$@"' sh "$record" -q --force \
        --functions=$rate -o run.otf2.zip "$TOP_BUILDDIR/test/system/functions-openmpi" 10 \
        threads >said
    "$analyze" functions run.otf2.zip >functions.txt
    grep -q '^note: threads of 2 ranks could not .* rank 0: No buffer space' functions.txt ||
        wrong "memory that stays in place: $(cat functions.txt)"
fi

# A kernel that refuses, as seccomp's filters of containers do, behind so many that it allows.
cat >refuses.c <<'C'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/syscall.h>

static int asked;

long syscall(long number, ...)
{
    long (*real)(long, ...) = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
    long a[6];
    va_list list;

    va_start(list, number);
    for (int i = 0; i < 6; i++) {
        a[i] = va_arg(list, long);
    }
    va_end(list);
    if (number == SYS_perf_event_open &&
        __atomic_fetch_add(&asked, 1, __ATOMIC_RELAXED) >= atoi(getenv("ALLOWED"))) {
        errno = EACCES; /* and only then: MPI_File_open of Open MPI asks behind what succeeds */
        return -1;
    }
    return real(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}
C
$CC -shared -fPIC -o refuses.so refuses.c -ldl
for mpi in $(built_mpis); do
    run_mpi "$mpi" 2 env ALLOWED=0 LD_PRELOAD="$PWD/refuses.so" "$record" -q --force \
        --functions=100 -o run.otf2.zip "$TOP_BUILDDIR/test/system/functions-$mpi" 2 >said
    assert_equal 2 "$(wc -l <said)" "lines of a program that is not looked at"
    unzip -p run.otf2.zip '*mpiwatch.json' | grep -q '"refused":"Permission denied"' ||
        wrong "$mpi: nobody says that it was refused"
    "$analyze" functions run.otf2.zip >functions.txt
    grep -q '^note: 2 ranks could not be sampled, .* rank 0: Permission denied' functions.txt ||
        wrong "$mpi: $(cat functions.txt)"
done
if built_mpis | grep -q openmpi; then
    run_mpi openmpi 2 env ALLOWED=1 LD_PRELOAD="$PWD/refuses.so" "$record" -q --force \
        --functions=$rate -o run.otf2.zip "$TOP_BUILDDIR/test/system/functions-openmpi" 20 \
        threads >said
    "$analyze" functions run.otf2.zip >functions.txt
    { grep -q ' forces ' functions.txt &&
        grep -q '^note: threads of 2 ranks could not be sampled, ' functions.txt; } ||
        wrong "other threads refused: $(cat functions.txt)"
fi
finish
