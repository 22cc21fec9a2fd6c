"""Writes an OTF2 archive, with python3-otf2, of a run whose times one can add up on paper:

    timed_run.py DIRECTORY [--host=NAME] [--barrier=NAME] [--inside=US] [--rounds=N] TIME...

Rank r leaves MPI_Init at 0, computes for the r-th TIME (us), and is in MPI_Barrier up to 1 us (US)
after the last one came; then MPI_Finalize. So the run is max(TIME) + 1 us, and rank r is in the
barrier for max(TIME) + 1 - TIME of these, of which it waits max(TIME) - TIME. All that N times."""
import argparse

import otf2
from otf2.enums import CollectiveOp, Paradigm

from ranks_of_mpi import define_ranks

parser = argparse.ArgumentParser()
parser.add_argument("directory")
parser.add_argument("--host", default="one")
parser.add_argument("--barrier", default="MPI_Barrier")
parser.add_argument("--inside", type=float, default=1)
parser.add_argument("--rounds", type=int, default=1)
parser.add_argument("times", nargs="+", type=float)
arguments = parser.parse_args()
times = [round(1000 * each) for each in arguments.times]

with otf2.writer.open(arguments.directory, timer_resolution=10**9) as trace:
    define = trace.definitions
    node = define.system_tree_node(arguments.host, class_name="node")
    names = ["MPI_Init", arguments.barrier, "MPI_Finalize"]
    start, barrier, end = [define.region(name, paradigm=Paradigm.MPI) for name in names]
    _, locations, comm = define_ranks(define, node, len(times))
    last = max(times) + round(1000 * arguments.inside)
    for location, time in zip(locations, times):
        writer = trace.event_writer_from_location(location)
        writer.enter(1000, start)
        writer.leave(2000, start)
        for begin in range(2000, 2000 + arguments.rounds * last, last):
            writer.enter(begin + time, barrier)
            writer.mpi_collective_begin(begin + time)
            writer.mpi_collective_end(begin + last, CollectiveOp.BARRIER, comm, 2**32 - 1, 0, 0)
            writer.leave(begin + last, barrier)
        writer.enter(2000 + arguments.rounds * last, end)
        writer.leave(3000 + arguments.rounds * last, end)
