# The flame graph of the page, its table and export --folded hold the same numbers. Where no stacks
# are told, the program's regions are the frames: by hand of archives of other tools, and of what
# the recorder wrote of regions that are open one in another.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"
"$python" -c 'import otf2' 2>/dev/null || skip "python3-otf2 is not installed"

"$python" "$TOP_SRCDIR/test/system/places_and_callers.py" stacks
"$python" "$TOP_SRCDIR/test/system/foreign.py" regions regions
cat >hold.py <<'PYTHON'
"""hold.py RUN: the page, the table and the folded stacks of a run against each other."""
import csv
import html
import json
import re
import sys

run = sys.argv[1]


def folded(name):
    return {tuple(stack.split(";")[1:]): int(ns)
            for stack, ns in (line.rstrip("\n").rsplit(" ", 1) for line in open(run + "." + name))}


time, waits = folded("time"), folded("waits")
table = {tuple(row["stack"].split("; ")): row
         for row in csv.DictReader(open(run + ".tables/flame.csv"))}
assert {stack: int(row["time_ns"]) for stack, row in table.items() if row["time_ns"] != "0"} == time
assert {stack: int(row["wait_ns"]) for stack, row in table.items() if row["wait_ns"] != "0"} == \
    waits
calls = [call for call in json.load(open(run + ".json"))["calls"]
         if call["name"] not in ("MPI_Init", "MPI_Finalize")]
assert sum(time.values()) == sum(call["time_ns"] for call in calls), calls

# Each box is as wide as what is below it.
whole = sum(time.values())
drawn, path = {}, []
for depth, width, waiting, name in re.findall(
        r'<span style="--d:(\d+);--x:[\d.]+%;--w:([\d.]+)%;--q:([\d.]+)%" title="[^"]*">([^<]*)<',
        open(run + ".html", encoding="utf-8").read()):
    path[int(depth):] = [html.unescape(name).replace(";", ",")]
    drawn[tuple(path[1:])] = float(width), float(waiting)
wanted = {stack[:depth] for stack in time for depth in range(len(stack) + 1)}
assert set(drawn) == wanted, (drawn, wanted)
for box, (width, waiting) in drawn.items():
    inside = sum(ns for stack, ns in time.items() if stack[:len(box)] == box)
    waited = sum(ns for stack, ns in waits.items() if stack[:len(box)] == box)
    assert abs(width - 100 * inside / whole) < .001, (box, width, inside)
    assert abs(waiting - 100 * waited / inside) < .1, (box, waiting, waited)
PYTHON
for run in stacks regions; do
    "$analyze" report --html $run.html $run
    "$analyze" export --folded $run.time --folded-waits $run.waits --csv $run.tables $run
    "$analyze" calls --json -o $run.json $run
    "$python" hold.py $run || fail "numbers of $run"
done
# Waiting as regions() says it; and it takes 100 more for each, from the last one's coming on.
assert_equal "MPI waiting;main;solve;MPI_Barrier 2000
MPI waiting;main;exchange;MPI_Barrier 300
MPI waiting;MPI_Barrier 100" "$(cat regions.waits)" "waits in regions"
assert_equal "MPI time;main;solve;MPI_Barrier 2200
MPI time;main;exchange;MPI_Barrier 500
MPI time;MPI_Barrier 200" "$(cat regions.time)" "time in regions"
"$analyze" export --folded - --comm MPI_COMM_WORLD regions | cmp - regions.time ||
    fail "on the only communicator"

cat >solver.c <<'PROGRAM'
#include <mpi.h>
#include <mpiwatch.h>

static void exchange(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
}

static void deep(int times)
{
    mpiwatch_region_begin("deep");
    if (times > 0) {
        deep(times - 1);
    } else {
        exchange();
    }
    mpiwatch_region_end("deep");
}

/* Two regions by turns, one in the other: 100 of them, and a call in the last one. */
static void turns(int times)
{
    mpiwatch_region_begin(times % 2 ? "odd" : "even");
    if (times > 1) {
        turns(times - 1);
    } else {
        mpiwatch_region_begin("last");
        exchange();
        mpiwatch_region_end("last");
    }
    mpiwatch_region_end(times % 2 ? "odd" : "even");
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    mpiwatch_region_begin("step");
    mpiwatch_region_begin("halo");
    exchange();
    mpiwatch_region_end("halo");
    mpiwatch_region_begin("exchange");
    exchange();
    mpiwatch_region_end("exchange");
    mpiwatch_region_end("step");
    deep(100);
    turns(100);
    exchange();
    return MPI_Finalize();
}
PROGRAM
for mpi in $(built_mpis); do
    command -v "mpicc.$mpi" >/dev/null || continue
    "mpicc.$mpi" -g -I"$TOP_SRCDIR/recorder/include" -I"$TOP_BUILDDIR/recorder/include" \
        -o "solver-$mpi" solver.c "$TOP_BUILDDIR/libmpiwatch.a" || fail "solver.c"
    for sites in line off; do
        run_mpi "$mpi" 2 "$record" --sites=$sites -o "$mpi-$sites.otf2.zip" "./solver-$mpi" \
            >out 2>err || fail "solver, $mpi: $(cat out err)"
        "$analyze" export -j1 --folded one "$mpi-$sites.otf2.zip"
        "$analyze" export -j4 --folded four "$mpi-$sites.otf2.zip"
        cmp one four || fail "stacks depend on the number of threads"
        turns=$(grep -o ';even;odd.*' one)
        assert_equal "31 ;last" "$(echo "$turns" | tr ';' '\n' | grep -c '^even$\|^odd$') \
$(echo "$turns" | grep -o ';last')" "regions of a hundred"
        sed '/;even/d; s/ [0-9]*$//; s/ solver.c:[0-9]*$//; s/^MPI time;//' one |
            LC_ALL=C sort >frames
        # A function that has the name of its region is that.
        if [ $sites = line ]; then
            assert_equal "deep;exchange;MPI_Barrier exchange;MPI_Barrier \
step;exchange;MPI_Barrier step;halo;exchange;MPI_Barrier" "$(xargs <frames)" "$mpi, with sites"
        else
            assert_equal "MPI_Barrier deep;MPI_Barrier step;exchange;MPI_Barrier \
step;halo;MPI_Barrier" "$(xargs <frames)" "$mpi, without"
        fi
    done
done
