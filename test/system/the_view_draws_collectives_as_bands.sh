# mpiwatch-view draws collective operations as bands across their members: when these came and went,
# who was last and what all waited is what export --csv and waits say; in a browser a click on one
# tells of it, and leads to the last one.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/view.sh"
. "$TOP_SRCDIR/test/system/browser.sh"
need_view

archives="polls waits_collective rooted allreduce waits_for_last waits_neighbors onesided_fences
    onesided_posts uneven nested comms names"
for name in $archives; do
    "$TOP_BUILDDIR/test/data/make_archive" "$name" "$name"
done

cat >numbers.py <<'PYTHON'
import csv, json, subprocess, sys, urllib.error

import view_asks

archive, base, analyze = sys.argv[1:4]
ask = view_asks.asker(base, json.loads)

meta, near = ask("/meta"), ask("/near")
begins = meta["begins_ns"]
subprocess.run([analyze, "export", "--csv", "tables", "--force", archive],
               stdout=subprocess.DEVNULL)
calls = {(row["rank"], row["enter_ns"]): row
         for row in csv.DictReader(open("tables/call_records.csv", newline=""))}
def record(place):
    return calls[str(place["rank"]), str(place["enter"] + begins)]

waited, members_of = 0, {}
for number, name, comm, start, end, count, root, sent, received, rows in near["bands"]:
    band = ask("/band?id=%d" % number)
    begun = [record(member["begin"]) for member in band["members"]]
    ended = [record(member["end"]) for member in band["members"]]
    assert band["collective"] == number and band["count"] == count, band
    assert band["present"] == len(begun) <= count < 64, band
    first = min(int(row["enter_ns"]) for row in begun)
    left = max(int(row["leave_ns"]) for row in ended)
    assert (band["from_ns"], band["took_ns"]) == (first, left - first), (band, first, left)
    assert (start + begins, end + begins) == (first, left), (archive, start, end, first, left)
    # The last one to come; of several the lower rank.
    last = max(begun, key=lambda row: (int(row["enter_ns"]), -int(row["rank"])))
    assert str(band["last"]["rank"]) == last["rank"], (archive, band, last)
    assert sorted(rows) == sorted(member["begin"]["row"] for member in band["members"]), band
    if archive != "names": # whose texts CSV makes harmless
        assert near["names"][name] == band["name"] == begun[0]["name"], (band, begun)
        told = {row["comm"] for row in begun if row["comm"]}
        assert not told or told == {band["comm"]}, (archive, band, told)
        assert comm is None or near["names"][comm] == band["comm"], band
    roots = {row["root"] for row in begun if row["root"]}
    assert not roots or roots == {str(band["root"])}, (archive, band, roots)
    assert (band["root"], band["bytes_sent"], band["bytes_received"]) == (root, sent, received)
    if begun == ended:
        for key, value in ("bytes_sent", sent), ("bytes_received", received):
            if all(row[key] for row in begun):
                assert sum(int(row[key]) for row in begun) == value, (archive, key, band, begun)
    waits = [member["wait_ns"] for member in band["members"]]
    assert waits == sorted(waits, reverse=True) and sum(waits) == band["wait_ns"], band
    waited += band["wait_ns"]
    for member in band["members"]:
        # A call tells of the operation, and leads there.
        detail = ask("/call?id=%d" % member["begin"]["call"])
        assert number in [one["collective"] for one in detail["collectives"]], (band, detail)
        members_of.setdefault((member["rank"], member["begin"]["enter"]), []).append(number)
    # From within one row the band is found by whom is shown, with that row alone.
    alone = ask("/near?from=%d&to=%d&list=%d" % (start, end, band["last"]["row"]))
    found = [one for one in alone["bands"] if one[0] == number]
    assert len(found) == 1 and found[0][9] == [band["last"]["row"]], (band, alone["bands"])

assert near["bands"], archive
found = json.loads(subprocess.run([analyze, "waits", "--json", archive],
                                  stdout=subprocess.PIPE).stdout)["patterns"]
expected = sum(row["total_ns"] or 0 for row in found if row["name"] in (
    "early_reduce", "early_scan", "late_broadcast", "wait_for_last", "wait_at_nxn",
    "wait_at_barrier", "wait_at_neighbors", "wait_at_comm_create", "wait_at_window",
    "wait_at_fence", "late_progress_of_all"))
assert waited == expected, (archive, waited, expected)
print(archive, len(near["bands"]), waited)
for path in "/band", "/band?id=4294967295", "/band?id=%d" % 10**6, "/band?id=x":
    try:
        sys.exit("%s: %s" % (path, ask(path)))
    except urllib.error.HTTPError as error:
        assert error.code == 404, path
PYTHON
for name in $archives; do
    show "$name"
    enter
    "$python" -B numbers.py "$name" "$base" "$analyze" >>found || fail "$name: numbers"
    leave || fail "$name: it ended with $?: $(cat view.err)"
done
# Worth the name: operations in which somebody waits are among them.
[ "$(awk '$3 > 0' found | wc -l)" -ge 4 ] || fail "nobody waits anywhere: $(cat found)"

has_browser || exit 0
cat >look.py <<'PYTHON'
import json, sys, time

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By

import browser
from browser import wait_for

driver = browser.start(1280, 1400)

def find(selector):
    return driver.find_element(By.CSS_SELECTOR, selector)

def ask(path):
    return driver.execute_async_script(
        "const [path, done] = arguments; fetch(path).then(one => one.json()).then(done)", path)

def title():
    return find("#detail h2").text

def told():
    return {part.get_attribute("data-of"): part.get_attribute("data-value")
            for part in driver.find_elements(By.CSS_SELECTOR, "#detail [data-of]")}

def click(place, ticks):
    canvas = find("#canvas")
    shown = json.loads(driver.execute_script("return JSON.stringify(arguments[0].dataset)", canvas))
    share = (ticks - float(shown["from"])) / (float(shown["to"]) - float(shown["from"]))
    left, box = float(shown["left"]), canvas.rect
    x = left + share * (box["width"] - left)
    y = float(shown["top"]) + (place + .5) * float(shown["rowHeight"])
    ActionChains(driver).move_to_element_with_offset(
        canvas, round(x - box["width"] / 2), round(y - box["height"] / 2)).click().perform()

try:
    driver.set_page_load_timeout(60)
    driver.get(sys.argv[1])
    wait_for(lambda: find("#canvas").get_attribute("data-shows") == "calls", "no calls are drawn")
    near = ask("/near")
    bands = [ask("/band?id=%d" % one[0]) for one in near["bands"]]
    band = max(bands, key=lambda one: one["wait_ns"])
    name = "%s, %d ranks" % (band["name"], band["count"])
    # Between the first one's coming and the last one's nothing but the band is in the row of that.
    start = [one[3] for one in near["bands"] if one[0] == band["collective"]][0]
    click(band["last"]["row"], (start + band["last"]["enter"]) / 2)
    wait_for(lambda: title() == name, "the band: " + name)
    read = told()
    for key in "wait_ns", "took_ns", "from_ns", "bytes_sent", "bytes_received":
        assert read["band." + key] == str(band[key]), (key, read, band)
    assert read["band.last_rank"] == str(band["last"]["rank"]), (read, band)
    for member in band["members"]:
        assert read.get("band.wait_of_%d" % member["rank"], "0") == str(member["wait_ns"]), read
    if len(sys.argv) > 2:
        driver.save_screenshot(sys.argv[2])
    find("#detail [data-go=last]").click()
    wait_for(lambda: title() == "%s of rank %d" % (band["name"], band["last"]["rank"]),
             "the last one")
    find("#detail [data-go=band]").click()
    wait_for(lambda: title() == name, "back to the whole operation")
    # The table has those that are shown, and leads to them, too.
    find("#canvas").send_keys("0")
    wait_for(lambda: len(driver.find_elements(By.CSS_SELECTOR, "#bands-table tbody tr"))
             == len(bands), "the table")
    # The table may be drawn anew between looking and clicking.
    driver.execute_script("document.querySelector(arguments[0]).click()",
                          "#bands-table [data-band='%d']" % bands[0]["collective"])
    wait_for(lambda: title() == "%s, %d ranks" % (bands[0]["name"], bands[0]["count"]),
             "by the table")
    browser.check_colours(driver)
    browser.check_narrow(driver)
    assert not [line for line in driver.get_log("browser") if line["level"] == "SEVERE"]
finally:
    driver.quit()
PYTHON
show waits_collective
timeout 250 "$python" -B look.py "$url" ${SCREENSHOTS:+"$SCREENSHOTS/bands.png"} ||
    fail "in the browser"
leave || fail "it ended with $?"
