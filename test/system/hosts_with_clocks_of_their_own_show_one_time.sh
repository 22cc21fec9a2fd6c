# A host whose clock is five days ahead of the other's: the archive tells times on one clock,
# whether the run ended or was killed; how far it is ahead is known within what is said, also of a
# run that was killed, whose clocks were compared at its collectives. Of a host that is lost with
# its spools, the list of spools still knows who was there.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"
need unshare hostname otf2-print
unshare --uts --time --monotonic 1 true 2>/dev/null || skip "unshare --uts --time is not permitted"
recover=$TOP_BUILDDIR/mpiwatch-recover
test_timeout=60

# Rank 1 lives on another host, and rank 2 if there is one.
cat >place <<'SCRIPT'
if [ "${OMPI_COMM_WORLD_RANK-${PMI_RANK-}}" != 0 ]; then
    exec unshare --uts --time --monotonic 432000 sh -c 'hostname apart; exec "$@"' apart "$@"
fi
exec "$@"
SCRIPT

# spread ARCHIVE: seconds from the first event to the last one, as libotf2 tells them.
spread() {
    rm -rf unpacked
    mkdir unpacked
    (cd unpacked && unzip -q "../$1")
    otf2-print "$(find unpacked -name '*.otf2')" |
        awk '/^(ENTER|LEAVE) /{ if (!first) first = $3; last = $3 }
             END { printf "%d\n", (last - first) / 1e9 }'
}

# A first recovery without the spool of rank 1, whose host is named all the same.
lose_the_other_host() {
    local spool
    spool=$(sed -n 's/.*"rank":1,.*"spool":"\([^"]*\)".*/\1/p' run.otf2.zip.run)
    mv "$spool" away
    "$recover" -o lost.otf2.zip run.otf2.zip.run >out 2>err || true
    mv away "$spool"
    "$analyze" ranks --json -o lost.json lost.otf2.zip 2>err || true
    assert_equal '[0, "apart"]' "$(json lost.json '[d["ranks"][1]["calls"] or 0,
        d["ranks"][1]["host"]]')" "$mpi: host of the rank that is lost"
    rm lost.otf2.zip
}

# 240 collectives, of which 180 let nobody go before all are there, then all are killed, if there
# is an argument. Each tenth round is not recorded.
cat >agree.c <<'PROGRAM'
#include <mpi.h>
#include <signal.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, size, one = 1, sum = 0, all[8] = {0};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < 60; i++) {
        MPI_Pcontrol(i % 10 != 9);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        MPI_Allreduce(&one, &sum, 0, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        MPI_Allgather(&rank, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD);
        if (all[size - 1] != size - 1 || sum != size) {
            puts("wrong");
        }
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (argc > 1) {
        raise(SIGKILL);
    }
    MPI_Finalize();
    return 0;
}
PROGRAM

# renews_clocks MPI [KILLED]: the clocks' points hold where the clocks really are.
renews_clocks() {
    rm -rf run.otf2.zip*
    run_mpi "$1" 3 sh place "$record" -o run.otf2.zip "./agree-$1" ${2-} >out 2>err || true
    ! grep -q wrong out || wrong "$1: the program computes something else"
    [ -z "${2-}" ] || "$recover" run.otf2.zip.run >out 2>err || true
    assert_file run.otf2.zip
    unzip -p run.otf2.zip mpiwatch.json >about.json
    "$python" - <<'PYTHON' || fail "$1, ${2-ended}"
import json

ranks = json.load(open("about.json"))["ranks"]
points = [r["clock_offsets"] for r in ranks]
assert 1 < len(points[1]) <= 8 and points[1] == points[2], points
for rank, ahead in enumerate((0, 432000, 432000)):
    for point in points[rank]:
        assert abs(point["offset_ns"] + ahead * 10**9) <= point["error_ns"], (rank, point)
PYTHON
}

for mpi in $(built_mpis); do
    "$(mpicc_of "$mpi")" -o "agree-$mpi" agree.c
    renews_clocks "$mpi"
    renews_clocks "$mpi" killed
done
for mpi in $(built_mpis); do
    for way in finalize SIGKILL; do
        rm -rf run.otf2.zip*
        run_mpi "$mpi" 2 sh place "$record" -o run.otf2.zip \
            "$TOP_BUILDDIR/test/system/dies-$mpi" $way -1 2000 >out 2>err || true
        if [ $way = SIGKILL ]; then
            lose_the_other_host
            "$recover" run.otf2.zip.run >out 2>err || true
        fi
        assert_file run.otf2.zip
        "$analyze" info --json -o info.json run.otf2.zip || true
        assert_equal 2 "$(json info.json 'd["hosts"]')" "$mpi, $way: hosts"
        assert_equal true "$(json info.json 'd["duration_ns"] < 100e9')" \
            "$mpi, $way: a run of $(json info.json 'd["duration_ns"]') ns"
        assert_equal true "$(json info.json 'd["hosts_clock_error_ns"] > 0')" "$mpi, $way: error"
        assert_contains "$("$analyze" info run.otf2.zip 2>/dev/null)" "hosts' clocks        within"
        [ "$(spread run.otf2.zip)" -lt 100 ] ||
            wrong "$mpi, $way: other readers see a run of $(spread run.otf2.zip) s"
    done
done
finish
