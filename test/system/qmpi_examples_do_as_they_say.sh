# examples/qmpi_delay.c makes a rank late, and the archive shows its partner waiting, not the
# delay in MPI; examples/qmpi_comm_guard.c finds the mistakes of a program, and none in others;
# examples/qmpi_proposal.c, which is as the proposal has it, counts right between tools that are
# not, and knows from how many places of a program of C or Fortran it was called.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"
. "$TOP_SRCDIR/test/system/qmpi.sh"

cat >two_places.f90 <<'PROGRAM'
program two_places
    use mpi
    implicit none
    integer :: error, rank, numbers(5), others(5), status(MPI_STATUS_SIZE), request

    call MPI_Init(error)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
    numbers = 0
    call MPI_Irecv(others, 5, MPI_INTEGER, rank, 1, MPI_COMM_WORLD, request, error)
    call MPI_Send(numbers, 5, MPI_INTEGER, rank, 1, MPI_COMM_WORLD, error)
    call MPI_Wait(request, status, error)
    call MPI_Irecv(others, 3, MPI_INTEGER, rank, 1, MPI_COMM_WORLD, request, error)
    call MPI_Send(numbers, 3, MPI_INTEGER, rank, 1, MPI_COMM_WORLD, error)
    call MPI_Wait(request, status, error)
    call MPI_Finalize(error)
end program
PROGRAM

# A tool of the proposal, in C, in the midst of tools of MPICH's form: they count alike.
proposed() {
    local mpi=$1 fortran
    MPIWATCH_TOOLS_PATH=$(tool proposal "$mpi"):$(tool call_count "$mpi")
    MPIWATCH_TOOLS=call_count:proposal:call_count
    export MPIWATCH_TOOLS MPIWATCH_TOOLS_PATH
    chained "$mpi" 2 "$(example ring "$mpi")"
    assert_equal 0 "$status" "$mpi, proposal: its status: $(head -5 run.err)"
    assert_equal "proposal: rank 0: 10 messages, 1000 items, 1 places
proposal: rank 1: 10 messages, 1000 items, 1 places" "$(grep ^proposal run.err | sort)" \
        "$mpi: what a tool of the proposal has seen"
    assert_equal "$(counted 1 run.err)" "$(counted 3 run.err)" "$mpi: before it and behind it"
    assert_contains "$(calls_of run.otf2.zip)" "MPI_Send 20"
    fortran=$(command -v "mpifort.$mpi") || return 0
    "$fortran" -w -o "two_places-$mpi" two_places.f90
    export MPIWATCH_TOOLS=proposal
    for ways in --sites=line --sites=off --tools=-mpiwatch:proposal; do
        chained "$mpi" 1 "$ways" "./two_places-$mpi"
        assert_equal "proposal: rank 0: 2 messages, 8 items, 2 places" \
            "$(grep ^proposal run.err)" "$mpi: from Fortran, $ways"
    done
}

for mpi in $(built_mpis); do
    proposed "$mpi"

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
