# Where a library makes calls and stacks were recorded, places are those of the program's own code
# that led there. What is expected stands with the stacks in places_in_libraries.py.
. "$TOP_SRCDIR/test/system/lib.sh"

"$python" -c 'import otf2' 2>/dev/null || skip "python3-otf2 is not installed"

# write DIRECTORY PROGRAM LIBRARY PART
write() {
    "$python" "$TOP_SRCDIR/test/system/places_in_libraries.py" "$@"
}

write traces /home/me/run/program /opt/io/lib/libio.so.3 /home/me/run/libparts.so
for command in report sites calls waits mistakes; do
    "$analyze" "$command" --json -o "$command.json" traces
done
"$analyze" sites --csv -o sites.csv traces
"$analyze" mistakes --csv -o mistakes.csv traces
"$python" - <<'PYTHON'
import csv
import json


def read(name):
    return json.load(open(name + ".json"))


# Of the 700 + 400 + 40 ns at LIBRARY+0x10 both ranks spend 600 + 100 by way of out.c:14, which is
# most. MPI_Comm_dup's two callers have 100 ns each: it is the first one in the file.
expected = {
    "MPI_Barrier": ("write_all", "/src/out.c", 14, "libio.so.3", 2),
    "MPI_Bcast": ("main", "/src/main.c", 3, "libio.so.3", 0),
    "MPI_Comm_dup": ("main", "/src/main.c", 5, "libio.so.3", 1),
    "MPI_Gather": None,  # the library's line is known
    "MPI_Scatter": ("read_all+0x4", None, None, "libio.so.3", 0),
    "MPI_Reduce": ("main+0x7", None, None, "libio.so.3", 0),
    "MPI_Scan": None,  # main, of a program whose part the library is
    "MPI_Alltoall": ("main+0x7", None, None, "libparts.so", 0),  # of which no function is known
    "MPI_Allgather": ("solve", "/src/solver.c", 88, "libio.so.3", 0),
    "MPI_Exscan": None,  # an address in the program for a name in the library
    "MPI_Allreduce": None,  # Python's own code
    "MPI_Comm_split": None,  # half of its time is of a stack that is cut
    "MPI_Comm_free": None,  # nobody knows whose code that is
    "MPI_Send": ("write_all", "/src/out.c", 40, "libio.so.3", 0),
    "MPI_Init": None,
    "MPI_Finalize": None,
}
places = {
    "MPI_Barrier": "out.c:14 and 2 more via libio.so.3",
    "MPI_Bcast": "main.c:3 via libio.so.3",
    "MPI_Comm_dup": "main.c:5 and 1 more via libio.so.3",
    "MPI_Gather": "io.c:77",
    "MPI_Scatter": "read_all+0x4 via libio.so.3",
    "MPI_Reduce": "main+0x7 via libio.so.3",
    "MPI_Scan": "part_scan+0x2",
    "MPI_Alltoall": "main+0x7 via libparts.so",
    "MPI_Allgather": "solver.c:88 via libio.so.3",
    "MPI_Exscan": "io_scan+0x1",
    "MPI_Allreduce": "libio.so.3+0x50",
    "MPI_Comm_split": "io_split+0x3",
    "MPI_Comm_free": "libio.so.3+0x60",
    "MPI_Send": "out.c:40 via libio.so.3",
    "MPI_Init": None,
    "MPI_Finalize": None,
}
keys = "function", "file", "line", "library", "others"


def origin(row):
    told = row.get("called_from")
    assert told is None or set(told) == set(keys), told
    return told and tuple(told[key] for key in keys)


sites = {each["call"]: each for each in read("sites")["sites"]}
assert {call: origin(each) for call, each in sites.items()} == expected, sites
assert all(("called_from" in each) == (expected[call] is not None)
           for call, each in sites.items()), sites
# The library's own place is where it was.
assert (sites["MPI_Barrier"]["function"], sites["MPI_Barrier"]["line"]) == (
    "libio.so.3+0x10", None), sites
calls = {each["name"]: each["hottest_place"] for each in read("calls")["calls"]}
assert calls == places, calls

# A wait is of one call, whoever else leads to the place; delays are of all calls there.
waits = read("waits")
told = {(each["wait_ns"], each["place"], each["cause_place"])
        for pattern in waits["patterns"] if pattern["role"] == "wait" for each in pattern["worst"]}
at = ["out.c:%d via libio.so.3" % line for line in (14, 20, 30)]
assert told == {(500, at[0], at[0]), (200, at[1], at[1]), (20, at[2], at[2])}, told
delay, = waits["delays"]["worst"]
assert delay["before_place"] == places["MPI_Barrier"], delay

report = read("report")
assert "MPI_Barrier, mostly " + places["MPI_Barrier"] in report["verdict"], report["verdict"]
assert report["waits"]["delays"]["worst"] == waits["delays"]["worst"]
mistake, = read("mistakes")["mistakes"]
assert (mistake["called_from"]["line"], mistake["called_from"]["library"]) == (40, "libio.so.3")
assert "other_called_from" not in mistake, mistake


# A table has the same, in columns of each row.
def cells(row, key, of):
    return tuple(row[key + "_" + each] for each in of)


with open("sites.csv") as file:
    rows = {each["call"]: each for each in csv.DictReader(file)}
assert {call: cells(each, "called_from", keys) for call, each in rows.items()} == {
    call: tuple("" if each is None else str(each) for each in told or [None] * len(keys))
    for call, told in expected.items()}, rows
with open("mistakes.csv") as file:
    row, = csv.DictReader(file)
assert cells(row, "called_from", ("line", "library")) == ("40", "libio.so.3"), row
assert cells(row, "other_called_from", ("line", "library")) == ("", ""), row
PYTHON
assert_contains "$("$analyze" mistakes traces)" "in MPI_Send at out.c:40 via libio.so.3, and never"
# With 500 ns less 200 of 640 are by way of out.c:14, and 400 by out.c:20. Lines are compared by the
# library's place, and have the name that the second run knows.
write shorter /home/me/run/program /opt/io/lib/libio.so.3 /home/me/run/libparts.so 500
"$analyze" calls --json -o shorter.json shorter
assert_equal "out.c:20 and 2 more via libio.so.3" "$(json shorter.json \
    '[each["hottest_place"] for each in d["calls"] if each["name"] == "MPI_Barrier"][0]')" \
    "another caller has most"
assert_contains "$("$analyze" compare shorter traces)" \
    "MPI_Barrier, out.c:14 and 2 more via libio.so.3"
"$analyze" compare --json -o compare.json shorter traces
assert_equal '[["out.c:14 and 2 more via libio.so.3", [320, 570]]]' "$(json compare.json \
    '[[each["called_from"], each["per_rank_ns"]] for each in d["lines"]
      if each["function"] == "libio.so.3+0x10"]')" "a line of the comparison"
# The stack says itself who led there: dump and the flame graph have the library's place.
assert_contains "$("$analyze" dump traces)" "place=libio.so.3+0x10"
assert_contains "$("$analyze" export --folded=- traces)" "MPI_Barrier libio.so.3+0x10"
"$analyze" report --html=page.html traces
assert_contains "$(tr -s '\n' ' ' <page.html)" "out.c:14 and 2 more via libio.so.3"
# On a narrow screen the library goes before the line.
assert_matches "$("$analyze" sites --width=70 traces)" '^MPI_Barrier +out\.c:14… '
assert_matches "$("$analyze" sites --width=80 traces)" '^MPI_Barrier +out\.c:14 and 2 more… '

# Places of a library that one line leads to would read the same: what makes the call is named
# instead of the library, the address before it, which has room on a narrow screen. No other place
# of MPI_Ssend reads so, nor does the MPI_Send of another line.
write often /home/me/run/program /opt/io/lib/libio.so.3 /home/me/run/libparts.so often
for of in "sites" "sites --width=80" "calls --sites"; do
    "$analyze" $of often >text
    for row in 'MPI_Send +out\.c:50 via \+0x4 in' 'MPI_Send +out\.c:50 via \+0x20 in' \
        'MPI_Send +out\.c:50 via \+0x30 in' 'MPI_Ssend +out\.c:50 via libio\.so\.3' \
        'MPI_Send +out\.c:40 via libio\.so\.3'; do
        assert_equal 1 "$(grep -Ec "^ *$row" text)" "$of: $row"
    done
done
"$analyze" report --html=page.html often
for via in '+0x4 in io_read' '+0x20 in libio.so.3' '+0x30 in libio.so.3'; do
    assert_contains "$(tr -s '\n' ' ' <page.html)" "out.c:50 via $via"
done

# Of a call that a rank was killed in the line is told, too.
write stuck /home/me/run/program /opt/io/lib/libio.so.3 /home/me/run/libparts.so stuck
"$analyze" hang --json -o hang.json stuck 2>err || true
assert_equal '[50, false]' "$(json hang.json \
    '[d["ranks"][0]["called_from"]["line"], "called_from" in d["ranks"][1]]')" "where it was killed"
assert_contains "$("$analyze" hang stuck 2>err | tr -s '\n ' ' ')" \
    "rank 0 is in MPI_Recv at out.c:50 via libio.so.3"
assert_matches "$("$analyze" stuck 2>err | tr -s '\n ' ' ')" \
    "at end .* at out\.c:50 via libio\.so\.3"

# What the system has installed lies together: main says nothing of a program of /usr/bin whose
# parts are libraries in /lib; what its other functions call, and lines, are told as before.
write system /usr/bin/program /lib/x86_64-linux-gnu/libio.so.3 /usr/lib/libparts.so
"$analyze" calls --json -o system.json system
"$python" - <<'PYTHON'
import json

told = {each["name"]: each["hottest_place"] for each in json.load(open("system.json"))["calls"]}
assert told["MPI_Reduce"] == "io_sum+0x2", told
assert told["MPI_Scatter"] == "read_all+0x4 via libio.so.3", told
assert told["MPI_Bcast"] == "main.c:3 via libio.so.3", told
PYTHON

# Below /opt/app/bin and /opt/app/lib lies what is one package; /opt/io is none of it.
write package /opt/app/bin/program /opt/app/lib/libio.so.3 /opt/app/lib/libparts.so
"$analyze" calls --json -o package.json package
assert_equal io_sum+0x2 "$(json package.json \
    '[each["hottest_place"] for each in d["calls"] if each["name"] == "MPI_Reduce"][0]')" "beside"
write apart /opt/app/bin/program /opt/application/lib/libio.so.3 /opt/app/lib/libparts.so
"$analyze" calls --json -o apart.json apart
assert_equal "main+0x7 via libio.so.3" "$(json apart.json \
    '[each["hottest_place"] for each in d["calls"] if each["name"] == "MPI_Reduce"][0]')" "apart"

# What runs a language leads to all that its libraries do from one place in main: their functions
# are named then; not what no name is known of, nor where main leads there from two places.
for of in runs twice; do
    write $of /home/me/run/program /opt/io/lib/libio.so.3 /opt/io/lib/libparts.so $of
    "$analyze" calls --json -o $of.json $of
done
"$python" - <<'PYTHON'
import json


def told(name):
    return {each["name"]: each["hottest_place"]
            for each in json.load(open(name + ".json"))["calls"]}


runs, twice = told("runs"), told("twice")
assert runs["MPI_Ssend"] == "io_put+0x8", runs
assert runs["MPI_Reduce"] == "io_sum+0x2", runs
assert runs["MPI_Alltoall"] == "main+0x7 via libparts.so", runs
assert runs["MPI_Scatter"] == "read_all+0x4 via libio.so.3", runs
assert twice["MPI_Ssend"] == "main+0x19 via libio.so.3", twice
assert twice["MPI_Reduce"] == "main+0x7 via libio.so.3", twice
PYTHON

# A slice of an export has the line that leads there as its own, and a call of the view both.
"$analyze" export -q --chrome chrome.json traces
"$python" - <<'PYTHON' || fail "slices: $(head -c 3000 chrome.json)"
import json

slices = {}
for event in json.load(open("chrome.json"))["traceEvents"]:
    if event["ph"] == "B":
        told = event.get("args", {})
        slices[event["name"]] = tuple(told.get(key) for key in ("file", "line", "function"))
assert slices["MPI_Bcast"] == ("/src/main.c", 3, "main"), slices
assert slices["MPI_Scatter"] == (None, None, "read_all+0x4"), slices
assert slices["MPI_Gather"][1] == 77, slices
assert slices["MPI_Comm_split"] == (None, None, "io_split+0x3"), slices
PYTHON
. "$TOP_SRCDIR/test/system/view.sh"
if [ -x "$view" ] && curl --version >/dev/null 2>&1; then
    show traces
    enter
    "$python" - "$base" <<'PYTHON' || fail "the view's calls"
import json, sys

import view_asks

ask = view_asks.asker(sys.argv[1], json.loads)
near = ask("/near")
told = {}
for call in near["calls"]:
    detail = ask("/call?id=%d" % call[0])
    told[near["names"][call[5]]] = detail["function"], detail["called_from"]
assert told["MPI_Bcast"][1] == "main.c:3 via libio.so.3", told
assert told["MPI_Gather"][1] is None and told["MPI_Comm_split"] == ("io_split+0x3", None), told
PYTHON
    leave || fail "the view ended with $?"
fi
