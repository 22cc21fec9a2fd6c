"""The page of report --html in a real browser: page.py PAGE REPORT.json LONG WAITS NESTED.

LONG is a page with long tables, WAITS that of the archive waits_messages, NESTED that of nested.

Opens it from disk as readers do, and holds what it shows against the JSON report of the same
archive: light and dark, with zooming, without the script, on paper.
"""
import base64
import json
import re
import sys

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

import browser
from browser import expect

page, report_path, long_page, waits_page, nested_page = sys.argv[1:6]
report = json.load(open(report_path))
UNITS = {"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9, "B": 1, "kB": 1e3, "MB": 1e6, "GB": 1e9,
         "TB": 1e12, "k": 1e3, "M": 1e6, "G": 1e9}


def start(script=True):
    driver = browser.start()
    driver.set_page_load_timeout(60)
    driver.execute_cdp_cmd("Network.enable", {})
    driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": not script})
    return driver


def open_page(driver, scheme):
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {
        "features": [{"name": "prefers-color-scheme", "value": scheme}]})
    driver.get("file://" + page)


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
        rounded = .0051 if re.fullmatch(r"\d\.\d\d", text) else .0006  # ratios
        expect(abs(shown_number(text) - wanted) <= 0.006 * abs(wanted) + rounded,
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


def labels_of(driver):
    """Texts and places, as parts of the width, of the labels of markers that are shown."""
    return driver.execute_script("""
        const row = document.querySelector('.marks').getBoundingClientRect();
        return [...document.querySelectorAll('.marks span')].map((span) => {
            const box = span.getBoundingClientRect();
            return [span.textContent, (box.left - row.left) / row.width,
                    (box.right - row.left) / row.width, span.className];
        });""")


def check_labels(driver):
    """Markers say their texts above their lines, none over another, when zoomed, too."""
    begin, end = (int(driver.find_element(By.ID, "main").get_attribute("data-" + end))
                  for end in ("from", "to"))

    def place(marker, left, right):
        return ((marker["time_ns"] - begin) / (end - begin) - left) / (right - left)

    # Two that are 0.1 of a thousandth apart: one label.
    first, second = report["markers"]
    label, = labels_of(driver)
    expect(label[0] == first["text"] + " +1", "the label is %s" % label)
    expect(abs(label[1] - place(first, 0, 1)) < .01, "a label is at %s" % label[1])
    # What a button of a wait does: a third of what is shown is between the two.
    driver.execute_script("""
        const button = document.createElement('button');
        button.className = 'window';
        [button.dataset.from, button.dataset.to] = arguments;
        document.body.append(button);
        button.click();
        button.remove();""", first["time_ns"], second["time_ns"])
    labels = labels_of(driver)
    expect([text for text, *_ in labels] == [first["text"], second["text"]],
           "zoomed in they are %s" % labels)
    for wanted, (_, begins, _, _) in zip((1 / 3, 2 / 3), labels):
        expect(abs(begins - wanted) < .02, "zoomed in: %s" % labels)
    expect(labels[0][2] <= labels[1][1] + .001, "labels lie over each other: %s" % labels)
    driver.find_element(By.CSS_SELECTOR, "[data-zoom=all]").click()


def check_regions(driver):
    """The row of a region: rank 0 of 2 is in "solve" from 100 to 800. The archive says that it ends
    at 100,000: a part of time is 200, in the first of which a quarter is in it, then half."""
    names = [part.text for part in driver.find_elements(By.CSS_SELECTOR, "#regions .ylabels span")]
    expect(names == ["solve"], "the regions are %s" % names)
    title = driver.find_element(By.CSS_SELECTOR, "#regions rect title")
    expect(title.get_attribute("textContent") == "solve, 350 ns on average of the ranks",
           title.get_attribute("textContent"))
    runs = driver.execute_async_script("""
        const done = arguments[0], picture = document.querySelector('#regions image');
        const image = new Image(), canvas = document.createElement('canvas').getContext('2d');
        image.onload = () => {
            canvas.canvas.width = image.width;
            canvas.drawImage(image, 0, 0);
            const pixels = canvas.getImageData(0, 0, image.width, 1).data, runs = [];
            const from = Number(picture.getAttribute('x'));
            const width = Number(picture.getAttribute('width'));
            for (let x = 0; x < image.width; x++) {
                if (!runs.length || runs[runs.length - 1][0] !== pixels[4 * x + 3]) {
                    runs.push([pixels[4 * x + 3], (from + width * x / image.width) / 10000]);
                }
            }
            done(runs);
        };
        image.src = picture.getAttribute('href');""")
    expect([alpha for alpha, _ in runs] == [30 + 225 * 3 // 12, 30 + 225 * 6 // 12, 0],
           "the row is %s" % runs)
    expect(all(abs(at - wanted / 900) < .001 for (_, at), wanted in zip(runs, (0, 200, 800))),
           "the row is %s" % runs)


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
    for _ in range(120):
        ActionChains(driver).send_keys(Keys.TAB).perform()
        reached.add(driver.execute_script(
            "const e = document.activeElement, c = e.className.baseVal ?? e.className;"
            "return e.tagName.toLowerCase() + (c ? '.' : '') + c"))
    for wanted in ("a", "button", "svg.plot zoomable", "summary"):
        expect(any(name == wanted or name.startswith(wanted + ".") for name in reached),
               "the keyboard does not reach %s: %s" % (wanted, sorted(reached)))


def check_wheel(driver):
    """With Ctrl the wheel zooms around the pointer, with Shift it moves, alone it scrolls."""
    heat = driver.find_element(By.CSS_SELECTOR, "#timeline svg.zoomable")

    def turn(**more):
        event = dict({"deltaY": -300, "bubbles": True, "cancelable": True}, **more)
        return driver.execute_script("""
            const [plot, event] = arguments, box = plot.getBoundingClientRect();
            event.clientX = box.left + box.width / 4;
            event.clientY = box.top + 5;
            const sent = new WheelEvent('wheel', event), taken = !plot.dispatchEvent(sent);
            return [taken, ...plot.getAttribute('viewBox').split(' ').map(Number)];
            """, heat, event)

    driver.execute_script("document.activeElement.blur()")
    expect(turn()[0] is False and turn()[3] == 10000, "the wheel alone is taken from the page")
    taken, left, _, width, _ = turn(ctrlKey=True)
    expect(taken and width < 8000 and abs(left + width / 4 - 2500) < 10,
           "the wheel zooms from %s, %s wide" % (left, width))
    moved = turn(shiftKey=True, deltaY=300)
    expect(moved[1] > left and abs(moved[3] - width) < .01, "with Shift the wheel does not move")
    driver.find_element(By.CSS_SELECTOR, "[data-zoom=all]").click()


# The listing with most rows: how many are in sight, and the first column with numbers.
LISTING = """
const listings = [...document.querySelectorAll('.listing')];
return listings.reduce((a, b) => b.querySelectorAll('tbody tr').length >
                                 a.querySelectorAll('tbody tr').length ? b : a);
"""


def check_tables(driver):
    """Long tables say how many rows they show of how many, sort by a heading, keep to a word."""
    listing = driver.execute_script(LISTING)
    rows = listing.find_elements(By.CSS_SELECTOR, "tbody tr")
    said = listing.find_element(By.CSS_SELECTOR, ".tools output")

    def shown():
        return [row for row in listing.find_elements(By.CSS_SELECTOR, "tbody tr")
                if row.is_displayed()]

    few = len(shown())
    expect(len(rows) > few > 0, "no table keeps rows back")
    expect(said.text == "%d of %s" % (few, listing.get_attribute("data-all")), said.text)
    button = listing.find_element(By.CSS_SELECTOR, ".tools button")
    driver.execute_script("arguments[0].click()", button)
    expect(len(shown()) == len(rows), "a table does not show all")
    at = driver.execute_script("""
        const cells = [...arguments[0].querySelector('tbody tr').cells];
        return cells.findIndex((cell) => cell.querySelector('data'));""", listing)
    heading = listing.find_elements(By.CSS_SELECTOR, "thead th")[at]
    for order, step in (("descending", -1), ("ascending", 1)):
        driver.execute_script("arguments[0].click()", heading.find_element(By.TAG_NAME, "button"))
        expect(heading.get_attribute("aria-sort") == order, "a heading does not say its order")
        numbers = driver.execute_script("""
            return [...arguments[0].querySelectorAll('tbody tr')].map((row) =>
                row.cells[arguments[1]].querySelector('data')).filter((data) => data)
                .map((data) => Number(data.value));""", listing, at)
        expect(numbers == sorted(numbers)[::step], "%s is not %s" % (numbers, order))
    word = rows[0].find_elements(By.TAG_NAME, "td")[at].get_attribute("textContent")
    field = listing.find_element(By.CSS_SELECTOR, ".tools input")
    field.send_keys(word)
    wanted = [row for row in rows if word.lower() in row.get_attribute("textContent").lower()]
    expect(len(shown()) == len(wanted) > 0, "%d rows with %s" % (len(shown()), word))
    expect(said.text.startswith("%d of " % len(wanted)), "it says %s" % said.text)
    field.send_keys(Keys.CONTROL, "a")
    field.send_keys(Keys.DELETE)
    expect(len(shown()) == len(rows), "an empty word hides rows")


def check_closeups(driver):
    """Around the longest waits, each call and message says what it was; see make_waits_messages:
    the first is from 1566 to 2234, and in it rank 1 receives from rank 0 from 1800 to 2000."""
    pictures = driver.find_elements(By.CSS_SELECTOR, ".closeup svg")
    headings = [part.text for part in driver.find_elements(By.CSS_SELECTOR, "#waits h4")]
    expect(len(pictures) == len(headings) == 4, "close-ups: %s" % headings)
    expect("rank 0 waits 400 ns for rank 2 in MPI_Waitall" in headings[0], headings[0])
    tip = driver.find_element(By.ID, "tip")

    def said_at(time, row):
        driver.execute_script("""
            const [plot, x, y] = arguments;
            plot.scrollIntoView({ block: 'center', behavior: 'instant' });
            const box = plot.getBoundingClientRect();
            plot.dispatchEvent(new PointerEvent('pointermove', {
                clientX: box.left + x * box.width, clientY: box.top + y * box.height }));""",
                              pictures[0], (time - 1566) / (2234 - 1566), row / 3)
        return tip.text if tip.is_displayed() else ""

    expect(said_at(1900, 1.6) == "MPI_Recv\nrank 1, 200 ns\nwith rank 0\n10 B\n"
           "on MPI_COMM_WORLD", said_at(1900, 1.6))
    expect(said_at(1720, .6).startswith("MPI_Waitall\nrank 0, 800 ns"), said_at(1720, .6))
    # The message to rank 1 goes from 1600 to 2000: at 1790 it is .475 of its way.
    expect(said_at(1790, 1.075).startswith("message, rank 0 to rank 1\n10 B, tag 4, on "
           "MPI_COMM_WORLD\nreceived 400 ns after"), said_at(1790, 1.075))


def check_sections(driver, how):
    """Each section can be read: it takes room, keeps to the page, its texts stand out."""
    sections = driver.find_elements(By.CSS_SELECTOR, "main section")
    linked = [link.get_attribute("href").split("#")[1]
              for link in driver.find_elements(By.CSS_SELECTOR, "nav a")]
    expect([section.get_attribute("id") for section in sections] == linked,
           "%s: the menu is of other sections" % how)
    for section in sections:
        expect(section.is_displayed() and section.size["height"] > 40,
               "%s: %s is not seen" % (how, section.get_attribute("id")))
    out = driver.execute_script(browser.STICKS_OUT)
    expect(not out, "%s: this sticks out: %s" % (how, out[:8]))
    faint = driver.execute_script(browser.CONTRAST)
    expect(not faint, "%s: too faint: %s" % (how, faint[:8]))


def be_wide(driver, width):
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
        "width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False})


def check_axes(driver):
    """No label of an axis of time is written over another one, and there are some. They are told
    with as many digits as a moment far into a run takes."""
    labels = driver.execute_script("""
        for (const label of document.querySelectorAll('.closeup .axis span'))
            label.textContent = '12.345 s';
        return [...document.querySelectorAll('.closeup .axis')].map(axis =>
            [...axis.children].map(label => label.getBoundingClientRect())
                .filter(box => box.width > 0).map(box => [box.left, box.right]));""")
    expect(labels and all(labels), "close-ups have no labels of time: %s" % labels)
    for axis in labels:
        for one, other in zip(axis, axis[1:]):
            expect(one[1] <= other[0], "labels overlap: %s" % axis)


def check_narrow(driver):
    """On a telephone of 390 pixels."""
    be_wide(driver, 390)
    for scheme in ("light", "dark"):
        open_page(driver, scheme)
        check_sections(driver, "narrow and " + scheme)
        check_axes(driver)
    screenshot(driver, "narrow.png")
    driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def check_print(driver):
    """On paper: A4 less its margins is 718 pixels wide, and always light."""
    open_page(driver, "dark")
    be_wide(driver, 718)
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {
        "media": "print", "features": [{"name": "prefers-color-scheme", "value": "dark"}]})
    check_sections(driver, "printed")
    screenshot(driver, "print.png")
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
    driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


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
    check_keyboard(driver)
    counts = check_numbers(driver)
    check_pictures(driver)
    check_data(driver)
    check_markers(driver)
    screenshot(driver, "light.png")
    light = background(driver)
    check_sections(driver, "light")
    check_zoom(driver)
    check_wheel(driver)
    check_labels(driver)
    expect(driver.execute_script("return window.hostile === undefined"), "a name became a script")
    pdf = base64.b64decode(driver.execute_cdp_cmd("Page.printToPDF", {})["data"])
    expect(pdf[:5] == b"%PDF-" and len(pdf) > 10000, "it does not print")
    open("page.pdf", "wb").write(pdf)
    open_page(driver, "dark")
    expect(background(driver) != light, "dark is as light")
    check_pictures(driver)
    check_sections(driver, "dark")
    screenshot(driver, "dark.png")
    check_narrow(driver)
    check_print(driver)
    driver.get("file://" + long_page)
    check_tables(driver)
    driver.get("file://" + waits_page)
    check_closeups(driver)
    check_sections(driver, "close-ups")
    driver.get("file://" + nested_page)
    check_regions(driver)
    check_sections(driver, "regions")
    browser.check_quiet(driver, ("file://", "data:"))
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
    browser.check_quiet(driver, ("file://", "data:"))
finally:
    driver.quit()
print(" ".join("%s %d" % item for item in sorted(counts.items())))
