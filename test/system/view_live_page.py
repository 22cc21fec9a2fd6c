"""The page of a run that goes on, in a real browser: view_live_page.py BASE URL WHAT.

WHAT is run: a program that ends when there is a file "go" here, which is made; at its end what
the page shows is held against the looks of the server, and the archive is opened. WHAT is hang:
ranks that wait for each other; the page says so by itself.
"""
import json
import sys
import time
import urllib.request

from selenium.webdriver.common.by import By

import browser
from browser import expect, wait_for

base, url, what = sys.argv[1:4]


driver = browser.start(1280, 1400)
driver.set_page_load_timeout(60)
driver.execute_cdp_cmd("Network.enable", {})


def find(selector):
    return driver.find_element(By.CSS_SELECTOR, selector)


def canvas():
    return json.loads(driver.execute_script(
        "return JSON.stringify(document.getElementById('canvas').dataset)"))


def told(table):
    """Exact values of a table's cells, a dict for each row, at one moment."""
    return driver.execute_script(
        "return [...document.querySelectorAll('#' + arguments[0] + ' tbody tr')].map(row =>"
        " Object.fromEntries([...row.cells].map(cell => [cell.dataset.of, cell.dataset.value])))",
        table)


def server():
    """The server's latest look, asked for by the page's own cookie."""
    return driver.execute_async_script(
        "const done = arguments[arguments.length - 1];"
        "fetch('/looks').then(answer => answer.json()).then(done)")


def text_of(value):
    """As a script writes a value of JSON."""
    if value is None:
        return ""
    return {True: "true", False: "false"}.get(value, str(value)) if isinstance(value, bool) \
        else driver.execute_script("return String(arguments[0])", value)


def same(table, rows, keys):
    shown = told(table)
    expect(len(shown) == len(rows), "%s has %d rows of %d" % (table, len(shown), len(rows)))
    for row in rows:
        wanted = {key: text_of(row[key]) for key in keys}
        expect(any(all(one[key] == wanted[key] for key in keys) for one in shown),
               "%s: %s is not among %s" % (table, wanted, shown))


def check_pixels():
    """Rank 0 waits for rank 1, which does not: their colours at what was looked at last."""
    return driver.execute_script("""
        const canvas = document.getElementById('canvas'), context = canvas.getContext('2d');
        const scale = canvas.width / canvas.clientWidth, all = {};
        const style = getComputedStyle(document.documentElement);
        const wanted = style.getPropertyValue('--waiting').trim();
        const rgb = [1, 3, 5].map(at => parseInt(wanted.slice(at, at + 2), 16));
        const image = context.getImageData(0, 0, canvas.width, canvas.height).data;
        const counts = [0, 0, 0];
        for (let y = Math.round(20 * scale); y < canvas.height; y++) {
          const row = Math.floor((y / scale - 20) / 22);
          for (let x = Math.round(80 * scale); x < canvas.width; x++) {
            const at = 4 * (y * canvas.width + x);
            const is = rgb.every((part, i) => Math.abs(image[at + i] - part) < 3);
            if (row < 3 && is) counts[row]++;
          }
        }
        return counts;""")


def set_hidden(hidden):
    driver.execute_script(
        "Object.defineProperty(document, 'hidden', { value: arguments[0], configurable: true });"
        "document.dispatchEvent(new Event('visibilitychange'))", hidden)


def check_run():
    wait_for(lambda: int(canvas().get("cells", 0)) >= 3, "no looks are drawn")
    expect(find("#state").text == "The run goes on.", find("#state").text)
    expect(len(told("ranks-table")) == 3, told("ranks-table"))
    counts = wait_for(lambda: (lambda c: c[0] > 100 and c[0] > 2 * c[1] and c)(check_pixels()),
                      "who waits is not to be seen")
    expect(counts[2] > 2 * counts[1], counts)
    # Only rows with a word.
    find("#filter").send_keys("rank 2")
    wait_for(lambda: len(told("ranks-table")) == 1, "the filter takes nothing")
    find("#filter").clear()
    find("#filter").send_keys(" ")
    # Who waits for whom, when asked.
    find("#why-button").click()
    wait_for(lambda: find("#why-list").text, "nothing is explained")
    # While nobody sees the page it asks for nothing, and then for all that was missed.
    set_hidden(True)
    time.sleep(1)
    before = canvas()
    time.sleep(4)
    expect(canvas()["polls"] == before["polls"], "it asks while it is hidden")
    set_hidden(False)
    wait_for(lambda: int(canvas()["number"]) > int(before["number"]) + 2, "it does not go on")
    expect(int(canvas()["cells"]) == int(canvas()["looks"]) - 1, "looks were missed: %s" % canvas())
    browser.check_colours(driver)
    open("go", "w").close()
    wait_for(lambda: find("#open-button").is_displayed(), "the archive is not offered")
    expect(find("#state").text == "The run has ended.", find("#state").text)
    expect("mpiwatch-view run.otf2.zip" in find("#end").text, find("#end").text)
    # What stands there in the end is what the server's last look tells.
    last = server()["looks"][-1]
    expect(int(canvas()["number"]) == last["number"], (canvas(), last["number"]))
    look, events = last["look"], last["look"]["events"]
    # The picture's waiting is what was waited between the first look and the last one, but for what
    # is of the last looks' own time, when ranks have ended. What was read late, of more time than
    # has gone by since the look before, has no room between the two.
    looks = server()["looks"]
    end_ms = looks[-1]["at_ms"] - looks[-3]["at_ms"]
    for at, drawn in enumerate(json.loads(canvas()["waited"])):
        rank = look["threads"][at]["rank"]
        # Not all ranks may have begun by the first look.
        waits = [next((each["waited_ns"] / 1e6 for each in one["look"]["threads"]
                       if each["rank"] == rank), 0) for one in looks]
        room = sum(min(now - before, one["at_ms"] - former["at_ms"])
                   for before, now, former, one in zip(waits, waits[1:], looks, looks[1:]))
        expect(.6 * room - end_ms < drawn < waits[-1] - waits[0] + 50,
               "rank %d waited %g ms, of which %g have room, and %g ms are drawn"
               % (at, waits[-1] - waits[0], room, drawn))
    same("ranks-table", look["threads"],
         ["rank", "now", "waited_ns", "calls", "messages_sent", "messages_received",
          "mpi_share_all", "waiting_share_all"])
    same("calls-table", events["calls"],
         ["name", "count", "time_ns", "min_ns", "max_ns", "bytes_sent", "bytes_received"])
    same("comms-table", events["communicators"],
         ["name", "size", "alive", "calls", "messages", "bytes", "collectives", "time_ns"])
    same("pairs-table", events["pairs"], ["from", "to", "count", "bytes", "on_the_way"])
    same("variables-table", events["variables"], ["name", "highest", "highest_rank", "all"])
    expect(driver.execute_script("return window.hostile") is None, "a name acted")
    expect(not driver.find_elements(By.CSS_SELECTOR, "body script, img"), "a name became markup")
    browser.check_narrow(driver)
    driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    find("#open-button").click()
    wait_for(lambda: find("#title").text == "run.otf2.zip" and canvas().get("shows"),
             "the archive is not shown")


def check_hang():
    wait_for(lambda: "no rank has left mpi" in find("#state").text.lower(), "no alarm")
    wait_for(lambda: "MPI_Recv" in find("#why-list").text, "nothing is explained by itself")
    expect(find("#why").get_attribute("data-verdict") == "deadlock", find("#why-list").text)


try:
    driver.get(url)
    wait_for(lambda: canvas().get("polls"), "no look is shown")
    expect(driver.current_url == base + "/", "the address has more: " + driver.current_url)
    expect(not driver.execute_script("return document.cookie"), "scripts see the cookie")
    {"run": check_run, "hang": check_hang}[what]()
    browser.check_quiet(driver, (base + "/", "data:"))
finally:
    driver.quit()
