"""Those of the runs of planted.py in which ranks compute longer, and something else keeps them
outside of MPI, or makes others wait for them."""
from planted_run import LARGE, Run, rounds


def longer_and_held(fault):
    """Rank 1 of two computes 180 us for 100 before MPI_Allreduce; then both compute 90, rank 1
    behind a large message, and rank 0, which receives it, before that. Without the fault the
    message is small, and nobody is held."""
    run = Run(2)

    def do(rank, number, each):
        rank.compute(180 if number == 1 else 100)
        rank.meet(30, "MPI_Allreduce")
        if number == 1:
            rank.send(31, 0, LARGE if fault else 8)
            rank.compute(90)
        else:
            rank.compute(90)
            rank.recv(32, 1)
        rank.meet(33, "MPI_Barrier")
    rounds(run, 10, do)
    return run


def longer_off_core(fault):
    """Rank 0 of two computes 130 us before each of ten MPI_Allreduce, and rank 1 100, and has no
    core for 70 more before every other one. At last rank 0 computes 5 us before MPI_Comm_rank. Or
    rank 1 always has a core."""
    run = Run(2)

    def do(rank, number, each):
        lacked = 70 if fault and number == 1 and each % 2 == 1 else 0
        rank.compute(130 if number == 0 else 100 + lacked)
        rank.sample(0, lacked)
        rank.meet(35, "MPI_Allreduce")
    rounds(run, 10, do)
    run.ranks[0].compute(5)
    run.ranks[0].call(36, "MPI_Comm_rank", 1)
    return run


def lacks_everywhere(fault):
    """Rank 1 of two has no core for 40 us of 140 before each of three lines of MPI_Allreduce; or
    for 120 of 220 before the first."""
    run = Run(2)

    def do(rank, number, each):
        for line in (37, 38, 39):
            lacked = 40 if fault else 120 if line == 37 else 0
            rank.compute(100 + (lacked if number == 1 else 0))
            rank.sample(0, lacked if number == 1 else 0)
            rank.meet(line, "MPI_Allreduce")
    rounds(run, 10, do)
    return run


PLACES = {"longer_and_held": longer_and_held, "longer_off_core": longer_off_core,
          "lacks_everywhere": lacks_everywhere}
