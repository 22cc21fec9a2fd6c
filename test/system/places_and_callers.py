"""places_and_callers.py DIRECTORY: writes an archive with places of calls, and who calls the
functions that make them, as mpiwatch-record --sites=stack does: a region for each pair of a call
and a stack, and calling contexts from the program's outermost function in to the call. Two ranks;
times in ns.

rank 0  MPI_Recv at halo.c:31, called from main    2000 to 5100, the message is sent at 5000
        MPI_Recv at halo.c:31, called from solve   6000 to 7100, the message is sent at 7000
        MPI_Barrier at main.c:40                   8000 to 8500, rank 1 comes at 8400
        MPI_Barrier at deep.c:7, its stack is cut  9000 to 9200, rank 1 comes at 9100
rank 1  MPI_Send at send.c:12                      5000 to 5050, 7000 to 7050
        MPI_Barrier at main.c:40, at deep.c:7      8400 to 8500, 9100 to 9200
"""
import sys

from foreign import Archive
from otf2.enums import CollectiveOp, Paradigm


class Stacks:
    def __init__(self, archive):
        self.definitions = archive.definitions
        self.contexts = {}

    def frame(self, parent, function, file, line):
        """The calling context of a call in a function, called from parent."""
        key = parent, function, file, line
        if key not in self.contexts:
            region = self.definitions.region(function, source_file=file, paradigm=Paradigm.USER)
            place = self.definitions.source_code_location(file, line) if file else None
            self.contexts[key] = self.definitions.calling_context(
                region=region, source_code_location=place, parent=parent)
        return self.contexts[key]

    def call(self, name, *frames):
        """The region of a call that these frames make, the outermost first."""
        parent = None
        for frame in frames:
            parent = self.frame(parent, *frame)
        file, line = frames[-1][1:]
        region = self.definitions.region(name, description="stack %d" % len(self.contexts),
                                         source_file=file, begin_line_number=line,
                                         end_line_number=line, paradigm=Paradigm.MPI)
        self.definitions.calling_context(region=region, source_code_location=None, parent=parent)
        return region


def write(directory):
    archive = Archive(directory, 2)
    stacks = Stacks(archive)
    from_main = stacks.call("MPI_Recv", ("main", "/src/main.c", 20), ("halo", "/src/halo.c", 31))
    from_solve = stacks.call("MPI_Recv", ("main", "/src/main.c", 25), ("solve", "/src/solve.c", 50),
                             ("halo", "/src/halo.c", 31))
    send = stacks.call("MPI_Send", ("main", "/src/main.c", 22), ("push;", "/src/send.c", 12))
    barrier = stacks.call("MPI_Barrier", ("main", "/src/main.c", 40))
    deep = stacks.call("MPI_Barrier", ("[cut]", None, 0), ("deep", "/src/deep.c", 7))

    def call(rank, region, enter, leave, *inside):
        events = archive.events(rank)
        events.enter(enter, region)
        for each in inside:
            each(events)
        events.leave(leave, region)

    def meet(region, entered, left):
        for rank, enter in enumerate(entered):
            call(rank, region, enter, left,
                 lambda events, at=enter: events.mpi_collective_begin(at),
                 lambda events: events.mpi_collective_end(left, CollectiveOp.BARRIER,
                                                          archive.world, 0xffffffff, 0, 0))

    for rank in range(2):
        archive.call(rank, "MPI_Init", 0, 1000)
    for region, enter, sent, left in ((from_main, 2000, 5000, 5100),
                                      (from_solve, 6000, 7000, 7100)):
        call(0, region, enter, left,
             lambda events: events.mpi_recv(left, 1, archive.world, 0, 80))
        call(1, send, sent, sent + 50,
             lambda events: events.mpi_send(sent, 0, archive.world, 0, 80))
    meet(barrier, (8000, 8400), 8500)
    meet(deep, (9000, 9100), 9200)
    for rank in range(2):
        archive.call(rank, "MPI_Finalize", 20000, 21000)
    archive.close()


if __name__ == "__main__":
    write(sys.argv[1])
