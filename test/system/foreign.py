"""foreign.py NAME DIRECTORY: writes the archive NAME as other tools would, with the otf2 module of
Python, which shares nothing with mpiwatch's reader. Times are in ns."""
import sys

import _otf2
import otf2
from otf2.enums import (Base, CartPeriodicity, CollectiveOp, CommFlag, GroupType, GroupFlag,
                        IoAccessMode, IoCreationFlag, IoHandleFlag, IoOperationFlag,
                        IoOperationMode, IoParadigmClass, IoParadigmFlag, IoStatusFlag,
                        LocationGroupType, LocationType, LockType, MeasurementMode, MetricMode,
                        Paradigm, RegionRole, RmaSyncLevel, Type)


class Archive:
    """A world of so many ranks with a main thread each."""

    def __init__(self, directory, ranks, creator="Score-P 9.0", flags=CommFlag.NONE,
                 resolution=10**9):
        self.file = otf2.writer.Writer(directory, timer_resolution=resolution)
        if creator is not None:
            self.file.creator = creator
        self.definitions = self.file.definitions
        self.regions = {}
        self.nodes = [self.definitions.system_tree_node("machine", class_name="machine")]
        self.nodes.append(self.definitions.system_tree_node("node7", class_name="node",
                                                            parent=self.nodes[0]))
        self.processes = [
            self.definitions.location_group("MPI Rank %d" % rank,
                                            system_tree_parent=self.nodes[1])
            for rank in range(ranks)]
        self.main = [self.definitions.location("Master thread", group=process)
                     for process in self.processes]
        self.definitions.group("", group_type=GroupType.COMM_LOCATIONS, paradigm=Paradigm.MPI,
                               members=self.main)
        self.world = self.comm("MPI_COMM_WORLD", range(ranks), flags=flags)

    def comm(self, name, ranks, parent=None, flags=CommFlag.NONE, paradigm=Paradigm.MPI):
        group = self.definitions.group(name, group_type=GroupType.COMM_GROUP, paradigm=paradigm,
                                       members=[self.main[rank] for rank in ranks])
        return self.definitions.comm(name, group=group, parent=parent, flags=flags)

    def region(self, name, paradigm=None, role=RegionRole.UNKNOWN):
        if name not in self.regions:
            is_mpi = name.startswith("MPI_")
            self.regions[name] = self.definitions.region(
                name, region_role=role,
                paradigm=paradigm or (Paradigm.MPI if is_mpi else Paradigm.USER))
        return self.regions[name]

    def events(self, location):
        """The writer of a location's events; that of a rank's main thread by its number."""
        return self.file.event_writer_from_location(
            self.main[location] if isinstance(location, int) else location)

    def call(self, location, name, enter, leave, *inside):
        """A call, and what is inside of it: functions of the writer."""
        writer = self.events(location)
        writer.enter(enter, self.region(name))
        for each in inside:
            each(writer)
        writer.leave(leave, self.region(name))

    def close(self):
        self.file.close()


def onesided(directory, is_told=True):
    """As Score-P: a RmaGroupSync for each of post, start, complete and wait, and locks that are
    asked for and never said to be there. Rank 0 waits 2800 ns for the post of rank 1, which waits
    3000 for the end of rank 0's access, 2900 of them since the last operation; and 2550 for its
    lock. Without is_told there are the calls alone."""
    archive = Archive(directory, 2)
    new = archive.definitions
    window = new.rma_win("window", comm=archive.world)
    groups = [new.group("", group_type=GroupType.COMM_GROUP, paradigm=Paradigm.MPI,
                        members=[archive.main[rank]]) for rank in range(2)]
    level = RmaSyncLevel.PROCESS

    def call(rank, name, enter, leave, *inside):
        archive.call(rank, name, enter, leave, *(inside if is_told else ()))

    def sync(at, group):
        return lambda events: events.rma_group_sync(at, level, window, groups[group])

    for rank in range(2):
        archive.call(rank, "MPI_Init", 0, 1000)
    call(0, "MPI_Win_start", 2000, 4900, sync(4900, 1))
    call(1, "MPI_Win_post", 4800, 4850, sync(4850, 0))
    call(0, "MPI_Put", 5000, 5100, lambda events: events.rma_put(5000, window, 1, 8, 1))
    call(0, "MPI_Win_complete", 8000, 8100,
         lambda events: events.rma_op_complete_blocking(8100, window, 1), sync(8100, 1))
    call(1, "MPI_Win_wait", 5000, 8050, sync(8050, 0))
    call(0, "MPI_Win_lock", 10000, 10100,
         lambda events: events.rma_request_lock(10000, window, 1, 0, LockType.EXCLUSIVE))
    call(0, "MPI_Put", 10200, 10300, lambda events: events.rma_put(10200, window, 1, 8, 2))
    call(1, "MPI_Win_lock", 10500, 13050,
         lambda events: events.rma_request_lock(10500, window, 1, 0, LockType.SHARED))
    call(0, "MPI_Win_unlock", 13000, 13100,
         lambda events: events.rma_op_complete_remote(13100, window, 2),
         lambda events: events.rma_release_lock(13100, window, 1, 0))
    call(1, "MPI_Win_unlock", 13200, 13300,
         lambda events: events.rma_release_lock(13300, window, 1, 0))
    for rank in range(2):
        archive.call(rank, "MPI_Finalize", 20000, 21000)
    archive.close()


def calls_alone(directory):
    onesided(directory, False)


def streams(directory):
    """As of a program that is sampled: calls are calling contexts. Rank 0 has a stream of a GPU,
    which its context's creator tells, and a kernel of 3000 ns on it."""
    archive = Archive(directory, 2)
    new = archive.definitions
    barrier = archive.region("MPI_Barrier")
    main = new.calling_context(region=archive.region("main"), source_code_location=None,
                               parent=None)
    context = new.calling_context(region=barrier, source_code_location=None, parent=main)
    gpu = new.location_group("GPU context", location_group_type=LocationGroupType.ACCELERATOR,
                             system_tree_parent=archive.nodes[1],
                             creating_location_group=archive.processes[0])
    stream = new.location("HIP[0:0]", type=LocationType.ACCELERATOR_STREAM, group=gpu)
    for rank in range(2):
        archive.call(rank, "MPI_Init", 0, 1000)
        events = archive.events(rank)
        events.calling_context_enter(2000 + 300 * rank, context, 1)
        events.mpi_collective_begin(2000 + 300 * rank)
        events.mpi_collective_end(2400, CollectiveOp.BARRIER, archive.world, 0xffffffff, 0, 0)
        events.calling_context_leave(2500, context)
        archive.call(rank, "MPI_Finalize", 9000, 10000)
    archive.call(stream, "kernel", 3000, 6000)
    archive.close()


def sampled(directory):
    """Calls as calling contexts, so many that they are read by several threads."""
    archive = Archive(directory, 2)
    context = archive.definitions.calling_context(
        region=archive.region("MPI_Iprobe"), source_code_location=None, parent=None)
    for rank in range(2):
        archive.call(rank, "MPI_Init", 0, 1000)
        events = archive.events(rank)
        for time in range(2000, 2000 + 10 * 105000, 10):
            events.calling_context_enter(time, context, 1)
            events.calling_context_leave(time + 3, context)
        archive.call(rank, "MPI_Finalize", 2000000, 2001000)
    archive.close()


def clocks(directory):
    """A clock of 1000 ticks a second that began at 5000; that of rank 1 is 40 ticks behind at
    first, and 61 at the end, that of rank 2 has one offset alone, which libotf2 does not apply."""
    archive = Archive(directory, 3, resolution=1000)
    for rank in range(3):
        archive.call(rank, "MPI_Init", 5000, 5100)
        archive.call(rank, "MPI_Barrier", 6000, 6100)
        archive.call(rank, "MPI_Finalize", 7000, 7100)
    for rank, offsets in (1, ((5000, 40), (7100, 61))), (2, ((5000, 500),)):
        for time, offset in offsets:
            _otf2.DefWriter_WriteClockOffset(archive.events(rank)._def_handle, time, offset, 0.0)
    archive.close()


def odd(directory):
    """Whose main threads have no events: their second ones have. User regions are entered and left
    crosswise, one is never left; nobody is named as the archive's creator."""
    archive = Archive(directory, 2, creator=None)
    helpers = [archive.definitions.location("thread 1", group=process)
               for process in archive.processes]
    for rank, helper in enumerate(helpers):
        archive.events(rank)
        events = archive.events(helper)
        archive.call(helper, "MPI_Init", 0, 1000)
        events.enter(1500, archive.region("whole"))
        events.enter(2000, archive.region("outer"))
        events.enter(2100, archive.region("inner"))
        events.leave(2200, archive.region("outer"))
        events.leave(2300, archive.region("inner"))
        events.leave(2400, archive.region("nobody's"))
        archive.call(helper, "MPI_Barrier", 3000, 3500 + 100 * rank,
                     lambda writer: writer.mpi_collective_begin(3000),
                     lambda writer: writer.mpi_collective_end(
                         3500 + 100 * rank, CollectiveOp.BARRIER, archive.world, 0xffffffff, 0, 0))
        archive.call(helper, "MPI_Finalize", 9000, 10000)
    archive.close()


def crossed_calls(directory):
    """As no MPI can be: a call is left inside of one that was entered later."""
    archive = Archive(directory, 1)
    events = archive.events(0)
    for time, name in (1000, "MPI_Send"), (1100, "MPI_Recv"):
        events.enter(time, archive.region(name))
    for time, name in (1200, "MPI_Send"), (1300, "MPI_Recv"):
        events.leave(time, archive.region(name))
    archive.close()


def metrics(directory):
    """Values of every kind, of main threads, of another thread, and of a recorder of the GPU."""
    archive = Archive(directory, 2)
    new = archive.definitions
    cycles = new.metric_member("PAPI_TOT_CYC", metric_mode=MetricMode.ACCUMULATED_START,
                               value_type=Type.UINT64, unit="#")
    heat = new.metric_member("temperature", metric_mode=MetricMode.ABSOLUTE_POINT,
                             value_type=Type.DOUBLE, unit="C")
    user_time = new.metric_member("ru_utime", metric_mode=MetricMode.ACCUMULATED_START,
                                  value_type=Type.UINT64, exponent=-6, unit="s")
    steps = new.metric_member("steps", metric_mode=MetricMode.RELATIVE_LAST,
                              value_type=Type.INT64, unit="#")
    memory = new.metric_member("GPU memory", metric_mode=MetricMode.ABSOLUTE_NEXT,
                               value_type=Type.UINT64, base=Base.BINARY, exponent=10, unit="B")
    load = new.metric_member("load", metric_mode=MetricMode.ABSOLUTE_LAST,
                             value_type=Type.UINT64, unit="%")
    power = new.metric_member("power", metric_mode=MetricMode.ACCUMULATED_START,
                              value_type=Type.UINT64, unit="W")
    each = new.metric_class([cycles, heat, user_time, steps])
    of_gpu = new.metric_class([memory])
    loads = new.metric_class([load])
    powers = new.metric_class([power])
    context = new.location_group("GPU context 3", location_group_type=LocationGroupType.ACCELERATOR,
                                 system_tree_parent=archive.nodes[1],
                                 creating_location_group=archive.processes[0])
    recorder = new.location("recorder", type=LocationType.METRIC, group=archive.processes[0])
    helper = new.location("OMP thread 1", group=archive.processes[0])
    gpu = new.metric_instance(of_gpu, recorder, scope=context)
    other = new.metric_instance(of_gpu, recorder, scope=archive.nodes[1])
    for rank in range(2):
        archive.call(rank, "MPI_Init", 0, 1000)
        for i in range(10):
            archive.events(rank).metric(2000 + 1000 * i, each,
                                        [1000 * rank + 100 * i, 40.5 + i % 2, 20000 + 637 * i, 7])
        archive.call(rank, "MPI_Finalize", 20000, 21000)
    for i in range(5):
        archive.events(helper).metric(2500 + 1000 * i, each, [5 * i, 30.0, 0, 1])
    for i, (kib, percent) in enumerate([(1, 0), (3, 10), (2, 50)]):
        archive.events(recorder).metric(3000 + 1000 * i, gpu, [kib])
        archive.events(recorder).metric(3000 + 1000 * i, other, [8])
        archive.events(recorder).metric(3000 + 1000 * i, loads, [percent])
    for i, watts in enumerate([20, 50, 90, 40, 60, 20]):
        archive.events(recorder).metric(6000 + 1000 * i, powers, [watts])
    archive.close()


def many_values(directory):
    """A value of 20,000 samples on each of two ranks, which goes up and down by its own rule."""
    archive = Archive(directory, 2)
    new = archive.definitions
    level = new.metric_class([new.metric_member(
        "level", metric_mode=MetricMode.ABSOLUTE_POINT, value_type=Type.INT64, unit="#")])
    for rank in range(2):
        archive.call(rank, "MPI_Init", 0, 1000)
        for i in range(20000):
            archive.events(rank).metric(2000 + (13 + 4 * rank) * i, level,
                                        [(i * 7919 + rank) % 10007 - i % 97])
        archive.call(rank, "MPI_Finalize", 400000, 401000)
    archive.close()


def others_bytes(directory):
    """Rank 0 puts 1000 bytes by MPI and 268435456 to a GPU; writes 61 MB to a file by MPI-IO, whose
    library does it by POSIX, twice, and 3.7 GB by POSIX alone."""
    archive = Archive(directory, 2)
    new = archive.definitions
    gpu_group = new.group("", group_type=GroupType.COMM_LOCATIONS, paradigm=Paradigm.CUDA,
                          members=archive.main)
    gpus = new.comm("CUDA", group=archive.comm("CUDA", [0, 1], paradigm=Paradigm.CUDA).group)
    window = new.rma_win("window", comm=archive.world)
    memory = new.rma_win("CUDA_WINDOW", comm=gpus)
    paradigms = [new.io_paradigm(name, name, IoParadigmClass.PARALLEL, IoParadigmFlag.NONE, {})
                 for name in ("MPI-IO", "POSIX")]
    file = new.io_regular_file("data", scope=archive.nodes[1])
    parallel = new.io_handle("data", file=file, io_paradigm=paradigms[0],
                             io_handle_flags=IoHandleFlag.NONE, comm=archive.world, parent=None)
    serial = new.io_handle("data", file=file, io_paradigm=paradigms[1],
                           io_handle_flags=IoHandleFlag.NONE, comm=None, parent=parallel)
    assert gpu_group

    def write(handle, size, number):
        return lambda events, at: (
            events.io_operation_begin(at, handle, IoOperationMode.WRITE, IoOperationFlag.NONE,
                                      size, number),
            events.io_operation_complete(at + 5, handle, size, number))

    for rank in range(2):
        archive.call(rank, "MPI_Init", 0, 1000)
    archive.call(0, "MPI_Put", 2000, 2100,
                 lambda events: events.rma_put(2000, window, 1, 1000, 1))
    archive.call(0, "cudaMemcpy", 3000, 3100,
                 lambda events: events.rma_put(3000, memory, 1, 1 << 28, 2),
                 lambda events: events.rma_op_complete_blocking(3100, memory, 2))
    archive.call(0, "MPI_File_write", 4000, 4500,
                 lambda events: write(parallel, 61000000, 3)(events, 4000),
                 lambda events: write(serial, 61000000, 4)(events, 4100),
                 lambda events: write(serial, 61000000, 5)(events, 4200))
    archive.call(0, "write", 5000, 5500,
                 lambda events: write(serial, 3700000000, 6)(events, 5100))
    for rank in range(2):
        archive.call(rank, "MPI_Finalize", 20000, 21000)
    archive.close()


def communicators(directory):
    """As Score-P 8: WORLD and SELF are made in MPI_Init and freed in MPI_Finalize, all of them with
    collectives. "used" has a barrier, "unused" none; rank 1 is late in each call. Rank 0 waits 100
    ns in the barrier, and 40 where "unused" is made."""
    flags = CommFlag.CREATE_DESTROY_EVENTS
    archive = Archive(directory, 2, flags=flags)
    new = archive.definitions
    world = archive.world
    self_group = new.group("", group_type=GroupType.COMM_SELF, paradigm=Paradigm.MPI, members=())
    alone = new.comm("MPI_COMM_SELF", group=self_group, parent=None, flags=flags)
    made = [archive.comm(name, [0, 1], parent=world, flags=flags) for name in ("used", "unused")]

    def collective(at, operation, comm):
        return lambda events: (events.mpi_collective_begin(at - 10),
                               events.mpi_collective_end(at, operation, comm, 0xffffffff, 0, 0))

    for rank in range(2):
        late = [0, 40][rank]
        archive.call(rank, "MPI_Init", 0 + late, 1000,
                     lambda events: (events.comm_create(980, world),
                                     events.comm_create(980, alone)),
                     collective(1000, CollectiveOp.CREATE_HANDLE, world))
        for i, comm in enumerate(made):
            archive.call(rank, "MPI_Comm_dup", 2000 + 500 * i + late, 2100 + 500 * i,
                         lambda events: events.comm_create(2090 + 500 * i, comm),
                         collective(2100 + 500 * i, CollectiveOp.CREATE_HANDLE, world))
        archive.call(rank, "MPI_Barrier", 3000 + [0, 100][rank], 3150,
                     collective(3150, CollectiveOp.BARRIER, made[0]))
        for i, comm in enumerate(made):
            archive.call(rank, "MPI_Comm_free", 4000 + 500 * i, 4100 + 500 * i,
                         lambda events: events.comm_destroy(4080 + 500 * i, comm),
                         collective(4100 + 500 * i, CollectiveOp.DESTROY_HANDLE, comm))
        archive.call(rank, "MPI_Finalize", 9000, 10000,
                     lambda events: (events.comm_destroy(9900, world),
                                     events.comm_destroy(9900, alone)),
                     collective(10000, CollectiveOp.DESTROY_HANDLE, world))
    archive.close()


def regions(directory):
    """As of a program whose compiler instruments it: regions with their places in its source, two
    of them of one name, one without a line. Rank 0 waits 2000 ns at a barrier in "solve", 300 in
    "exchange", and 100 in no region."""
    archive = Archive(directory, 2)
    places = {"solve": ("/app/solve.c", 88), "exchange": ("/app/exchange.c", 30),
              "main": ("/app/program", 0), "other": ("/app/other.c", 7)}
    region = {key: archive.definitions.region("solve" if key == "other" else key,
                                              paradigm=Paradigm.COMPILER, source_file=place[0],
                                              begin_line_number=place[1])
              for key, place in places.items()}

    def barrier(rank, enters, leave):
        archive.call(rank, "MPI_Barrier", enters[rank], leave,
                     lambda events: events.mpi_collective_begin(enters[rank]),
                     lambda events: events.mpi_collective_end(
                         leave, CollectiveOp.BARRIER, archive.world, 0xffffffff, 0, 0))

    for rank in range(2):
        archive.call(rank, "MPI_Init", 0, 1000)
        events = archive.events(rank)
        events.enter(1500, region["main"])
        events.enter(2000, region["solve"])
        barrier(rank, (3000, 5000), 5100)
        events.leave(6000, region["solve"])
        events.enter(6000, region["exchange"])
        events.enter(6100, region["other"])
        events.leave(6200, region["other"])
        barrier(rank, (7000, 7300), 7400)
        events.leave(8000, region["exchange"])
        events.leave(8500, region["main"])
        barrier(rank, (8800, 8900), 8950)
        archive.call(rank, "MPI_Finalize", 9000, 10000)
    archive.close()


def regions_alone(directory):
    """As of two processes that do not call MPI, which compute 7,000 and 3,000 ns."""
    archive = Archive(directory, 2)
    for rank in range(2):
        archive.call(rank, "work", 1000, (8000, 4000)[rank])
    archive.close()


def ends_alone(directory):
    """The same between MPI_Init and MPI_Finalize."""
    archive = Archive(directory, 2)
    for rank in range(2):
        archive.call(rank, "MPI_Init", 0, 1000)
        archive.call(rank, "work", 1000, (8000, 4000)[rank])
        archive.call(rank, "MPI_Finalize", 9000, 10000)
    archive.close()


def topologies(directory):
    """Four ranks in a grid of 2 by 2 on a communicator that numbers them backwards, periodic in x;
    the first three in a line on MPI_COMM_WORLD. A topology of threads is none of MPI."""
    archive = Archive(directory, 4)
    new = archive.definitions
    backwards = archive.comm("backwards", [3, 2, 1, 0], parent=archive.world)
    new.group("", group_type=GroupType.COMM_LOCATIONS, paradigm=Paradigm.OPENMP,
              members=archive.main)
    threads = archive.comm("threads", [0, 1], paradigm=Paradigm.OPENMP)
    grid = new.cart_topology("grid", communicator=backwards, dimensions=(
        new.cart_dimension("x", size=2, cart_periodicity=CartPeriodicity.TRUE),
        new.cart_dimension("y", size=2)))
    line = new.cart_topology("line", communicator=archive.world,
                             dimensions=(new.cart_dimension("z", size=3),))
    other = new.cart_topology("team", communicator=threads,
                              dimensions=(new.cart_dimension("thread", size=2),))
    for rank in range(4):
        new.cart_coordinate(grid, rank=rank, coordinates=(rank // 2, rank % 2))
    for rank in range(3):
        new.cart_coordinate(line, rank=rank, coordinates=(rank,))
    new.cart_coordinate(other, rank=0, coordinates=(0,))
    new.cart_coordinate(line, rank=4000, coordinates=(2,))
    for rank in range(4):
        archive.call(rank, "MPI_Init", 0, 1000)
        archive.call(rank, "MPI_Finalize", 2000, 3000)
    archive.close()


def locations(directory):
    """Two ranks from 0 to 10000, of a main thread, two of OpenMP, a stream of a GPU, and a metric
    location each. Threads are in a parallel region of 4000 from 2000 on, in its loop at first and
    then in its barrier; thread 2 of rank 0 sends in its loop, and thread 2 of rank 1 is in another
    region once more. Streams copy, too: that of rank 0 in a region, that of rank 1 by operations on
    the GPU's memory, two of which overlap, and one is made in a kernel. The GPU's context is of no
    rank but its creator's."""
    archive = Archive(directory, 2)
    new = archive.definitions
    parallel = archive.region("!$omp parallel @x.c:3", Paradigm.OPENMP, RegionRole.PARALLEL)
    loop = archive.region("!$omp for @x.c:5", Paradigm.OPENMP, RegionRole.LOOP)
    barrier = archive.region("!$omp implicit barrier @x.c:9", Paradigm.OPENMP,
                             RegionRole.IMPLICIT_BARRIER)
    archive.region("kernel", Paradigm.CUDA, RegionRole.FUNCTION)
    archive.region("copy", Paradigm.CUDA, RegionRole.DATA_TRANSFER)
    power = new.metric("Power", unit="W")
    new.group("", group_type=GroupType.COMM_LOCATIONS, paradigm=Paradigm.CUDA,
              members=archive.main)
    gpus = new.comm("CUDA", group=archive.comm("CUDA", [0, 1], paradigm=Paradigm.CUDA).group)
    memory = new.rma_win("CUDA_WINDOW", comm=gpus)

    def copy(location, *steps):
        events = archive.events(location)
        for number, (time, begins) in steps:
            if begins:
                events.rma_put(time, memory, 1, 1 << 20, number)
            else:
                events.rma_op_complete_blocking(time, memory, number)

    def team(location, until, *inside):
        events = archive.events(location)
        events.enter(2000, parallel)
        events.enter(2000, loop)
        for name, enter, leave in inside:
            archive.call(location, name, enter, leave)
        events.leave(until, loop)
        if until < 6000:
            events.enter(until, barrier)
            events.leave(6000, barrier)
        events.leave(6000, parallel)

    for rank, ends in enumerate(((4000, 4500, 3000), (5000, 6000, 3500))):
        group = archive.processes[rank]
        threads = [new.location("OMP thread %d" % number, group=group) for number in (1, 2)]
        gpu = new.location_group("CUDA context",
                                 location_group_type=LocationGroupType.ACCELERATOR,
                                 system_tree_parent=archive.nodes[1], creating_location_group=group)
        stream = new.location("CUDA[0:7]", type=LocationType.ACCELERATOR_STREAM, group=gpu)
        meter = new.location("meter", type=LocationType.METRIC, group=group)
        archive.call(rank, "MPI_Init", 0, 1000)
        team(rank, ends[0])
        archive.call(rank, "MPI_Barrier", 7000, 8000)
        archive.call(rank, "MPI_Finalize", 9000, 10000)
        team(threads[0], ends[1])
        if rank == 0:
            team(threads[1], ends[2], ("MPI_Send", 2600, 2800))
            archive.call(stream, "kernel", 3000, 5500)
            archive.call(stream, "copy", 5600, 5800)
            archive.call(stream, "kernel", 5800, 6300)
        else:
            team(threads[1], ends[2])
            archive.call(threads[1], parallel.name, 8000, 8400)
            archive.call(stream, "kernel", 2000, 2500,
                         lambda events: events.rma_put(2100, memory, 1, 1 << 20, 1),
                         lambda events: events.rma_op_complete_blocking(2300, memory, 1))
            copy(stream, (2, (6300, True)), (3, (6600, True)), (2, (6700, False)),
                 (3, (6900, False)))
        for time in (0, 10000):
            archive.events(meter).metric(time, power, 40)
    archive.close()


def pauses(directory):
    """A rank from 0 to 10000 with a thread that works from 1000 to 9000 and is paused from within a
    call of 2000 to 3000 until within one of 5000 to 6000."""
    archive = Archive(directory, 1)
    thread = archive.definitions.location("thread", group=archive.processes[0])
    archive.call(0, "MPI_Init", 0, 1000)
    archive.call(0, "MPI_Finalize", 9000, 10000)
    events = archive.events(thread)
    events.enter(1000, archive.region("work"))
    archive.call(thread, "MPI_Pcontrol", 2000, 3000,
                 lambda writer: writer.measurement_on_off(2500, MeasurementMode.OFF))
    archive.call(thread, "MPI_Pcontrol", 5000, 6000,
                 lambda writer: writer.measurement_on_off(5500, MeasurementMode.ON))
    events.leave(9000, archive.region("work"))
    archive.close()


def many_threads(directory):
    """Two ranks of 70 threads beside their main threads, in one region each."""
    archive = Archive(directory, 2)
    for rank in range(2):
        threads = [archive.definitions.location("thread %d" % number,
                                                group=archive.processes[rank])
                   for number in range(70)]
        archive.call(rank, "MPI_Init", 0, 1000)
        archive.call(rank, "MPI_Finalize", 9000, 10000)
        for thread in threads:
            archive.call(thread, "work", 2000, 3000)
    archive.close()


if __name__ == "__main__":
    globals()[sys.argv[1]](sys.argv[2])
