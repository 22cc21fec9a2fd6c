"""Those of the runs of planted.py whose fault is in collective operations."""
from planted_run import Run, rounds


def alltoall(fault):
    """MPI_Alltoall takes 50 us, of 150; without the fault 2."""
    run = Run(4)

    def do(rank, number, each):
        rank.compute(100)
        rank.meet(100, "MPI_Alltoall", size=8000, inside=50 if fault else 2)
    rounds(run, 10, do)
    return run


def one_sends(fault, besides=0):
    """The same of MPI_Alltoallv, in which rank 0 of 4 sends 7,700 bytes and the others 100, or all
    2,000. Behind it each sends the next one so many bytes."""
    run = Run(4)

    def do(rank, number, each):
        rank.compute(100)
        size = 2000 if not fault else 7700 if number == 0 else 100
        rank.meet(113, "MPI_Alltoallv", size=size, inside=50)
        if besides:
            rank.isend(114, (number + 1) % 4, besides)
            rank.irecv(115, (number + 3) % 4)
            rank.wait(116)
    rounds(run, 10, do)
    return run


def ends_late(fault, earlier=0):
    """Behind 20 times 10 us of four ranks and MPI_Barrier rank 0 computes 300 us, while the others
    are in MPI_Finalize; without the fault each computes 75. Rank 1 may compute a little longer
    before each MPI_Barrier."""
    run = Run(4)

    def do(rank, number, each):
        rank.compute(10 + (earlier if number == 1 else 0))
        rank.meet(119, "MPI_Barrier")
    rounds(run, 20, do)
    for rank in run.ranks:
        rank.compute(300 * (rank.number == 0) if fault else 75)
    return run


def little_uneven(fault):
    """Rank 1 of 4 computes 120 us, the others 100, before MPI_Allreduce, which they wait in; behind
    that all are in MPI_Pack for 50 us, or for 9."""
    run = Run(4)

    def do(rank, number, each):
        rank.compute(120 if number == 1 else 100)
        rank.meet(117, "MPI_Allreduce", inside=1)
        rank.call(118, "MPI_Pack", 50 if fault else 9)
    rounds(run, 10, do)
    return run


def allreduce(fault):
    run = Run(4)

    def do(rank, number, each):
        rank.compute(100)
        rank.meet(101, "MPI_Allreduce", inside=50 if fault else 2)
    rounds(run, 10, do)
    return run


def never_left(fault):
    """The same without it, and then 1 ms of rank 1 in one that never returns; else it does."""
    run = allreduce(False)
    run.ranks[1].call(104, "MPI_Allreduce", 1000, not fault)
    return run


def two_lines(fault):
    """MPI_Allreduce takes 2 us at each of two lines; with the fault 62 and 42."""
    run = Run(2)

    def do(rank, number, each):
        rank.compute(100)
        rank.meet(160, "MPI_Allreduce", inside=62 if fault else 2)
        rank.meet(161, "MPI_Allreduce", inside=42 if fault else 2)
    rounds(run, 10, do)
    return run


def on_cores(fault):
    """The same, where each rank has no core for 5 us of 50; without the fault for 45."""
    run = Run(4)

    def do(rank, number, each):
        rank.compute(100)
        rank.meet(103, "MPI_Allreduce", inside=50, no_core=5 if fault else 45)
    rounds(run, 10, do)
    return run


def overlap(fault):
    """MPI_Bcast takes the others 50 us, of 150, rank 0 one; without the fault 2."""
    run = Run(4)

    def do(rank, number, each):
        rank.compute(100)
        rank.meet(102, "MPI_Bcast", 0, size=80000, inside=50 if fault else 2)
    rounds(run, 10, do)
    return run


def tiny_bcast(fault):
    """The same with 16 bytes."""
    run = Run(4)

    def do(rank, number, each):
        rank.compute(100)
        rank.meet(104, "MPI_Bcast", 0, size=16, inside=50 if fault else 2)
    rounds(run, 10, do)
    return run


def root_waits(fault):
    """Rank 1 computes 300 us, rank 0 100, before it sends 8 kB to it by a broadcast that cannot
    go on without it, as MPIs send what is not small."""
    run = Run(2)

    def do(rank, number, each):
        rank.compute(300 if fault and number == 1 else 100)
        rank.meet(13, "MPI_Bcast", 0, size=8192, inside=2, root_waits=True)
    rounds(run, 10, do)
    return run


def next_last(fault):
    """Rank 1 computes 300 us before a broadcast in which all wait for the last, ranks 2 and 3 250
    in turn, else 100; without the fault these do, too."""
    run = Run(4)

    def do(rank, number, each):
        in_turn = fault and number == 2 + each % 2
        rank.compute(300 if number == 1 else 250 if in_turn else 100)
        rank.meet(15, "MPI_Bcast", 0, size=8192, inside=2, root_waits=True)
    rounds(run, 10, do)
    return run


def serial_root(fault):
    """Rank 0 of four computes 50 us between what it gathers and what it broadcasts."""
    run = Run(4)

    def do(rank, number, each):
        rank.compute(100)
        rank.meet(105, "MPI_Gather", 0)
        if fault and number == 0:
            rank.compute(50)
        rank.meet(106, "MPI_Bcast", 0)
    rounds(run, 20, do)
    return run


def last_piece(fault):
    """Four ranks compute as long before each of ten messages, and rank 2 600 us more at last."""
    run = Run(4)

    def do(rank, number, each):
        rank.compute(100)
        rank.send(107, (number + 1) % 4)
        rank.recv(108, (number + 3) % 4)
    rounds(run, 10, do)
    for rank in run.ranks:
        rank.compute(600 if fault and rank.number == 2 else 0)
        rank.meet(109, "MPI_Allreduce")
    return run


def worker_of_root(fault):
    """20 times rank 0 does 1 us and tells rank 1 by MPI_Bcast to compute 100, which gives back what
    it has by MPI_Gather; without the fault rank 0 computes 50 us meanwhile."""
    run = Run(2)

    def do(rank, number, each):
        if number == 0:
            rank.compute(1)
        rank.meet(250, "MPI_Bcast", 0)
        rank.compute(100 if number else 0 if fault else 50)
        rank.meet(251, "MPI_Gather", 0)
    rounds(run, 20, do)
    return run


def reduce_bcast(fault, first="MPI_Reduce", gap=100, root=0, size=8, other=False):
    """MPI_Reduce takes its root 30 us, and MPI_Bcast of that root all; without the fault it
    computes in between, or something else is broadcast, or by another root."""
    run = Run(4)

    def do(rank, number, each):
        rank.compute(100)
        rank.meet(150, first, 0, inside=30)
        if not fault and number == 0:
            rank.compute(gap)
        rank.meet(151, "MPI_Bcast", 0 if fault else root, size=8 if fault else size, inside=30,
                  root_waits=True, on_other=other and not fault)
    rounds(run, 10, do)
    return run


def gather_bcast(fault):
    """The same with MPI_Gather; without the fault another rank broadcasts."""
    return reduce_bcast(fault, first="MPI_Gather", gap=0, root=1)


def other_size(fault):
    """MPI_Bcast is of 80 bytes for 8 without the fault."""
    return reduce_bcast(fault, gap=0, size=80)


def other_comm(fault):
    """MPI_Bcast is on another communicator without the fault."""
    return reduce_bcast(fault, gap=0, other=True)


def barrier(first, second, gap=True):
    """Two operations of 30 us each in which all need all, one behind the other; without the fault
    each rank computes in between, or the second one is one to a root."""
    def planted(fault):
        run = Run(4)

        def do(rank, number, each):
            rank.compute(100)
            rank.meet(152, first, inside=30)
            if not fault and gap:
                rank.compute(100)
            if fault or gap:
                rank.meet(153, second, inside=30)
            else:
                rank.meet(153, "MPI_Reduce", 0, inside=30)
        rounds(run, 10, do)
        return run
    return planted


def barriers(count=500, second=None):
    """In each of so many rounds two ranks compute for 6 us, meet in an MPI_Barrier for 4, and then
    in a second operation, if there is one; without the fault they compute for 60."""
    def planted(fault):
        run = Run(2)

        def do(rank, number, each):
            rank.compute(6 if fault else 60)
            rank.meet(262, "MPI_Barrier", inside=4)
            if second:
                rank.meet(263, second, inside=4)
        rounds(run, count, do)
        return run
    return planted


def barrier_of_window(fault):
    """The same, where a window is there all the time; without the fault it is freed before."""
    run = Run(4)

    def do(rank, number, each):
        if each == 0:
            rank.meet(170, "MPI_Win_create", inside=5)
        if each == 0 and not fault:
            rank.meet(171, "MPI_Win_free", inside=5)
        rank.compute(100)
        rank.meet(152, "MPI_Barrier", inside=30)
        rank.meet(153, "MPI_Allreduce", inside=30)
    rounds(run, 10, do)
    return run


def four_lines(fault):
    """Rank 1 computes 300 us for 100 of rank 0 before MPI_Allreduce, at each of four lines."""
    run = Run(2)

    def do(rank, number, each):
        for line in range(4):
            rank.compute(300 if fault and number == 1 else 100)
            rank.meet(251 + line, "MPI_Allreduce")
    rounds(run, 10, do)
    return run


def neighbors(fault):
    """MPI_Neighbor_alltoallv takes 50 us, of 150; without the fault 2."""
    run = Run(2)

    def do(rank, number, each):
        rank.compute(100)
        rank.call(247, "MPI_Neighbor_alltoallv", 50 if fault else 2)
    rounds(run, 10, do)
    return run
