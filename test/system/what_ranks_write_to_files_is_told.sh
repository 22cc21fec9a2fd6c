# Two ranks write to files between calls of MPI, and say how much: the archive tells as much, and
# the verdict says so of text, by all or by one that is late by it, and not of some that is copied.
# What MPI-IO writes is not in it, nor are spools, nor files in memory.
. "$TOP_SRCDIR/test/system/served_first.sh"
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"

# counts DIRECTORY: whether the kernel counts what is written to files there.
counts() {
    "$python" - "$1" <<'PYTHON'
import resource
import sys

with open(sys.argv[1] + "/probe", "w") as file:
    file.write("x" * 1000000)
sys.exit(resource.getrusage(resource.RUSAGE_THREAD).ru_oublock * 512 < 1000000)
PYTHON
}
counts . || skip "the kernel does not count what is written to files here"

cat >written.py <<'PYTHON'
import json
import re
import sys

how = sys.argv[1]
line = int(sys.argv[2])
ranks = json.load(open("ranks.json"))["ranks"]
causes = json.load(open("report.json"))["causes"]
said = {int(rank): int(count) for rank, count in map(str.split, open("said"))}
NEAR = 65536  # what else there is: the program's output, pages that are half full
WINDOWS = 135168  # of a spool, of which many calls use all (formats/spool/spool.h), once
near = NEAR + (WINDOWS if how in ("between", "calls") else 0)
# Pages that go to the disk meanwhile, as when others sync, count again when they are used again.
# Beside a loop of sync there were up to 51 KB too many, with many calls up to 289 KB.
above = 3 * near
# Where a spool has grown, two pages more are taken off than it did: at each of 20 barriers.
taken_off = 20 * 2 * 4096 if how == "calls" else 0
for row in ranks:
    expected = said[row["rank"]] if how in ("text", "one", "copied", "calls", "between") else 0
    if not expected - near - taken_off <= row["written_bytes"] <= expected + above:
        sys.exit("rank %d wrote %d, told are %d" % (row["rank"], expected, row["written_bytes"]))
    if how != "together" and row["process_write_bytes"] < said[row["rank"]]:
        sys.exit("the process wrote %d, told are %d" % (said[row["rank"]],
                                                         row["process_write_bytes"]))
    # The spool, which is about as long as what it writes, is not the program's.
    if how == "calls" and row["process_write_bytes"] > said[row["rank"]] * 5 / 4:
        sys.exit("the process wrote %d, told are %d" % (said[row["rank"]],
                                                         row["process_write_bytes"]))
    # As text 20 ns a byte, which is less than the ranks are outside of MPI for; else from 1 ns on.
    # Pages of others, such as those of spools, may come in while it is in a call.
    each = {"text": (20, 20), "copied": (1, 20), "calls": (1, 20)}.get(how)
    told = row["writing_ns"], row["writing_most_ns"]
    if each and any(not row["written_bytes"] - above <= ns / factor <= row["written_bytes"]
                    for ns, factor in zip(told, each)):
        sys.exit("%d to %d ns for %d bytes" % (*told, row["written_bytes"]))
output = [each for each in causes if each["id"] == "output"]
# 20 ms and 500,000 bytes a round: 10 ms as text, 33 %. 100,000 as they are count 0.4 ms, 2 %.
if [sorted(each["ranks"]) for each in output] != {"text": [[0, 1]], "between": [[0, 1]],
                                                "one": [[0]]}.get(how, []):
    sys.exit("output of %s" % output)
call = "MPI_File_write" if how == "between" else "MPI_Barrier"
where = "mostly before %s, writes.c:%d, for about " % (call, line)
if output and where not in output[0]["sentence"]:
    sys.exit(output[0]["sentence"])
meanwhile = [each["sentence"] for each in causes
             if re.search(r"and rank 0 writes 10\.[0-2] MB to files meanwhile", each["sentence"])]
if len(meanwhile) != (how == "one"):
    sys.exit("%s" % [each["sentence"] for each in causes])
PYTHON

line_of() {
    grep -n "$1" "$TOP_SRCDIR/test/system/writes.c" | tail -1 | cut -d: -f1
}
line=$(line_of MPI_Barrier)
# recorded HOW DIRECTORY: what is told of ranks that write so.
recorded() {
    rm -rf "$2/out"
    mkdir -p "$2/out"
    run_mpi "$mpi" 2 $foremost "$record" -q --force -o run.otf2.zip \
        "$TOP_BUILDDIR/test/system/writes-$mpi" "$1" "$2/out" "$3" \
        "$(case $1 in copied | calls) echo 100 ;; *) echo 500 ;; esac)" 20 >said
    "$analyze" ranks --json -o ranks.json --force run.otf2.zip
    "$analyze" report --json run.otf2.zip >report.json
    "$analyze" ranks run.otf2.zip >ranks.txt
    rm -rf "$2/out"
}
for mpi in $(built_mpis); do
    for how in text one copied calls together between; do
        # The one is late by what it writes: the other has nothing else to do.
        recorded "$how" . "$([ "$how" = one ] && echo 2 || echo 20)"
        # With calls of MPI-IO between, which write as well, it is those that come next.
        "$python" written.py "$how" \
            "$([ "$how" = between ] && line_of "MPI_File_write(" || echo "$line")" ||
            wrong "$mpi, $how: $(cat said)"
        # What the verdict leads to shows it, and says nothing where there is nothing of it.
        case $how in
            text | one) grep -q "^ *0 *10[.][0-2] MB .*MPI_Barrier, writes.c:$line" ranks.txt ;;
            together) ! grep -q written ranks.txt ;;
        esac || wrong "$mpi, $how: $(cat ranks.txt)"
    done
    if [ -w /dev/shm ] && [ "$(stat -f -c %T /dev/shm)" = tmpfs ]; then
        memory=$(mktemp -d /dev/shm/mpiwatch-test.XXXXXX)
        recorded text "$memory" 20
        rm -rf "$memory"
        "$python" written.py memory "$line" || wrong "$mpi, in memory: $(cat said)"
    fi
done
finish
