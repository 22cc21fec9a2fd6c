# Two ranks read files between calls of MPI, and say how much: the archive tells as much, and the
# verdict says so of text, by all or by one that is late by it, and not of some that is copied. What
# MPI-IO reads is not in it, nor what messages bring, by sockets either.
. "$TOP_SRCDIR/test/system/served_first.sh"
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"

grep -q '^rchar: [1-9]' /proc/thread-self/io 2>/dev/null ||
    skip "the kernel does not count what is read here"

cat >read.py <<'PYTHON'
import json
import re
import sys

how = sys.argv[1]
line = int(sys.argv[2])
ranks = json.load(open("ranks.json"))["ranks"]
causes = json.load(open("report.json"))["causes"]
said = {int(rank): int(count) for rank, count in map(str.split, open("said"))}
# By 20 messages of 2 MB, or 4,000 of 4 KB, where it takes some rounds more until it is seen.
MOVED = {"pieces": 16e6}.get(how, 40e6)
for row in ranks:
    own = said[row["rank"]] if how in ("text", "one", "copied") else 0
    told = row["read_bytes"]
    # What the MPI may have read next to it is taken off, most of that at the beginning: one round
    # or two of 20. stdio reads on to the end of its buffer. What messages bring can be taken for
    # the program's while little is known of that.
    most = own + 65536 if how not in ("between", "sockets", "pieces") else \
        said[row["rank"]] if how == "between" else MOVED / 10
    if not 0.85 * own <= told <= most:
        sys.exit("rank %d read %d, told are %d" % (row["rank"], own, told))
    # 15 ns a byte, or 0.25 where a MB is read at once; no longer than the rank takes for all.
    each = {"text": 15, "one": 15, "copied": 0.25}.get(how)
    if each and not (0.9 * min(told * each, row["useful_ns"]) <= row["reading_ns"] <=
                     told * each + 1):
        sys.exit("%d ns for %d bytes" % (row["reading_ns"], told))
read = [each for each in causes if each["id"] == "input"]
# 10 ms and 500,000 bytes a round, which count 7.5 ms; where other ranks wait for one of them.
# Between calls of MPI-IO it may be told or not, by how much the MPI may have read.
if how != "between" and [sorted(each["ranks"]) for each in read] != \
        {"text": [[0, 1]], "one": [[0]]}.get(how, []):
    sys.exit("input of %s" % read)
where = "mostly before MPI_Barrier, reads.c:%d, for about " % line
if how != "between" and read and where not in read[0]["sentence"]:
    sys.exit(read[0]["sentence"])
# scanf takes longer than is told, of a rank that shares its core twice as long: then it is not said
# why it computes longer.
meanwhile = [each["sentence"] for each in causes
             if re.search(r"and rank 0 reads [0-9.]* MB from files meanwhile", each["sentence"])]
if len(meanwhile) > (how == "one"):
    sys.exit("%s" % [each["sentence"] for each in causes])
PYTHON

line=$(grep -n MPI_Barrier "$TOP_SRCDIR/test/system/reads.c" | tail -1 | cut -d: -f1)
# recorded HOW MILLISECONDS KB [ROUNDS]: what is told of ranks that read so.
recorded() {
    local rounds=${4:-20}
    rm -rf out
    mkdir out
    "$TOP_BUILDDIR/test/system/reads-$mpi" write out 0 "$3" "$rounds"
    run_mpi "$mpi" 2 $foremost "$record" -q --force -o run.otf2.zip \
        "$TOP_BUILDDIR/test/system/reads-$mpi" "$1" out "$2" "$3" "$rounds" >said
    "$analyze" ranks --json -o ranks.json --force run.otf2.zip
    "$analyze" report --json run.otf2.zip >report.json
    "$analyze" ranks run.otf2.zip >ranks.txt
    rm -rf out
}
for mpi in $(built_mpis); do
    for how in text one copied together between messages; do
        case $how in
            # Who is late by what it reads has nothing else to do.
            one) recorded one 1 1500 ;;
            text | between) recorded $how 10 500 ;;
            *) recorded $how 10 2000 ;;
        esac
        "$python" read.py "$how" "$line" || wrong "$mpi, $how: $(cat said)"
        # What the verdict leads to shows it, and says nothing where there is nothing of it.
        case $how in
            text | one)
                grep -q "^ *0 *[0-9.]* MB .*MPI_Barrier, reads.c:$line" ranks.txt
                ;;
            together | messages) ! grep -q 'from files' ranks.txt ;;
        esac || wrong "$mpi, $how: $(cat ranks.txt)"
    done
done
# Where the kernel does not tell it, that is not nothing.
if [ "$(id -u)" != 0 ]; then
    mpi=$(built_mpis | head -1)
    recorded secret 10 500
    assert_equal "[null, null]" \
        "$(json ranks.json '[rank["read_bytes"] for rank in d["ranks"]]')" "not to be known"
fi
if built_mpis | grep -q openmpi; then
    mpi=openmpi
    export OMPI_MCA_btl=self,tcp
    recorded messages 10 2000
    "$python" read.py sockets "$line" || wrong "by sockets: $(cat said)"
    recorded pieces 10 80 200
    "$python" read.py pieces "$line" || wrong "by sockets, in pieces: $(cat said)"
fi
finish
