"""Search in a browser: hits in the order of time, there and back, around the ends; their count."""
import csv

from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

import browser


def look_for(page, by, text):
    page.driver.execute_script("arguments[0].value = arguments[1];"
                               "arguments[0].dispatchEvent(new Event('change'))",
                               page.find("#find select"), by)
    field = page.find("#find input")
    field.clear()
    field.send_keys(text)


def check(page, tools):
    def said(text):
        tools.wait_for(lambda: page.find("#find output").text == text,
                       "not %s: %s" % (text, page.find("#find output").text))

    hits = sorted((int(row["enter_ns"]), int(row["rank"]))
                  for row in csv.DictReader(open(tools.calls_path, newline=""))
                  if row["name"] == "MPI_Recv")
    look_for(page, "region", "mpi_recv")
    order = list(range(len(hits))) + [0]
    for at in order:
        page.find("#find [data-find=next]").click()
        said("%d of %d" % (at + 1, len(hits)))
        tools.wait_for(lambda: page.told().get("call.enter_ns") == str(hits[at][0]) and
                       page.find("#detail h2").text == "MPI_Recv of rank %d" % hits[at][1],
                       "hit %d" % at)
        shown = page.shown()
        tools.expect(float(shown["from"]) <= hits[at][0] + 100 <= float(shown["to"]), shown)
    page.find("#find [data-find=previous]").click()
    said("%d of %d" % (len(hits), len(hits)))
    page.find("#canvas").send_keys("p")
    said("%d of %d" % (len(hits) - 1, len(hits)))
    page.find("#canvas").send_keys("n")
    said("%d of %d" % (len(hits), len(hits)))
    page.find("#canvas").send_keys("/")
    tools.wait_for(lambda: page.driver.switch_to.active_element.get_attribute("name") == "text",
                   "/ leads elsewhere")
    for by, text, words in (("region", "MPI_*v?", "There is none."),
                            ("tag", "x", "that is no number"),
                            ("rank", "2", "1 of 1: row 3"),
                            ("rank", "9", "There is no row of such a rank."),
                            ("line", "<b>&%", "There is none.")):
        look_for(page, by, text)
        page.find("#find input").send_keys(Keys.ENTER)
        said(words)
    bad = page.driver.execute_script(browser.CONTRAST)
    tools.expect(not bad, bad)
    # That the server has refused something is in the console: nothing else is.
    log = [entry["message"] for entry in page.driver.get_log("browser")]
    tools.expect(len(log) == 1 and "400" in log[0], log)
    tools.expect(not page.driver.find_elements(By.CSS_SELECTOR, "#find b"), "a text became markup")
