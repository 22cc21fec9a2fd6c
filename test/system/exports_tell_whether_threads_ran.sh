# What the archive says of whether threads ran is in traces for Perfetto and Chrome, as counters of
# each thread with the values that otf2-print reads in the archive.
. "$TOP_SRCDIR/test/system/lib.sh"
need otf2-print

cat >check.py <<'PYTHON'
"""Whether counters of both traces have the values of the archive, in whatever order."""
import collections
import json
import re
import subprocess

said = collections.defaultdict(list)
for line in subprocess.run(["otf2-print", "archive/traces.otf2"], check=True, capture_output=True,
                           text=True).stdout.splitlines():
    for name, value in re.findall(r'"(mpiwatch\.running\.\w+)" <\d+>; UINT64; (\d+)', line):
        if not name.endswith(".resident") or int(value) > 0:
            said[name].append(int(value))
assert len(said) == 18, sorted(said)
for kind in "perfetto", "chrome":
    counters = collections.defaultdict(list)
    for name, values in json.load(open(kind + ".read"))["counters"].items():
        if name.startswith("mpiwatch.running."):
            counters[name.split(" on ")[0]] += values
    assert sorted(counters) == sorted(said), (kind, sorted(counters))
    for name, values in said.items():
        assert sorted(counters[name]) == sorted(values), (kind, name)
PYTHON

mpi=$(mpis | head -n 1)
run_mpi "$mpi" 2 "$record" -q --format directory -o archive \
    "$TOP_BUILDDIR/examples/stretches-$mpi" s5 c5 s10 >/dev/null
for kind in perfetto chrome; do
    "$analyze" export --$kind $kind archive
    "$python" -B "$TOP_SRCDIR/test/system/exported.py" $kind $kind >$kind.read
done
"$python" check.py
