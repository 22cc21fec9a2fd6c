"""A browser without a screen, for the tests of pages: Chromium with its driver."""
import json
import shutil
import sys
import time

from selenium import webdriver
from selenium.common.exceptions import WebDriverException
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service

# Texts whose colour is too near to what is behind them: less than 4.5 to 1, of large ones 3 to 1
# (WCAG 2.1, 1.4.3). Opacity counts; what is hidden or drawn over by a picture does not.
CONTRAST = """
const parse = (text) => {
    const parts = (text.match(/[\\d.]+/g) || [0, 0, 0, 0]).map(Number);
    return [parts[0], parts[1], parts[2], parts.length > 3 ? parts[3] : 1];
};
const over = (top, below) => [0, 1, 2].map((i) => top[i] * top[3] + below[i] * (1 - top[3]));
const light = (colour) => {
    const [r, g, b] = colour.map((part) => part / 255)
        .map((part) => part <= .03928 ? part / 12.92 : Math.pow((part + .055) / 1.055, 2.4));
    return .2126 * r + .7152 * g + .0722 * b;
};
const behind = (element) => {
    const chain = [];
    for (let at = element; at; at = at.parentElement) chain.unshift(at);
    return chain.reduce((below, at) => over(parse(getComputedStyle(at).backgroundColor), below),
                        [255, 255, 255]);
};
const bad = [];
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (walker.nextNode()) {
    const element = walker.currentNode.parentElement, style = getComputedStyle(element);
    if (!walker.currentNode.textContent.trim()
        || !element.checkVisibility({ visibilityProperty: true })
        || element.closest('script, style, title, svg, :disabled, .skip')) continue;
    let opacity = 1;
    for (let at = element; at; at = at.parentElement) opacity *= getComputedStyle(at).opacity;
    const back = behind(element), colour = parse(style.color);
    const front = over([colour[0], colour[1], colour[2], colour[3] * opacity], back);
    const [a, b] = [light(front), light(back)].sort((x, y) => y - x);
    const size = parseFloat(style.fontSize);
    const large = size >= 24 || (size >= 18.66 && style.fontWeight >= 700);
    if ((a + .05) / (b + .05) < (large ? 3 : 4.5)) {
        bad.push([element.tagName, element.className, walker.currentNode.textContent.slice(0, 30),
                  ((a + .05) / (b + .05)).toFixed(2)].join(' '));
    }
}
return bad;
"""

# What sticks out of the page, but for what can be scrolled within its own box.
STICKS_OUT = """
const width = document.documentElement.clientWidth;
return [...document.body.querySelectorAll('*')].filter((element) => {
    if (!element.checkVisibility() ||
        element.closest('svg > *, .scroll > *, .flame > *, .skip')) return false;
    const box = element.getBoundingClientRect();
    return box.width > 0 && (box.right > width + 1 || box.left < -1);
}).map((element) => element.tagName + '.' + element.className + ' in ' +
       ((element.closest('section') || {}).id || 'header'));
"""


def start(width=1280, height=900, attempts=3):
    """The driver; on a busy machine the first browser may not be up in time."""
    options = Options()
    options.binary_location = shutil.which("chromium")
    # In a container, as root, with a small /dev/shm.
    for word in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu",
                 "--no-first-run", "--disable-background-networking",
                 "--window-size=%d,%d" % (width, height)):
        options.add_argument(word)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    for attempt in range(attempts):
        try:
            return webdriver.Chrome(service=Service(shutil.which("chromedriver")),
                                    options=options)
        except WebDriverException as error:
            if attempt == attempts - 1:
                sys.exit("FAILED: no browser: %s" % error.msg)


def expect(condition, sentence):
    if not condition:
        sys.exit("FAILED: %s" % (sentence,))


def wait_for(condition, sentence, seconds=60):
    """What the condition returns at last that is not false; errors are as if it was."""
    end = time.monotonic() + seconds
    while True:
        try:
            value = condition()
        except Exception as error: # a part of the page that is being made anew
            value = None
            sentence = "%s (%s)" % (sentence.partition(" (")[0], type(error).__name__)
        if value:
            return value
        expect(time.monotonic() < end, sentence)
        time.sleep(0.05)


def check_colours(driver):
    """Texts can be read, on light and on dark, which stays."""
    for scheme in "light", "dark":
        driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {
            "features": [{"name": "prefers-color-scheme", "value": scheme}]})
        time.sleep(0.3)
        bad = driver.execute_script(CONTRAST)
        expect(not bad, "%s: hard to read: %s" % (scheme, bad))


def check_narrow(driver):
    """On a telephone, which it stays, nothing sticks out."""
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
        "width": 390, "height": 800, "deviceScaleFactor": 1, "mobile": False})
    time.sleep(0.5)
    bad = driver.execute_script(STICKS_OUT)
    expect(not bad, "at 390 pixels these stick out: %s" % bad)


def check_quiet(driver, addresses, of_tests=()):
    """No word on the console, but for those of what a test asks, and nothing asked elsewhere."""
    said = [entry["message"] for entry in driver.get_log("browser")
            if not any(word in entry["message"] for word in of_tests)]
    expect(not said, "the console says: %s" % said)
    for entry in driver.get_log("performance"):
        message = json.loads(entry["message"])["message"]
        if message["method"] == "Network.requestWillBeSent":
            asked = message["params"]["request"]["url"]
            expect(asked.startswith(addresses), "the page asks for " + asked)
