# Events that an MPI tells by callbacks (MPI_T events of MPI 4.0, of which the MPIs of today have
# none: fake_mpit_events.c): each is in the archive with its elements and its time, also those told
# in a signal handler and by other threads, and what there was no room for is counted to the last.
# They are recorded only where they are asked for.
. "$TOP_SRCDIR/test/system/lib.sh"

cat >check.py <<'PYTHON'
import json

rows = {row["name"]: row for row in json.load(open("counters.json"))["pvars"]
        if row["name"].startswith("fake")}
assert sorted(rows) == ["fake_packet.dropped", "fake_packet[0]", "fake_packet[1]",
                        "fake_packet[2]", "fake_tick", "fake_tick.dropped"], sorted(rows)
packets = [(10 * i, -i, i / 2) for i in range(100)] + [(1, 0, 0)] * 1000
told = sum(row["samples"] for name, row in rows.items() if name in ("fake_packet[0]", "fake_tick"))
dropped = {name: rows[name + ".dropped"]["total"] for name in ("fake_packet", "fake_tick")}
# The thread may tell its thousand faster than calls take them.
assert dropped["fake_packet"] >= 7 and dropped["fake_tick"] >= 904 + 5, dropped
assert told + sum(dropped.values()) == 1100 + 7 + 100 + 50 + 5000 + 5, (told, dropped)
assert rows["fake_tick"]["samples"] == 5150 - (dropped["fake_tick"] - 5), dropped
for element, values in enumerate(zip(*packets)):
    row = rows["fake_packet[%d]" % element]
    assert (row["class"], row["bind"]) == ("EVENT", "EVENT"), row
    assert (row["min"], row["max"]) == (min(values), max(values)), row
    if dropped["fake_packet"] == 7:
        assert abs(row["mean"] - sum(values) / len(values)) < 1e-9, row
        assert sum(row["windows_upper"]) == row["samples"] == len(values), row

events = [event for event in map(json.loads, open("events"))
          if event["event"] == "metric" and "fake_packet[0]" in event["values"]]
seen = [tuple(event["values"].values()) for event in events]
assert seen[:100] == packets[:100] and set(seen[100:]) == {packets[100]}, seen[:3]
# Between two looks of the program at the clock, but for what the recorder's may be off.
log = [tuple(map(int, line.split())) for line in open("log")]
SLACK = 20000
for event, (before, after) in zip(events, log):
    assert before - SLACK <= event["timestamp"] <= after + SLACK, (event, before, after)
PYTHON

for mpi in $(mpis); do
    mpicc=$(mpicc_of "$mpi")
    $mpicc -shared -fPIC -o libfake.so "$TOP_SRCDIR/test/system/fake_mpit_events.c"
    $mpicc -o user "$TOP_SRCDIR/test/system/fake_mpit_events_user.c" -L. -lfake -lpthread \
        -Wl,-rpath,"$scratch"
    LD_PRELOAD=$scratch/libfake.so run_mpi "$mpi" 1 "$record" --force -o events.zip \
        --mpit-events='fake_packet;fake_tick;fake_odd' ./user >log 2>err
    assert_contains "$(cat err)" \
        "the MPI's event fake_odd is not recorded: values of its type are no numbers"
    "$analyze" counters --json events.zip >counters.json
    "$analyze" dump --json events.zip >events
    "$python" check.py || fail "$mpi"
    assert_equal 0 "$(status_of "$analyze" validate events.zip)" "$(cat stdout stderr)"
    "$analyze" watermarks --json events.zip >watermarks.json
    assert_equal 0 "$(json watermarks.json \
        'sum(row["name"].startswith("fake") for row in d["watermarks"])')" "events are no levels"

    LD_PRELOAD=$scratch/libfake.so run_mpi "$mpi" 1 "$record" --force -o events.zip ./user >log
    "$analyze" counters --json events.zip >counters.json
    assert_equal 0 "$(json counters.json \
        'sum(row["name"].startswith("fake") for row in d["pvars"])')" "not asked for"

    # The MPI itself.
    run_mpi "$mpi" 1 "$record" --force -o none.zip --mpit-events=all \
        "$(example empty "$mpi")" >out 2>err
    assert_contains "$(cat err)" "this MPI has no events"
done
