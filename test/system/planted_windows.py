"""Faults of planted.py that are of windows: of accesses, and of locks, fences and what
else ends them."""
from planted_run import Run, rounds


def on_window(ranks, count, do):
    """A run of so many ranks with a window, on which each does something so often."""
    run = Run(ranks)
    for rank in run.ranks:
        rank.meet(240, "MPI_Win_create")
    rounds(run, count, do)
    for rank in run.ranks:
        rank.meet(244, "MPI_Win_free")
    return run


def locks(behind, longer=0):
    """Three ranks compute for 50 us, rank 2 for longer, and for 30 while they have the lock of a
    window; without the fault they share it. Behind it all meet."""
    def planted(fault):
        def do(rank, number, each):
            rank.compute(50 + (longer if number == 2 else 0))
            rank.hold(241, 30, fault)
            if behind:
                rank.meet(243, "MPI_Barrier")
        return on_window(3, 10, do)
    return planted


def accesses(fault):
    """Two ranks compute for 100 us, access a window, and flush that for 50, or for 5."""
    run = Run(2)

    def do(rank, number, each):
        rank.compute(100)
        rank.call(248, "MPI_Put", 2)
        rank.call(249, "MPI_Win_flush", 50 if fault else 5)
        rank.meet(250, "MPI_Barrier")
    rounds(run, 10, do)
    return run


def fences(size=8, puts=1):
    """Each of 500 rounds of two ranks computes for 6 us and meets for 3, behind so many MPI_Put of
    1 us; without the fault behind four."""
    def planted(fault):
        def do(rank, number, each):
            rank.compute(6)
            for _ in range(puts if fault else 4):
                rank.put(245, 1, size)
            rank.meet(246, "MPI_Win_fence", inside=3)
        return on_window(2, 500, do)
    return planted


def small_accesses(size=400, puts=4):
    """Each of 500 rounds of two ranks computes for 6 us, makes so many MPI_Put of 4 us together,
    and meets for 1; without the fault it computes for 60."""
    def planted(fault):
        def do(rank, number, each):
            rank.compute(6 if fault else 60)
            for _ in range(puts):
                rank.put(241, 4 / puts, size)
            rank.meet(242, "MPI_Win_fence", inside=1)
        return on_window(2, 500, do)
    return planted


def accesses_beside(puts_us, size, us):
    """The same with four MPI_Put of 8 bytes, for so many us together, and an MPI_Get of another
    size for others."""
    def planted(fault):
        def do(rank, number, each):
            rank.compute(6 if fault else 60)
            for _ in range(4):
                rank.put(241, puts_us / 4, 8)
            rank.put(243, us, size, "MPI_Get")
            rank.meet(242, "MPI_Win_fence", inside=1)
        return on_window(2, 500, do)
    return planted


WINDOWS = {
    "accesses": accesses,
    "fences": fences(), "fences_large": fences(257), "fences_alone": fences(8, 0),
    "locks": locks(False), "locks_behind": locks(True), "locks_aside": locks(True, 300),
    "small_accesses": small_accesses(), "small_accesses_large": small_accesses(4097),
    "small_accesses_by_one": small_accesses(8, 1),
    "accesses_beside_costly": accesses_beside(1, 12000, 4),
    "accesses_beside_cheap": accesses_beside(4, 100000, 1),
}
