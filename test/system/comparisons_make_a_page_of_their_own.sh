# compare --html writes what compare says as one page: sentences, warnings, the factors and the
# times of --json, and how the program scales; it is readable light, dark and on a telephone.
# Times as timed_run.py puts them together: see comparisons_begin_with_a_sentence.sh.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/browser.sh"
"$python" -c 'import otf2' 2>/dev/null || skip "no python3-otf2 here"

"$python" "$TOP_SRCDIR/test/system/timed_run.py" even 100 100 100 100
"$python" "$TOP_SRCDIR/test/system/timed_run.py" late 100 100 100 120
"$python" "$TOP_SRCDIR/test/system/timed_run.py" two --host='<script>alert(1)</script>' 200 200
"$analyze" compare --html page.html even late two 2>said || fail "compare --html: $(cat said)"
assert_matches "$(cat said)" '^mpiwatch-analyze: page.html: [0-9]+ kB; open with: xdg'
"$analyze" compare --json even late two >compared.json
grep -q 'B takes 20% longer than A (121 us, 101 us): MPI_Barrier waits 15.0 us longer per rank' \
    page.html || fail "no sentence"
grep -q 'warning</span> the machines differ' page.html || fail "no warning"
grep -q '<script>alert' page.html && fail "the name of a host is markup"
# 101 us, 121 us, and 201 us with two ranks: half of the speed with half of the ranks.
grep -q '2 ranks, speed-up 0.50, efficiency 1.00' page.html || fail "no point of the curve"
grep -q '<td>+1500%</td>' page.html || fail "MPI_Barrier takes 1 us, and then 16"
"$analyze" compare --html again.html even late 2>said
grep -q 'there is no curve' again.html || fail "a curve of nothing"
"$python" - <<'PYTHON' || fail "the page has other numbers than the JSON"
import json
import re

page, compared = open("page.html").read(), json.load(open("compared.json"))
runs = re.search('<table data-of="runs">(.*?)</table>', page, re.S).group(1)
shown = {}
for number, row in re.findall(r'<tr data-row="(\d+)">(.*?)</tr>', runs, re.S):
    value = re.search(r'<data value="(\d+)">[\d.]+ [um]s</data>', row).group(1)
    shown[int(number)] = int(value)
assert shown == {i: run["runtime_ns"] for i, run in enumerate(compared["runs"])}, shown
data = json.loads(re.search(r'id="report">(.*?)</script>', page, re.S).group(1))
assert data == compared
PYTHON

has_browser || exit 0
cat >look.py <<'PYTHON'
import sys

from selenium.webdriver.common.by import By

import browser

driver = browser.start()
try:
    for width, scheme, media in ((1280, "light", "screen"), (1280, "dark", "screen"),
                                 (390, "light", "screen"), (390, "dark", "screen"),
                                 (718, "light", "print")):
        driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False})
        driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {
            "media": media, "features": [{"name": "prefers-color-scheme", "value": scheme}]})
        driver.get("file://" + sys.argv[1])
        wide = driver.execute_script("return document.documentElement.scrollWidth")
        assert wide <= width, (width, media, wide)
        sections = driver.find_elements(By.CSS_SELECTOR, "main section")
        names = [section.get_attribute("id") for section in sections]
        assert names == ["verdict", "runs", "speedup", "calls", "lines", "waits"], names
        assert all(section.size["height"] > 40 for section in sections)
        for wrong in browser.STICKS_OUT, browser.CONTRAST:
            found = driver.execute_script(wrong)
            assert not found, (width, scheme, media, found[:8])
    assert driver.find_element(By.CSS_SELECTOR, "#speedup svg").size["height"] > 100
    assert not [line for line in driver.get_log("browser") if line["level"] == "SEVERE"]
finally:
    driver.quit()
PYTHON
timeout 120 "$python" -B look.py "$scratch/page.html" || fail "in the browser"
