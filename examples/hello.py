"""A Python program whose MPI is opened with dlopen (mpi4py).

Expected in the archive of n ranks:
    MPI_Init_thread    n
    MPI_Init           0
    MPI_Allreduce      n
    MPI_Barrier        n
    messages           0
    collectives        2 * n
    moved ALLREDUCE    4 * n * n
"""
from array import array

from mpi4py import MPI

world = MPI.COMM_WORLD
mine = array("i", [world.rank])
total = array("i", [0])
world.Allreduce(mine, total)
world.Barrier()
if world.rank == 0:
    print(f"hello from {world.size} ranks, sum {total[0]}")
