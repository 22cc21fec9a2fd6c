# Sends that one thread begins and another may complete: outstanding requests, bytes of
# outstanding sends and bytes in flight of ranks with threads are what the dump adds up to.
. "$TOP_SRCDIR/test/system/lib.sh"

cat >check.py <<'PYTHON'
import json
events = sorted((json.loads(line) for line in open("events")), key=lambda event: event["time_ns"])
marks = json.load(open("watermarks.json"))["watermarks"]
threads = {(event["rank"], event["location"]) for event in events}
assert len(threads) > 2, "there is but one thread a rank"

def peak(steps):
    """Highest value, what happens at one time taken together, and the value at the end."""
    value, most, at = 0, 0, {}
    for time, by in steps:
        at[time] = at.get(time, 0) + by
    for time in sorted(at):
        value += at[time]
        most = max(most, value)
    return most, value

for rank in (0, 1):
    own = [event for event in events if event["rank"] == rank]
    sends = {event["request"]: event for event in own if event["event"] == "isend"}
    assert len(sends) == sum(event["event"] == "isend" for event in own), "ids used again"
    steps = [(event["time_ns"], event["bytes"]) for event in sends.values()]
    steps += [(event["time_ns"], -sends[event["request"]]["bytes"]) for event in own
              if event["event"] == "isend_complete"]
    most, end = peak(steps)
    assert end == 0 and most > 0, (most, end)
    for comm in (None, "MPI_COMM_WORLD"):
        mark = [mark for mark in marks if mark["name"] == "bytes of outstanding sends"
                and mark["rank"] == rank and mark["comm"] == comm][0]["high"]
        assert mark["exact"] and mark["value"] == most, (rank, comm, mark, most)
        mark = [mark for mark in marks if mark["name"] == "bytes in flight"
                and mark["rank"] == rank and mark["comm"] == comm][0]
        assert mark["high"]["exact"] and mark["low"]["value"] == 0, mark
PYTHON
for mpi in $(mpis); do
    run_mpi "$mpi" 2 "$record" -q --force -o threads.otf2.zip \
        "$(example threads_pingpong "$mpi")" >/dev/null
    "$analyze" dump --json threads.otf2.zip >events
    "$analyze" watermarks --json threads.otf2.zip >watermarks.json
    "$python" check.py || fail "$mpi"
done
