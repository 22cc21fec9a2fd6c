# mpiwatch-view counts each rank's calls as mpiwatch-analyze does, and sorts rows by host, waiting
# and cluster, few of them and a thousand: the order and its numbers are those of ranks, timeline
# and waits.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/view.sh"
. "$TOP_SRCDIR/test/system/browser.sh"
need_view

# told ARCHIVE: what mpiwatch-analyze says of its ranks.
told() {
    "$analyze" ranks --json -o "$1.ranks" "$1"
    "$analyze" calls --json -o "$1.calls" "$1"
    "$analyze" waits --json -o "$1.waits" "$1"
    "$analyze" timeline --json --bins=1 -o "$1.timeline" "$1"
}

for name in waits_messages waits_collective nested cancelled paused uneven threads; do
    "$TOP_BUILDDIR/test/data/make_archive" "$name" "$name"
    told "$name"
    show "$name"
    enter
    curl -s -b jar "$base/called" >called
    curl -s -b jar "$base/meta" >meta
    begin=$(json meta 'max(0, round(-d["begins_ns"] * d["resolution"] / 1e9))')
    curl -s -b jar "$base/span?from=$begin&to=$(json meta 'd["length"]')" >span
    leave || fail "$name: it ended with $?"
    "$python" - "$name" <<'PYTHON' || fail "$name: ranks"
import collections, json, sys
name = sys.argv[1]
called, meta = json.load(open("called")), json.load(open("meta"))
ranks = {row["rank"]: row for row in json.load(open(name + ".ranks"))["ranks"]}
assert called["until"] is None and len(called["rows"]) == len(meta["rows"]), called
times = collections.Counter()
for about, row in zip(meta["rows"], called["rows"]):
    rank = ranks[about["rank"]]
    assert about["host"] == rank["host"], (about, rank)
    assert (row["to"] - row["from"]) * 1e9 / meta["resolution"] == rank["run_ns"], (row, rank)
    assert row["calls"] == sorted(row["calls"], key=lambda one:
                                  (-one[1], called["names"][one[0]])), row
    if rank["locations"] == 1:
        assert sum(count for _, count in row["calls"]) == rank["calls"], (row, rank)
    times.update({called["names"][which]: count for which, count in row["calls"]})

# A row is in the first cluster whose first row is near enough in all that the two have shares of.
def shares(numbers):
    return [number / sum(numbers) if sum(numbers) else 0 for number in numbers]

def near(one, other, apart):
    return all(abs(a - b) <= apart + 1e-9 for a, b in zip(one, other, strict=True))

counts = [dict(row["calls"]) for row in called["rows"]]
alike = [(shares(ticks), shares([count.get(which, 0) for which in range(len(called["names"]))]))
         for ticks, count in zip(json.load(open("span"))["ticks"], counts)]
clusters = []
for row, (states, functions) in enumerate(alike):
    for rows in clusters:
        if near(states, alike[rows[0]][0], .05) and near(functions, alike[rows[0]][1], .10):
            rows.append(row)
            break
    else:
        clusters.append([row])
assert [cluster["rows"] for cluster in called["clusters"]] == clusters, (clusters, called)
assert (called["time_apart"], called["calls_apart"]) == (.05, .10), called
for cluster in called["clusters"]:
    assert dict(cluster["called"]) == sum((collections.Counter(counts[row])
                                           for row in cluster["rows"]), collections.Counter())
    for at, share in enumerate(cluster["states"]):
        mean = sum(alike[row][0][at] for row in cluster["rows"]) / len(cluster["rows"])
        assert abs(share - mean) < 1e-9, (cluster, at, mean)

if name != "threads": # whose other threads call, too
    expected = {row["name"]: row["count"] for row in json.load(open(name + ".calls"))["calls"]}
    assert times == expected, (times, expected)
PYTHON
done

has_browser || exit 0
"$TOP_BUILDDIR/test/bench/generate" wide 1000 600000 >/dev/null
told wide
for name in waits_messages waits_collective wide; do
    show "$name"
    timeout 200 "$python" -B "$TOP_SRCDIR/test/system/view_page.py" "$base" "$url" \
        "$name" - order || fail "$name in the browser"
    leave || fail "it ended with $?"
done
