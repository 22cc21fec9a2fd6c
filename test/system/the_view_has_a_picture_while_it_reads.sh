# mpiwatch-view has a rough picture of what it has read so far: it grows while reading goes on, and
# has in the end the times in MPI and outside that are told exactly.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/view.sh"
need_view

"$TOP_BUILDDIR/test/bench/generate" run 40 8000000 >/dev/null
show run/traces.otf2 --no-cache
curl -s -c jar "$url" >/dev/null
cat >look.py <<'END'
import json, subprocess, sys, time
base = sys.argv[1]
def ask(path):
    done = subprocess.run(["curl", "-s", "-b", "jar", "-w", "\n%{http_code}", base + path],
                          stdout=subprocess.PIPE, check=True, text=True).stdout
    body, _, code = done.rpartition("\n")
    return int(code), json.loads(body)
filled, end = [], time.monotonic() + 300
while True:
    is_reading = ask("/meta")[0] == 503
    code, preview = ask("/preview")
    if code == 200:
        filled.append(sum(sum(cell) > 0 for cell in preview["rows"][0]))
    if not is_reading and code == 200:
        break
    if time.monotonic() > end:
        sys.exit("it is never read: %s" % preview)
    time.sleep(.02)
if filled != sorted(filled) or filled[-1] < 127:
    sys.exit("it does not grow: %s" % filled)
if not any(0 < count < 120 for count in filled):
    sys.exit("there is no part of a picture: %s" % filled)
if (len(preview["rows"]), preview["group"], len(preview["rows"][0])) != (20, 2, 128):
    sys.exit("not the rows that there are")
_, span = ask("/span")
length = span["to"] - span["from"]
for number, row in enumerate(preview["rows"]):
    exact = [sum(ticks[state] for ticks in span["ticks"][2 * number:2 * number + 2]) / 2 / length
             for state in range(len(preview["states"]))]
    rough = [sum(cell[state] for cell in row) / len(row) / 100 for state in range(len(exact))]
    if abs(exact[0] - rough[0]) > .015 or abs(sum(exact[1:]) - sum(rough[1:])) > .04:
        sys.exit("row %d: %s, exactly %s" % (number, rough, exact))
END
/usr/bin/python3 look.py "$base" || fail "the picture"
leave || fail "it ended with $?: $(cat view.err)"
