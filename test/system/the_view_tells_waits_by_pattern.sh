# mpiwatch-view's waits by pattern are those of mpiwatch-analyze waits, and lead to the longest one.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/view.sh"
. "$TOP_SRCDIR/test/system/browser.sh"
need_view

for name in waits_messages waits_collective waits_order waits_neighbors nested; do
    "$TOP_BUILDDIR/test/data/make_archive" "$name" "$name"
    "$analyze" waits --json "$name" >"$name.json"
    show "$name"
    enter
    curl -s -b jar "$base/kinds" >kinds.json
    leave || fail "$name: it ended with $?"
    "$python" - "$name" <<'PYTHON' || fail "$name: waits"
import json, sys
kinds = json.load(open("kinds.json"))
found = {row["name"]: row for row in json.load(open(sys.argv[1] + ".json"))["patterns"]}
seen = {row["pattern"]: row for row in kinds}
for name, row in seen.items():
    assert row["wait_ns"] == found[name]["total_ns"], (name, row, found[name])
    assert row["waits"] == found[name]["instances"] == len(row["longest"]), (name, row)
    lengths = [one["wait_ns"] for one in row["longest"]]
    assert lengths == sorted(lengths, reverse=True) and sum(lengths) == row["wait_ns"], lengths
    assert {one["pattern"] for one in row["longest"]} == {name}, row
print(sys.argv[1], {name: row["wait_ns"] for name, row in seen.items()})
assert seen or sys.argv[1] == "nested", kinds
PYTHON
done

has_browser || exit 0
show waits_messages
timeout 200 "$python" -B "$TOP_SRCDIR/test/system/view_page.py" "$base" "$url" \
    waits_messages.json - kinds || fail "in the browser"
leave || fail "it ended with $?"
