# mpiwatch-view sums up rows that are thinner than a pixel: a group's states are the mean of its
# rows', a cell's those that are told exactly of it, and all rows can be seen at once.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/view.sh"
need_view

"$TOP_BUILDDIR/test/bench/generate" wide 300 600000 >/dev/null
show wide/traces.otf2
enter
cat >look.py <<'END'
import json, struct, subprocess, sys
base, CELLS, STATES = sys.argv[1], 64, 6
def ask(path):
    return subprocess.run(["curl", "-s", "-b", "jar", base + path], stdout=subprocess.PIPE,
                          check=True).stdout
def states(begin, end, first, rows, group):
    data = ask("/states?from=%d&to=%d&cells=%d&first=%d&rows=%d&group=%d"
               % (begin, end, CELLS, first, rows, group))
    values = struct.unpack("<%dH" % (len(data) // 2), data)
    return [values[at:at + CELLS * STATES] for at in range(0, len(values), CELLS * STATES)]
length = json.loads(ask("/meta"))["length"]

# Cells of the whole run, of some calls, and between single ones: as they are told one by one.
for width in length // CELLS, 3700, 41:
    begin = length // 3 if width < length // CELLS else 0
    rows = states(begin, begin + CELLS * width, 7, 3, 1)
    for cell in range(0, CELLS, 5):
        span = json.loads(ask("/span?from=%d&to=%d&first=7&rows=3"
                              % (begin + cell * width, begin + (cell + 1) * width)))
        for row, ticks in zip(rows, span["ticks"]):
            exact = [int(part * 10000 / width + .5) for part in ticks]
            found = list(row[cell * STATES:(cell + 1) * STATES])
            if any(abs(a - b) > 1 for a, b in zip(exact, found)) or \
                    (sum(ticks) and not sum(found)):
                sys.exit("width %d, cell %d: %s, exactly %s" % (width, cell, found, exact))

# Groups, of which the last has four rows of eight.
single = sum((states(0, length, first, 100, 1) for first in (0, 100, 200)), [])
groups = states(0, length, 0, 300, 8)
if (len(single), len(groups)) != (300, 38):
    sys.exit("rows: %d, in groups %d" % (len(single), len(groups)))
for number, group in enumerate(groups):
    members = single[8 * number:8 * number + 8]
    for at, value in enumerate(group):
        if abs(value - sum(row[at] for row in members) / len(members)) > 1:
            sys.exit("group %d, at %d: %d of %s"
                     % (number, at, value, [row[at] for row in members]))

# An answer is bounded, and all rows are told of exactly.
if len(states(0, length, 0, 4096, 1)) != 256 or len(states(0, length, 0, 300, 0)) != 256:
    sys.exit("more than 256 rows")
if len(json.loads(ask("/span?rows=4096"))["ticks"]) != 300:
    sys.exit("not all rows are told of")
END
/usr/bin/python3 look.py "$base" || fail "rows"
leave || fail "it ended with $?: $(cat view.err)"

chromium --version >/dev/null 2>&1 && chromedriver --version >/dev/null 2>&1 ||
    { echo "no Chromium with its driver here: the page was not looked at"; exit 0; }
/usr/bin/python3 -c "import selenium" 2>/dev/null || { echo "no selenium here"; exit 0; }
show wide/traces.otf2
cat >page.py <<'END'
import sys, time
from selenium.webdriver.common.by import By
sys.path.insert(0, sys.argv[2])
import browser
driver = browser.start(1000, 700)
def of(key):
    return driver.execute_script("return document.getElementById('canvas').dataset." + key)
def wait_for(condition, sentence):
    end = time.monotonic() + 60
    while not condition():
        if time.monotonic() > end:
            sys.exit("FAILED: " + sentence)
        time.sleep(.1)
# How many pixels of a column have the colour of computing or of waiting, or are between them.
COLOURED = """
const canvas = document.getElementById('canvas'), top = Number(canvas.dataset.top);
const data = canvas.getContext('2d').getImageData(300, top, 1, canvas.height - top).data;
let count = 0;
for (let at = 0; at < data.length; at += 4) {
    const parts = data.slice(at, at + 3);
    count += Math.max(...parts) - Math.min(...parts) > 60;
}
return count / (data.length / 4);
"""
try:
    driver.get(sys.argv[1])
    wait_for(lambda: of("rows"), "no picture")
    few = int(of("rows"))
    canvas = driver.find_element(By.ID, "canvas")
    for key in "eeeeeeee":
        canvas.send_keys(key)
    wait_for(lambda: of("rows") == "300", "all rows: %s, first %d" % (of("rows"), few))
    if few >= 300 or float(of("rowHeight")) * 300 > canvas.size["height"]:
        sys.exit("FAILED: rows %d, then of %s pixels" % (few, of("rowHeight")))
    wait_for(lambda: driver.execute_script(COLOURED) > .95, "there are rows without a picture")
    canvas.send_keys("r")
    wait_for(lambda: of("rows") == "150" and of("first") == "75", "half of them: %s" % of("first"))
    said = [entry["message"] for entry in driver.get_log("browser")
            if "willReadFrequently" not in entry["message"]] # of what this test asks
    if said:
        sys.exit("FAILED: the console says: %s" % said)
finally:
    driver.quit()
END
timeout 300 /usr/bin/python3 page.py "$url" "$TOP_SRCDIR/test/system" || fail "the page"
