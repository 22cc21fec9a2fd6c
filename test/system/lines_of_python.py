# Calls from Python: "# site FUNCTION COUNT" is what lines_of_python_are_told.sh looks for.
import os
import signal
import sys
import threading

from mpi4py import MPI  # site <module> 1

world = MPI.COMM_WORLD


class Grid:
    def ünder(self):
        world.Barrier()  # site Grid.ünder 1
        (lambda:
            world.Barrier())()  # site Grid.ünder.<locals>.<lambda> 1
        world.Bcast(  # site Grid.ünder 1
            bytearray(8),
            root=1)


def generator():
    for number in range(4):
        world.Barrier()  # site generator 4
        yield number


def recursive(depth):
    if depth > 0:
        return recursive(depth - 1)
    try:
        raise ValueError
    except ValueError:
        world.Barrier()  # site recursive 1
    return depth


def in_thread():
    world.Barrier()  # site in_thread 1


Grid().ünder()
for number in generator():
    pass
recursive(500)
thread = threading.Thread(target=in_thread)
thread.start()
thread.join()
list(map(lambda number: world.Barrier(), range(3)))  # site <lambda> 3
for number in range(20):  # texts whose objects come again where others were
    exec("\n" * number + "world.Barrier()")
if len(sys.argv) > 1:
    world.Barrier()  # site <module> 1
    os.kill(os.getpid(), signal.SIGKILL)
