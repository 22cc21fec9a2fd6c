# Levels that follow from events need the calls that begin and end what they count: where -e leaves
# these out they are named as not known, with the reason, and where it leaves out others that begin
# some, too, they are bounds. A variable of the MPI between calls of which not all are recorded is
# not observed.
. "$TOP_SRCDIR/test/system/lib.sh"

cat >user.c <<'C'
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Request requests[3];
    MPI_Comm dup;
    int one = 1, got, all;

    MPI_Init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &dup);
    MPI_Irecv(&got, 1, MPI_INT, 0, 0, dup, &requests[0]);
    MPI_Isend(&one, 1, MPI_INT, 0, 0, dup, &requests[1]);
    MPI_Iallreduce(&one, &all, 1, MPI_INT, MPI_SUM, dup, &requests[2]);
    MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
    MPI_Comm_free(&dup);
    MPI_Finalize();
    return 0;
}
C
cat >check.py <<'PYTHON'
import json, sys

LEVELS = {"outstanding requests", "bytes of outstanding sends", "communicators alive",
          "bytes in flight", "unexpected messages"}
document = json.load(open("watermarks.json"))
rows = {}
for row in document["watermarks"]:
    if row["source"] == "events":
        rows.setdefault(row["name"], []).append(row)
unknown = {each["name"]: each["why"] for each in document["not_known"]}
expected = set(sys.argv[2].split("|")) - {""}
assert set(unknown) == expected, (sys.argv, unknown)
assert not expected & set(rows), rows.keys()
assert all("not recorded (mpiwatch-record -e)" in why for why in unknown.values()), unknown
bounds = set(sys.argv[3].split("|")) - {""}
for name, of_name in rows.items():
    for row in of_name:
        for mark in (row["high"], row["low"]):
            assert mark["exact"] == (name not in bounds), (sys.argv, row)
            if name in bounds:
                assert mark["lower"] == mark["value"] and mark["upper"] is None, row
                assert "not recorded (mpiwatch-record -e)" in mark["why"], row
pvars = json.load(open("counters.json"))["pvars"]
for row in pvars:
    is_seen = sys.argv[1] in ("default", "all")
    assert (row["coverage"] > 0) == is_seen, (sys.argv, row)
    assert (row["mean_lower"] is not None) == is_seen, (sys.argv, row)
assert pvars or sys.argv[4] == "mpich"
PYTHON
for mpi in $(mpis); do
    $(mpicc_of "$mpi") -w -o user user.c
    # levels GROUPS UNKNOWN BOUNDS: of a record with -e GROUPS.
    levels() {
        run_mpi "$mpi" 1 "$record" -q --force -e "$1" -o levels.otf2.zip ./user
        "$analyze" watermarks --json levels.otf2.zip >watermarks.json
        "$analyze" counters --json levels.otf2.zip >counters.json
        "$python" check.py "$1" "$2" "$3" "$mpi" || fail "$mpi, -e $1"
    }
    messages="bytes of outstanding sends|bytes in flight|unexpected messages"
    levels default "" ""
    levels all "" ""
    levels p2p "communicators alive" "outstanding requests"
    levels p2p,coll,comm,rma,io "" "outstanding requests|communicators alive"
    levels coll,comm,topo,rma,io "outstanding requests|$messages" ""
    "$analyze" watermarks levels.otf2.zip >text
    assert_equal 4 "$(grep -c ': not known: calls of the group p2p were not recorded' text)" \
        "levels that are not known in the text, with $mpi"
    "$analyze" report -q --html page.html levels.otf2.zip
    assert_equal 4 "$(grep -c 'Not known: .*p2p were not recorded' page.html)" \
        "levels that are not known on the page, with $mpi"
done
