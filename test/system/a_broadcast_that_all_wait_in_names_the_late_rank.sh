# A chain of broadcasts in Python, before which rank 1 computes three times as long: whether the MPI
# lets the root of a broadcast go before the other has come, or keeps it, as it does by the size,
# the report names rank 1 and the line, and most of what the waiting costs is its.
. "$TOP_SRCDIR/test/system/lib.sh"
need_mpi openmpi # Debian's mpi4py is made for it
"$python" -c 'import mpi4py' 2>/dev/null || skip "no python3-mpi4py here"

cat >chain.py <<'PYTHON'
import array
import sys
import time
from mpi4py import MPI

comm = MPI.COMM_WORLD
data = array.array("b", bytes(int(sys.argv[1])))
for step in range(20):
    # What sleeps is not held up by others on its core, and without --cpu nothing tells it apart.
    time.sleep(0.06 if comm.rank == 1 else 0.02)
    for root in range(comm.size):
        comm.Bcast(data, root=root)
PYTHON
# record_once BYTES: the run; fails if others held it up for half of what it is to take, 20 * 60 ms.
record_once() {
    # It computes by the clock, whatever else the machine does.
    run_openmpi 2 "$record" -q --force --cpu=off -o run.zip "$python" chain.py "$1" >out 2>err ||
        fail "$1: $(cat err)"
    "$analyze" report --json run.zip >report.json
    [ "$(json report.json 'd["pop"]["runtime_ns"] < 1.5 * 20 * 60e6')" = true ]
}

for bytes in 8 800 8000; do
    # What broadcasts take on a machine that is that busy is no waiting, and most of it.
    for try in 1 2 3 4 5 6 7 8; do
        ! record_once $bytes || break
    done
    assert_matches "$(json report.json '"; ".join(c["sentence"] for c in d["causes"])')" \
        "(^|; )(perhaps )?rank 1 computes .* average, mostly before MPI_Bcast, chain\.py:12: up to"
    "$analyze" waits --json run.zip >waits.json
    assert_equal true "$(json waits.json \
        'd["delays"]["per_rank_short_term_ns"][1] > d["delays"]["per_rank_short_term_ns"][0]')" \
        "$bytes: costs"
done
