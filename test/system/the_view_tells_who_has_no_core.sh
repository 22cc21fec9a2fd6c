# The lane of mpiwatch-view of what ranks did on no core: for a rank, for all, and for any part of
# the run the numbers of ranks and of the archive's samples; none where nothing is recorded.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/view.sh"
. "$TOP_SRCDIR/test/system/browser.sh"
need_view
need otf2-print

mpi=$(mpis | head -1)
record_it() {
    run_mpi "$mpi" 2 "$record" -q --force "$@" "$TOP_BUILDDIR/examples/stretches-$mpi" \
        s5 c5 s10 c3 w2 s20 c10 s7 >stdout || fail "it does not run"
}
record_it -o off.otf2.zip
record_it --cpu=off -o none.otf2.zip
mkdir off
unzip -qd off off.otf2.zip

cat >numbers.py <<'PYTHON'
import json, random, re, subprocess, sys, urllib.request

base, analyze = sys.argv[1:3]
cookie = [line.split("\t") for line in open("jar") if "mpiwatch-view" in line][0]
random.seed(1)

def ask(path):
    request = urllib.request.Request(base + path, headers={
        "Cookie": cookie[5] + "=" + cookie[6].strip()})
    return json.load(urllib.request.urlopen(request))

meta = ask("/meta")
assert meta["tells_off_core"] is True and meta["resolution"] == 10**9, meta
length = meta["length"]
ranks = json.loads(subprocess.run([analyze, "ranks", "--json", "off.otf2.zip"],
                                  stdout=subprocess.PIPE).stdout)["ranks"]

def spent(start, end, rank=None, cells=1):
    told = ask("/lanes/off_core?cells=%d&from=%d&to=%d%s" % (
        cells, start, end, "" if rank is None else "&rank=%d" % rank))
    edges = told["edges"]
    return edges[0], edges[-1], [
        sum(cell[kind] * (edges[at + 1] - edges[at]) for at, cell in enumerate(told["cells"]))
        for kind in range(6)]

# --- the whole run: those of ranks
def of(rank):
    return [rank["no_core_ns"], rank["off_core_ns"] - rank["no_core_ns"],
            rank["mpi_no_core_ns"], rank["mpi_off_core_ns"] - rank["mpi_no_core_ns"],
            rank["run_ns"], 0]
def same(one, other):
    return all(abs(a - b) < .5 for a, b in zip(one, other))
for rank in ranks:
    assert same(spent(0, length, rank["rank"])[2], of(rank)), (
        spent(0, length, rank["rank"]), of(rank))
assert same(spent(0, length)[2], [sum(all_of) for all_of in zip(*map(of, ranks))])
assert sum(of(ranks[0])[:4]) > 40e6, "rank 0 sleeps for 42 ms: %s" % of(ranks[0])

# --- any part of it: each sample, spread over its stretch
first = None
samples = {0: [], 1: []}
run_from = {}
for line in subprocess.run(["otf2-print", "off/traces.otf2"], check=True, text=True,
                           capture_output=True).stdout.splitlines():
    words = line.split()
    if len(words) < 3 or not words[2].isdigit() or not words[1].isdigit():
        continue
    first = int(words[2]) if first is None else min(first, int(words[2]))
    if words[0] == "LEAVE" and "MPI_Init" in line:
        run_from[int(words[1])] = int(words[2])
    if words[0] == "METRIC" and "mpiwatch.running" in line:
        values = {name: int(value) for name, value in re.findall(
            r'"mpiwatch\.running\.(\w+)" <\d+>; UINT64; (\d+)', line)}
        samples[int(words[1])].append((int(words[2]), values))
def expected(rank, start, end):
    sums = [0] * 4
    for time, values in samples[rank]:
        begin = time - values["stretch"]
        if begin < run_from[rank] < time:
            begin = run_from[rank]
        begin, stop = begin - first, time - first
        common = min(end, stop) - max(start, begin)
        if common <= 0 or stop == begin:
            continue
        for kind, (where, has_core) in enumerate((("outside", 0), ("outside", 1), ("inside", 0),
                                                  ("inside", 1))):
            none = values[where + "_no_core"]
            sums[kind] += (values[where] - none if has_core else none) * common / (stop - begin)
    return sums
for turn in range(40):
    start, end = sorted(random.randrange(length + 1) for _ in range(2))
    if turn % 4 == 0: # near by
        end = min(length, start + 3000000)
    for rank in [None, 0, 1]:
        begin, stop, told = spent(start, end, rank, [1, 9, 300][turn % 3])
        wanted = [sum(values) for values in zip(*(expected(one, begin, stop) for one in (
            [0, 1] if rank is None else [rank])))]
        assert all(abs(a - b) <= 16 for a, b in zip(told, wanted)), (
            rank, begin, stop, told, wanted)
PYTHON
show off.otf2.zip
enter
"$python" -B numbers.py "$base" "$analyze" || fail "numbers"
assert_equal 404 "$(code -b jar "$base/lanes/off_core?rank=2")" "a rank that there is not"
curl -s -b jar "$base/lanes/off_core" >anew
leave || fail "it ended with $?: $(cat view.err)"

# Behind the last sample of a rank that was killed nobody knows.
run_mpi "$mpi" 2 "$record" -q -o dead.otf2.zip "$TOP_BUILDDIR/test/system/dies-$mpi" \
    SIGKILL 1 2000 >out 2>&1 || true
"$TOP_BUILDDIR/mpiwatch-recover" dead.otf2.zip.run -o dead.otf2.zip >out 2>&1 || true
show dead.otf2.zip
enter
curl -s -b jar "$base/lanes/off_core?cells=1&rank=0" >dead || fail "no lane of what died"
assert_equal true "$(json dead '0 < d["cells"][0][5] <= d["cells"][0][4]')" \
    "of what died: $(cat dead)"
leave || fail "it ended with $?: $(cat view.err)"

show off.otf2.zip
enter
curl -s -b jar "$base/lanes/off_core" >again
cmp anew again || fail "what is kept tells something else"
leave || fail "it ended with $?"

show none.otf2.zip
enter
assert_equal 404 "$(code -b jar "$base/lanes/off_core")" "the lane with --cpu=off"
leave || fail "it ended with $?"

has_browser || exit 0
cat >page.py <<'PYTHON'
import os, sys, time
sys.path.insert(0, os.path.join(os.environ["TOP_SRCDIR"], "test/system"))
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import Select
import browser

driver = browser.start(1280, 1600)
def expect(condition, sentence):
    if not condition:
        sys.exit("FAILED: %s" % (sentence,))
def table():
    return driver.execute_script(
        "return [...document.querySelectorAll('[data-lane=off_core] tbody tr')]"
        ".map(row => [...row.cells].map(cell => +cell.dataset.value))")
def wait_for(condition, sentence):
    end = time.monotonic() + 60
    while not condition():
        expect(time.monotonic() < end, sentence)
        time.sleep(.05)
try:
    driver.get(sys.argv[1])
    wait_for(table, "no lane")
    both = table()
    Select(driver.find_element(By.CSS_SELECTOR, "[data-choice=off-rank]")).select_by_value("0")
    wait_for(lambda: table() and table() != both, "of one rank it is the same")
    expect(max((row[1] or 0) + (row[2] or 0) for row in table()) > .5, "rank 0 slept: %s" % table())
    browser.check_colours(driver)
    if len(sys.argv) > 2:
        driver.save_screenshot(sys.argv[2])
    browser.check_narrow(driver)
    said = [entry["message"] for entry in driver.get_log("browser")]
    expect(not said, "the console says: %s" % said)
finally:
    driver.quit()
PYTHON
show off.otf2.zip
timeout 200 "$python" -B page.py "$url" ${SCREENSHOT:+"$SCREENSHOT"} || fail "in the browser"
