# Search in mpiwatch-view finds the calls that export --csv has: all of them, each once, in order.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/view.sh"
. "$TOP_SRCDIR/test/system/browser.sh"
need_view

cat >find.py <<'PYTHON'
import csv, json, sys, urllib.parse

import view_asks

base = sys.argv[1]
ask = view_asks.asker(base, json.loads)
near = None

def search(by, text, back=False):
    """All hits, one after the other."""
    query = "/search?by=%s&text=%s" % (by, urllib.parse.quote(text))
    more = "&back=1&at=999999999999" if back else "&at=0"
    first = ask(query + more + "&count=1")
    hits, found = [], first
    while found["hit"]:
        hit = found["hit"]
        hits.append((hit["enter"], hit["call"]))
        assert len(hits) <= first["count"], (by, text, hits)
        found = ask(query + "&at=%d&call=%d" % hits[-1] + ("&back=1" if back else ""))
    assert found["until"] is None and first["is_whole"], (by, text, found)
    assert len(hits) == first["count"], (by, text, first, hits)
    assert first["position"] == (0 if not hits else len(hits) if back else 1), first
    return hits[::-1] if back else hits

near = ask("/near")
begins = ask("/meta")["begins_ns"]
details = {call[0]: ask("/call?id=%d" % call[0]) for call in near["calls"]}
def expect(by, text, fits):
    expected = sorted((call[3], call[0]) for call in near["calls"] if fits(details[call[0]]))
    for back in False, True:
        hits = search(by, text, back)
        assert hits == expected, (by, text, back, expected, hits)
    return len(expected)
def messages(detail):
    return [one["record"] for one in detail["messages"]["list"]]
def name(detail):
    return detail["place"]["name"].lower()

names = {detail["place"]["name"] for detail in details.values()}
for one in names:
    assert expect("region", one.upper(), lambda detail: one.lower() in name(detail)) > 0
expect("region", "mpi_*", lambda detail: name(detail).startswith("mpi_"))
expect("region", "mpi_?end", lambda detail: name(detail) in ("mpi_send", "mpi_rend"))
expect("region", "of nowhere", lambda detail: False)
tags = {message["tag"] for detail in details.values() for message in messages(detail)}
for tag in tags:
    assert expect("tag", str(tag), lambda detail: detail["record"]["tag"] == tag or
                  tag in [one["tag"] for one in messages(detail)]) > 0
for size in 0, 9, 10, 19, 10**9:
    expect("size", str(size), lambda detail: max(
        [detail["record"]["bytes_sent"] or 0, detail["record"]["bytes_received"] or 0] +
        [one["bytes"] for one in messages(detail)]) > size)
comms = {detail["record"]["comm"] for detail in details.values()} - {None, ""}
for comm in comms:
    expect("comm", comm, lambda detail: comm.lower() in (detail["record"]["comm"] or "").lower() or
           [one for one in messages(detail) if comm.lower() in one["comm"].lower()] or
           [one for one in detail["collectives"] if comm.lower() in (one["comm"] or "").lower()])
places = {(detail["record"]["file"], detail["record"]["line"]) for detail in details.values()}
places -= {(None, None)}
for file, line in places:
    if file and line:
        ends = file.rpartition("/")[2]
        where = lambda detail: "%s:%s" % (detail["record"]["file"], detail["record"]["line"])
        assert expect("line", "%s:%d" % (ends, line),
                      lambda detail: where(detail).endswith("%s:%d" % (ends, line))) > 0
        expect("line", str(line), lambda detail: detail["record"]["line"] == line)
        expect("line", ends, lambda detail: ends in (detail["record"]["file"] or ""))
print(len(details), "calls,", len(names), "names,", len(tags), "tags,", len(comms),
      "communicators,", len(places), "places")
PYTHON
archives="waits_messages waits_collective nested names"
for name in $archives; do
    "$TOP_BUILDDIR/test/data/make_archive" "$name" "$name"
done
if "$python" -c 'import otf2' 2>/dev/null; then # with lines
    "$python" "$TOP_SRCDIR/test/system/places_and_callers.py" places
    archives="$archives places"
fi
for name in $archives; do
    show "$name"
    enter
    "$python" -B find.py "$base" || fail "$name: what is found"
    leave || fail "$name: it ended with $?: $(cat view.err)"
done

show waits_messages
enter
for words in "by=size&text=1e3" "by=tag&text=-1" "by=region&text=" "by=region" "text=a" \
    "by=any&text=a"; do
    [ "$(code -b jar "$base/search?$words")" = 400 ] || fail "$words: $(cat body)"
done
leave || fail "it ended with $?"

has_browser || exit 0
"$analyze" export --csv tables --force waits_messages >/dev/null
show waits_messages
timeout 200 "$python" -B "$TOP_SRCDIR/test/system/view_page.py" "$base" "$url" - \
    tables/call_records.csv find || fail "in the browser"
leave || fail "it ended with $?"
