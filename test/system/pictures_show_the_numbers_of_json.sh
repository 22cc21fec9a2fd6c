# The picture of a timeline is what its JSON says: the height of each area of the SVG, the dots of
# the PNG, the shares of the legend, the ticks. In the colours of the page, as wide as was asked
# for.
. "$TOP_SRCDIR/test/system/lib.sh"
"$python" -c 'import otf2' 2>/dev/null || skip "no python3-otf2 here"

"$python" "$TOP_SRCDIR/test/system/planted.py" uneven imbalance
"$python" "$TOP_SRCDIR/test/system/foreign.py" locations threads
"$analyze" report --html page.html uneven
for run in uneven threads; do
    "$analyze" timeline --json --bins=37 --svg $run.svg --size=85mm --title="<$run> & more" \
        -o $run.json $run
done
cat >read.py <<'PYTHON'
"""The areas of an SVG: for each row and state (x, y) of its steps, from the bottom of the row."""
import re
import xml.etree.ElementTree as tree

SVG = "{http://www.w3.org/2000/svg}"


def corners(path):
    x = y = None
    for letter, first, second in re.findall(r"([MHVL])([-0-9.]+)(?: ([-0-9.]+))?", path):
        x = float(first) if letter in "MHL" else x
        y = float(first) if letter == "V" else float(second) if letter in "ML" else y
        yield x, y


def areas(name):
    found = {}
    for path in tree.parse(name).getroot().iter(SVG + "path"):
        if path.get("class"):
            steps = list(corners(path.get("d")))
            found.setdefault(steps[0][1], {})[path.get("class")] = (steps, path.get("fill"))
    return [found[bottom] for bottom in sorted(found)]


def height_at(steps, x):
    """How high a stepped area is at x."""
    for (at, y), (to, same) in zip(steps, steps[1:]):
        if at <= x < to and y == same:
            return steps[0][1] - y
    return 0


def texts(name):
    return [each.text for each in tree.parse(name).getroot().iter(SVG + "text")]
PYTHON
"$python" - <<'PYTHON' || fail "areas"
import json
from read import areas, height_at, texts

STATES = ["useful", "p2p", "collective", "io", "other", "waiting", "transfer", "idle"]
for run in "uneven", "threads":
    data = json.load(open(run + ".json"))
    edges = data["edges_ns"]
    assert len(edges) == 38
    rows = []
    for rank in data["ranks"]:
        rows.append(rank)
        rows += [each for each in data["locations"] if each["rank"] == rank["rank"]]
    drawn = areas(run + ".svg")
    assert len(drawn) == len(rows) > 3, (len(drawn), len(rows))
    all_steps = [steps for row in drawn for steps, fill in row.values()]
    left, right = all_steps[0][0][0], max(x for steps in all_steps for x, y in steps)
    bottoms = [next(iter(row.values()))[0][0][1] for row in drawn]
    room = bottoms[1] - bottoms[0] - 1
    tallest = 0
    for row, areas_of_row in zip(rows, drawn):
        for part in range(37):
            span = edges[part + 1] - edges[part]
            x = left + (right - left) * (edges[part] + span / 2 - edges[0]) / (edges[-1] - edges[0])
            below = 0
            for state in STATES:
                key = "sync_ns" if state == "waiting" and "sync_ns" in row else state + "_ns"
                below += row.get(key, [0] * 37)[part] / span
                if state in areas_of_row:
                    height = height_at(areas_of_row[state][0], x) / room
                    tallest = max(tallest, height)
                    assert abs(height - min(below, 1)) < .005, (run, row["rank"], part, state,
                                                                height, below)
                else:
                    assert sum(row.get(key, [0])) == 0, (run, row["rank"], state)
    assert tallest > .99, tallest
    sums = {state: sum(sum(rank[state + "_ns"]) for rank in data["ranks"]) for state in STATES[:6]}
    for state, word in zip(STATES, ["useful", "point to point", "collective", "I/O", "other MPI",
                                    "waiting"]):
        share = "%s %.1f%%" % (word, 100 * sums[state] / sum(sums.values()))
        assert (share in texts(run + ".svg")) == (sums[state] > 0), (share, texts(run + ".svg"))
    assert texts(run + ".svg")[0] == "<%s> & more" % run
# Four ranks, and 3.01 ms: by hand.
shown = texts("uneven.svg")
assert shown[1:11] == list("0123") + ["rank"] + list("0123") + ["time (ms)"], shown
assert "waiting 49.8%" in shown, shown

# The page has the same colours.
page = open("page.html").read()
for row in areas("uneven.svg") + areas("threads.svg"):
    for state, (steps, fill) in row.items():
        assert " --%s: %s;" % (state, fill) in page, (state, fill)
PYTHON

# As wide as was asked for; text alone is as it is without a picture.
assert_contains "$(head -3 uneven.svg)" 'width="85.00mm"'
"$analyze" timeline --svg wide.svg -o with uneven
"$analyze" timeline -o without uneven
cmp with without || fail "text beside a picture is another: $(cat with)"
assert_contains "$(cat wide.svg)" 'width="180.00mm"'
assert_contains "$(cat wide.svg)" '>uneven, 4 ranks</text>'
"$analyze" timeline --title= --svg - -o text uneven >untitled.svg
grep -q 'font-weight' untitled.svg && fail "a title that is none"
for words in "--size=39mm --svg=x.svg" "--size=nan --svg=x.svg" "--size=85 --svg=x.svg" \
    "--size=501mm --svg=x.svg" "--size=85mm" "--title=x" "--comms --svg=x.svg" \
    "--svg=x.svg -o x.svg"; do
    # shellcheck disable=SC2086 # words
    assert_equal 2 "$(status_of "$analyze" timeline $words uneven)" "$words"
done
[ ! -e x.svg ] || fail "a picture all the same"

# Of many ranks several share a row, and of many threads none has one; both are said.
"$python" "$TOP_SRCDIR/test/system/foreign.py" many_threads many
"$analyze" timeline --locations=all --svg many.svg -o text many
assert_contains "$(cat many.svg)" ">140 threads and streams have no rows</text>"

# Titles are anybody's.
"$analyze" timeline --svg evil.svg -o text --title=$'</text><script>\x01\xff\xef\xbf\xbe]]>' uneven
"$python" -c 'from read import texts; print(texts("evil.svg")[0])' >title
assert_equal "</text><script>???]]>" "$(cat title)" "a title that is markup"

# --- readers ------------------------------------------------------------------------------------
if command -v rsvg-convert >/dev/null; then
    rsvg-convert --dpi-x 300 --dpi-y 300 -o rendered.png uneven.svg || fail "rsvg-convert"
fi
"$analyze" timeline --bins=37 --png uneven.png --size=85mm -o text uneven 2>said || {
    assert_contains "$(cat said)" "--png needs cairo"
    exit 0
}
"$python" -c 'import PIL' 2>/dev/null || skip "no Pillow here: the dots are not looked at"
"$python" - <<'PYTHON' || fail "dots"
import json
import os
from PIL import Image
from read import areas

# The middle of each part that is of one state alone has its colour, in all pictures.
data = json.load(open("uneven.json"))
drawn = areas("uneven.svg")
looked = 0
for name in ["uneven.png"] + ["rendered.png"] * os.path.exists("rendered.png"):
    image = Image.open(name)
    assert name != "uneven.png" or [round(each) for each in image.info["dpi"]] == [300, 300]
    assert abs(image.width - 85 / 25.4 * 300) <= 1, image.size
    image = image.convert("RGB")
    for rank, row in zip(data["ranks"], drawn):
        steps = row["useful"][0]
        left, right, bottom = steps[0][0], steps[-1][0], steps[0][1]
        for part in range(37):
            span = data["edges_ns"][part + 1] - data["edges_ns"][part]
            for state in "useful", "waiting":
                if rank[state + "_ns"][part] == span:
                    x = left + (right - left) * (part + .5) / 37
                    dot = image.getpixel((round(x * 300 / 72), round((bottom - 4) * 300 / 72)))
                    assert "#%02x%02x%02x" % dot == row[state][1], (name, part, state, dot)
                    looked += 1
assert looked > 50, looked
PYTHON
