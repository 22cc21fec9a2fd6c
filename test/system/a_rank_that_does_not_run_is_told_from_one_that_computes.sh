# Stretches of 1 to 10 ms between barriers in which rank 0 computes, sleeps or writes to disk, while
# the other one waits: what the archive says of the time that the thread was on no core is, for
# each, what the program's own clocks say, to a millisecond. With --cpu=off nothing is said.
. "$TOP_SRCDIR/test/system/lib.sh"

cat >check.py <<'PYTHON'
import re
import subprocess
import sys

MILLISECOND = 1000000


def off_of_stretches(archive):
    """Of the stretch before each MPI_Barrier of rank 0 but the first: ns on no core."""
    text = subprocess.run(["otf2-print", "-L", "0", archive], check=True, capture_output=True,
                          text=True).stdout
    stretches = []
    outside = 0
    for line in text.splitlines():
        if line.startswith("METRIC") and "mpiwatch.running" in line:
            values = dict((name, int(value)) for name, value in re.findall(
                r'"mpiwatch\.running\.(\w+)" <\d+>; UINT64; (\d+)', line))
            if values["outside_no_core"] > values["outside"]:
                sys.exit("more without a core than off it: %s" % line)
            if values["outside"] + values["inside"] > values["stretch"]:
                sys.exit("longer off than the stretch: %s" % line)
            outside += values["outside"]
        elif line.startswith("ENTER") and "MPI_Barrier" in line:
            stretches.append(outside)
            outside = 0
    return stretches[1:]


log = [line.split() for line in open("stdout")]
told = off_of_stretches("stretches/traces.otf2")
if len(told) != len(log):
    sys.exit("%d stretches in the archive, %d made" % (len(told), len(log)))
apart = ["%s: %s ns long, ran %s of it; the archive says off for %d" % (what, wall, ran, off)
         for (what, wall, ran), off in zip(log, told)
         if abs(int(wall) - int(ran) - off) > MILLISECOND]
if len(apart) > len(log) // 4:
    sys.exit("\n".join(apart))
slept = sum(off for (what, _, _), off in zip(log, told) if what == "s")
if slept < 50 * MILLISECOND:
    sys.exit("only %d ns of sleep were found" % slept)
PYTHON
run() {
    run_mpi "$mpi" 2 "$record" -q --force -o stretches.otf2.zip \
        "$TOP_BUILDDIR/examples/stretches-$mpi" s5 c5 s1 c1 s3 c10 w5 c2 s10 s7 c4 w2 s2 c3 s8 \
        c7 s4 s6 c8 s9 c9 w3 s5 c6 >stdout || fail "it fails with $mpi"
    rm -rf stretches
    mkdir stretches
    unzip -qd stretches stretches.otf2.zip
    "$python" check.py
}
# Between the program's reading of a clock and the recorder's the thread may lose its core, which
# is no one's mistake where others use the machine: of a few stretches, and not three times in a
# row.
for mpi in $(mpis); do
    run || run || run || fail "$mpi"
done

# The page has what the system said beside the variables, in the numbers of ranks.
"$analyze" report --html page.html --force stretches.otf2.zip 2>stderr
"$analyze" ranks --json stretches.otf2.zip >ranks.json
sed -n '/What the system says/,/<\/details>/p' page.html >table
assert_equal "$(json ranks.json '" ".join(str(row[key]) for row in d["ranks"] for key in (
    "rank", "off_core_ns", "no_core_ns", "system_ns", "voluntary_switches",
    "involuntary_switches", "minor_faults", "major_faults", "resident_bytes", "written_bytes",
    "writing_ns", "writing_most_ns", "read_bytes", "reading_ns"))')" \
    "$(grep -o 'data value="[0-9]*"' table | tr -dc '0-9\n' | xargs)" "the page's numbers"

run_mpi "$mpi" 2 "$record" -q --force --cpu=off -o stretches.otf2.zip \
    "$TOP_BUILDDIR/examples/stretches-$mpi" s5 >stdout
assert_equal "" "$(unzip -p stretches.otf2.zip mpiwatch.json | grep -o 'mpiwatch\.running')" \
    "samples with --cpu=off"
