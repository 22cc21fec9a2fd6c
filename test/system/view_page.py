"""mpiwatch-view in a real browser: view_page.py BASE URL RECORDS.csv CALLS.csv WHAT.

Of the archive waits_messages (WHAT is messages) it zooms to one message, follows it to its partner
and to a cause, and holds what it reads against the rows of export --csv; of the archive names (WHAT
is names) it looks whether names act. Else WHAT is a module view_page_WHAT, whose check(page, this
module) does the looking; SHOWS says what it may begin with, unless that is calls.
"""
import csv
import importlib
import json
import sys
import time

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By

import browser
from browser import expect, wait_for

base, url, messages_path, calls_path, what = sys.argv[1:6]


class Page:
    def __init__(self):
        self.driver = browser.start(1280, 1400)
        self.driver.set_page_load_timeout(60)
        self.driver.execute_cdp_cmd("Network.enable", {})

    def find(self, selector):
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def shown(self):
        return json.loads(self.driver.execute_script(
            "return JSON.stringify(document.getElementById('canvas').dataset)"))

    def open(self, shows=("calls",)):
        self.driver.get(url)
        wait_for(lambda: self.shown().get("shows") in shows, "nothing of %s is drawn" % (shows,))

    def point_of(self, row, ticks):
        """Where a moment of a row is on the canvas, from its middle, as the driver counts."""
        shown, box = self.shown(), self.find("#canvas").rect
        share = (ticks - float(shown["from"])) / (float(shown["to"]) - float(shown["from"]))
        x = float(shown["left"]) + share * (box["width"] - float(shown["left"]))
        y = float(shown["top"]) + (row - int(shown["first"]) + .6) * float(shown["rowHeight"])
        return round(x - box["width"] / 2), round(y - box["height"] / 2)

    def click(self, row, ticks):
        x, y = self.point_of(row, ticks)
        ActionChains(self.driver).move_to_element_with_offset(self.find("#canvas"), x, y) \
            .click().perform()

    def told(self):
        """What is told of the chosen call, by key: exact values."""
        return {part.get_attribute("data-of"): part.get_attribute("data-value")
                for part in self.driver.find_elements(By.CSS_SELECTOR, "#detail [data-of]")}

    def wait_title(self, title):
        wait_for(lambda: self.find("#detail h2").text == title, "it is not told of " + title)


def check_messages(page):
    driver = page.driver
    message = [row for row in csv.DictReader(open(messages_path, newline=""))
               if row["from"] == "0" and row["to"] == "2"][0]
    begins = 100 # of this archive: the first rank leaves MPI_Init that much behind the first event
    sent, received = int(message["sent_ns"]) + begins, int(message["received_ns"]) + begins

    # The whole run, then by keys and by the wheel to the message.
    whole = page.shown()
    expect(float(whole["to"]) - float(whole["from"]) == 5100, "the whole run: %s" % whole)
    texts = driver.execute_async_script(
        "const done = arguments[0]; import('/view_time.js').then(({ markText }) =>"
        "done([-4, 4, -496, -504, -1004].map(ns => markText(ns, 1000))))")
    expect(texts == ["0 us", "0 us", "0 us", "-1 us", "-1 us"],
           "what is 0 as far as it is shown has no sign: %s" % texts)
    canvas = page.find("#canvas")
    canvas.send_keys("w")
    wait_for(lambda: float(page.shown()["to"]) - float(page.shown()["from"]) == 2550, "w")
    canvas.send_keys("0")
    wait_for(lambda: page.shown()["to"] == "5100", "0")
    for turn in range(4):
        x, y = page.point_of(0, sent + 10)
        driver.execute_script(
            "const box = arguments[0].getBoundingClientRect();"
            "arguments[0].dispatchEvent(new WheelEvent('wheel', {deltaY: -200, cancelable: true,"
            "clientX: box.left + box.width / 2 + arguments[1], clientY: box.top + 40}))", canvas, x)
        time.sleep(0.2)
    shown = page.shown()
    expect(float(shown["to"]) - float(shown["from"]) < 1500 and
           float(shown["from"]) < sent < float(shown["to"]), "the wheel led to %s" % shown)
    wait_for(lambda: page.shown()["shows"] == "calls", "no calls near by")

    # The call that sends it, its partner, and back to the cause of the wait.
    page.click(0, sent + 10)
    page.wait_title("MPI_Send of rank 0")
    told = page.told()
    for key in ("bytes", "tag", "comm", "sent_ns", "posted_ns", "received_ns", "send_wait_ns"):
        expect(told["message." + key] == message[key], (key, told, message))
    call = [row for row in csv.DictReader(open(calls_path, newline=""))
            if row["rank"] == "0" and row["enter_ns"] == message["sent_ns"]][0]
    for key in ("enter_ns", "leave_ns", "peer", "tag", "comm", "bytes_sent"):
        expect(told["call." + key] == call[key], (key, told, call))
    page.find("#detail [data-go=partner]").click()
    page.wait_title("MPI_Recv of rank 2")
    expect(page.told()["call.leave_ns"] == message["received_ns"], page.told())
    shown = wait_for(lambda: float(page.shown()["from"]) <= received <= float(page.shown()["to"])
                     and page.shown(), "it did not go to the partner")
    page.find("#detail [data-go=partner]").click()
    page.wait_title("MPI_Send of rank 0")
    page.find("#detail [data-go=cause]").click()
    page.wait_title("MPI_Recv of rank 2")
    page.find("#detail [data-go=next]").click()
    wait_for(lambda: page.told()["call.enter_ns"] == "2000", "not the next MPI_Recv")
    canvas.send_keys("0")

    # A row of the longest waits leads there.
    page.find("#waits button").click()
    page.wait_title("MPI_Waitall of rank 0")
    expect(page.told()["wait.wait_ns"] == "400", page.told())

    # The table has the numbers of timeline for the whole run, and of what is shown for a part.
    canvas.send_keys("0")
    wait_for(lambda: page.find("#states").get_attribute("data-to") == "5100", "the table")
    wait_for(lambda: [cell.get_attribute("data-value") for cell in
                      driver.find_elements(By.CSS_SELECTOR, "#states tbody tr:first-child td")] ==
             ["3417", "783", "0", "0", "200", "700"], "the table's first row")

    # Light and dark can be read; on a telephone nothing sticks out.
    browser.check_colours(driver)
    browser.check_narrow(driver)


def check_names(page):
    for row in 0, 1, 2:
        page.find("#canvas").send_keys("d")
    page.find("#waits button").click()
    wait_for(lambda: page.find("#detail h2").text, "nothing is told")
    expect(page.driver.execute_script("return window.hostile") is None, "a name acted")
    expect(not page.driver.find_elements(By.CSS_SELECTOR, "body script, img, #detail [onerror]"),
           "a name became markup")


def check_probes(page):
    for ticks, alone in (450, False), (1950, True):
        page.click(1, ticks)
        page.wait_title("MPI_Probe of rank 1")
        wait_for(lambda: int(page.told()["call.enter_ns"]) + 100 < ticks <
                 int(page.told()["call.leave_ns"]) + 100, "another probe is told of")
        expect(("call.finds_alone" in page.told()) == alone, (ticks, page.told()))
    expect("never received" in page.find("#detail").text, page.find("#detail").text)


own = {"messages": check_messages, "names": check_names, "probes": check_probes}
module = None if what in own else importlib.import_module("view_page_" + what)
page = Page()
try:
    page.open(getattr(module, "SHOWS", ("calls",)))
    address = page.driver.current_url
    expect(address == base + "/", "the address has more: " + address)
    expect(not page.driver.execute_script("return document.cookie"), "scripts see the cookie")
    if module:
        module.check(page, sys.modules[__name__])
    else:
        own[what](page)
    browser.check_quiet(page.driver, (base + "/", "data:"), ("willReadFrequently",))
finally:
    page.driver.quit()
