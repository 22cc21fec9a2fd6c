# mpiwatch-view with two fingers, on paper, on a telephone and for screen readers: what is between
# the fingers stays there, nothing sticks out, and whatever can be used has a role and a name.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/view.sh"
need_view
chromium --version >/dev/null 2>&1 && chromedriver --version >/dev/null 2>&1 ||
    skip "no Chromium with its driver here"
/usr/bin/python3 -c "import selenium" 2>/dev/null || skip "no selenium here"

"$TOP_BUILDDIR/test/data/make_archive" waits_messages waits
show waits
cat >page.py <<'END'
import sys, time
from selenium.webdriver.common.by import By
sys.path.insert(0, sys.argv[2])
import browser
driver = browser.start(1000, 900)
def fail(sentence):
    sys.exit("FAILED: " + sentence)
def of(key):
    return driver.execute_script("return document.getElementById('canvas').dataset." + key)
def wait_for(condition, sentence):
    end = time.monotonic() + 60
    while not condition():
        if time.monotonic() > end:
            fail("%s: %s to %s" % (sentence, of("from"), of("to")))
        time.sleep(.1)
def touch(kind, *xs):
    box = driver.execute_script("const box = document.getElementById('canvas')"
                                ".getBoundingClientRect(); return [box.left, box.top]")
    driver.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [
        {"x": box[0] + x, "y": box[1] + 60, "id": at} for at, x in enumerate(xs)]})
# What can be used and has no name, pictures without one, tables without heads, ids given twice.
NAMELESS = """
const bad = [];
const named = element => element.getAttribute('aria-label') || element.textContent.trim() ||
    (element.getAttribute('aria-labelledby') || '').split(' ')
        .some(id => document.getElementById(id));
const shown = element => element.checkVisibility();
const used = 'button, a, canvas, progress, [role], [tabindex], section';
document.querySelectorAll(used).forEach(element => {
    if (shown(element) && !named(element) && element.getAttribute('role') !== 'status') {
        bad.push(element.outerHTML.slice(0, 80));
    }
});
document.querySelectorAll('canvas').forEach(element => {
    if (shown(element) && element.getAttribute('role') !== 'img') bad.push('no picture');
});
document.querySelectorAll('table').forEach(table => {
    if (shown(table) && !table.querySelector('th[scope]')) bad.push('no heads: ' + table.id);
});
const ids = [...document.querySelectorAll('[id]')].map(element => element.id);
ids.filter((id, at) => ids.indexOf(id) !== at).forEach(id => bad.push('twice: ' + id));
document.querySelectorAll('[aria-controls], [aria-labelledby]').forEach(element => {
    const id = element.getAttribute('aria-controls') ||
        element.getAttribute('aria-labelledby');
    if (!document.getElementById(id)) bad.push('nothing is called ' + id);
});
if (!document.documentElement.lang || document.querySelectorAll('h1').length !== 1 ||
    document.querySelectorAll('main').length !== 1) bad.push('no language, title or main part');
return bad;
"""
try:
    driver.get(sys.argv[1])
    wait_for(lambda: of("shows") == "calls", "no picture")
    bad = driver.execute_script(NAMELESS)
    if bad:
        fail("can't be read aloud: %s" % bad)

    # Two fingers: what is below them stays below them.
    left, width = float(of("left")), driver.execute_script(
        "return document.getElementById('canvas').clientWidth") - float(of("left"))
    whole = float(of("to"))
    touch("touchStart", left + .4 * width)
    touch("touchStart", left + .4 * width, left + .6 * width)
    touch("touchMove", left + .3 * width, left + .7 * width)
    touch("touchMove", left + .2 * width, left + .8 * width)
    touch("touchEnd")
    wait_for(lambda: abs(float(of("from")) - whole / 3) < whole / 50 and
             abs(float(of("to")) - whole * 2 / 3) < whole / 50, "pinched")
    if driver.find_element(By.ID, "detail").is_displayed():
        fail("a finger that was lifted has clicked")
    # One finger moves it.
    touch("touchStart", left + .5 * width)
    touch("touchMove", left + .4 * width)
    touch("touchMove", left + .2 * width)
    touch("touchEnd")
    wait_for(lambda: abs(float(of("from")) - whole * (1 / 3 + .1)) < whole / 50, "dragged")

    # Keys are told.
    canvas = driver.find_element(By.ID, "canvas")
    canvas.send_keys("?")
    wait_for(lambda: driver.find_element(By.ID, "keys").is_displayed(), "?")
    button = driver.find_element(By.CSS_SELECTOR, "[data-key='?']")
    if button.get_attribute("aria-expanded") != "true":
        fail("? is not said to be open")

    # Paper has no buttons; nothing sticks out of a telephone.
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    wait_for(lambda: not driver.find_element(By.CSS_SELECTOR, ".bar .buttons").is_displayed(),
             "buttons are printed")
    bad = driver.execute_script(browser.STICKS_OUT) + driver.execute_script(browser.CONTRAST)
    if bad:
        fail("printed: %s" % bad)
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
        "width": 390, "height": 800, "deviceScaleFactor": 1, "mobile": True})
    time.sleep(.5)
    bad = driver.execute_script(browser.STICKS_OUT)
    if bad:
        fail("at 390 pixels these stick out: %s" % bad)
    said = [entry["message"] for entry in driver.get_log("browser")]
    if said:
        fail("the console says: %s" % said)
finally:
    driver.quit()
END
timeout 300 /usr/bin/python3 page.py "$url" "$TOP_SRCDIR/test/system" || fail "the page"
