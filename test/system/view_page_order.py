"""Rows are sorted in a browser, by all there is: the order is that of the numbers of NAME.ranks,
NAME.timeline and NAME.waits (mpiwatch-analyze), which the table behind it has; the picture has the
colours of those ranks there; what is selected are ranks that stand side by side."""
import json

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

import browser

SHOWS = "calls", "states"

# The pixels in the middle of each of some places.
PIXELS = """
const canvas = document.getElementById('canvas'), about = canvas.dataset, scale = devicePixelRatio;
const left = Number(about.left), width = canvas.clientWidth - left - 120; // names are behind
return arguments[0].map(place => {
  const y = Number(about.top) + (place - Number(about.first) + .5) * Number(about.rowHeight);
  return [...canvas.getContext('2d').getImageData(left * scale, y * scale, width * scale, 1).data]
      .join();
});
"""


def apart(one, other):
    """The greatest difference between two pictures' parts of colours."""
    return max(abs(int(a) - int(b)) for a, b in zip(one.split(","), other.split(",")))


def ranks_of(text):
    parts = [part.split("-") for part in text.split(",")]
    return [rank for part in parts for rank in range(int(part[0]), int(part[-1]) + 1)]


class Orders:
    def __init__(self, page, tools):
        self.page, self.tools, self.driver = page, tools, page.driver
        read = lambda kind: json.load(open(tools.messages_path + "." + kind))
        self.ranks = {row["rank"]: row for row in read("ranks")["ranks"]}
        self.waiting = {row["rank"]: sum(row["waiting_ns"]) for row in read("timeline")["ranks"]}
        self.states = {row["rank"]: {key[:-3]: sum(values) for key, values in row.items()
                                     if key.endswith("_ns")} for row in read("timeline")["ranks"]}
        waits = [kind["per_rank_ns"] for kind in read("waits")["patterns"]
                 if kind["role"] == "wait"]
        sums = {rank: sum(kind[rank] for kind in waits) for rank in self.ranks}
        tools.expect(sums == self.waiting, "waits and timeline differ: %s" % tools.messages_path)

    def choose(self, by):
        self.driver.execute_script(
            "arguments[0].value = arguments[1]; arguments[0].dispatchEvent(new Event('change'))",
            self.page.find("#order select"), by)
        title = {"rank": "", "host": "Ranks by host", "cluster": "Clusters of ranks"} \
            .get(by, "Ranks by waiting")
        self.tools.wait_for(lambda: self.driver.execute_script(
            "return (document.getElementById('ordered-title') || {}).textContent || ''") == title,
            "not by " + by)

    def table(self):
        return [{cell.get("of") or str(at): cell["text"] if cell["value"] is None
                 else cell["value"] for at, cell in enumerate(row)}
                for row in self.driver.execute_script(
                    "return [...document.querySelectorAll('#ordered tbody tr')].map(row =>"
                    "[...row.cells].map(cell => ({ of: cell.dataset.of, text: cell.textContent,"
                    "value: cell.dataset.value ?? null })))")]

    def stand(self, expected):
        """The table of what is shown has these ranks, from above."""
        def seen():
            return self.driver.execute_script(
                "return [...document.querySelectorAll('#states tbody th[scope=row]')]"
                ".map(cell => Number(cell.textContent))")
        self.tools.wait_for(lambda: seen() == expected[:int(self.page.shown()["rows"])],
                            "rows don't begin with %s" % expected[:20])

    def by_host(self):
        self.choose("host")
        hosts = {}
        for rank in sorted(self.ranks):
            hosts.setdefault(self.ranks[rank]["host"], []).append(rank)
        self.stand([rank for ranks in hosts.values() for rank in ranks])
        self.tools.expect([(row["0"], int(row["ranks"]), ranks_of(row["list"]))
                           for row in self.table()] ==
                          [(host, len(ranks), ranks) for host, ranks in hosts.items()],
                          self.table())
        self.tools.expect(self.page.find("#states th[scope=rowgroup]").text == list(hosts)[0],
                          hosts)

    def by_waiting(self):
        self.choose("waiting")
        share = {rank: self.waiting[rank] / self.ranks[rank]["run_ns"] for rank in self.ranks}
        order = sorted(share, key=lambda rank: (-share[rank], -self.waiting[rank], rank))
        self.stand(order)
        rows = self.table()
        self.tools.expect([int(row["rank"]) for row in rows] == order[:200], rows[:9])
        for row in rows:
            rank = int(row["rank"])
            self.tools.expect(float(row["waiting_ns"]) == self.waiting[rank] and
                              abs(float(row["share"]) - share[rank]) < 1e-12, (row, share[rank]))
        self.tools.expect(self.driver.current_url.endswith("/#sort=waiting"), "no choice is kept")
        return order

    def by_cluster(self):
        self.choose("cluster")
        rows = self.table()
        self.stand([rank for row in rows for rank in ranks_of(row["list"])])
        self.tools.expect(sorted(rank for row in rows for rank in ranks_of(row["list"])) ==
                          sorted(self.ranks), "not each rank is in one cluster")
        for row in rows:
            ranks = ranks_of(row["list"])
            self.tools.expect(len(ranks) == int(row["ranks"]), row)
            for key in ("useful", "waiting"):
                shares = [self.states[rank][key] / sum(self.states[rank].values())
                          for rank in ranks]
                first = shares[0] # of the lowest rank
                self.tools.expect(max(abs(one - first) for one in shares) <= .05 + 1e-9,
                                  (row, shares))
                self.tools.expect(key not in row or
                                  abs(float(row[key]) - sum(shares) / len(ranks)) < 1e-9,
                                  (row, key))
        return rows

    def select(self, order):
        """By the keyboard, from the first place to the second one: their ranks."""
        canvas = self.page.find("#canvas")
        for keys in Keys.ARROW_RIGHT, Keys.ARROW_DOWN:
            ActionChains(self.driver).move_to_element(canvas).perform()
            canvas.send_keys(Keys.SHIFT + keys + Keys.NULL)
        said = self.page.find("#part input[name=ranks]").get_attribute("value")
        self.tools.expect(not said or ranks_of(said) == sorted(order[:2]), (said, order[:2]))
        self.page.find("#part [data-part=none]").click()

    def pixels(self, places):
        seen = [None]

        def is_there(): # nothing of it is on its way
            seen.append(self.driver.execute_script(PIXELS, places))
            return seen[-1] == seen[-2] and len(set(seen[-1])) > 1
        self.tools.wait_for(is_there, "there is no picture of %s" % places)
        return seen[-1]

    def thin(self, natural):
        """Thin rows have the picture of their ranks, and all of them can be seen at once."""
        canvas = self.page.find("#canvas")
        self.choose("rank")
        canvas.send_keys("ee")
        self.stand(natural)
        ranks = natural[:40]
        by_rank = dict(zip(ranks, self.pixels(ranks)))
        self.tools.expect(float(self.page.shown()["rowHeight"]) < 6, "rows are not thin")
        differ = [rank for rank in range(39) if apart(by_rank[rank], by_rank[rank + 1]) > 50]
        self.tools.expect(len(differ) > 20, "pictures of ranks don't differ")
        self.by_host()
        wanted = [by_rank[rank] for rank in ranks[::2]] # every other rank is on the same host
        self.tools.wait_for(lambda: max(map(
            apart, self.driver.execute_script(PIXELS, list(range(20))), wanted)) < 5,
                            "places have other pictures than their ranks")
        canvas.send_keys("eeee")
        self.tools.wait_for(lambda: int(self.page.shown()["rows"]) == len(natural), "not all rows")
        self.stand(self.by_waiting())


def check(page, tools):
    orders = Orders(page, tools)
    natural = sorted(orders.ranks)
    orders.stand(natural)
    page.find("body").send_keys("o")
    tools.wait_for(lambda: page.driver.execute_script("return document.activeElement.name") ==
                   "order", "O does not go to the choice")
    orders.by_host()
    orders.by_cluster()
    order = orders.by_waiting()
    orders.select(order)
    if len(order) > 100:
        orders.thin(natural)
    orders.choose("rank")
    orders.choose("shown")
    orders.stand(order) # the whole run is shown
    orders.choose("rank")
    orders.choose("waiting")
    page.driver.refresh() # the choice stays
    tools.wait_for(lambda: page.find("#order select").get_attribute("value") == "waiting",
                   "it is not as it was chosen")
    orders.stand(order)
    orders.choose("rank")
    orders.stand(natural)
    tools.expect("#" not in page.driver.current_url, page.driver.current_url)
    orders.choose("cluster")
    page.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
        "width": 390, "height": 800, "deviceScaleFactor": 1, "mobile": False})
    tools.wait_for(lambda: not page.driver.execute_script(browser.STICKS_OUT), "it sticks out")
    bad = page.driver.execute_script(browser.CONTRAST)
    tools.expect(not bad, bad)
