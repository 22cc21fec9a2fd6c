# Where calls are made, who calls the functions that make them, and for which calls of others they
# waited: `waits`, `sites`, `sites --stacks`, `calls` and `calls --sites` of an archive whose times
# stand in places_and_callers.py.
. "$TOP_SRCDIR/test/system/lib.sh"

"$python" -c 'import otf2' 2>/dev/null || skip "python3-otf2 is not installed"
"$python" "$TOP_SRCDIR/test/system/places_and_callers.py" traces
for command in calls sites waits; do
    "$analyze" $command --json -o $command.json traces
done
"$analyze" sites --stacks --json -o stacks.json traces
"$analyze" sites --stacks --csv -o stacks.csv traces
"$analyze" calls --sites --json -o call_sites.json traces
"$analyze" calls --sites --csv -o call_sites.csv traces
"$python" - <<'PYTHON'
import csv
import json


def read(name):
    return json.load(open(name + ".json"))


def close(found, expected):
    return abs(found - expected) < 1e-9


# By place: both MPI_Recv of halo.c:31 are one, whoever calls halo.
places = {(each["call"], each["file"], each["line"]): each for each in read("sites")["sites"]}
expected = {
    ("MPI_Recv", "/src/halo.c", 31): (2, 4200, 4000, 0, "halo"),
    ("MPI_Send", "/src/send.c", 12): (2, 100, 0, 4000, "push;"),
    ("MPI_Barrier", "/src/main.c", 40): (2, 600, 400, 400, "main"),
    ("MPI_Barrier", "/src/deep.c", 7): (2, 300, 100, 100, "deep"),
    ("MPI_Init", None, None): (2, 2000, 0, 0, None),
    ("MPI_Finalize", None, None): (2, 2000, 0, 0, None),
}
assert {key: (each["count"], each["time_ns"], each["wait_ns"], each["caused_ns"], each["function"])
        for key, each in places.items()} == expected, places

# Who waited for which call; times count from the end of MPI_Init, at 1000.
waits = read("waits")
told = {(wait["t_ns"], wait["place"], wait["cause_call"], wait["cause_place"], wait["wait_ns"])
        for pattern in waits["patterns"] if pattern["role"] == "wait" for wait in pattern["worst"]}
assert told == {(1000, "halo.c:31", "MPI_Send", "send.c:12", 3000),
                (5000, "halo.c:31", "MPI_Send", "send.c:12", 1000),
                (7000, "main.c:40", "MPI_Barrier", "main.c:40", 400),
                (8000, "deep.c:7", "MPI_Barrier", "deep.c:7", 100)}, told
delay, = waits["delays"]["worst"]
assert (delay["rank"], delay["short_term_ns"], delay["before_call"],
        delay["before_place"]) == (1, 4500, "MPI_Send", "send.c:12"), delay

# By caller.
stacks = {}
for site in read("stacks")["sites"]:
    key = site["call"], site["file"], site["line"]
    assert site["time_ns"] == expected[key][1], site
    for caller in site["callers"]:
        frames = tuple((each["function"], each["file"], each["line"]) for each in caller["stack"])
        stacks[key + (frames, caller["is_cut"])] = (caller["time_ns"], caller["wait_ns"])
        assert close(caller["share"], caller["time_ns"] / site["time_ns"]), site
main, halo = ("main", "/src/main.c"), ("halo", "/src/halo.c", 31)
recv = "MPI_Recv", "/src/halo.c", 31
assert stacks == {
    recv + ((main + (20,), halo), False): (3100, 3000),
    recv + ((main + (25,), ("solve", "/src/solve.c", 50), halo), False): (1100, 1000),
    ("MPI_Send", "/src/send.c", 12, (main + (22,), ("push;", "/src/send.c", 12)), False): (100, 0),
    ("MPI_Barrier", "/src/main.c", 40, (main + (40,),), False): (600, 400),
    ("MPI_Barrier", "/src/deep.c", 7, (("deep", "/src/deep.c", 7),), True): (300, 100),
    ("MPI_Init", None, None, (), False): (2000, 0),
    ("MPI_Finalize", None, None, (), False): (2000, 0),
}, stacks
rows = [(row["call"], row["stack"], int(row["time_ns"]))
        for row in csv.DictReader(open("stacks.csv"))]
assert rows[:2] == [("MPI_Recv", "halo < main", 3100),
                    ("MPI_Recv", "halo < solve < main", 1100)], rows
assert ("MPI_Barrier", "deep < ...", 300) in rows and len(rows) == 7, rows

# By call: the numbers of calls and of sites.
calls = {each["name"]: each for each in read("calls")["calls"]}
hottest = {"MPI_Recv": "halo.c:31", "MPI_Send": "send.c:12", "MPI_Barrier": "main.c:40",
           "MPI_Init": None, "MPI_Finalize": None}
assert {name: each["hottest_place"] for name, each in calls.items()} == hottest, calls
for call in read("call_sites")["calls"]:
    sites = call.pop("sites")
    assert call == calls[call["name"]], call
    assert sum(site["time_ns"] for site in sites) == call["time_ns"], call
    assert sum(site["count"] for site in sites) == call["count"], call
    for site in sites:
        share = site.pop("share")
        assert site == places[site["call"], site["file"], site["line"]], site
        assert close(share, site["time_ns"] / call["time_ns"]), site
rows = [(row["call"], row["line"], row["time_ns"])
        for row in csv.DictReader(open("call_sites.csv"))]
assert [row for row in rows if row[0] == "MPI_Barrier"] == [
    ("MPI_Barrier", "40", "600"), ("MPI_Barrier", "7", "300")], rows
assert len(rows) == 6, rows
PYTHON
assert_matches "$("$analyze" waits traces)" ' halo\.c:31 .* MPI_Send, send\.c:12'
assert_matches "$("$analyze" waits traces)" ' computation  .* MPI_Send, send\.c:12'
assert_matches "$("$analyze" sites --stacks traces)" ' 1\.10 us  26\.2% .* halo < solve < main'
# On a narrow screen stacks are not cut: what tells two of them apart may be in their middle. They
# stand below the rows, in as many lines as they take, unless they fit beside the rest.
for width in 60 50 40; do
    assert_equal "halo < main
halo < solve < main" "$("$analyze" sites --stacks --width=$width traces |
        sed -n 's/^ *\(halo <.*\)/\1/p')" "stacks on $width columns"
done
assert_matches "$("$analyze" sites --stacks --width=80 traces)" '26\.2% .* halo < solve < main$'
assert_matches "$("$analyze" calls --sites traces)" 'deep\.c:7 .* 33\.3% '
assert_matches "$("$analyze" calls traces)" 'MPI_Barrier .* main\.c:40'

# The page has them as a flame graph: depth, begin and width of each box, and how much is waiting.
"$analyze" report --html page.html traces
"$python" - <<'PYTHON'
import re

boxes = re.findall(r'<span style="--d:(\d+);--x:([\d.]+)%;--w:([\d.]+)%;--q:([\d.]+)%" '
                   r'title="([^"]*)">([^<]*)</span>', open("page.html", encoding="utf-8").read())
drawn = [(int(depth), round(float(x) / 100 * 5200), round(float(width) / 100 * 5200),
          int(float(waiting)), name) for depth, x, width, waiting, _, name in boxes]
assert drawn == [
    (0, 0, 5200, 86, "MPI"),
    (1, 0, 4900, 89, "main"),
    (2, 0, 3100, 96, "halo"), (3, 0, 3100, 96, "MPI_Recv halo.c:31"),
    (2, 3100, 1100, 90, "solve"), (3, 3100, 1100, 90, "halo"),
    (4, 3100, 1100, 90, "MPI_Recv halo.c:31"),
    (2, 4200, 600, 66, "MPI_Barrier main.c:40"),
    (2, 4800, 100, 0, "push;"), (3, 4800, 100, 0, "MPI_Send send.c:12"),
    (1, 4900, 300, 33, "..."), (2, 4900, 300, 33, "deep"),
    (3, 4900, 300, 33, "MPI_Barrier deep.c:7"),
], drawn
assert boxes[2][4] == "halo: 3.10 us, 59.6% of the time in MPI; waiting 3.00 us, 96.8% of it", boxes
PYTHON
