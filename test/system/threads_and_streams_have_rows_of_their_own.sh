# Threads and streams of other tools' archives over time. What is expected is worked out by hand of
# what locations and many_threads in foreign.py say, in ten parts of 1000 ns, the first of which is
# MPI_Init, and before the run.
. "$TOP_SRCDIR/test/system/lib.sh"

"$python" -c 'import otf2' 2>/dev/null || skip "python3-otf2 is not installed"
"$python" "$TOP_SRCDIR/test/system/foreign.py" locations traces
"$analyze" timeline --bins=10 --from=-1us --json -o timeline.json traces
"$analyze" timeline --bins=10 --from=-1us --color=never -o text traces
"$analyze" export --csv=tables traces
"$analyze" schema timeline >schema.json
"$python" - <<'PYTHON'
import csv, json

document = json.load(open("timeline.json"))
assert document["edges_ns"] == list(range(-1000, 9001, 1000)), document["edges_ns"]
states = ["useful", "p2p", "collective", "io", "other", "sync", "transfer", "idle"]
nothing = [0] * 10
away = [1000, 1000, 0, 0, 0, 0, 1000, 1000, 1000, 1000]
expected = {
    "0.1": ("thread", "OMP thread 1",
            {"useful": [0, 0, 1000, 1000, 500, 0, 0, 0, 0, 0],
             "sync": [0, 0, 0, 0, 500, 1000, 0, 0, 0, 0], "idle": away}),
    "0.2": ("thread", "OMP thread 2",
            {"useful": [0, 0, 800, 0, 0, 0, 0, 0, 0, 0], "p2p": [0, 0, 200] + [0] * 7,
             "sync": [0, 0, 0, 1000, 1000, 1000, 0, 0, 0, 0], "idle": away}),
    "0.s0": ("stream", "CUDA[0:7]",
             {"useful": [0, 0, 0, 1000, 1000, 700, 300, 0, 0, 0],
              "transfer": [0, 0, 0, 0, 0, 200, 0, 0, 0, 0],
              "idle": [1000, 1000, 1000, 0, 0, 100, 700, 1000, 1000, 1000]}),
    "1.1": ("thread", "OMP thread 1",
            {"useful": [0, 0, 1000, 1000, 1000, 1000, 0, 0, 0, 0], "idle": away}),
    "1.2": ("thread", "OMP thread 2",
            {"useful": [0, 0, 1000, 500, 0, 0, 0, 0, 400, 0],
             "sync": [0, 0, 0, 500, 1000, 1000, 0, 0, 0, 0],
             "idle": [1000, 1000, 0, 0, 0, 0, 1000, 1000, 600, 1000]}),
    "1.s0": ("stream", "CUDA[0:7]",
             {"useful": [0, 0, 500, 0, 0, 0, 0, 0, 0, 0],
              "transfer": [0] * 6 + [600, 0, 0, 0],
              "idle": [1000, 1000, 500, 1000, 1000, 1000, 400, 1000, 1000, 1000]}),
}
rows = document["locations"]
assert [row["label"] for row in rows] == list(expected), rows
assert document["other_locations"] == 6
for row in rows:
    kind, name, times = expected[row["label"]]
    assert (row["type"], row["name"]) == (kind, name), row
    assert row["rank"] == int(row["label"][0]), row
    for state in states:
        assert row[state + "_ns"] == times.get(state, nothing), (row["label"], state, row)

# Ranks are their main threads, as ever: to these all that is not MPI is useful.
assert [rank["useful_ns"] for rank in document["ranks"]] == 2 * [
    [0] + 6 * [1000] + [0, 1000, 0]], document["ranks"]

# The table is of the run, a row for each part.
table = list(csv.DictReader(open("tables/location_timeline.csv")))
assert len(table) == 6 * 50, len(table)
for row in rows:
    for state in states:
        assert sum(int(line[state + "_ns"]) for line in table if line["label"] == row["label"]) \
            == sum(row[state + "_ns"][1:]), (row["label"], state)
assert '"other_locations"' in open("schema.json").read()
PYTHON
# The lines of the text, and its order: rows below those of their ranks.
sed -n 's/^ *\([0-9.s]*\) |\(.*\)|.*/\1 \2/p' text >lines
cat >expected <<'TEXT'
0 o======c=o
0.1 ..===b....
0.2 ..=bbb....
0.s0 ...===....
1 o======c=o
1.1 ..====....
1.2 ..==bb....
1.s0 ..=...t...
TEXT
diff -u expected lines || fail "text: $(cat text)"
grep -qx ' *0\.1 |.*|  25.0%  15.0%   0.0% thread OMP thread 1' text || fail "text: $(cat text)"
grep -qx ' *0\.2 |.*|   8.0%  30.0%   2.0% thread OMP thread 2' text || fail "text: $(cat text)"

# The picture has them, too.
"$analyze" timeline --svg=all.svg -o text traces
"$analyze" timeline --svg=main.svg --locations=main -o text traces
labels_of() {
    sed -n 's/.*text-anchor="end">\([^<]*\)<.*/\1/p' "$1" | xargs
}
assert_equal "0 0.1 0.2 0.s0 1 1.1 1.2 1.s0" "$(labels_of all.svg)" "rows of the picture"
assert_equal "0 1" "$(labels_of main.svg)" "rows of the picture of main threads"
grep -q '^[^|]*0\.1 |' text && fail "--locations=main: $(cat text)"
"$analyze" timeline --rank=1 -o text traces
assert_equal "1 1.1 1.2 1.s0" "$(sed -n 's/^ *\([0-9.s]*\) |.*/\1/p' text | xargs)" "rows of rank 1"

# A pause that begins and ends inside of calls: these count, and what is between them does not.
"$python" "$TOP_SRCDIR/test/system/foreign.py" pauses paused
"$analyze" timeline --bins=1 --json -o paused.json paused
"$python" - <<'PYTHON'
import json

row, = json.load(open("paused.json"))["locations"]
assert (row["useful_ns"], row["other_ns"]) == ([1000 + 3000], [1000 + 1000]), row
PYTHON

# Of many the first 64 have rows, which is said; all if they are asked for.
"$python" "$TOP_SRCDIR/test/system/foreign.py" many_threads many
"$analyze" timeline -o text many
assert_contains "$(cat text)" "64 of 140 threads and streams"
assert_equal 66 "$(grep -c '|.*|' text)" "lines"
"$analyze" timeline --locations=all -o text many
assert_equal 142 "$(grep -c '|.*|' text)" "lines of all"
"$analyze" timeline --rank=1 --json -o rank.json many
"$python" - <<'PYTHON'
import json

document = json.load(open("rank.json"))
assert [row["label"] for row in document["locations"]] == ["1.%d" % i for i in range(1, 65)]
assert document["other_locations"] == 70, document["other_locations"]
PYTHON
