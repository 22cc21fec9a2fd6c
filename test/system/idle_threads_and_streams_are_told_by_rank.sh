# How much of their time threads and streams are idle, and how evenly they share regions, worked out
# by hand of what locations in foreign.py says; what ranks share is as without them. Of threads that
# mpiwatch-record has seen nothing is known outside of MPI.
. "$TOP_SRCDIR/test/system/lib.sh"

"$python" -c 'import otf2' 2>/dev/null || skip "python3-otf2 is not installed"
"$python" "$TOP_SRCDIR/test/system/foreign.py" locations traces
"$analyze" imbalance --json -o imbalance.json traces
"$analyze" imbalance -o text traces
"$analyze" export --csv=tables traces
"$python" - <<'PYTHON'
import csv, json

document = json.load(open("imbalance.json"))
times = {(row["rank"], row["type"]): row for row in document["location_times"]}
keys = ["locations", "total_ns", "useful_ns", "mpi_ns", "sync_ns", "transfer_ns", "idle_ns"]
for of, expected, share in (
        ((0, "thread"), [2, 20000, 2500 + 800, 200, 1500 + 3000, 0, 12000], 0.6),
        ((0, "stream"), [1, 10000, 3000, 0, 0, 200, 6800], 0.68),
        ((1, "thread"), [2, 20000, 4000 + 1900, 0, 2500, 0, 11600], 0.58),
        ((1, "stream"), [1, 10000, 500, 0, 0, 600, 8900], 0.89)):
    assert [times[of][key] for key in keys] == expected, times[of]
    assert abs(times[of]["idle_share"] - share) < 1e-9, times[of]
assert len(times) == 4, times

# The loop: 2000, 2500 and 800 on rank 0 (without the send), 3000, 4000 and 1500 on rank 1.
rows = {(row["type"], row["name"]): row for row in document["locations"]}
loop = rows["thread", "!$omp for @x.c:5"]
assert [loop[key] for key in ("kind", "locations", "absent", "total_ns", "min_ns", "average_ns",
                              "max_ns", "location_min", "location_max", "overload_ns",
                              "underload_ns")] == \
    ["region", 6, 0, 13800, 800, 2300, 4000, "0.2", "1.1", 200 + 700 + 1700, 300 + 1500 + 800], loop
assert abs(loop["load_balance"] - 2300 / 4000) < 1e-9, loop
# The barrier: all threads but 1.1.
barrier = rows["thread", "!$omp implicit barrier @x.c:9"]
assert (barrier["locations"], barrier["absent"], barrier["total_ns"]) == \
    (5, 1, 2000 + 1500 + 3000 + 1000 + 2500), barrier
kernel = rows["stream", "kernel"]
assert (kernel["locations"], kernel["total_ns"], kernel["average_ns"], kernel["location_max"],
        kernel["overload_ns"]) == (2, 3500, 1750, "0.s0", 1250), kernel
assert rows["stream", "copy"]["absent"] == 1 and rows["thread", "MPI_Send"]["kind"] == "mpi"
assert ("thread", "MPI_Barrier") not in rows and ("stream", "!$omp for @x.c:5") not in rows

# Ranks are their main threads.
ranks = {row["name"]: row for row in document["rows"]}
assert ranks["!$omp for @x.c:5"]["per_rank_ns"] == [2000, 3000], ranks
assert ranks["useful"]["per_rank_ns"] == [7000, 7000] and "kernel" not in ranks, ranks

table = list(csv.DictReader(open("tables/location_times.csv")))
assert [row["idle_ns"] for row in table] == ["12000", "6800", "11600", "8900"], table
table = list(csv.DictReader(open("tables/location_imbalance.csv")))
assert [row["name"] for row in table] == [row["name"] for row in document["locations"]], table
PYTHON
grep -qx ' *1  stream  *1  *500 ns .* 8\.90 us  89\.0%' text || fail "text: $(cat text)"

# Each thread's time is that from its first to its last event, of which otf2 tells its calls.
cat >own.py <<'PYTHON'
import json

import otf2
from otf2.events import Enter, Leave

times = json.load(open("own.json"))["location_times"]
assert [(row["rank"], row["type"], row["locations"]) for row in times] == \
    [(0, "thread", 4), (1, "thread", 4)], times
assert all(row["idle_ns"] is None and row["idle_share"] is None for row in times), times

spans, calls = {}, {}
with otf2.reader.open("own/traces.otf2") as trace:
    assert trace.timer_resolution == 10**9
    for location, event in trace.events:
        first = spans.setdefault(location.name + location.group.name, [event.time, 0])
        first[1] = event.time
        if isinstance(event, (Enter, Leave)):
            sign = 1 if isinstance(event, Leave) else -1
            key = location.name + location.group.name
            calls[key] = calls.get(key, 0) + sign * event.time
expected = sorted((calls[key], last - first - calls[key]) for key, (first, last) in spans.items()
                  if not key.startswith("Master"))
rows = json.load(open("timeline.json"))["locations"]
found = sorted((sum(sum(row[state + "_ns"]) for state in ("p2p", "collective", "io", "other")),
                sum(row["useful_ns"])) for row in rows)
assert len(rows) == 8 and found == expected, (found, expected)
assert not any(sum(row["idle_ns"]) for row in rows), rows
PYTHON
for mpi in $(mpis); do
    rm -rf own own.otf2.zip
    run_mpi "$mpi" 2 "$record" -o own.otf2.zip "$(example threads_pingpong "$mpi")" >log 2>&1 ||
        fail "$mpi: $(cat log)"
    "$analyze" imbalance --json -o own.json own.otf2.zip
    "$analyze" timeline --json -o timeline.json own.otf2.zip
    unzip -q own.otf2.zip -d own
    "$python" own.py || fail "$mpi: threads of our own"
done
