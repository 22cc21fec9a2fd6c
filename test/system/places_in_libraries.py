"""places_in_libraries.py DIRECTORY PROGRAM LIBRARY PART [LESS|stuck|often|runs|twice]: writes an
archive of calls that libraries make, with who called these, as mpiwatch-record --sites=stack does.
PROGRAM, LIBRARY (somebody else's) and PART (one of the program's own) are the files' paths. Two
ranks; times in ns. A function with an offset has no line. Rank 0 comes to the first MPI_Barrier
later by LESS; or it is killed in MPI_Recv at io_read+0x4, called from write_all, out.c:50. Often:
it makes an MPI_Send there, at LIBRARY+0x20 and at LIBRARY+0x30, and an MPI_Ssend there, from that
line. Runs: main+0x7 leads to an MPI_Ssend at io_put+0x8, too; twice: so does main+0x19, instead.

both ranks  MPI_Barrier at LIBRARY+0x10, three callers in the program:
            write_all, out.c:14        2000 to 2600, rank 1 comes at 2500
            write_all, out.c:20        3000 to 3300, rank 1 comes at 3200
            check, out.c:30            4000 to 4030, rank 1 comes at 4020
rank 0      100 ns each, one behind the other from 5000 on:
            what is in calls() below, where each call is of a place of its own but those of
            MPI_Comm_dup and MPI_Comm_split, which have two callers
            MPI_Send at io_send+0x1, from out.c:40, to rank 1, which receives nothing
"""
import json
import os
import sys

from foreign import Archive
from otf2.enums import CollectiveOp, Paradigm


class Stacks:
    def __init__(self, archive, modules):
        self.definitions = archive.definitions
        self.modules = modules
        self.contexts = {}
        self.told = {"modules": [{"path": path, "build_id": ""} for path in modules],
                     "sites": [], "contexts": []}

    def addresses(self, module):
        return [{"module": self.modules.index(module), "address": "0x10"}] if module else []

    def frame(self, parent, function, file, line, module):
        key = parent, function, file, line, module
        if key not in self.contexts:
            region = self.definitions.region(function, source_file=file or "",
                                             paradigm=Paradigm.USER)
            place = self.definitions.source_code_location(file, line) if file else None
            context = self.definitions.calling_context(region=region, source_code_location=place,
                                                       parent=parent)
            self.contexts[key] = context
            self.told["contexts"].append({"context": context._ref,
                                          "addresses": self.addresses(module)})
        return self.contexts[key]

    def call(self, name, *frames):
        """The region of a call that these frames make, the outermost first."""
        parent = None
        for frame in frames:
            parent = self.frame(parent, *frame)
        function, file, line, module = frames[-1]
        region = self.definitions.region(name, description="stack %d" % len(self.contexts),
                                         source_file=file or "", begin_line_number=line,
                                         end_line_number=line, paradigm=Paradigm.MPI)
        self.definitions.calling_context(region=region, source_code_location=None, parent=parent)
        self.told["sites"].append({"region": region._ref, "call": name, "file": file or "",
                                   "line": line, "function": function,
                                   "addresses": self.addresses(module)})
        return region


def calls(program, library, part, python):
    """Name and stack of each call that rank 0 makes alone."""
    name, parts = os.path.basename(library), os.path.basename(part)
    main = ("main", "/src/main.c", 3, program)
    bare = ("main+0x7", None, 0, program)
    return [
        ("MPI_Bcast", main, ("io_all+0x5", None, 0, library), ("io_get+0x9", None, 0, library)),
        ("MPI_Comm_dup", ("main", "/src/main.c", 5, program), ("io_dup+0x3", None, 0, library)),
        ("MPI_Comm_dup", ("main", "/src/main.c", 6, program), ("io_dup+0x3", None, 0, library)),
        ("MPI_Gather", main, ("io_put", "/io/io.c", 77, library)),
        ("MPI_Scatter", bare, ("read_all+0x4", None, 0, program),
         ("io_get+0x9", None, 0, library)),
        ("MPI_Reduce", bare, ("io_sum+0x2", None, 0, library)),
        ("MPI_Scan", bare, ("part_scan+0x2", None, 0, part)),
        ("MPI_Alltoall", bare, (parts + "+0x30", None, 0, part)),
        ("MPI_Allgather", main, ("solve", "/src/solver.c", 88, part),
         ("io_all+0x5", None, 0, library)),
        ("MPI_Exscan", (os.path.basename(program) + "+0x40", None, 0, program),
         ("io_scan+0x1", None, 0, library)),
        ("MPI_Allreduce", ("cfunction_call+0x3", None, 0, python),
         (name + "+0x50", None, 0, library)),
        ("MPI_Comm_split", main, ("io_split+0x3", None, 0, library)),
        ("MPI_Comm_split", ("[cut]", None, 0, None), ("io_split+0x3", None, 0, library)),
        ("MPI_Comm_free", main, ("0x7f3040", None, 0, None), (name + "+0x60", None, 0, library)),
    ]


def write(directory, program, library, part, less=0):
    python = "/usr/bin/python3.9"
    is_stuck = less == "stuck"
    wait = 0 if less in ("stuck", "often", "runs", "twice") else int(less)
    archive = Archive(directory, 2)
    stacks = Stacks(archive, [program, library, part, python])
    main = ("main", "/src/main.c", 9, program)
    inside = (os.path.basename(library) + "+0x10", None, 0, library)

    for rank in range(2):
        archive.call(rank, "MPI_Init", 0, 1000)
    for function, line, begin, late, end in (("write_all", 14, 2000 + wait, 2500, 2600),
                                             ("write_all", 20, 3000, 3200, 3300),
                                             ("check", 30, 4000, 4020, 4030)):
        caller = function, "/src/out.c", line, program
        barrier = stacks.call("MPI_Barrier", main, caller, inside)
        for rank, enter in enumerate((begin, late)):
            events = archive.events(rank)
            events.enter(enter, barrier)
            events.mpi_collective_begin(enter)
            events.mpi_collective_end(end, CollectiveOp.BARRIER, archive.world, 0xffffffff, 0, 0)
            events.leave(end, barrier)
    for i, call in enumerate(calls(program, library, part, python)):
        region = stacks.call(*call)
        archive.events(0).enter(5000 + 100 * i, region)
        archive.events(0).leave(5100 + 100 * i, region)
    send = stacks.call("MPI_Send", main, ("write_all", "/src/out.c", 40, program),
                       ("io_send+0x1", None, 0, library))
    archive.events(0).enter(7000, send)
    archive.events(0).mpi_send(7000, 1, archive.world, 0, 80)
    archive.events(0).leave(7100, send)
    if is_stuck:
        receive = stacks.call("MPI_Recv", main, ("write_all", "/src/out.c", 50, program),
                              ("io_read+0x4", None, 0, library))
        archive.events(0).enter(7500, receive)
    for i, (call, place) in enumerate((
            ("MPI_Send", "io_read+0x4"), ("MPI_Send", os.path.basename(library) + "+0x20"),
            ("MPI_Send", os.path.basename(library) + "+0x30"), ("MPI_Ssend", "io_read+0x4"))):
        if less == "often":
            region = stacks.call(call, main, ("write_all", "/src/out.c", 50, program),
                                 (place, None, 0, library))
            archive.events(0).enter(7500 + 10 * i, region)
            archive.events(0).leave(7510 + 10 * i, region)
    if less in ("runs", "twice"):
        region = stacks.call("MPI_Ssend", ("main+0x7" if less == "runs" else "main+0x19", None, 0,
                                           program), ("io_put+0x8", None, 0, library))
        archive.events(0).enter(7500, region)
        archive.events(0).leave(7510, region)
    for rank in range(is_stuck, 2):
        archive.call(rank, "MPI_Finalize", 8000, 8100)
    archive.close()
    with open(os.path.join(directory, "mpiwatch.json"), "w", encoding="utf-8") as out:
        json.dump({"schema": "mpiwatch-archive/1", "program": program, "complete": not is_stuck,
                   "ranks_expected": 2,
                   "ranks": [{"rank": rank, "ended": rank > 0 or not is_stuck, "recorded": True}
                             for rank in range(2)],
                   **stacks.told}, out)


if __name__ == "__main__":
    write(*sys.argv[1:])
