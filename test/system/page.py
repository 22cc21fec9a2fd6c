"""The page of report --html in a real browser: page.py PAGE REPORT.json [CHROMIUM DRIVER].

Opens it from disk as readers do, and holds what it shows against the JSON report of the same
archive: light and dark, with zooming, without the script, on paper.
"""
import base64
import json
import re
import sys

from selenium import webdriver
from selenium.common.exceptions import WebDriverException
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

page, report_path, chromium, chromedriver = sys.argv[1:5]
report = json.load(open(report_path))
UNITS = {"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9, "B": 1, "kB": 1e3, "MB": 1e6, "GB": 1e9,
         "TB": 1e12, "k": 1e3, "M": 1e6, "G": 1e9}


def expect(condition, sentence):
    if not condition:
        sys.exit("FAILED: " + sentence)


def launch(options, attempts=3):
    """A browser; on a busy machine the first one may not be up in time."""
    for attempt in range(attempts):
        try:
            return webdriver.Chrome(service=Service(chromedriver), options=options)
        except WebDriverException as error:
            if attempt == attempts - 1:
                sys.exit("FAILED: no browser: %s" % error.msg)


def start(script=True):
    options = Options()
    options.binary_location = chromium
    # In a container, as root, with a small /dev/shm.
    for word in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu",
                 "--window-size=1280,900", "--no-first-run", "--disable-background-networking"):
        options.add_argument(word)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = launch(options)
    driver.set_page_load_timeout(60)
    driver.execute_cdp_cmd("Network.enable", {})
    driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": not script})
    return driver


def open_page(driver, scheme):
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {
        "features": [{"name": "prefers-color-scheme", "value": scheme}]})
    driver.get("file://" + page)


def check_quiet(driver):
    """No word on the console, and nothing asked of any network."""
    said = [entry["message"] for entry in driver.get_log("browser")]
    expect(not said, "the console says: %s" % said)
    for entry in driver.get_log("performance"):
        message = json.loads(entry["message"])["message"]
        if message["method"] == "Network.requestWillBeSent":
            url = message["params"]["request"]["url"]
            expect(url.startswith(("file://", "data:")), "the page asks for " + url)


def shown_number(text):
    """155 of "155 k" is 155000."""
    number, _, unit = text.strip().partition(" ")
    if number.endswith("%"):
        return float(number[:-1]) / 100
    return float(number) * UNITS.get(unit, 1)


def value_at(path):
    value = report
    for step in path.split("."):
        value = value[int(step)] if isinstance(value, list) else value[step]
    return value


# Where each number on the page says that it is from: by itself, or by its table, row and column.
NUMBERS = """
const numbers = [];
const add = (part, path) => numbers.push({
    path: path, exact: part.getAttribute("value") || part.getAttribute("data-value"),
    text: part.textContent, section: (part.closest("section") || {}).id || "header" });
document.querySelectorAll("[data-of]:not(table)").forEach(
    (part) => add(part, part.getAttribute("data-of")));
document.querySelectorAll("table[data-of]").forEach((table) => {
    const keys = [...table.tHead.rows[0].cells].map((cell) => cell.dataset.key);
    [...table.tBodies[0].rows].forEach((row) => [...row.cells].forEach((cell, at) => {
        const part = cell.querySelector("data");
        if (part && keys[at]) {
            add(part, [table.dataset.of, row.dataset.row, keys[at]].join("."));
        }
    }));
});
return numbers;
"""


def check_numbers(driver):
    """Every number that says where in the report it is from is that one, and looks like it."""
    checked = {}
    for number in driver.execute_script(NUMBERS):
        path, exact, text = number["path"], number["exact"], number["text"]
        if exact is None:
            continue
        wanted = value_at(path)
        expect(abs(float(exact) - wanted) <= 1e-9 * abs(wanted),
               "%s is %s on the page and %s in the report" % (path, exact, wanted))
        expect(abs(shown_number(text) - wanted) <= 0.006 * abs(wanted) + 0.0006,
               "%s is shown as %s, and is %s" % (path, text, wanted))
        name = number["section"]
        checked[name] = checked.get(name, 0) + 1
    for name in ("header", "verdict", "ranks", "waits", "calls", "messages", "comms"):
        expect(checked.get(name, 0) > 0, "%s shows no number of the report" % name)
    return checked


def check_pictures(driver):
    """Every picture has its words and takes room, the heat map and the matrix have pixels."""
    for section in driver.find_elements(By.CSS_SELECTOR, "main section"):
        expect(section.find_element(By.TAG_NAME, "h2").text, "a section has no heading")
        expect(len(section.text.split()) > 3, "%s is empty" % section.get_attribute("id"))
    pictures = driver.find_elements(By.TAG_NAME, "svg")
    expect(len(pictures) >= 6, "there are only %d pictures" % len(pictures))
    for picture in pictures:
        expect(picture.get_attribute("aria-label"), "a picture has no words")
        expect(picture.size["width"] > 100 and picture.size["height"] > 15,
               "a picture is too small")
    for image in driver.find_elements(By.CSS_SELECTOR, "svg image"):
        png = base64.b64decode(image.get_attribute("href").split(",", 1)[1])
        expect(png[:8] == b"\x89PNG\r\n\x1a\n", "an image is no PNG")


def check_data(driver):
    """The report is in the page; of long lists the beginning."""
    text = driver.find_element(By.ID, "report").get_attribute("textContent")
    expect("<" not in text, "the report in the page is not escaped")
    inside = json.loads(text)
    expect(inside["schema"] == report["schema"], "no report is in the page")
    expect(inside["verdict"] == report["verdict"], "another verdict is in the page")
    expect(inside["info"] == report["info"], "info in the page is not that of info")


def check_markers(driver):
    """Each marker is a line over its rank's row at its time, with its text, and in the table."""
    lines = driver.find_elements(By.CSS_SELECTOR, "#timeline svg line.marker")
    box = driver.find_element(By.CSS_SELECTOR, "#timeline svg.zoomable").rect
    rows = driver.find_elements(By.CSS_SELECTOR, "#timeline details.markers tbody tr")
    begin, end = (int(driver.find_element(By.ID, "main").get_attribute("data-" + end))
                  for end in ("from", "to"))
    expect(len(report["markers"]) == 2 == len(lines) == len(rows), "there are other markers")
    driver.find_element(By.CSS_SELECTOR, "#timeline details.markers summary").send_keys(Keys.ENTER)
    expect(rows[0].is_displayed(), "the table of markers does not open")
    for marker, line, row in zip(report["markers"], lines, rows):
        expect(line.find_element(By.TAG_NAME, "title").get_attribute("textContent") ==
               marker["text"], "a line has another text")
        expect(row.get_attribute("textContent").endswith(marker["text"]), "a row has another text")
        place = line.rect
        x = (marker["time_ns"] - begin) / (end - begin)
        expect(abs(place["x"] - box["x"] - x * box["width"]) < 4, "a line is at another time")
        y = (place["y"] + place["height"] / 2 - box["y"]) / box["height"]
        expect(int(4 * y) == marker["rank"], "a line is at another rank")
    driver.find_element(By.CSS_SELECTOR, "#timeline details.markers summary").send_keys(Keys.ENTER)


def check_zoom(driver):
    def boxes():
        return [plot.get_dom_attribute("viewBox") for plot in
                driver.find_elements(By.CSS_SELECTOR, "svg.zoomable")]

    def window():
        return driver.find_element(By.ID, "zoom-window").text

    def axis():
        return driver.find_element(By.CSS_SELECTOR, "#timeline .axis").text

    before, whole, labels = boxes(), window(), axis()
    expect(len(before) >= 2, "nothing can be zoomed")
    heat = driver.find_element(By.CSS_SELECTOR, "#timeline svg.zoomable")
    driver.execute_script("arguments[0].scrollIntoView({block: 'center', behavior: 'instant'})",
                          heat)
    width = heat.size["width"]
    # The middle half by dragging: from a quarter to three quarters.
    ActionChains(driver).move_to_element_with_offset(heat, -width // 4, 0).click_and_hold() \
        .move_by_offset(width // 2, 2).release().perform()
    after = boxes()
    expect(all(a != b for a, b in zip(before, after)), "dragging does not zoom all charts")
    left, _, span, _ = map(float, after[0].split())
    # Scroll bars and rounding may cost some pixels.
    expect(abs(left - 2500) < 300 and abs(span - 5000) < 300, "half of it is " + after[0])
    expect(window() != whole and axis() != labels, "the axes stay as they were")
    driver.execute_script("arguments[0].focus()", heat)
    ActionChains(driver).send_keys("+").perform()
    expect(abs(float(boxes()[0].split()[2]) - span / 2) < 1, "the key + does not zoom")
    ActionChains(driver).send_keys(Keys.ARROW_RIGHT).perform()
    expect(float(boxes()[0].split()[0]) > left, "the arrow does not move")
    ActionChains(driver).move_to_element(heat).perform()
    tip = driver.find_element(By.ID, "tip")
    expect(tip.is_displayed() and "rank" in tip.text, "the heat map does not say what it shows")
    driver.find_element(By.CSS_SELECTOR, "[data-zoom=all]").click()
    expect(boxes() == before and window() == whole, "All does not show all")


def check_keyboard(driver):
    """Tab reaches the link past the navigation, the sections, the charts and the tables."""
    reached = set()
    driver.execute_script("document.activeElement.blur(); scrollTo({top: 0, behavior: 'instant'})")
    for _ in range(80):
        ActionChains(driver).send_keys(Keys.TAB).perform()
        reached.add(driver.execute_script(
            "const e = document.activeElement, c = e.className.baseVal ?? e.className;"
            "return e.tagName.toLowerCase() + (c ? '.' : '') + c"))
    for wanted in ("a", "button", "svg.plot zoomable", "summary"):
        expect(any(name == wanted or name.startswith(wanted + ".") for name in reached),
               "the keyboard does not reach %s: %s" % (wanted, sorted(reached)))


def screenshot(driver, path):
    size = driver.execute_cdp_cmd("Page.getLayoutMetrics", {})["cssContentSize"]
    shot = driver.execute_cdp_cmd("Page.captureScreenshot", {
        "captureBeyondViewport": True,
        "clip": {"x": 0, "y": 0, "width": size["width"], "height": size["height"], "scale": 1}})
    open(path, "wb").write(base64.b64decode(shot["data"]))


def background(driver):
    return driver.execute_script("return getComputedStyle(document.body).backgroundColor")


driver = start()
try:
    open_page(driver, "light")
    counts = check_numbers(driver)
    check_pictures(driver)
    check_data(driver)
    check_markers(driver)
    screenshot(driver, "light.png")
    light = background(driver)
    check_zoom(driver)
    check_keyboard(driver)
    expect(driver.execute_script("return window.hostile === undefined"), "a name became a script")
    pdf = base64.b64decode(driver.execute_cdp_cmd("Page.printToPDF", {})["data"])
    expect(pdf[:5] == b"%PDF-" and len(pdf) > 10000, "it does not print")
    open("page.pdf", "wb").write(pdf)
    open_page(driver, "dark")
    expect(background(driver) != light, "dark is as light")
    check_pictures(driver)
    screenshot(driver, "dark.png")
    check_quiet(driver)
finally:
    driver.quit()

driver = start(script=False)
try:
    open_page(driver, "light")
    expect(check_numbers(driver) == counts, "without the script it shows other numbers")
    check_pictures(driver)
    check_markers(driver)
    expect(not driver.find_element(By.ID, "zoombar").is_displayed(), "zooming is offered in vain")
    expect(driver.find_element(By.CSS_SELECTOR, "#timeline .axis span"), "axes have no labels")
    screenshot(driver, "without_script.png")
    check_quiet(driver)
finally:
    driver.quit()
print(" ".join("%s %d" % item for item in sorted(counts.items())))
