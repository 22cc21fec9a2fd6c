# The watermarks of the JSON report, of its page and of export --csv are those of the command
# watermarks, line by line: of small archives, lossy and unfinished ones among them, and of one
# with more than four million events.
. "$TOP_SRCDIR/test/system/lib.sh"

cat >same.py <<'PYTHON'
import csv, html, json, re, sys
marks = json.load(open("watermarks.json"))
report = json.load(open("report.json"))["watermarks"]
assert report == marks, [row for row in marks["watermarks"] if row not in report["watermarks"]][:3]
with open("tables/watermarks.csv") as table, open("watermarks.csv") as other:
    assert table.read() == other.read(), "watermarks.csv"
levels = [row for row in marks["watermarks"] if row["source"] == "events"]
named = {row["name"] + (" on " + row["comm"] if row["comm"] else "") for row in levels}
page = open("page.html", encoding="utf-8", errors="replace").read()
table = page[page.index("Extremes as a table"):]
table = table[:table.index("</table>")]
of_page = {}
for line in re.split("<tr[^>]*>", table):
    cells = [html.unescape(re.sub("<[^>]*>", "", "<td" + cell)) for cell in line.split("<td")[1:]]
    if len(cells) > 5 and cells[1] == "from events":
        of_page[cells[0]] = (float(cells[3]), int(cells[4]))
if len(named) < 40 and all(len(name) < 30 for name in named):
    assert named == set(of_page), (named, of_page)
for name, (highest, rank) in of_page.items():
    of_name = [row for row in levels
               if row["name"] + (" on " + row["comm"] if row["comm"] else "") == name]
    if of_name:
        top = max(row["high"]["value"] for row in of_name)
        assert highest == top or abs(highest - top) < top / 1000, (name, highest, top)
        assert any(row["rank"] == rank and row["high"]["value"] == top for row in of_name), name
print(len(levels))
PYTHON

# compare ARCHIVE: how many levels it has.
compare() {
    "$analyze" -q watermarks --json "$1" >watermarks.json || :
    "$analyze" -q watermarks --csv "$1" >watermarks.csv || :
    "$analyze" -q report --json "$1" >report.json || :
    "$analyze" -q report --force --html=page.html "$1" >/dev/null || :
    "$analyze" -q export --force --csv=tables "$1" || :
    "$python" same.py || fail "$1"
}

for what in ring threads cancelled paused waits_losses waits_messages nested open comm_lives; do
    "$TOP_BUILDDIR/test/data/make_archive" $what $what
    compare $what/traces.otf2 >levels
    [ "$(cat levels)" -gt 0 ] || fail "$what has no levels"
done
"$TOP_BUILDDIR/test/bench/generate" large 4 4100000 >/dev/null
compare large/traces.otf2 >levels
# Of 4 ranks: requests, and what is outstanding, in flight and unexpected, also on MPI_COMM_WORLD.
assert_equal 28 "$(cat levels)" "levels of the large archive"
