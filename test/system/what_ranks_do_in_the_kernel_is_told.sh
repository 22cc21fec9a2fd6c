# Two ranks are in the kernel for half of what they compute, by page faults or by system calls: the
# archive tells for how long, the verdict says so, with the faults, and before which call. It says
# nothing of who is not, or who is so in MPI for as long as it computes, by turns of less than a
# tick of the kernel's; nor where the kernel counts no ticks: then it is not known.
. "$TOP_SRCDIR/test/system/served_first.sh"
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"

cat >kernel.py <<'PYTHON'
import json
import re
import sys

how, line = sys.argv[1:]
is_outside = how in ("again", "calls")
ranks = json.load(open("ranks.json"))["ranks"]
causes = json.load(open("report.json"))["causes"]
said = {int(rank): (float(ms) * 1e6, int(pages))
        for rank, ms, pages in map(str.split, open("said"))}
for row in ranks:
    spent, pages = said[row["rank"]]
    # The kernel's ticks are of 1 to 10 ms, so that of 800 ms a fourth may be missing or too much;
    # and what it does in interrupts is counted, too.
    least, most = (0.6 * spent, 1.5 * spent) if is_outside else (0, 0.2 * spent)
    if not least <= row["system_ns"] <= most:
        sys.exit("rank %d: %d to %d, told are %d" % (row["rank"], least, most, row["system_ns"]))
    if not pages <= row["minor_faults"] <= pages + 5000:
        sys.exit("rank %d has %d pages, told are %d" % (row["rank"], pages, row["minor_faults"]))
told = [each for each in causes if each["id"] == "system_time"]
if [each["ranks"] for each in told] not in ([[[0, 1]], [[1, 0]]] if is_outside else [[]]):
    sys.exit("%s" % causes)
for each in told:
    # One of the two may have had to wait now and then, where others take cores.
    if not re.search(r" in the kernel outside of MPI(, of which up to [0-9.]+ ms delay it)?, "
                     r"mostly before MPI_Barrier, maps\.c:%s" % line, each["sentence"]) or \
            ("page faults" in each["sentence"]) != (how == "again"):
        sys.exit(each["sentence"])
    if ("use it again" if how == "again" else "strace") not in each["advice"]:
        sys.exit(each["advice"])
PYTHON

$CC -O1 -shared -fPIC -o no_ticks.so "$TOP_SRCDIR/test/system/no_ticks.c" -ldl
line=$(grep -n 'MPI_Barrier' "$TOP_SRCDIR/test/system/maps.c" | tail -1 | cut -d: -f1)
for mpi in $(built_mpis); do
    for how in again calls none inside; do
        case $how in
        inside) pieces="1.5 500" ;;
        *) pieces="20 40" ;;
        esac
        # shellcheck disable=SC2086 # words
        run_mpi "$mpi" 2 $foremost "$record" -q --force -o run.otf2.zip \
            "$TOP_BUILDDIR/test/system/maps-$mpi" "$how" $pieces >said
        "$analyze" ranks --json -o ranks.json --force run.otf2.zip
        "$analyze" report --json run.otf2.zip >report.json
        "$python" kernel.py "$how" "$line" || wrong "$mpi, $how: $(cat said)"
        "$analyze" ranks run.otf2.zip >ranks.txt
        grep -q "^ *rank in kernel " ranks.txt || [ "$how" = none ] || [ "$how" = inside ] ||
            wrong "$(cat ranks.txt)"
    done
    # getrusage would tell of a fourth of what ranks do there in MPI.
    for how in calls inside; do
        # shellcheck disable=SC2086 # words
        run_mpi "$mpi" 2 $foremost env LD_PRELOAD="$PWD/no_ticks.so" "$record" -q --force \
            -o run.otf2.zip "$TOP_BUILDDIR/test/system/maps-$mpi" "$how" 1.5 200 >said
        "$analyze" ranks --json -o ranks.json --force run.otf2.zip
        assert_equal '[null, null]' "$(json ranks.json '[r["system_ns"] for r in d["ranks"]]')" \
            "$mpi, $how without ticks"
        "$analyze" report --json run.otf2.zip >report.json
        assert_lacks "$(json report.json '[c["id"] for c in d["causes"]]')" system_time
        "$analyze" ranks run.otf2.zip >ranks.txt
        assert_lacks "$(cat ranks.txt)" "in kernel"
    done
done
finish
