"""One communicator is chosen in a browser: how much has to do with it is said, others become pale
and lose their lines, and none is nothing of that."""
import csv
import json

LINES = "CanvasRenderingContext2D.prototype.lineTo = (lineTo => function(x, y) {" \
        "window.lines.push([x, y]); return lineTo.call(this, x, y); })" \
        "(CanvasRenderingContext2D.prototype.lineTo); window.lines = []"
PALE = "CanvasRenderingContext2D.prototype.fillRect = (fill => function(...box) {" \
       "window.pale = window.pale || this.globalAlpha === .18;" \
       "if (Math.abs(this.globalAlpha - .18 * .22) < 1e-3) window.bands.add(box.join());" \
       "return fill.apply(this, box); })" \
       "(CanvasRenderingContext2D.prototype.fillRect);" \
       "window.pale = false; window.bands = new Set()"


def check(page, tools):
    driver = page.driver
    rows = list(csv.DictReader(open(tools.messages_path, newline="")))
    near = json.load(open(tools.calls_path))
    # Their communicators, and how many boxes they are: of rows side by side each.
    bands = [(None if band[2] is None else near["names"][band[2]],
              sum(row - 1 not in band[9] for row in band[9])) for band in near["bands"]]
    tools.expect(len({comm for comm, _ in bands}) > 1, bands)
    names = {row["comm"] for row in rows} | {"MPI_COMM_WORLD"} | {comm for comm, _ in bands if comm}
    tools.expect(len(names) > 1 and rows, names)
    tools.wait_for(lambda: page.find("#filter").is_displayed(), "there is no choice")
    driver.execute_script(LINES)
    driver.execute_script(PALE)

    def draw(value):
        driver.execute_script(
            "window.lines = []; window.pale = false; window.bands = new Set();"
            "const box = arguments[0]; box.value = [...box.options].find(one =>"
            "one.textContent === arguments[1]).value; box.dispatchEvent(new Event('change'))",
            page.find("#filter select"), value)
        said = "" if value == "all" else "%d message" % len(
            [row for row in rows if row["comm"] == value])
        tools.wait_for(lambda: said in page.find("#filter output").text and
                       bool(page.find("#filter output").text) == bool(said),
                       "%s: %s, not %s" % (value, page.find("#filter output").text, said))
        tools.wait_for(lambda: driver.execute_script("return window.lines.length") > 0, "no lines")
        count, is_pale, pale_bands = driver.execute_script(
            "return [window.lines.length, window.pale, window.bands.size]")
        tools.expect(pale_bands == sum(runs for comm, runs in bands if value not in ("all", comm)),
                     (value, bands, pale_bands))
        return [count, is_pale]

    whole, is_pale = draw("all")
    tools.expect(not is_pale, "something is pale although all is shown")
    axis = None
    for name in sorted(names):
        count, is_pale = draw(name)
        mine = len([row for row in rows if row["comm"] == name])
        axis = whole - len(rows) if axis is None else axis
        tools.expect(is_pale and count == axis + mine, (name, count, axis, mine, whole))
    tools.expect(draw("all") == [whole, False], "not as before")
