# The page of report --html has rows of threads and streams below those of the ranks, as many as
# timeline has, and says how many there are; in a browser, where one is, they show and zoom along.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/browser.sh"

"$python" -c 'import otf2' 2>/dev/null || skip "python3-otf2 is not installed"
"$python" "$TOP_SRCDIR/test/system/foreign.py" locations traces
"$python" "$TOP_SRCDIR/test/system/foreign.py" many_threads many
"$analyze" report --html=page.html traces
"$analyze" report --html=many.html many
for label in "thread 0.1" "thread 0.2" "stream 0.s0" "thread 1.1" "thread 1.2" "stream 1.s0"; do
    grep -q ">$label</span>" page.html || fail "no row of $label"
done
grep -q '<title>OMP thread 2, useful 9%, point to point 2%, waiting for threads 33%, idle 56%<' \
    page.html || fail "hints: $(grep -o '<title>OMP[^<]*' page.html)"
grep -q '<p class="note" id="locations">64 of 140 threads and streams' many.html ||
    fail "it does not say how many there are"
assert_equal 64 "$(grep -o '>thread 0\.[0-9]*</span>' many.html | wc -l)" "rows of many"
# Ranks without others have none.
"$TOP_BUILDDIR/test/data/make_archive" plain plain
"$analyze" report --html=plain.html plain
grep -q 'Threads and streams' plain.html && fail "rows of nothing"

has_browser || exit 0
cat >look.py <<'PYTHON'
import sys

from selenium.webdriver.common.by import By

import browser

driver = browser.start(1300, 2000)
try:
    driver.get("file://" + sys.argv[1])
    heat, _, others = driver.find_elements(By.CSS_SELECTOR, "#timeline svg.zoomable")
    labels = [span.text for span in driver.find_elements(By.CSS_SELECTOR, "#timeline .ylabels")[2]
              .find_elements(By.CSS_SELECTOR, "span")]
    assert labels == ["thread 0.1", "thread 0.2", "stream 0.s0", "thread 1.1", "thread 1.2",
                      "stream 1.s0"], labels
    # What is drawn: the pixel in the middle of a row, at a time.
    pixel = driver.execute_async_script("""
        const [svg, done] = arguments, image = new Image();
        const picture = svg.querySelector('image');
        image.onload = () => {
            const canvas = document.createElement('canvas');
            canvas.width = image.width; canvas.height = image.height;
            const context = canvas.getContext('2d');
            context.drawImage(image, 0, 0);
            done([[1, .3895], [0, .2235], [2, .523], [3, .8895]].map(([row, time]) => Array.from(
                context.getImageData(Math.floor(time * image.width), row * 12 + 6, 1, 1).data)
                .slice(0, 3)));
        };
        image.src = picture.getAttribute('href');""", others)
    assert pixel[:3] == [[0xd5, 0x5e, 0], [0, 0x9e, 0x73], [0xf0, 0xe4, 0x42]], pixel
    assert max(pixel[3]) - min(pixel[3]) < 4, pixel
    assert others.rect["x"] == heat.rect["x"] and others.rect["width"] == heat.rect["width"]

    def box_of(plot):
        return driver.execute_script("return arguments[0].getAttribute('viewBox')", plot)

    before = box_of(others)
    driver.find_element(By.CSS_SELECTOR, "#zoombar [data-zoom=in]").click()
    assert box_of(others).split()[2] == box_of(heat).split()[2]
    assert box_of(others) != before
    assert not [line for line in driver.get_log("browser") if line["level"] == "SEVERE"]
finally:
    driver.quit()
PYTHON
timeout 120 "$python" -B look.py "$scratch/page.html" || fail "in the browser"
