"""A part of the run is selected in a browser: by the pointer, by keys, in words; what is told of it
is what mpiwatch-analyze says when it is asked by the command that is shown."""
import json
import subprocess

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

import browser

REPORT = ["mpiwatch-analyze", "--json", "part.otf2.zip"]


def reported(command):
    """What the commands that are shown say, which a shell runs as they are."""
    subprocess.run(command, shell=True, check=False, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)
    return json.loads(subprocess.run(REPORT, stdout=subprocess.PIPE,
                                     stderr=subprocess.DEVNULL).stdout)


def fields(page):
    return [page.find("#part input[name=%s]" % name).get_attribute("value")
            for name in ("from", "to", "ranks")]


def write(page, **texts):
    for name, text in texts.items():
        field = page.find("#part input[name=%s]" % name)
        field.clear()
        field.send_keys(text)


def check_report(page, tools, command):
    tools.wait_for(lambda: page.find("#part-verdict").text, "no report: " +
                   page.find("#part [role=status]").text, 120)
    tools.expect(page.find("#part-command").text == command,
                 (page.find("#part-command").text, command))
    expected = reported(command)
    tools.expect(page.find("#part-verdict").text == expected["verdict"], expected["verdict"])
    shown = {part.get_attribute("data-of"): part.get_attribute("data-value")
             for part in page.driver.find_elements(By.CSS_SELECTOR, "#part dl [data-of]")}
    for key in ("info.duration_ns", "waits.total_ns", "info.mpi_calls", "messages.messages",
                "messages.bytes"):
        part, name = key.split(".")
        tools.expect(shown[key] == str(expected[part][name]), (key, shown, expected[part][name]))
    tools.expect(float(shown["pop.parallel_efficiency"]) ==
                 expected["pop"]["parallel_efficiency"], shown)
    for table, rows in (("calls", expected["calls"]["calls"]),
                        ("waits", [row for row in expected["waits"]["patterns"]
                                   if row["total_ns"] > 0]),
                        ("pairs", expected["messages"]["pairs"])):
        lines = page.driver.find_elements(By.CSS_SELECTOR, "#part [data-table=%s] tbody tr" % table)
        tools.expect(len(lines) == len(rows), (table, len(lines), rows))
        for line, row in zip(lines, rows):
            for cell in line.find_elements(By.CSS_SELECTOR, "td"):
                of = cell.get_attribute("data-of")
                tools.expect(cell.get_attribute("data-value") == str(row[of]), (table, of, row))


def check(page, tools):
    canvas = page.find("#canvas")

    # By Shift and the pointer: from rank 0's middle to rank 1's, between two times.
    fro, to = page.point_of(0, 1100), page.point_of(1, 3100)
    chain = ActionChains(page.driver).key_down(Keys.SHIFT)
    chain.move_to_element_with_offset(canvas, *fro).click_and_hold()
    chain.move_to_element_with_offset(canvas, *to).release().key_up(Keys.SHIFT).perform()
    tools.wait_for(lambda: fields(page)[2] == "0-1", "not selected: %s" % fields(page))
    tools.expect(page.shown()["from"] == "0" and page.shown()["to"] == "5100",
                 "what is shown has moved")
    begin, end = (int(text[:-2]) for text in fields(page)[:2])
    tools.expect(abs(begin - 1000) < 20 and abs(end - 3000) < 20, fields(page))
    check_report(page, tools, "mpiwatch-analyze export --otf2=part.otf2.zip --from=%dns --to=%dns "
                 "--ranks=0-1 waits_messages; mpiwatch-analyze part.otf2.zip" % (begin, end))

    # By keys: what is shown, less of its end, and not its last row.
    canvas.send_keys("m")
    tools.wait_for(lambda: fields(page) == ["-100ns", "5000ns", ""], fields(page))
    canvas.send_keys(Keys.SHIFT, Keys.ARROW_LEFT, Keys.ARROW_UP)
    tools.wait_for(lambda: fields(page) == ["-100ns", "4872ns", "0-1"], fields(page))
    canvas.send_keys("m", Keys.ENTER)
    check_report(page, tools, "mpiwatch-analyze export --otf2=part.otf2.zip --from=-100ns "
                 "--to=5000ns waits_messages; mpiwatch-analyze part.otf2.zip")

    # In words; what is wrong is said.
    write(page, **{"from": "1us", "to": "3us", "ranks": "0,2"})
    page.find("#part [data-part=report]").click()
    check_report(page, tools, "mpiwatch-analyze export --otf2=part.otf2.zip --from=1000ns "
                 "--to=3000ns --ranks=0,2 waits_messages; mpiwatch-analyze part.otf2.zip")
    for texts, sentence in (({"from": "soon"}, "A time is a number"),
                            ({"from": "4us"}, "nothing between"),
                            ({"from": "1us", "ranks": "7"}, "no such ranks")):
        write(page, **texts)
        page.find("#part [data-part=report]").click()
        said = page.find("#part [role=status]").text
        tools.expect(sentence in said, (texts, said))
    page.find("#part [data-part=copy]").click()
    tools.wait_for(lambda: "command is" in page.find("#part [role=status]").text, "nothing copied")

    for scheme in "light", "dark":
        page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {
            "features": [{"name": "prefers-color-scheme", "value": scheme}]})
        tools.wait_for(lambda: not page.driver.execute_script(browser.CONTRAST),
                       "hard to read: %s" % page.driver.execute_script(browser.CONTRAST))
    page.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
        "width": 390, "height": 800, "deviceScaleFactor": 1, "mobile": False})
    tools.wait_for(lambda: not page.driver.execute_script(browser.STICKS_OUT),
                   "at 390 pixels: %s" % page.driver.execute_script(browser.STICKS_OUT))
    page.find("#part [data-part=none]").click()
    tools.wait_for(lambda: fields(page) == ["", "", ""], "it is still selected")
