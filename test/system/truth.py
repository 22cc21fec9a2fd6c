"""truth.py CASE THREADS LOG COUNTERS WATERMARKS SERIES EVENTS: what mpiwatch states of the
variables of truth_mpi_t.c against what the program (truth_user.c) read of them itself."""
import array
import bisect
import collections
import json
import struct
import sys

NAMES = ["level", "size", "percent", "state", "count", "bytes", "time", "mark", "fifth"]
case, threads, log, counters, watermarks, series, events = sys.argv[1:8]
# A thread may be stopped by the system between its call's end and its own reading, while the other
# one goes on: what it writes down then is late.
late = 0.001 if threads == "1" else 0.005
# Of two that call all the time, one may have been stopped between its call and its reading.
is_busy = threads == "2" and case in ("fast", "bursts")
around = 100000 if threads == "1" else 5000000
words = array.array("Q")
with open(log, "rb") as file:
    words.frombytes(file.read())
rows = [words[i:i + 2 + len(NAMES)] for i in range(0, len(words), 2 + len(NAMES))]
begun, read = [row[0] for row in rows], [row[1] for row in rows]
is_real = {"percent", "time"}


def values_of(name):
    column = [row[2 + NAMES.index(name)] for row in rows]
    if name in is_real:
        return [struct.unpack("d", struct.pack("Q", bits))[0] for bits in column]
    return column


def changed_at(i):
    """When the value of row i came, at the earliest: after a call was begun (the next row may be
    that of another thread, whose call did it), and before it was read."""
    return max(read[i - 1], min(begun[i:i + 2]))


def mean_of(values):
    """The mean, at least and at most."""
    lower = upper = 0
    for i in range(1, len(rows)):
        change = changed_at(i)
        certain, open_ = change - read[i - 1], read[i] - change
        lower += values[i - 1] * certain + min(values[i - 1:i + 1]) * open_
        upper += values[i - 1] * certain + max(values[i - 1:i + 1]) * open_
    return lower / span, upper / span


with open(counters) as file:
    found = {row["name"][len("truth_"):]: row for row in json.load(file)["pvars"]}
with open(watermarks) as file:
    marks = {row["name"][len("truth_"):]: row for row in json.load(file)["watermarks"]}
assert set(found) == set(NAMES), found.keys()
span = read[-1] - read[0]
# Who finds the other thread reading reads nothing: what changes while one that reads is stopped by
# the system is known when that one goes on, though the program's other thread sees it before; what
# one's call changes while the other one reads at the end of a gap may have been so in all of the
# gap. And a sample has the time at which its reading began.
stops = [(start, end) for start, end in zip(begun, read)
         if threads == "2" and end - start > 1000000]
gaps = [min(begun[i:i + 2]) - read[i - 1] for i in range(1, len(rows) - 1)
        if threads == "2" and case in ("slow", "gaps") and begun[i + 1] < read[i]]
hidden = (sum(end - start for start, end in stops) + sum(gaps)) / span

# Means: the truth is within what is stated, and that is narrow.
for name in ("level", "size", "percent"):
    values, row = values_of(name), found[name]
    least, most = mean_of(values)
    extent = max(values) - min(values)
    lower, upper = row["mean_lower"], row["mean_upper"]
    # Also from MPI_Init's end to the first row, and from the last one on.
    slack = (late + hidden) * max(values)
    assert lower - slack <= most and least <= upper + slack, (name, least, most, row)
    narrow = max(0.01 * extent, 1 if name != "percent" else 0) * (2 if is_busy else 1)
    # Where the system stops the program inside its calls, it can't tell more itself.
    narrow = max(narrow, most - least) + hidden * extent
    assert upper - lower <= narrow, (name, row)
    assert lower <= row["mean"] <= upper, row
    assert row["max"] == max(values) and row["min"] in (min(values), 0), (name, row)
    high = marks[name]["high"]
    assert high["value"] == max(values), (name, high)
    print(name, "mean", least, "to", most, "stated", lower, "to", upper, "samples", row["samples"])
if case == "gaps":
    assert found["level"]["mean_upper"] <= 0.05, found["level"]

# A level beyond the four that are read after each call: what is stated holds for the time that it
# was observed, which is almost all of it where calls come alone or in bursts with gaps between.
row, values = found["fifth"], values_of("fifth")
least, most = mean_of(values)
rest = row["unobserved_ns"] / span
if row["mean_lower"] is not None:
    assert (1 - rest) * (row["mean_lower"] - 0.01 * max(values)) <= most and \
        least <= (1 - rest) * (row["mean_upper"] + 0.01 * max(values)) + rest * max(values), \
        (least, most, rest, row)
assert row["max"] <= max(values)
if threads == "1" and case in ("slow", "gaps"):
    assert row["mean_upper"] - row["mean_lower"] <= 0.05 and rest <= 0.05, (rest, row)
print("fifth mean", least, "to", most, "stated", row["mean_lower"], "to", row["mean_upper"],
      "not observed", rest, "samples", row["samples"])

# How long each state was held, at least and at most: as with means.
row, values = found["state"], values_of("state")
held_least, held_most = collections.Counter(), collections.Counter()
for i in range(1, len(rows)):
    change = changed_at(i)
    held_least[values[i - 1]] += (read[i] if values[i] == values[i - 1] else change) - read[i - 1]
    held_most[values[i - 1]] += read[i] - read[i - 1]
    if values[i] != values[i - 1]:
        held_most[values[i]] += read[i] - change
for value, most in held_most.items():
    at = row["states"].index(value)
    lower, upper = row["state_ns_lower"][at], row["state_ns_upper"][at]
    slack = (late + hidden) * span
    assert lower - slack <= most and held_least[value] <= upper + slack, \
        (value, held_least[value], most, row)
    assert upper - lower <= (0.02 + hidden) * span, row
print("states held", dict(held_least), "to", dict(held_most), "stated", row["state_ns"])

# Sums to the last unit; a window's rate within its bounds, and a jump is in one window.
for name in ("count", "bytes", "time"):
    row, values = found[name], values_of(name)
    assert abs(row["total"] - values[-1]) <= 1e-9 * values[-1], (name, row["total"], values[-1])
    assert row["rate_min_lower_per_s"] <= row["rate_min_per_s"] <= row["rate_max_per_s"] \
        <= row["rate_max_upper_per_s"], row
if case in ("slow", "gaps"):
    row = found["count"]
    assert row["rate_min_lower_per_s"] == row["rate_min_upper_per_s"] == 0, row
    assert row["rate_max_upper_per_s"] > 5 * row["rate_per_s"], row
    # One thread may find the other one reading at the end of a gap: then it may have been in all
    # of the gap, which may lie across an edge.
    # (So may the moment between two reads in which it jumps, by chance.)
    changed = [i for i, upper in enumerate(row["windows_upper"]) if upper > 0]
    assert threads == "2" or row["rate_max_lower_per_s"] == row["rate_max_upper_per_s"] or \
        (len(changed) == 2 and changed[1] == changed[0] + 1 and
         row["mean_upper"] - row["mean_lower"] <= 0.01 * row["max"]), row

# Each sample is a value that the program could have read at that time.
# Its calls were entered after it said so: by what the one that was entered soonest took for that.
with open(events) as file:
    entered = [event["time_ns"] for event in map(json.loads, file)
               if event["event"] == "enter" and event.get("region") == "MPI_Barrier"]
calls = sorted(begun[1:-1])
assert len(entered) == len(calls), (len(entered), len(calls))
offset = max(said - time for said, time in zip(calls, sorted(entered)))
columns = {name: values_of(name) for name in ("level", "size", "state", "mark", "fifth")}
count = 0
with open(series) as file:
    for line in file:
        time, value, rank, name = line.split()[:4]
        name, at = name[len("truth_"):], int(time) + offset
        if name not in columns or not read[0] <= at <= read[-1]:
            continue
        low = max(bisect.bisect_left(read, at - around) - 1, 0)
        until = max([end for start, end in stops if start <= at <= end], default=at)
        high = bisect.bisect_right(read, until + around) + 1
        assert float(value) in columns[name][low:high], \
            (name, at - read[0], value, columns[name][low:high])
        count += 1
assert count > 0
print("samples that the program could have read:", count)
