#!/usr/bin/python3
"""Makes the archive of two ranks that are at rest at most moments, but for one request.

    open_at_lulls.py WHAT BYTES DIRECTORY

Each of 20 times rank 0 sends to rank 1 when a round begins, and nothing else happens for long.
"receiver": it waits, by MPI_Wait, from 100 ns on, while rank 1 receives from 500 to 1,500, and goes
on waiting until 13,000: 400 ns for a late receiver. "progress": it comes to MPI_Wait at 3,000, for
which rank 1 has waited in MPI_Recv since 500. "blocks": it sends by MPI_Ssend, until 9,000, for
which rank 1 posts a receive at 500 and waits from 650 on: 500 ns for a late receiver.
"""
import sys

sys.dont_write_bytecode = True

import otf2
from otf2.enums import Paradigm

from ranks_of_mpi import define_ranks

TAG, ROUNDS, LENGTH, BEGIN = 3, 20, 20000, 10000


class Ranks:
    def __init__(self, archive):
        self.define = archive.definitions
        node = self.define.system_tree_node("one", class_name="node")
        _, threads, self.world = define_ranks(self.define, node, 2)
        self.writers = [archive.event_writer_from_location(thread) for thread in threads]
        self.regions = {}

    def call(self, rank, name, enter, leave, at=None, event=None, *told):
        if name not in self.regions:
            self.regions[name] = self.define.region(name, paradigm=Paradigm.MPI)
        writer = self.writers[rank]
        writer.enter(enter, self.regions[name])
        if event:
            getattr(writer, event)(at, *told)
        writer.leave(leave, self.regions[name])

    def begin_to_send(self, begin, size, number):
        self.call(0, "MPI_Isend", begin, begin + 50, begin, "mpi_isend", 1, self.world, TAG, size,
                  number)

    def receiver(self, begin, size, number):
        self.begin_to_send(begin, size, number)
        self.call(0, "MPI_Wait", begin + 100, begin + 13000, begin + 12900, "mpi_isend_complete",
                  number)
        self.call(1, "MPI_Recv", begin + 500, begin + 1500, begin + 1400, "mpi_recv", 0,
                  self.world, TAG, size)

    def progress(self, begin, size, number):
        self.begin_to_send(begin, size, number)
        self.call(0, "MPI_Wait", begin + 3000, begin + 13000, begin + 12900, "mpi_isend_complete",
                  number)
        self.call(1, "MPI_Recv", begin + 500, begin + 3100, begin + 3050, "mpi_recv", 0,
                  self.world, TAG, size)

    def blocks(self, begin, size, number):
        self.call(0, "MPI_Ssend", begin, begin + 9000, begin + 10, "mpi_send", 1, self.world, TAG,
                  size)
        self.call(1, "MPI_Irecv", begin + 500, begin + 600, begin + 550, "mpi_irecv_request",
                  number)
        self.call(1, "MPI_Wait", begin + 650, begin + 9100, begin + 9050, "mpi_irecv", 0,
                  self.world, TAG, size, number)


def main(what, size, directory):
    with otf2.writer.open(directory, timer_resolution=10**9) as archive:
        ranks = Ranks(archive)
        for rank in 0, 1:
            ranks.call(rank, "MPI_Init", 1000, 1900)
        for number in range(ROUNDS):
            begin = BEGIN + number * LENGTH
            getattr(ranks, what)(begin, int(size), number)
            ranks.call(1, "MPI_Iprobe", begin + 18000, begin + 18100)
        for rank in 0, 1:
            ranks.call(rank, "MPI_Finalize", 500000, 501000)


if __name__ == "__main__":
    main(*sys.argv[1:])
