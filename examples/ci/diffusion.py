"""A program to be tested (mpi4py): heat spreads along a rod, of which each rank has a piece. In
each step neighbours exchange their outermost cells; every tenth, all agree on the change.

    diffusion.py STEPS CELLS [EXTRA]

A piece has CELLS cells; the last rank has EXTRA more, so that the others wait for it.
"""
import sys
from array import array

from mpi4py import MPI

world = MPI.COMM_WORLD
steps, cells, extra = [int(word) for word in sys.argv[1:] + ["0"]][:3]
if world.rank == world.size - 1:
    cells += extra
left = world.rank - 1 if world.rank > 0 else MPI.PROC_NULL
right = world.rank + 1 if world.rank < world.size - 1 else MPI.PROC_NULL
rod = array("d", [0.0]) * (cells + 2)
rod[1] = 100.0 if world.rank == 0 else 0.0
for step in range(steps):
    world.Sendrecv(rod[1:2], left, recvbuf=(last := array("d", [0.0])), source=right)
    world.Sendrecv(rod[cells:cells + 1], right, recvbuf=(first := array("d", [0.0])), source=left)
    rod[0], rod[cells + 1] = first[0], last[0]
    new = array("d", rod)
    for i in range(1, cells + 1):
        new[i] = rod[i] + 0.25 * (rod[i - 1] - 2 * rod[i] + rod[i + 1])
    if step % 10 == 9:
        change = array("d", [max(abs(a - b) for a, b in zip(new, rod))])
        world.Allreduce(MPI.IN_PLACE, change, op=MPI.MAX)
    rod = new
if world.rank == 0:
    print("done")
