"""The lanes of mpiwatch-view in a real browser: view_lanes_page.py BASE URL WHAT.

WHAT is names, the archive of that name, or metrics, what foreign.py makes by that name.
"""
import json
import sys

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import Select

import browser
from browser import expect, wait_for

base, url, what = sys.argv[1:4]
driver = browser.start(1280, 1600)


def find(selector):
    return driver.find_element(By.CSS_SELECTOR, selector)


def table_of(lane):
    """Exact values of a lane's table, None where there is only a text."""
    return driver.execute_script(
        "return [...document.querySelectorAll('[data-lane=' + arguments[0] + '] tbody tr')]"
        ".map(row => [...row.cells].map(cell => 'value' in cell.dataset ? +cell.dataset.value"
        " : cell.textContent))", lane)


def inks(lane):
    """How many pixels of a lane are painted."""
    return driver.execute_script(
        "const canvas = document.querySelector('[data-lane=' + arguments[0] + '] > canvas');"
        "return canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height)"
        ".data.filter((value, at) => at % 4 === 3 && value > 0).length", lane)


def span_of(lane):
    data = json.loads(driver.execute_script(
        "return JSON.stringify(document.querySelector('[data-lane=' + arguments[0] + ']').dataset)",
        lane))
    return data.get("from"), data.get("to")


def check_names():
    wait_for(lambda: span_of("flight") == ("0", "99100"), "bytes in flight are not told")
    for lane in "flight", "running", "lives", "marks":
        wait_for(lambda: inks(lane) > 50, "nothing is painted of " + lane)
    most = max(row[1] for row in table_of("flight"))
    expect(most == 4 * 2**19, "the most bytes in flight: %s" % most)
    expect([row[0] for row in table_of("marks")] == [48600, 48700], table_of("marks"))
    names = [row[0] for row in table_of("lives")]
    expect("<script>window.hostile=1</script>" in names and len(names) == 6, names)
    # Of a part of the run: the same clock as that of the rows.
    find("#canvas").send_keys("w")
    wait_for(lambda: span_of("marks") == ("24775", "74325") == span_of("flight"), "a part")
    expect(len(table_of("marks")) == 2, table_of("marks"))
    # A lane is dragged as the picture is, and takes its keys.
    lane = find("[data-lane=flight] > canvas")
    left = float(find("#canvas").get_attribute("data-left"))
    ActionChains(driver).move_to_element(lane).click_and_hold().move_by_offset(
        -round((lane.rect["width"] - left) / 4), 0).release().move_by_offset(100, 0).perform()
    wait_for(lambda: abs(float(span_of("marks")[0]) - 24775 * 1.5) < 200, "a lane is dragged")
    expect(abs(float(span_of("marks")[1]) - 24775 * 3.5) < 200, span_of("marks"))
    lane.send_keys("0")
    wait_for(lambda: span_of("marks") == ("0", "99100"), "0 on a lane")
    lane.send_keys("w")
    wait_for(lambda: span_of("marks") == ("24775", "74325") == span_of("flight"), "w on a lane")
    # What is folded asks for nothing, and what is unfolded tells of what is shown.
    find("[data-lane=running] > summary").click()
    find("[data-lane=alive] > summary").click()
    wait_for(lambda: span_of("alive") == ("24775", "74325"), "what was unfolded")
    expect(max(row[1] for row in table_of("alive")) == 4, table_of("alive"))
    find("#canvas").send_keys("0")
    wait_for(lambda: span_of("alive") == ("0", "99100"), "all of it again")
    folded = span_of("running")
    expect(folded == ("24775", "74325"), "a folded lane asks: %s" % (folded,))
    choice = Select(find("[data-choice=comm]"))
    choice.select_by_index(1)
    wait_for(lambda: max(row[1] for row in table_of("flight")) == 4 * 2**16, "on one of four")
    expect(driver.execute_script("return window.hostile") is None, "a name acted")


def check_metrics():
    wait_for(lambda: table_of("variable"), "variables are not told")
    names = [option.text for option in Select(find("[data-choice=variable]")).options]
    expect(names[:2] == ["PAPI_TOT_CYC", "temperature"], names)
    Select(find("[data-choice=rank]")).select_by_visible_text("rank 1")
    wait_for(lambda: [row[1] for row in table_of("variable")] ==
             [1000 + 100 * i for i in range(10)], "rank 1: %s" % table_of("variable"))
    expect([row[2:4] for row in table_of("variable")][1:] ==
           [[1000 + 100 * i, 1100 + 100 * i] for i in range(9)], table_of("variable"))
    Select(find("[data-choice=variable]")).select_by_visible_text("temperature")
    wait_for(lambda: [row[1] for row in table_of("variable")] ==
             [40.5 + i % 2 for i in range(10)], "another variable")
    wait_for(lambda: inks("variable") > 50, "nothing is painted of the variable")
    Select(find("[data-choice=rank]")).select_by_value("each")
    wait_for(lambda: {row[4] for row in table_of("variable")} ==
             {"between two samples nothing is known"}, "all ranks: %s" % table_of("variable"))


try:
    driver.set_page_load_timeout(60)
    driver.get(url)
    {"names": check_names, "metrics": check_metrics}[what]()
    browser.check_colours(driver)
    driver.execute_script("document.querySelectorAll('details').forEach(one => one.open = true)")
    browser.check_narrow(driver)
    said = [entry["message"] for entry in driver.get_log("browser")]
    expect(not said, "the console says: %s" % said)
finally:
    driver.quit()
