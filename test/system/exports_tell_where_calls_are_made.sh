# Perfetto's and Chrome's slices have the file, line and function of their calls, and folded stacks
# the functions in which they are made: of an archive whose times stand in places_and_callers.py,
# and of others that tell no places or stacks. All time in MPI is in the stacks, and all waiting;
# they are read as flamegraph.pl does, by what it says of its input.
. "$TOP_SRCDIR/test/system/lib.sh"

"$python" -c 'import otf2' 2>/dev/null || skip "python3-otf2 is not installed"
"$python" "$TOP_SRCDIR/test/system/places_and_callers.py" traces
"$analyze" export --perfetto perfetto --chrome chrome --folded time --folded-waits waits traces
for kind in perfetto chrome; do
    "$python" -B "$TOP_SRCDIR/test/system/exported.py" $kind $kind >$kind.read
    "$python" - $kind.read <<'PYTHON' || fail "$kind"
import json
import sys

places = json.load(open(sys.argv[1]))["places"]
assert places == [["MPI_Barrier", "/src/deep.c", 7, "deep", 2],
                  ["MPI_Barrier", "/src/main.c", 40, "main", 2],
                  ["MPI_Recv", "/src/halo.c", 31, "halo", 2],
                  ["MPI_Send", "/src/send.c", 12, "push;", 2]], places
PYTHON
done
sort time | diff - <(sort <<'TEXT'
MPI time;main;halo;MPI_Recv halo.c:31 3100
MPI time;main;solve;halo;MPI_Recv halo.c:31 1100
MPI time;main;MPI_Barrier main.c:40 600
MPI time;...;deep;MPI_Barrier deep.c:7 300
MPI time;main;push,;MPI_Send send.c:12 100
TEXT
) || fail "stacks by time"
sort waits | diff - <(sort <<'TEXT'
MPI waiting;main;halo;MPI_Recv halo.c:31 3000
MPI waiting;main;solve;halo;MPI_Recv halo.c:31 1000
MPI waiting;main;MPI_Barrier main.c:40 400
MPI waiting;...;deep;MPI_Barrier deep.c:7 100
TEXT
) || fail "stacks by waiting"
"$analyze" export --folded time traces || fail "folded stacks do not replace their like"
echo "main;f 3" >mine
assert_equal 2 "$(status_of "$analyze" export --folded mine traces)" "others' stacks are replaced"
assert_equal 2 "$(status_of "$analyze" export --folded out --from 1us traces)" "a part of the run"

for name in plain waits_messages waits_collective uneven threads nested traces; do
    [ $name = traces ] || "$TOP_BUILDDIR/test/data/make_archive" $name $name
    "$analyze" export --folded $name.time --folded-waits $name.waits $name || [ $? -eq 4 ]
    "$analyze" calls --json -o $name.calls $name || [ $? -eq 4 ]
    "$analyze" waits --json -o $name.json $name || [ $? -eq 4 ]
    "$python" - $name <<'PYTHON' || fail "the sums of $name"
import json
import re
import sys

name = sys.argv[1]
sums = {}
for kind in "time", "waits":
    sums[kind] = 0
    for line in open(name + "." + kind):
        stack, value = re.fullmatch(r"(.*)\s+?(\d+(?:\.\d*)?)", line.rstrip("\n")).groups()
        assert not re.fullmatch(r"(.*)\s+?(\d+(?:\.\d*)?)", stack), line # a difference
        assert all(stack.split(";")), line
        sums[kind] += int(value)
calls = json.load(open(name + ".calls"))["calls"]
assert sums["time"] == sum(each["time_ns"] for each in calls
                           if each["name"] not in ("MPI_Init", "MPI_Finalize")), (sums, calls)
assert sums["waits"] <= json.load(open(name + ".json"))["total_ns"], sums
PYTHON
done
assert_equal 4500 "$("$python" -c 'print(sum(int(line.split()[-1]) for line in open("waits")))')" \
    "all waiting"
