"""Those of the runs of planted.py whose fault is in messages that are begun and completed apart."""
from planted_run import LARGE, Run, rounds


def hidden(size, inside=1):
    """Rank 1 computes three times as long as rank 0 between beginning to exchange messages and
    completing that, which all but the smallest need both ranks for; without the fault as long."""
    def planted(fault):
        run = Run(2)

        def do(rank, number, each):
            rank.isend(190, 1 - number, size)
            rank.irecv(191, 1 - number)
            rank.compute(300 if fault and number == 1 else 100)
            rank.wait(192, inside)
        rounds(run, 10, do)
        return run
    return planted


def one_hides(fault):
    """Rank 1 sends to rank 0, and computes three times as long as it between beginning and
    completing that; without the fault rank 0 does."""
    run = Run(2)

    def do(rank, number, each):
        if number == 1:
            rank.isend(190, 0, LARGE)
        else:
            rank.irecv(191, 1)
        rank.compute(300 if number == int(fault) else 100)
        rank.wait(192)
    rounds(run, 10, do)
    return run


def in_turns(fault):
    """Two ranks exchange messages, before which one computes for long, now the one, now the other;
    without the fault they are so large that a send waits for its receive."""
    run = Run(2)

    def do(rank, number, each):
        rank.compute(190 if (each + number) % 2 else 10)
        rank.isend(194, 1 - number, 8 if fault else LARGE)
        rank.irecv(195, 1 - number)
        rank.wait(196)
    rounds(run, 20, do)
    return run


def last_receiver(fault):
    """Rank 1 completes a message from rank 0, late by 20 us, and one to rank 2, which computes for
    300 us before it posts the receive; without the fault that one is too small to wait for it."""
    run = Run(3)

    def do(rank, number, each):
        if number == 0:
            rank.compute(20)
            rank.send(197, 1)
        elif number == 1:
            rank.isend(198, 2, 2000 if fault else 8)
            rank.irecv(199, 0)
            rank.wait(200)
        else:
            rank.compute(300)
            rank.irecv(201, 1)
            rank.wait(202)
            rank.compute(10)
        rank.meet(203, "MPI_Barrier")
    rounds(run, 10, do)
    return run


def begun_late(fault):
    """Rank 0 completes a message that rank 1 begins after 50 us, and completes after 250 more, for
    which all but small ones wait; without the fault it is small."""
    run = Run(2)

    def do(rank, number, each):
        if number == 0:
            rank.irecv(204, 1)
        else:
            rank.compute(50)
            rank.isend(205, 0, LARGE if fault else 8)
            rank.compute(250)
        rank.wait(206)
    rounds(run, 10, do)
    return run
