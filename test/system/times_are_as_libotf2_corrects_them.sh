# Clocks of other tools: ticks that are no ns, a beginning that is not 0, and offsets of each
# location. What is expected is what otf2-print says of clocks in foreign.py.
. "$TOP_SRCDIR/test/system/lib.sh"

need otf2-print
"$python" -c 'import otf2' 2>/dev/null || skip "python3-otf2 is not installed"
"$python" "$TOP_SRCDIR/test/system/foreign.py" clocks traces
otf2-print traces/traces.otf2 >printed
"$analyze" dump --json -o dump.json traces
"$analyze" ranks --json -o ranks.json traces
"$python" - <<'PYTHON'
import json
import re

printed = sorted((int(match[2]), int(match[3]), match[1].lower()) for match in
                 re.finditer(r"^(ENTER|LEAVE) +(\d+) +(\d+) ", open("printed").read(), re.M))
events = [json.loads(line) for line in open("dump.json")]
assert len(printed) == 18, printed
# dump tells ns since MPI_Init was left first, at 5100.
found = sorted((each["location"], 5100 + each["time_ns"] // 1000000, each["event"])
               for each in events)
assert found == printed, (found, printed)
assert (1, 6050, "enter") in found and (2, 6000, "enter") in found, found
runs = [each["run_ns"] for each in json.load(open("ranks.json"))["ranks"]]
# from the leave of MPI_Init to the enter of MPI_Finalize: 1900 ticks, of rank 1 19 more
assert runs == [1900000000, 1919000000, 1900000000], runs
PYTHON
