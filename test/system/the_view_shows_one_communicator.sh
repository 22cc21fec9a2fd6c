# mpiwatch-view tells of each call and message that is near what communicators it has to do with, as
# export --csv has them, and shows one of them in the browser.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/view.sh"
. "$TOP_SRCDIR/test/system/browser.sh"
need_view

for name in comms waits_collective names; do
    "$TOP_BUILDDIR/test/data/make_archive" "$name" "$name"
    show "$name"
    enter
    curl -s -b jar "$base/near" >near.json
    cp near.json "$name.near"
    "$analyze" waits --json "$name" >waits.json
    curl -s -b jar "$base/comms" >comms.json
    "$python" - near.json >ids <<'PYTHON'
import json, sys
print("\n".join(str(call[0]) for call in json.load(open(sys.argv[1]))["calls"]))
PYTHON
    while read -r id; do
        curl -s -b jar "$base/call?id=$id"
        echo
    done <ids >details
    leave || fail "$name: it ended with $?"
    "$python" - "$name" <<'PYTHON' || fail "$name: communicators"
import collections, json, sys
near, comms = json.load(open("near.json")), json.load(open("comms.json"))
names = {one["comm"]: one["name"] for one in comms["list"]}
assert comms["all"] == len(names), comms
names[None] = None
details = [json.loads(line) for line in open("details")]
assert len(details) == len(near["calls"]) == len(near["call_comms"]) > 0
messages = {}
some = 0
for detail, of in zip(details, near["call_comms"]):
    expected = {detail["record"]["comm"]} | \
        {one["record"]["comm"] for one in detail["messages"]["list"]} | \
        {one["comm"] for one in detail["collectives"]}
    assert len(set(of)) == len(of) and {names[comm] for comm in of} == expected - {None}, (
        detail["place"], of, expected)
    messages.update((one["message"], one["record"]["comm"]) for one in detail["messages"]["list"])
    some += len(of)
assert some > 0
for message, of in zip(near["messages"], near["message_comms"]):
    assert names[of] == messages[message[0]], (message, of)
assert len(near["waits"]) == len(near["wait_comms"]), near["waits"]
waits = collections.Counter((one["wait_ns"], one["comm"]) for kind in
                            json.load(open("waits.json"))["patterns"] if kind["role"] == "wait"
                            for one in kind["worst"]) # not all, where there are many
assert not waits - collections.Counter((end - begin, names[of]) for (_, begin, end, _), of in
                                       zip(near["waits"], near["wait_comms"])), (waits, near)
assert len(near["bands"]) == len(near["band_comms"]), near["bands"]
for band, of in zip(near["bands"], near["band_comms"]):
    assert names[of] == (None if band[2] is None else near["names"][band[2]]), (band, of)
print(sys.argv[1], len(details), "calls", len(near["messages"]), "messages", len(names))
PYTHON
done

has_browser || exit 0
"$analyze" export --csv tables --force comms >/dev/null
show comms
timeout 200 "$python" -B "$TOP_SRCDIR/test/system/view_page.py" "$base" "$url" \
    tables/message_records.csv comms.near comms || fail "in the browser"
timeout 30 tail --pid="$pid" -f /dev/null || fail "it stays when the page has gone"
wait "$pid" || fail "it ended with $?"
