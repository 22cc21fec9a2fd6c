"""Waits by pattern in a browser: numbers of mpiwatch-analyze waits; rows lead to the longest."""
import json

from selenium.webdriver.common.by import By

import browser


def check(page, tools):
    found = {row["name"]: row for row in json.load(open(tools.messages_path))["patterns"]
             if row["total_ns"] > 0}

    def rows():
        return {row.get_attribute("data-pattern"): row for row in
                page.driver.find_elements(By.CSS_SELECTOR, "#kinds tbody tr")}

    def values(row):
        return [int(cell.get_attribute("data-value"))
                for cell in row.find_elements(By.CSS_SELECTOR, "td[data-value]")]

    tools.wait_for(lambda: set(rows()) == set(found), "patterns: %s" % found)
    for name, row in rows().items():
        told = found[name]
        tools.expect(values(row) == [told["total_ns"], told["instances"],
                                     max(one["wait_ns"] for one in told["worst"])],
                     (name, values(row), told))
        go, those = row.find_elements(By.CSS_SELECTOR, "button")
        go.click()
        tools.wait_for(lambda: page.told().get("wait.wait_ns") == str(values(row)[2]),
                       "it does not go to the longest " + name)
        those.click()
        title = "The longest waits: " + go.text
        tools.expect(page.find("#worst-title").text == title, page.find("#worst-title").text)
        lines = page.driver.find_elements(By.CSS_SELECTOR, "#waits tbody tr")
        tools.expect(len(lines) == told["instances"], (name, len(lines)))
        tools.expect({line.find_element(By.CSS_SELECTOR, "button").text for line in lines} ==
                     {go.text}, name)
    bad = page.driver.execute_script(browser.CONTRAST)
    tools.expect(not bad, bad)
