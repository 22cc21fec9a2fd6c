# examples/qmpi_delay.c makes a rank late, and the archive shows its partner waiting, not the
# delay in MPI; examples/qmpi_comm_guard.c finds the mistakes of a program, and none in others.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"
. "$TOP_SRCDIR/test/system/qmpi.sh"

for mpi in $(built_mpis); do
    # Rank 0 of 2 sends ten times, each time 20 ms late: rank 1 waits for 200 ms in MPI_Recv.
    export MPIWATCH_TOOLS_PATH=$(tool delay "$mpi") MPIWATCH_TOOLS=delay
    QMPI_DELAY=MPI_Send@0=20000 chained "$mpi" 2 "$(example ring "$mpi")"
    [ "$status" -eq 0 ] && [ ! -s run.err ] || wrong "$mpi, delay: $status: $(head -5 run.err)"
    "$analyze" ranks --json run.otf2.zip >ranks.json
    python_check "$mpi, delay" <<'PYTHON'
import json
late, waiting = sorted(json.load(open("ranks.json"))["ranks"], key=lambda r: r["rank"])
assert late["outside_ns"] >= 200e6, late
assert waiting["mpi_ns"] >= 180e6, waiting
assert waiting["outside_ns"] < 100e6, waiting
PYTHON
    QMPI_DELAY=MPI_Nothing=1 chained "$mpi" 1 "$(example empty "$mpi")"
    assert_equal 'delay: "MPI_Nothing=1" is not FUNCTION[@RANK]=MICROSECONDS' \
        "$(cat run.err)" "$mpi: what can't be delayed"

    export MPIWATCH_TOOLS_PATH=$(tool comm_guard "$mpi") MPIWATCH_TOOLS=comm_guard
    chained "$mpi" 2 "$(program mistakes "$mpi")"
    sort run.err >sorted.err
    diff sorted.err - >guard.diff <<'LINES' || wrong "$mpi, mistakes: $(cat guard.diff)"
comm_guard: rank 0: ranks called the collectives on MPI_COMM_WORLD in different orders; here (3)
comm_guard: rank 0: sends to itself, and no receive is posted; tag (2)
comm_guard: rank 1: ranks called the collectives on MPI_COMM_WORLD in different orders; here (3)
comm_guard: rank 1: sends to itself, and no receive is posted; tag (2)
LINES
    for command in "$(program mistakes "$mpi") none" "$(example collectives "$mpi")"; do
        chained "$mpi" 2 $command
        [ "$status" -eq 0 ] && [ ! -s run.err ] ||
            wrong "$mpi, $command: exit $status: $(head -5 run.err)"
    done
done
finish
