# What mpiwatch-view tells of windows and files in the details of calls is what dump has: steps on
# windows with their targets and bytes, transfers with their bytes and files.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/view.sh"
. "$TOP_SRCDIR/test/system/browser.sh"
need_view

archives="onesided_posts onesided_locks onesided_path"
for name in $archives; do
    "$TOP_BUILDDIR/test/data/make_archive" "$name" "$name"
done
if "$python" -c 'import otf2' 2>/dev/null; then
    for name in onesided others_bytes; do
        "$python" "$TOP_SRCDIR/test/system/foreign.py" "$name" "$name"
    done
    archives="$archives onesided others_bytes"
fi
for mpi in $(mpis | head -1); do
    run_mpi "$mpi" 2 "$record" -q -o recorded "$TOP_BUILDDIR/examples/file_io-$mpi" data >stdout ||
        fail "file_io does not run"
    archives="$archives recorded"
    # Where each transfer begins, by the program's own numbers; a shared pointer tells nobody.
    for rank in 0 1; do
        "$analyze" dump --json --rank="$rank" recorded >dump
        assert_equal "$((40 * rank)) 60 80 0 80 null" \
            "$(grep '"event":"file"' dump | sed 's/.*"offset":\([^,}]*\).*/\1/' | xargs)" \
            "rank $rank: offsets"
    done
done

cat >numbers.py <<'PYTHON'
import json, subprocess, sys

import view_asks

archive, base, analyze = sys.argv[1:4]
ask = view_asks.asker(base, json.loads)

meta, near = ask("/meta"), ask("/near")
begins = meta["begins_ns"]
lines = subprocess.run([analyze, "dump", "--json", archive], stdout=subprocess.PIPE).stdout
events = [json.loads(line) for line in lines.splitlines() if b'"event"' in line]
expected, accesses = {}, []
for event in events:
    if event["event"] == "onesided" and not event["step"].startswith("done"):
        told = [event["step"], event["window"], event["target"], event.get("bytes_sent"),
                event.get("bytes_received"), None]
    elif event["event"] == "file":
        told = ["file", None, None, event["bytes_written"], event["bytes_read"],
                event["offset"]]
    else:
        continue
    expected.setdefault(event["rank"], []).append(told)

found = {}
for call in sorted(near["calls"], key=lambda call: (call[1], call[3], -call[2])):
    detail = ask("/call?id=%d" % call[0])
    for action in detail["actions"]:
        found.setdefault(meta["rows"][call[1]]["rank"], []).append(
            [action["step"], action.get("window"), action["target"], action["bytes_sent"],
             action["bytes_received"], action["offset"]])
        if action["step"] == "file":
            assert action["file"], action
        if action["step"] == "access":
            # Of these archives' windows ranks are those of the world.
            assert action["target_rank"] == action["target"], action
            accesses.append([call[1], call[3], action["target"], call[4], action["bytes_sent"],
                             action["bytes_received"]])
    sums = [sum(action[key] or 0 for action in detail["actions"])
            for key in ("bytes_sent", "bytes_received")]
    if detail["is_mpi"] and detail["actions"]:
        assert sums == [detail["record"][key] for key in ("bytes_sent", "bytes_received")], detail
assert found == expected and found, (archive, found, expected)
assert sorted(near["accesses"]) == sorted(accesses), (archive, near["accesses"], accesses)
print(archive, sum(map(len, found.values())), len(accesses))
PYTHON
for name in $archives; do
    for turn in read kept; do
        show "$name"
        enter
        "$python" -B numbers.py "$name" "$base" "$analyze" >>found || fail "$name: $turn"
        leave || fail "$name: it ended with $?: $(cat view.err)"
    done
done
[ "$(awk '{ sum += $3 } END { print sum }' found)" -gt 4 ] || fail "little is told: $(cat found)"

has_browser && [ -d others_bytes ] || exit 0
cat >look.py <<'PYTHON'
import json, sys, time

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By

import browser
from browser import wait_for

driver = browser.start(1280, 1400)

def find(selector):
    return driver.find_element(By.CSS_SELECTOR, selector)

def told():
    return {part.get_attribute("data-of"): part.get_attribute("data-value")
            for part in driver.find_elements(By.CSS_SELECTOR, "#detail [data-of]")}

def click(name):
    """On a call of rank 0, at its foot: lines lead to the middle."""
    canvas = find("#canvas")
    near = driver.execute_async_script(
        "const done = arguments[0]; fetch('/near').then(one => one.json()).then(done)")
    call = [one for one in near["calls"] if near["names"][one[5]] == name and one[1] == 0][0]
    shown = json.loads(driver.execute_script("return JSON.stringify(arguments[0].dataset)", canvas))
    share = ((call[3] + call[4]) / 2 - float(shown["from"])) / (
        float(shown["to"]) - float(shown["from"]))
    left, box = float(shown["left"]), canvas.rect
    x = left + share * (box["width"] - left)
    y = float(shown["top"]) + .8 * float(shown["rowHeight"])
    ActionChains(driver).move_to_element_with_offset(
        canvas, round(x - box["width"] / 2), round(y - box["height"] / 2)).click().perform()
    wait_for(lambda: find("#detail h2").text == name + " of rank 0", "the call " + name)
    return told()

try:
    driver.set_page_load_timeout(60)
    driver.get(sys.argv[1])
    wait_for(lambda: find("#canvas").get_attribute("data-shows") == "calls", "no calls are drawn")
    read = click("MPI_Put")
    assert (read["action.window"], read["action.target"], read["action.bytes_sent"]) == (
        "window", "rank 1", "1000"), read
    if len(sys.argv) > 2:
        driver.save_screenshot(sys.argv[2])
    read = click("MPI_File_write")
    assert (read["action.file"], read["action.bytes_sent"]) == ("data", "61000000"), read
    assert not [line for line in driver.get_log("browser") if line["level"] == "SEVERE"]
finally:
    driver.quit()
PYTHON
show others_bytes
timeout 250 "$python" -B look.py "$url" ${SCREENSHOTS:+"$SCREENSHOTS/windows.png"} ||
    fail "in the browser"
leave || fail "it ended with $?"
