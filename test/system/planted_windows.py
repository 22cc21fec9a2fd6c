"""Faults of planted.py that are of locks of windows."""
from planted_run import Run, rounds


def locks(behind, longer=0):
    """Three ranks compute for 50 us, rank 2 for longer, and for 30 while they have the lock of a
    window; without the fault they share it. Behind it all meet."""
    def planted(fault):
        run = Run(3)
        for rank in run.ranks:
            rank.meet(240, "MPI_Win_create")

        def do(rank, number, each):
            rank.compute(50 + (longer if number == 2 else 0))
            rank.hold(241, 30, fault)
            if behind:
                rank.meet(243, "MPI_Barrier")
        rounds(run, 10, do)
        for rank in run.ranks:
            rank.meet(244, "MPI_Win_free")
        return run
    return planted


WINDOWS = {
    "locks": locks(False), "locks_behind": locks(True), "locks_aside": locks(True, 300),
}
