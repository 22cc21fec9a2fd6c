# Below its rows mpiwatch-view has variables with where they can have been, bytes in flight, ranks
# in each state, lives of communicators and marks: at any zoom those of the analyzer.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/view.sh"
. "$TOP_SRCDIR/test/system/browser.sh"
need_view

archives="waits_messages waits_order cancelled paused comm_lives comms names uneven halo open"
for name in $archives; do
    "$TOP_BUILDDIR/test/data/make_archive" "$name" "$name"
done
if "$python" -c 'import otf2' 2>/dev/null; then
    # A value of 20,000 steps and more, beside those of other tools: what cells and nodes are for.
    "$python" "$TOP_SRCDIR/test/system/foreign.py" metrics metrics/of_tools
    "$python" "$TOP_SRCDIR/test/system/foreign.py" many_values metrics/many
    archives="$archives metrics/of_tools metrics/many"
fi

cat >numbers.py <<'PYTHON'
import bisect, csv, json, random, subprocess, sys

import view_asks

archive, base, analyze = sys.argv[1:4]
ask = view_asks.asker(base, json.loads)
KNOWN, UNSEEN, SHARP = 1, 2, 4
random.seed(1)

subprocess.run([analyze, "export", "--csv", "tables", "--force", archive],
               stdout=subprocess.DEVNULL)
def rows_of(name):
    return list(csv.DictReader(open("tables/%s.csv" % name, newline="")))
def analyzer(*words):
    return json.loads(subprocess.run([analyze, *words], stdout=subprocess.PIPE).stdout)

meta = ask("/meta")
begins, length = meta["begins_ns"], meta["length"]
assert meta["resolution"] == 10**9, "the archives of this test tick in ns"

def close(one, other):
    return one == other or abs(one - other) <= 1e-9 * max(abs(one), abs(other))

# --- variables: each sample, and where the value was before it
series = {}
for row in rows_of("series"):
    series.setdefault((row["name"], row["comm"], row["object"], row["rank"]), []).append(row)
def steps_of(path, start=0, end=None):
    end = length if end is None else end
    told = ask(path + "&from=%d&to=%d" % (start, end))
    if "steps" in told:
        return [step for step in told["steps"] if start <= step[0] <= end]
    middle = (start + end) // 2
    return steps_of(path, start, middle) + steps_of(path, middle + 1, end)
variables = ask("/lanes/variables")
assert variables["count"] == len(variables["list"])
seen = 0
of_variable = {}
for one in variables["list"]:
    for rank in {row["rank"] for row in meta["rows"]}:
        names = [key for key in series if key[0] == one["name"] and key[3] == str(rank) and
                 one["of"] in (None, key[1], key[2])]
        if len(names) != 1:
            continue # of several threads, which are told together
        samples = series[names[0]]
        path = "/lanes/variable?variable=%d&rank=%d" % (one["variable"], rank)
        if archive != "names":
            steps = steps_of(path)
            if not steps and samples: # of several threads
                continue
            assert len(steps) == len(samples), (archive, one, rank, len(steps), len(samples))
            for step, sample in zip(steps, samples):
                assert step[0] + begins == int(sample["t_ns"]), (step, sample)
                assert close(step[1], float(sample["value"])), (step, sample)
                assert (step[5] & KNOWN != 0) == (sample["lower"] != ""), (step, sample)
                if sample["lower"]:
                    assert close(step[2], float(sample["lower"])), (step, sample)
                    assert close(step[3], float(sample["upper"])), (step, sample)
                seen += 1
            of_variable.setdefault(one["variable"], {})[rank] = steps
if archive.startswith("metrics"):
    assert seen >= (40 if archive.endswith("tools") else 40000), (archive, seen)
    assert variables["count"] == (8 if archive.endswith("tools") else 1), variables
    assert variables["list"][0]["ranks"] == 2, variables

# --- the same in cells: by looking at each step
def range_of(steps, start, end, holds):
    values = []
    times = [step[0] for step in steps]
    first = bisect.bisect_right(times, start)
    last = bisect.bisect_right(times, end)
    for at in range(first, last):
        values.append(steps[at][1])
    for at in range(max(first, 1), min(last + 1, len(steps))): # the time before each step
        before, step = steps[at - 1], steps[at]
        begin, stop = max(start, before[0]), min(end, step[0])
        if begin > stop or (begin == stop == step[0]):
            continue
        if begin < step[4] or begin == before[0]:
            values.append(before[1])
        if stop > step[4] and not step[5] & UNSEEN:
            values += step[2:4]
    if first > 0 and (holds or first < len(steps) or start == times[first - 1]):
        if first == len(steps) or start < steps[first][4] or start == times[first - 1]:
            values.append(steps[first - 1][1])
    return (min(values), max(values)) if values else None
def check_cells(path, all_steps, holds, is_sum=False):
    for turn in range(12):
        start, end = sorted(random.randrange(length + 1) for _ in range(2))
        if turn == 0:
            start, end = 0, length
        told = ask(path + "&from=%d&to=%d&cells=%d" % (start, end, [1, 3, 50][turn % 3]))
        if "cells" not in told:
            continue
        count = len(told["cells"])
        edges = [start - (start - end) * at // count for at in range(count + 1)] # rounded up
        for at, cell in enumerate(told["cells"]):
            ranges = [found for found in (range_of(steps, edges[at], edges[at + 1], holds)
                                          for steps in all_steps) if found]
            if not ranges:
                assert cell is None, (path, at, cell)
                continue
            low = sum(one[0] for one in ranges) if is_sum else min(one[0] for one in ranges)
            high = sum(one[1] for one in ranges) if is_sum else max(one[1] for one in ranges)
            assert close(cell[0], low) and close(cell[1], high), \
                (archive, path, start, end, at, count, cell, low, high)
for number, ranks in of_variable.items():
    if len(ranks) > 1 and len(ranks) == [one["ranks"] for one in variables["list"]
                                         if one["variable"] == number][0]:
        path = "/lanes/variable?variable=%d" % number
        check_cells(path, list(ranks.values()), False)
        check_cells(path + "&sum=1", list(ranks.values()), False, True)
    for rank, steps in ranks.items():
        check_cells("/lanes/variable?variable=%d&rank=%d" % (number, rank), [steps], False)

# --- bytes in flight: of messages, and the peaks of watermarks
flight = steps_of("/lanes/flight?")
changes = {}
for row in rows_of("message_records"):
    if row["bytes"]:
        for key in "", row["comm"]:
            of_comm = changes.setdefault(key, {})
            for time, by in (row["sent_ns"], 1), (row["received_ns"], -1):
                of_comm[int(time)] = of_comm.get(int(time), 0) + by * int(row["bytes"])
def value_at(steps, time):
    at = bisect.bisect_right([step[0] for step in steps], time)
    return steps[at - 1][1] if at > 0 else 0
if archive not in ("cancelled", "paused", "open", "waits_order"): # all messages have two ends
    value = 0
    for time in sorted(changes.get("", {})):
        value += changes[""][time]
        assert value_at(flight, time - begins) == value, (archive, time, value, flight)
peaks = {row["comm"]: (row["peak_of_sum"], row["peak_t_ns"])
         for row in analyzer("watermarks", "--json", archive)["across_ranks"]
         if row["name"] == "bytes in flight"}
if None in peaks:
    high = max(step[1] for step in flight)
    when = [step[0] + begins for step in flight if step[1] == high][0]
    assert (high, when) == peaks[None], (archive, high, when, peaks)
for one in ask("/lanes/flights")["list"]:
    steps = steps_of("/lanes/flight?comm=%d" % one["comm"])
    assert steps and steps[-1][5] & SHARP, (archive, one, steps)
    if archive in ("waits_messages", "uneven", "comms", "comm_lives"): # names tell these apart
        value = 0
        for time in sorted(changes[one["name"]]):
            value += changes[one["name"]][time]
            assert value_at(steps, time - begins) == value, (archive, one, time, value, steps)
        check_cells("/lanes/flight?comm=%d" % one["comm"], [steps], True)
check_cells("/lanes/flight?", [flight], True)

# --- communicators: lives, and how many are alive
lives = ask("/lanes/lives?")
told = analyzer("comms", "--json", archive)["communicators"]
created = {(row["created_ns"], row["freed_ns"], row["local_size"]) for row in told}
assert lives["count"] == len(lives["list"])
for life in lives["list"]:
    assert (life["created_ns"], life["freed_ns"], life["members"]) in created, (archive, life)
assert len(told) == lives["count"], (archive, len(told), lives["count"])
for turn in range(20):
    start, end = sorted(random.randrange(length + 1) for _ in range(2))
    some = ask("/lanes/lives?from=%d&to=%d" % (start, end))["list"]
    expected = [life for life in lives["list"]
                if (life["created_ns"] is None or life["created_ns"] <= end + begins) and
                   (life["freed_ns"] is None or life["freed_ns"] >= start + begins)]
    assert some == expected, (archive, start, end, some, expected)
steps = steps_of("/lanes/alive?")
for turn in range(20):
    time = random.randrange(length + 1)
    alive = sum(1 for life in lives["list"]
                if life["created_ns"] is not None and life["created_ns"] <= time + begins and
                   (life["freed_ns"] is None or life["freed_ns"] > time + begins))
    assert value_at(steps, time) == alive, (archive, time, alive, steps)

# --- marks: markers, pauses
marks = ask("/lanes/marks?")["list"]
markers = [(mark["from"] + begins, mark["rank"]) for mark in marks if mark["kind"] == "marker"]
assert markers == [(int(row["time_ns"]), int(row["rank"])) for row in rows_of("markers")], markers
assert archive != "paused" or any(mark["kind"] == "paused" for mark in marks), marks
assert archive != "names" or len(markers) == 2
assert archive != "open" or any(mark["kind"] == "cut" for mark in marks) or \
    not any(row.get("incomplete") for row in analyzer("ranks", "--json", archive)["ranks"]), marks
for mark in marks:
    some = ask("/lanes/marks?from=%d&to=%d" % (mark["to"], mark["to"]))["list"]
    assert mark in some, (archive, mark, some)

# --- ranks in each state: those of timeline
timeline = analyzer("timeline", "--json", "--bins=5", archive)
edges = timeline["edges_ns"]
for part in range(5):
    start, end = edges[part] - begins, edges[part + 1] - begins
    cell = ask("/lanes/running?cells=1&from=%d&to=%d" % (start, end))["cells"][0]
    for state, value in zip(meta["states"], cell):
        expected = sum(rank[state["key"] + "_ns"][part] for rank in timeline["ranks"])
        assert close(value * (end - start), expected), (archive, part, state, value, expected)
for turn in range(20): # parts of the run, which may be told of a little more
    start, end = sorted(random.randrange(length + 1) for _ in range(2))
    if turn % 4 == 0:
        start, end = 0, length
    told = ask("/lanes/running?cells=%d&from=%d&to=%d" % ([64, 7, 1000][turn % 3], start, end))
    edges = told["edges"]
    assert len(told["cells"]) == len(edges) - 1 <= 1000 and edges == sorted(edges)
    assert edges[0] <= start and end <= edges[-1], (archive, start, end, edges)
    assert edges[-1] - edges[0] <= (end - start) * 1.1 + 2, (archive, start, end, edges)
    one = ask("/lanes/running?cells=1&from=%d&to=%d" % (edges[0], edges[-1]))["cells"][0]
    for state, value in enumerate(one):
        sum_of = sum(cell[state] * (edges[at + 1] - edges[at])
                     for at, cell in enumerate(told["cells"]))
        assert abs(sum_of - value * (edges[-1] - edges[0])) <= .01, (archive, state, sum_of)
PYTHON
for name in $archives; do
    show "$name"
    enter
    "$python" -B numbers.py "$name" "$base" "$analyze" || fail "$name: numbers"
    assert_equal 404 "$(code -b jar "$base/lanes/nothing")" "a lane that there is not"
    for of in "variable?variable=4294967295" "variable?variable=4294967294&rank=4294967295" \
        "flight?comm=4294967294" "lives?from=9&to=1" "marks?from=99999999999999999999" \
        "running?cells=0"; do
        code -b jar "$base/lanes/$of" | grep -qx '200\|404' || fail "$of: $(cat body)"
    done
    leave || fail "$name: it ended with $?: $(cat view.err)"
done

# What is kept is the same.
show names
enter
for of in alive lives marks flight variables running; do
    curl -s -b jar "$base/lanes/$of" || fail "lanes: $of"
done >again
leave || fail "it ended with $?"
show names --no-cache
enter
for of in alive lives marks flight variables running; do
    curl -s -b jar "$base/lanes/$of" || fail "lanes: $of"
done >anew
leave || fail "it ended with $?"
cmp again anew || fail "what is kept tells something else"

has_browser || exit 0
look() {
    show "$1"
    timeout 200 "$python" -B "$TOP_SRCDIR/test/system/view_lanes_page.py" "$base" "$url" "$2" ||
        fail "in the browser: $1"
    leave || fail "it ended with $?"
}
look names names
[ ! -d metrics/of_tools ] || look metrics/of_tools metrics
