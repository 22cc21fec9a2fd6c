# mpiwatch-view has rows of threads and streams beneath their ranks, whose numbers are those of
# timeline for all parts of the run; in a browser they fold and unfold, and lead to their calls.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/view.sh"
. "$TOP_SRCDIR/test/system/browser.sh"
need_view

"$TOP_BUILDDIR/test/data/make_archive" threads threads
archives=threads
if "$python" -c 'import otf2' 2>/dev/null; then
    for name in locations pauses many_threads; do
        "$python" "$TOP_SRCDIR/test/system/foreign.py" "$name" "$name"
    done
    archives="threads locations pauses many_threads"
fi

cat >numbers.py <<'PYTHON'
import json, subprocess, sys

import view_asks

archive, base, analyze = sys.argv[1:4]
ask = view_asks.asker(base)

meta = json.loads(ask("/meta"))
begins, mains = meta["begins_ns"], len(meta["rows"])
states = [state["key"] for state in meta["states"] + meta["other_states"]]
assert states[5:] == ["waiting", "transfer", "idle"], states
states[5] = "sync" # what waiting is to threads
for parts in 1, 10, 13:
    timeline = json.loads(subprocess.run(
        [analyze, "timeline", "--json", "--locations=all", "--bins=%d" % parts, "--from=-1us",
         archive], stdout=subprocess.PIPE).stdout)
    expected, edges = timeline["locations"], timeline["edges_ns"]
    assert len(expected) == len(meta["other_rows"]) > 0, (archive, meta["other_rows"])
    for row, told in zip(expected, meta["other_rows"]):
        for key in "rank", "label", "type", "name":
            assert row[key] == told[key], (archive, key, row, told)
    for part in range(parts):
        place = mains
        while place < mains + len(expected): # 100 rows at a time, backwards
            rows = list(range(min(place + 100, mains + len(expected)) - 1, place - 1, -1))
            if edges[part + 1] < begins:
                break
            span = json.loads(ask("/span?from=%d&to=%d&list=%s" % (
                max(edges[part], begins) - begins, edges[part + 1] - begins,
                ",".join(map(str, rows)))))
            assert len(span["ticks"]) == len(rows), (archive, len(span["ticks"]))
            for row, ticks in zip(rows, span["ticks"]):
                one = expected[row - mains]
                told = [one[state + "_ns"][part] for state in states]
                assert ticks == told, (archive, part, one["label"], states, ticks, told)
            place += 100

# The picture has the same, and lists of rows are read as they are written.
whole = json.loads(ask("/span?list=%d" % mains))
shares = ask("/states?cells=1&list=%d" % mains)
assert len(shares) == 2 * len(states), len(shares)
for state, value in enumerate(whole["ticks"][0]):
    share = int.from_bytes(shares[2 * state:2 * state + 2], "little")
    assert abs(share - value * 10000 / whole["to"]) <= .51, (archive, state, share, value)
for text, count in ("0", 1), ("0,0,0-0", 1), ("", 0), ("x", 0), ("0-", 0), ("99999999999999", 0), \
        ("1-0", 0), ("0,-1", 1), ("0;1", 1), ("0-4294967299", min(256, mains +
                                                                len(meta["other_rows"]))):
    assert len(json.loads(ask("/span?list=" + text))["ticks"]) == count, (text, count)

# Calls of a row: all of them have its number, and say of which thread they are.
near = json.loads(ask("/near?list=%d" % mains))
told = meta["other_rows"][0]
assert len(near["calls"]) == told["calls"] > 0, (archive, near["calls"], told)
for call in near["calls"]:
    assert call[1] == mains
    place = json.loads(ask("/call?id=%d" % call[0]))["place"]
    assert place["of"] == told["type"] + " " + told["label"] and place["row"] == mains, place
if archive == "locations":
    assert sorted((near["names"][call[5]], call[3], call[4], call[6]) for call in near["calls"]) \
        == [("!$omp for @x.c:5", 2000, 4500, None),
            ("!$omp implicit barrier @x.c:9", 4500, 6000, 5),
            ("!$omp parallel @x.c:3", 2000, 6000, None)], near
PYTHON
for name in $archives; do
    for turn in read kept; do
        show "$name"
        enter
        "$python" -B numbers.py "$name" "$base" "$analyze" || fail "$name: numbers, $turn"
        leave || fail "$name: it ended with $?: $(cat view.err)"
    done
done

has_browser && [ "$archives" != threads ] || exit 0
cat >look.py <<'PYTHON'
import json, sys, time

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By

import browser
from browser import wait_for

url, what = sys.argv[1:3]
driver = browser.start(1280, 1400)

def find(selector):
    return driver.find_element(By.CSS_SELECTOR, selector)

def texts(selector):
    return driver.execute_script("return Array.from(document.querySelectorAll(arguments[0]), "
                                 "part => part.textContent)", selector)

def shown():
    return json.loads(driver.execute_script(
        "return JSON.stringify(document.getElementById('canvas').dataset)"))

def labels():
    return texts("#states tbody th")

def click_at(x, y):
    canvas = find("#canvas")
    ActionChains(driver).move_to_element_with_offset(
        canvas, round(x - canvas.rect["width"] / 2), round(y - canvas.rect["height"] / 2)) \
        .click().perform()

def pixel(place, ticks):
    """The colour drawn at the foot of a place, below texts, at a time."""
    return driver.execute_script("""
        const canvas = document.getElementById('canvas'), data = canvas.dataset;
        const scale = canvas.width / canvas.clientWidth, left = Number(data.left);
        const share = (arguments[1] - data.from) / (data.to - data.from);
        const x = left + share * (canvas.clientWidth - left);
        const y = Number(data.top) + (arguments[0] + .9) * data.rowHeight;
        return Array.from(canvas.getContext('2d')
            .getImageData(Math.round(x * scale), Math.round(y * scale), 1, 1).data).slice(0, 3);
    """, place, ticks)

def check_locations():
    wait_for(lambda: labels() == ["0", "0.1", "0.2", "0.s0", "1", "1.1", "1.2", "1.s0"],
             "rows: %s" % labels())
    wait_for(lambda: shown()["shows"] == "calls", "no calls")
    # A barrier of a thread is waiting; a kernel of a stream is no MPI.
    wait_for(lambda: all(abs(part - wanted) < 40 for part, wanted in
                         zip(pixel(1, 5950), (0xd5, 0x5e, 0))), "the barrier: %s" % pixel(1, 5950))
    height, top = float(shown()["rowHeight"]), float(shown()["top"])
    left, box = float(shown()["left"]), find("#canvas").rect
    click_at(left + .43 * (box["width"] - left), top + 3.5 * height)
    wait_for(lambda: find("#detail h2").text == "kernel of stream 0.s0", "the kernel")
    # Its rank folds it, and another one's is as it was.
    click_at(left / 2, top + .5 * height)
    wait_for(lambda: labels() == ["0", "1", "1.1", "1.2", "1.s0"], "folded by the label")
    wait_for(lambda: shown()["shows"] == "calls", "no calls of fewer rows")
    find("#states button[aria-expanded=false]").click()
    wait_for(lambda: len(labels()) == 8, "unfolded by the table")
    find("#fold").click()
    wait_for(lambda: labels() == ["0", "1"], "all are folded by the button")
    find("#canvas").send_keys("t")
    wait_for(lambda: len(labels()) == 8, "all are unfolded by the key")
    browser.check_colours(driver)
    browser.check_narrow(driver)

def check_many():
    wait_for(lambda: labels() == ["0", "1"], "many rows are folded: %s" % labels())
    find("#canvas").send_keys("t")
    wait_for(lambda: len(labels()) > 10 and labels()[:3] == ["0", "0.1", "0.2"], "unfolded")
    wait_for(lambda: "of 142" in find("#shown").text, find("#shown").text)
    for turn in range(20):
        find("#canvas").send_keys("\ue00f") # Page Down
    wait_for(lambda: labels()[-1] == "1.70", "the last row: %s" % labels())

try:
    driver.set_page_load_timeout(60)
    driver.get(url)
    {"locations": check_locations, "many_threads": check_many}[what]()
    assert not [line for line in driver.get_log("browser") if line["level"] == "SEVERE"]
    if len(sys.argv) > 3:
        driver.save_screenshot(sys.argv[3])
finally:
    driver.quit()
PYTHON
for name in locations many_threads; do
    show "$name"
    timeout 250 "$python" -B look.py "$url" "$name" ${SCREENSHOTS:+"$SCREENSHOTS/$name.png"} ||
        fail "in the browser: $name"
    leave || fail "it ended with $?"
done
