"""The runs of planted.py, which become OTF2 archives with python3-otf2. Each rank is a list of what
it does, and times follow from that alone: computing takes what it says, a small message is there
1 us after its send began, a large one when both ends are there, a collective operation 1 us after
the last one (a broadcast: after its root) came. Calls have a line of planted.c, one for each."""
import heapq

import otf2
from otf2.enums import (CollectiveOp, CommFlag, IoAccessMode, IoCreationFlag, IoHandleFlag,
                        IoOperationFlag, IoOperationMode, IoParadigmClass, IoParadigmFlag,
                        IoStatusFlag, LocationType, LockType, MetricMode, Paradigm, RmaSyncLevel)

from ranks_of_mpi import define_group, define_ranks

US = 1000
ROOTLESS = 2**32 - 1
COLLECTIVES = {"MPI_Barrier": CollectiveOp.BARRIER, "MPI_Bcast": CollectiveOp.BCAST,
               "MPI_Allreduce": CollectiveOp.ALLREDUCE, "MPI_Alltoall": CollectiveOp.ALLTOALL,
               "MPI_Alltoallv": CollectiveOp.ALLTOALLV,
               "MPI_Reduce": CollectiveOp.REDUCE, "MPI_Gather": CollectiveOp.GATHER}
LIVES = {"MPI_Win_create": CollectiveOp.CREATE_HANDLE, "MPI_Win_fence": CollectiveOp.BARRIER,
         "MPI_Win_free": CollectiveOp.DESTROY_HANDLE,
         "MPI_Comm_dup": CollectiveOp.CREATE_HANDLE, "MPI_Comm_free": CollectiveOp.DESTROY_HANDLE,
         "MPI_File_open": CollectiveOp.CREATE_HANDLE,
         "MPI_File_close": CollectiveOp.DESTROY_HANDLE}
RUNNING = ("stretch", "outside", "outside_no_core", "inside", "inside_no_core",
           "voluntary_switches", "involuntary_switches", "minor_faults", "major_faults", "resident")
WRITTEN = ("other_threads", "written", "writing", "write_bytes", "write_calls")
SYSTEM = RUNNING + WRITTEN + ("system",)
MEMBERS = {4: RUNNING, 8: RUNNING + WRITTEN, 11: SYSTEM, 13: SYSTEM + ("read", "reading")}
ANY = -1
LARGE = 1000000
HELD = 1000  # what is sent by MPI_Isend and as large moves when both ends are waited for


class Rank:
    def __init__(self, number):
        self.number = number
        self.plan = []
        self.at = 0
        self.events = []
        self.now = 2000
        self.posted = None
        self.requests = 0
        self.operated = 0  # operations that do not block
        self.open = {}  # requests of receives …
        self.sends = {}  # … and of sends
        self.sampled = 2000
        self.travels = 1  # us from the beginning of a small message of MPI_Send until it is there
        self.shift = 0  # by so much its clock is fast, in ns
        self.made = 0
        self.alive = []  # windows, communicators and open files
        self.thread = 0  # us that another thread works from the run's beginning on …
        self.thread_calls = None  # … or is in a call of this name

    # What a rank can do; line: of planted.c.
    def compute(self, us):
        self.plan.append(("compute", us))

    def send(self, line, to, size=8, tag=0, inside=1, name="MPI_Send"):
        self.plan.append(("send", line, to, size, tag, inside, name))

    def recv(self, line, source, tag=0):
        self.plan.append(("recv", line, source, tag))

    def irecv(self, line, source, tag=0):
        self.plan.append(("irecv", line, source, tag))

    def listen(self, line):
        """Posts a receive for what nobody sends: it is open from then on."""
        self.plan.append(("listen", line))

    def isend(self, line, to, size=8, tag=0):
        self.plan.append(("isend", line, to, size, tag))

    def wait(self, line, inside=1, name="MPI_Waitall"):
        self.plan.append(("wait", line, inside, name))

    def wait_each(self, line, unpack=0):
        """Receives, then sends, each by an MPI_Wait of its own: what is held moves from the first
        of these on. Behind each it computes for so long."""
        self.plan.append(("wait_each", line, unpack))

    def meet(self, line, name, root=None, size=8, inside=1, root_waits=False, no_core=0,
             on_other=False):
        self.plan.append(("meet", line, name, root, size, inside, root_waits, no_core, on_other))

    def call(self, line, name, us, is_left=True):
        self.plan.append(("call", line, name, us, is_left))

    def write(self, line, us, size):
        """MPI_File_write_at of so many bytes, into the file that was opened last."""
        self.plan.append(("write", line, us, size))

    def flush(self, line, us):
        """MPI_File_sync of the file that was opened last."""
        self.plan.append(("flush", line, us))

    def put(self, line, us, size, name="MPI_Put"):
        """MPI_Put into the last window, or MPI_Get from it."""
        self.plan.append(("put", line, us, size, name))

    def hold(self, line, us, exclusive):
        """Computes for so long while it has the lock of rank 0's part of the last window, which
        those get first that ask first; in MPI_Win_lock, and in MPI_Win_unlock in the next line, it
        is 1 us beside waiting."""
        self.plan.append(("hold", line, us, exclusive))

    def operate(self, line):
        """MPI_Iallreduce on all ranks."""
        self.plan.append(("operate", line))

    def complete(self, line, by_itself=False, inside=1):
        """It is waited for: until all ranks do so, or, where it goes on by itself, have begun."""
        self.plan.append(("complete", line, by_itself, inside))

    def ask(self, line, work=0):
        """The same of one that goes on by itself, by MPI_Test of 1 us each, one after the other, or
        with so many us of work in between, until it is complete."""
        self.plan.append(("ask", line, work))

    def alone(self, line):
        """MPI_Allreduce, 1 us, on a communicator of its own."""
        self.plan.append(("alone", line))

    def lose_comm(self):
        """The communicator is freed in no call that is recorded."""
        self.plan.append(("lose_comm",))

    def sample(self, no_core, outside=0, asleep=0, written=(), system=(), read=()):
        """Since the sample before, how long it had no core in calls, and outside of them, and how
        long it was asleep there, in us; what it wrote outside of them, in bytes, as text how long
        that took, in us, and how many bytes and calls of write(2) its process made; how long it was
        in the kernel outside of them, in us, its minor faults, and the bytes of its memory; what it
        read outside of them, in bytes, and for how long, in us."""
        system = system or (0, 0, 0) if read else system
        written = written or (0, 0, 0, 0) if system else written
        self.plan.append(("sample", no_core, outside, asleep, *written, *system, *read))


def rounds(run, count, do):
    for each in range(count):
        for rank in run.ranks:
            do(rank, rank.number, each)


def running_values(data, most):
    """The members of a sample, if the one of the run with most of them has so many."""
    stretch, lost, outside, asleep, *more = data
    size, writing, chars, calls, system, faults, resident, read, reading = \
        more + [0] * (9 - len(more))
    values = [stretch, outside + asleep, outside, lost, lost, 0, 1, faults, 0, resident, 0, size,
              writing * US, chars, calls, system * US, read, reading * US]
    return values[:len(MEMBERS[most])]


class Run:
    def __init__(self, count):
        self.ranks = [Rank(number) for number in range(count)]
        self.begun = 0
        self.sent = {}  # by sender, receiver and tag heaps of when there, which one, and [from,
        #  to, tag, size, when there, when begun, when its receive is posted, of one by MPI_Isend
        #  when each end came to MPI_Waitall, else None]
        self.meetings = {}
        self.operations = {}  # the same of MPI_Iallreduce: when each rank begins, and completes it
        self.unlocked = 0  # when the lock was given back last
        self.objects = {}
        self.files = {}
        self.source = "planted.c"
        self.files_differ = False  # each open file is another one
        self.starts = 1  # us that MPI_Init takes

    def start(self, us):
        """MPI_Init takes so long: all else is later by that."""
        self.starts = us
        for rank in self.ranks:
            rank.shift += (us - 1) * US

    def event(self, rank, time, name, *data):
        rank.events.append((time + rank.shift, name, data))

    def post(self, rank, source, tag, wildcards=True):
        """The first message for it that was begun; marks that the receive is posted now."""
        queues = [queue for (sender, to, its_tag), queue in self.sent.items()
                  if to == rank.number and its_tag == tag and source in (sender, ANY)]
        for queue in queues:
            while queue and queue[0][2][6] is not None:
                heapq.heappop(queue)
        first = min((queue[0] for queue in queues if queue), default=None)
        return first[2] if first else None

    def begin(self, message):
        """It is for the first receive of those that are posted from now on."""
        self.begun += 1
        heapq.heappush(self.sent.setdefault(tuple(message[:3]), []),
                       (message[4], self.begun, message))

    def step(self, rank, patient):
        """Does the next thing of a rank, if what it waits for is known."""
        what, *how = rank.plan[rank.at]
        if not getattr(self, "do_" + what)(rank, patient, *how):
            return False
        rank.at += 1
        rank.posted = None
        return True

    def do_compute(self, rank, patient, us):
        rank.now += round(us * US)
        return True

    def do_call(self, rank, patient, line, name, us, is_left):
        self.event(rank, rank.now, "enter", name, line)
        rank.now += round(us * US)
        self.event(rank, rank.now, "leave" if is_left else "leave_open", name, line)
        return True

    def do_write(self, rank, patient, line, us, size):
        self.event(rank, rank.now, "enter", "MPI_File_write_at", line)
        self.event(rank, rank.now, "io_operation_begin", size)
        rank.now += round(us * US)
        self.event(rank, rank.now, "io_operation_complete", size)
        self.event(rank, rank.now, "leave", "MPI_File_write_at", line)
        return True

    def do_flush(self, rank, patient, line, us):
        self.event(rank, rank.now, "enter", "MPI_File_sync", line)
        self.event(rank, rank.now, "io_flush_begin")
        rank.now += round(us * US)
        self.event(rank, rank.now, "io_operation_complete", 0)
        self.event(rank, rank.now, "leave", "MPI_File_sync", line)
        return True

    def do_put(self, rank, patient, line, us, size, name):
        self.event(rank, rank.now, "enter", name, line)
        self.event(rank, rank.now, "put" if name == "MPI_Put" else "get", size)
        rank.now += round(us * US)
        self.event(rank, rank.now, "leave", name, line)
        return True

    def do_hold(self, rank, patient, line, us, exclusive):
        if exclusive and not patient:
            return False
        kind = LockType.EXCLUSIVE if exclusive else LockType.SHARED
        self.event(rank, rank.now, "enter", "MPI_Win_lock", line)
        self.event(rank, rank.now, "rma_request_lock", kind)
        rank.now = US + (max(rank.now, self.unlocked) if exclusive else rank.now)
        self.event(rank, rank.now, "rma_acquire_lock", kind)
        self.event(rank, rank.now, "leave", "MPI_Win_lock", line)
        rank.now += us * US
        self.event(rank, rank.now, "enter", "MPI_Win_unlock", line + 1)
        rank.now += US
        self.event(rank, rank.now, "rma_release_lock")
        self.event(rank, rank.now, "leave", "MPI_Win_unlock", line + 1)
        self.unlocked = rank.now
        return True

    def do_operate(self, rank, patient, line):
        rank.operated += 1
        self.operations.setdefault(rank.operated, ({}, {}))[0][rank.number] = rank.now
        self.event(rank, rank.now, "enter", "MPI_Iallreduce", line)
        self.event(rank, rank.now, "operation_begin", rank.operated)
        rank.now += US
        self.event(rank, rank.now, "leave", "MPI_Iallreduce", line)
        return True

    def do_complete(self, rank, patient, line, by_itself, inside):
        begun, completed = self.operations[rank.operated]
        completed[rank.number] = rank.now
        needed = begun if by_itself else completed
        if len(needed) < len(self.ranks):
            return False
        self.event(rank, rank.now, "enter", "MPI_Wait", line)
        rank.now = max(rank.now, *needed.values()) + inside * US
        self.event(rank, rank.now, "operation_end", rank.operated)
        self.event(rank, rank.now, "leave", "MPI_Wait", line)
        return True

    def do_ask(self, rank, patient, line, work):
        begun = self.operations[rank.operated][0]
        if len(begun) < len(self.ranks):
            return False
        is_there = False
        while not is_there:
            is_there = rank.now >= max(begun.values())
            self.event(rank, rank.now, "enter", "MPI_Test", line)
            rank.now += US
            if is_there:
                self.event(rank, rank.now, "operation_end", rank.operated)
            self.event(rank, rank.now, "leave", "MPI_Test", line)
            rank.now += 0 if is_there else int(work * US)
        return True

    def do_alone(self, rank, patient, line):
        self.event(rank, rank.now, "enter", "MPI_Allreduce", line)
        self.event(rank, rank.now, "mpi_collective_begin", "MPI_Allreduce")
        rank.now += US
        self.event(rank, rank.now, "alone_end")
        self.event(rank, rank.now, "leave", "MPI_Allreduce", line)
        return True

    def do_lose_comm(self, rank, patient):
        self.event(rank, rank.now, "comm_destroy")
        return True

    def do_sample(self, rank, patient, no_core, outside, asleep, *written):
        self.event(rank, rank.now, "running", rank.now - rank.sampled, no_core * US, outside * US,
                   asleep * US, *written)
        rank.sampled = rank.now
        return True

    def do_send(self, rank, patient, line, to, size, tag, inside, name):
        if rank.posted is None:
            rank.posted = [rank.number, to, tag, size, rank.now + rank.travels * US, rank.now, None,
                           None]
            self.begin(rank.posted)
        if size >= LARGE and rank.posted[6] is None:
            return False
        self.event(rank, rank.now, "enter", name, line)
        self.event(rank, rank.now, "mpi_send", to, tag, size)
        rank.now = inside * US + (max(rank.now, rank.posted[6]) if size >= LARGE else rank.now)
        self.event(rank, rank.now, "leave", name, line)
        return True

    def take(self, rank, source, tag, patient):
        if source == ANY and not patient:
            return None
        message = self.post(rank, source, tag)
        if message:
            message[6] = rank.now
        return message

    def do_recv(self, rank, patient, line, source, tag):
        message = self.take(rank, source, tag, patient)
        if not message:
            return False
        self.event(rank, rank.now, "enter", "MPI_Recv", line)
        rank.now = max(rank.now, message[4]) + US
        self.event(rank, rank.now, "mpi_recv" if source != ANY else "mpi_recv_of_any", message[0],
                   tag, message[3])
        self.event(rank, rank.now, "leave", "MPI_Recv", line)
        return True

    def do_irecv(self, rank, patient, line, source, tag):
        """Only of messages that are begun: an order of ranks sees to that."""
        message = self.take(rank, source, tag, patient)
        if not message:
            return False
        rank.requests += 1
        rank.open[rank.requests] = message
        self.event(rank, rank.now, "enter", "MPI_Irecv", line)
        self.event(rank, rank.now, "mpi_irecv_request", rank.requests)
        rank.now += US
        self.event(rank, rank.now, "leave", "MPI_Irecv", line)
        return True

    def do_listen(self, rank, patient, line):
        rank.requests += 1
        self.event(rank, rank.now, "enter", "MPI_Irecv", line)
        self.event(rank, rank.now, "mpi_irecv_request", rank.requests)
        rank.now += US
        self.event(rank, rank.now, "leave", "MPI_Irecv", line)
        return True

    def do_isend(self, rank, patient, line, to, size, tag):
        rank.requests += 1
        message = [rank.number, to, tag, size, rank.now + US, rank.now, None, {}]
        rank.sends[rank.requests] = message
        self.begin(message)
        self.event(rank, rank.now, "enter", "MPI_Isend", line)
        self.event(rank, rank.now, "mpi_isend", to, tag, size, rank.requests)
        rank.now += US
        self.event(rank, rank.now, "leave", "MPI_Isend", line)
        return True

    def come_to_wait(self, rank):
        """The held ones of its messages; None: who has another end is not there yet."""
        held = [each for each in [*rank.open.values(), *rank.sends.values()]
                if each[3] >= HELD and each[7] is not None]
        for message in held:
            message[7][rank.number] = rank.now
        return held if all(len(message[7]) == 2 for message in held) else None

    def do_wait_each(self, rank, patient, line, unpack):
        if self.come_to_wait(rank) is None:
            return False
        for request, message in [*rank.open.items(), *rank.sends.items()]:
            self.event(rank, rank.now, "enter", "MPI_Wait", line)
            rank.now = max(rank.now, *message[7].values()) + US
            if request in rank.open:
                self.event(rank, rank.now, "mpi_irecv", message[0], message[2], message[3],
                           request)
            else:
                self.event(rank, rank.now, "mpi_isend_complete", request)
            self.event(rank, rank.now, "leave", "MPI_Wait", line)
            rank.now += unpack * US
        rank.open = {}
        rank.sends = {}
        return True

    def do_wait(self, rank, patient, line, inside, name):
        held = self.come_to_wait(rank)
        if held is None:
            return False
        self.event(rank, rank.now, "enter", name, line)
        rank.now = inside * US + max([rank.now] + [each[4] for each in rank.open.values()] +
                                     [at for each in held for at in each[7].values()])
        for request, message in rank.open.items():
            self.event(rank, rank.now, "mpi_irecv", message[0], message[2], message[3], request)
        for request in rank.sends:
            self.event(rank, rank.now, "mpi_isend_complete", request)
        rank.open = {}
        rank.sends = {}
        self.event(rank, rank.now, "leave", name, line)
        return True

    def do_meet(self, rank, patient, line, name, root, size, inside, root_waits, no_core,
                on_other):
        number = rank.meetings = getattr(rank, "meetings", 0) + (rank.posted is None)
        rank.posted = True
        here = self.meetings.setdefault(number, {})
        here[rank.number] = rank.now
        to_root = name in ("MPI_Reduce", "MPI_Gather")
        if root is not None and (rank.number == root) != to_root and not root_waits:
            leave = rank.now + US
        elif len(here) < len(self.ranks):
            return False
        else:
            last = (max(here.values()) if root is None or root_waits or to_root
                    else max(here[root], rank.now))
            leave = last + round(inside * US)
        self.event(rank, rank.now, "enter", name, line)
        self.event(rank, rank.now, "mpi_collective_begin", name)
        self.event(rank, leave, "mpi_collective_end", name, root, size, on_other)
        if no_core:
            self.event(rank, leave, "running", leave - rank.now, no_core * US, 0, 0)
        self.event(rank, leave, "leave", name, line)
        rank.now = leave
        return True

    def run(self):
        while True:
            moved = False
            for rank in self.ranks:
                while rank.at < len(rank.plan) and self.step(rank, False):
                    moved = True
            if not moved:
                moved = any(rank.at < len(rank.plan) and self.step(rank, True)
                            for rank in sorted(self.ranks, key=lambda each: each.now))
            if not moved:
                break
        for rank in self.ranks:
            assert rank.at == len(rank.plan), "rank %d stops at %s" % (rank.number,
                                                                      rank.plan[rank.at])

    def make(self, define, node, what, comm):
        """A window, a communicator or an open file."""
        name = "%s#%d" % (what, len(self.objects))
        if what == "MPI_Win_create":
            return define.rma_win(name, comm=comm)
        if what == "MPI_Comm_dup":
            return define.comm(name, comm.group, parent=comm,
                               flags=CommFlag.CREATE_DESTROY_EVENTS)
        path = name if self.files_differ else what
        if path not in self.files:
            self.files[path] = define.io_regular_file(path, scope=node)
        return define.io_handle(
            name, file=self.files[path],
            io_paradigm=define.io_paradigm("MPI-IO", "MPI-IO", IoParadigmClass.PARALLEL,
                                           IoParadigmFlag.NONE, {}),
            io_handle_flags=IoHandleFlag.NONE, comm=comm, parent=None)

    def live(self, define, node, writer, rank, time, what, comm):
        """Such a thing is made, of all ranks; or the one made last is freed."""
        operation = LIVES[what]
        if operation == CollectiveOp.CREATE_HANDLE:
            if rank.made not in self.objects:
                self.objects[rank.made] = self.make(define, node, what, comm)
            rank.alive.append(self.objects[rank.made])
            rank.made += 1
            if what == "MPI_File_open":
                writer.io_create_handle(time, rank.alive[-1], IoAccessMode.WRITE_ONLY,
                                        IoCreationFlag.NONE, IoStatusFlag.NONE)
            else:
                {"MPI_Win_create": writer.rma_win_create,
                 "MPI_Comm_dup": writer.comm_create}[what](time, rank.alive[-1])
        if what == "MPI_Comm_free":
            writer.comm_destroy(time, rank.alive.pop())
        if "Win" in what:
            writer.rma_collective_end(time, operation, RmaSyncLevel.PROCESS, rank.alive[-1],
                                      ROOTLESS, 0, 0)
        elif "Comm" in what:
            writer.mpi_collective_end(time, operation, comm, ROOTLESS, 0, 0)
        if what == "MPI_Win_free":
            writer.rma_win_destroy(time, rank.alive.pop())
        if what == "MPI_File_close":
            writer.io_destroy_handle(time, rank.alive.pop())

    def write(self, directory):
        self.run()
        with otf2.writer.open(directory, timer_resolution=10**9) as trace:
            define = trace.definitions
            node = define.system_tree_node("one", class_name="node")
            regions = {}
            work = define.region("work", paradigm=Paradigm.OPENMP)
            groups, locations, comm = define_ranks(define, node, len(self.ranks))
            if any(name == "mpi_collective_end" and data[3]
                   for rank in self.ranks for _, name, data in rank.events):
                other = define.comm("other", comm.group)

            if any(name == "alone_end" for rank in self.ranks for _, name, _ in rank.events):
                own = [define.comm("own", define_group(define, [location]))
                       for location in locations]

            if any(name == "mpi_recv_of_any" for rank in self.ranks for _, name, _ in rank.events):
                wildcards = define.attribute("mpiwatch.wildcards", "", otf2.Type.UINT8)

            if any(name == "leave_open" for rank in self.ranks for _, name, _ in rank.events):
                never_left = define.attribute("mpiwatch.open", "", otf2.Type.UINT8)

            members = max((len(data) for rank in self.ranks for _, name, data in rank.events
                           if name == "running"), default=0)
            if members:
                running = define.metric_class(
                    [define.metric_member("mpiwatch.running." + value, value_type=otf2.Type.UINT64,
                                          metric_mode=MetricMode.ABSOLUTE_POINT)
                     for value in MEMBERS[members]])

            def region(name, line):
                if (name, line) not in regions:
                    regions[name, line] = define.region(
                        name, paradigm=Paradigm.MPI, source_file=self.source if line else "",
                        begin_line_number=line)
                return regions[name, line]

            for location, rank in zip(locations, self.ranks):
                writer = trace.event_writer_from_location(location)
                writer.enter(1000, region("MPI_Init", 0))
                writer.leave(1000 + self.starts * US, region("MPI_Init", 0))
                for time, name, data in rank.events:
                    if name in ("enter", "leave"):
                        getattr(writer, name)(time, region(*data))
                    elif name == "leave_open":
                        writer.leave(time, region(*data), attributes={never_left: 1})
                    elif name == "mpi_collective_begin":
                        if data[0].startswith("MPI_Win"):
                            writer.rma_collective_begin(time)
                        elif not data[0].startswith("MPI_File"):
                            writer.mpi_collective_begin(time)
                    elif name == "mpi_collective_end" and data[0] in LIVES:
                        self.live(define, node, writer, rank, time, data[0], comm)
                    elif name == "mpi_collective_end":
                        what, root, size, on_other = data
                        writer.mpi_collective_end(time, COLLECTIVES[what],
                                                  other if on_other else comm,
                                                  ROOTLESS if root is None else root, size, size)
                    elif name == "operation_begin":
                        writer.non_blocking_collective_request(time, data[0])
                    elif name == "operation_end":
                        writer.non_blocking_collective_complete(
                            time, CollectiveOp.ALLREDUCE, comm, ROOTLESS, 8, 8, data[0])
                    elif name == "alone_end":
                        writer.mpi_collective_end(time, CollectiveOp.ALLREDUCE, own[rank.number],
                                                  ROOTLESS, 8, 8)
                    elif name == "mpi_recv_of_any":
                        peer, tag, size = data
                        writer.mpi_recv(time, peer, comm, tag, size, attributes={wildcards: 1})
                    elif name == "io_operation_begin":
                        writer.io_operation_begin(time, rank.alive[-1], IoOperationMode.WRITE,
                                                  IoOperationFlag.NONE, data[0], 0)
                    elif name == "io_flush_begin":
                        writer.io_operation_begin(time, rank.alive[-1], IoOperationMode.FLUSH,
                                                  IoOperationFlag.NONE, 0, 0)
                    elif name == "io_operation_complete":
                        writer.io_operation_complete(time, rank.alive[-1], data[0], 0)
                    elif name in ("put", "get"):
                        getattr(writer, "rma_" + name)(time, rank.alive[-1], 0, data[0], 0)
                    elif name.startswith("rma_"):
                        getattr(writer, name)(time, rank.alive[-1], 0, 0, *data)
                    elif name == "comm_destroy":
                        writer.comm_destroy(time, comm)
                    elif name == "running":
                        writer.metric(time, running, running_values(data, members))
                    elif name in ("mpi_irecv_request", "mpi_isend_complete"):
                        getattr(writer, name)(time, data[0])
                    else:
                        peer, tag, size, *request = data
                        getattr(writer, name)(time, peer, comm, tag, size, *request)
                writer.enter(rank.now + rank.shift, region("MPI_Finalize", 0))
                writer.leave(rank.now + rank.shift + 1000, region("MPI_Finalize", 0))
            for rank in self.ranks:
                if rank.thread:
                    thread = define.location("Thread", group=groups[rank.number],
                                             type=LocationType.CPU_THREAD)
                    writer = trace.event_writer_from_location(thread)
                    what = region(rank.thread_calls, 0) if rank.thread_calls else work
                    writer.enter(2000, what)
                    writer.leave(2000 + rank.thread * US, what)
