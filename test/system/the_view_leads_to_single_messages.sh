# mpiwatch-view's numbers are those of timeline and of export --csv, for all parts of the run; in a
# browser one zooms to a message, follows it to its partner and its cause, and reads the same.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/view.sh"
. "$TOP_SRCDIR/test/system/browser.sh"
need_view

# A hand of archives: waits, several calls told as one, pauses, regions in and around calls, losses,
# messages that are probed for, and calls that complete and start all kinds of requests.
archives="waits_messages waits_collective cancelled paused uneven nested threads names open probes
    requests"
for name in $archives; do
    "$TOP_BUILDDIR/test/data/make_archive" "$name" "$name"
done
# And of one side that waits for the other, which computes before it completes what both have begun.
if "$python" -c 'import otf2' 2>/dev/null; then
    for name in one_hides one_hides_not; do
        "$python" "$TOP_SRCDIR/test/system/planted.py" "$name" "$name" || fail "planted.py $name"
        archives="$archives $name"
    done
fi

cat >numbers.py <<'PYTHON'
import collections, csv, json, subprocess, sys

import view_asks

archive, base, analyze = sys.argv[1:4]
ask = view_asks.asker(base)

def analyzer(*words):
    return json.loads(subprocess.run([analyze, *words], stdout=subprocess.PIPE).stdout)

meta = json.loads(ask("/meta"))
begins, per_tick = meta["begins_ns"], 1e9 / meta["resolution"]
assert per_tick == 1, "the archives of this test tick in ns"

# States of parts of the run: of each rank, each state, to the ns.
timeline = analyzer("timeline", "--json", "--bins=7", archive)
edges = timeline["edges_ns"]
for part in range(7):
    span = json.loads(ask("/span?from=%d&to=%d" % (edges[part] - begins, edges[part + 1] - begins)))
    for row, ticks in zip(meta["rows"], span["ticks"]):
        of_rank = [one for one in timeline["ranks"] if one["rank"] == row["rank"]][0]
        for state, value in zip(meta["states"], ticks):
            expected = of_rank[state["key"] + "_ns"][part]
            assert value == expected, (archive, part, row, state, value, expected)

# The shares of the picture are those of the numbers.
whole = json.loads(ask("/span"))
shares = ask("/states?cells=1")
for at, ticks in enumerate(whole["ticks"]):
    for state, value in enumerate(ticks):
        offset = 2 * (at * len(ticks) + state)
        share = int.from_bytes(shares[offset:offset + 2], "little")
        assert abs(share - value * 10000 / whole["to"]) <= .51, (archive, at, state, share, value)

# Each call of main threads, each message: what export --csv has of it.
subprocess.run([analyze, "export", "--csv", "tables", "--force", archive],
               stdout=subprocess.DEVNULL)
near = json.loads(ask("/near"))
def row_of(record):
    return tuple("" if value is None else str(value) for value in record.values())
of_ranks = {str(row["rank"]) for row in meta["rows"]}
def rows_of(name):
    return {tuple(row.values()) for row in csv.DictReader(open("tables/" + name, newline=""))}
exported, messages = rows_of("call_records.csv"), rows_of("message_records.csv")
seen_calls, seen_messages, waits, alone = set(), set(), collections.Counter(), []
for call in near["calls"]:
    detail = json.loads(ask("/call?id=%d" % call[0]))
    if detail["is_mpi"]:
        seen_calls.add(row_of(detail["record"]))
    assert detail["record"]["enter_ns"] == call[3] + begins
    assert detail["duration_ns"] == call[4] - call[3]
    if detail["finds_alone"]:
        alone.append((call[3] + begins, [wait["wait_ns"] for wait in detail["waits"]]))
    for wait in detail["waits"]:
        waits[wait["pattern"]] += wait["wait_ns"]
        if archive == "probes" and wait["wait_ns"] == 50:
            assert not wait["cause"], "a message that nobody receives is none"
        elif wait["pattern"] == "late_sender":
            late = json.loads(ask("/call?id=%d" % wait["cause"]["call"]))
            assert wait["cause"]["rank"] == wait["cause_rank"], detail
            assert "sends" in [one["role"] for one in late["messages"]["list"]], detail
        elif wait["pattern"] == "late_progress":
            # It ends where the other rank enters the call that completes the other end, or one
            # before it, which receives another message.
            assert wait["cause"]["enter"] == wait["to"], detail
            assert [one["role"] for one in
                    json.loads(ask("/call?id=%d" % wait["cause"]["call"]))["messages"]["list"]] == \
                ["completes the send of" if archive == "one_hides" else "receives"], detail
    for message in detail["messages"]["list"]:
        seen_messages.add(row_of(message["record"]))
        # The partner's detail has the same message, and leads back.
        other = json.loads(ask("/call?id=%d" % message["partner"]["call"]))
        assert message["message"] in [one["message"] for one in other["messages"]["list"]], detail
# Calls of requests are of what these are of: archives_requests.c has a table of them.
if archive == "requests":
    of_requests = collections.Counter(
        (near["names"][call[5]], meta["states"][call[6]]["key"]) for call in near["calls"]
        if call[1] == 0 and near["names"][call[5]] in ("MPI_Wait", "MPI_Waitall", "MPI_Test",
                                                       "MPI_Start"))
    assert of_requests == {("MPI_Wait", "collective"): 3, ("MPI_Wait", "io"): 1,
                           ("MPI_Wait", "p2p"): 3, ("MPI_Waitall", "other"): 1,
                           ("MPI_Test", "collective"): 1, ("MPI_Test", "p2p"): 2,
                           ("MPI_Start", "collective"): 1, ("MPI_Start", "p2p"): 1}, of_requests
# The call that probed for 50 ns for what nobody receives, and none that found what is received.
if archive == "probes":
    assert [waits for _, waits in alone] == [[50]], alone
else:
    assert not alone, (archive, alone)
if archive != "names": # whose texts CSV makes harmless
    assert seen_calls <= exported, (archive, list(seen_calls - exported)[:2])
    assert seen_messages <= messages, (archive, list(seen_messages - messages)[:2])
if meta["others"] == 0:
    assert len(seen_calls) == len(exported), (archive, len(seen_calls), len(exported))
    assert len(seen_messages) == len(messages), (archive, len(seen_messages), len(messages))
    assert len(near["messages"]) == meta["messages"]
    found = {row["name"]: row["total_ns"]
             for row in analyzer("waits", "--json", archive)["patterns"]}
    for pattern, total in waits.items():
        assert found[pattern] == total, (archive, pattern, total, found)
    assert set(waits) & set(found) or not meta["waits"], (archive, waits, found)
PYTHON
for name in $archives; do
    show "$name"
    enter
    "$python" -B numbers.py "$name" "$base" "$analyze" || fail "$name: numbers"
    leave || fail "$name: it ended with $?: $(cat view.err)"
done

# A run that was killed shows as far as its record goes; what was open is said to be.
show open
enter
curl -s -b jar "$base/near" | grep -q '"calls":\[\[' || fail "nothing of a killed run"
for id in 0 1 2 3 1024 1025 1026 2048 2049 2050; do
    curl -s -b jar "$base/call?id=$id"
done >calls
grep -q '"is_open":true' calls || fail "no call is said to be open: $(cat calls)"
leave || fail "it ended with $?"

has_browser || exit 0
look() {
    show "$1"
    "$analyze" export --csv tables --force "$1" >/dev/null
    timeout 200 "$python" -B "$TOP_SRCDIR/test/system/view_page.py" "$base" "$url" \
        tables/message_records.csv tables/call_records.csv "$2" || fail "in the browser: $1"
    # It ends by itself when the browser has gone.
    leave || fail "it ended with $?"
}
look waits_messages messages
look names names
look probes probes
[ ! -d one_hides ] || look one_hides progress
