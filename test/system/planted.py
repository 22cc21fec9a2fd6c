"""Writes an OTF2 archive, with python3-otf2, of a run with one planted fault:

    planted.py DIRECTORY FAULT

Each rank is a list of what it does, and times follow from that alone: computing takes what it says,
a small message is there 1 us after its send began, a large one when both ends are there, a
collective operation 1 us after the last one (a broadcast: after its root) came. FAULT_not is the
same without the fault. Calls have the line LINE of planted.c, one for each."""
import sys

import otf2
from otf2.enums import CollectiveOp, GroupType, LocationGroupType, LocationType, Paradigm

US = 1000
ROOTLESS = 2**32 - 1
COLLECTIVES = {"MPI_Barrier": CollectiveOp.BARRIER, "MPI_Bcast": CollectiveOp.BCAST,
               "MPI_Allreduce": CollectiveOp.ALLREDUCE, "MPI_Alltoall": CollectiveOp.ALLTOALL}
ANY = -1
LARGE = 1000000


class Rank:
    def __init__(self, number):
        self.number = number
        self.plan = []
        self.at = 0
        self.events = []
        self.now = 2000
        self.posted = None
        self.requests = 0
        self.open = {}
        self.thread = 0  # us that another thread works from the run's beginning on

    # What a rank can do; line: of planted.c.
    def compute(self, us):
        self.plan.append(("compute", us))

    def send(self, line, to, size=8, tag=0):
        self.plan.append(("send", line, to, size, tag))

    def recv(self, line, source, tag=0):
        self.plan.append(("recv", line, source, tag))

    def irecv(self, line, source, tag=0):
        self.plan.append(("irecv", line, source, tag))

    def wait(self, line):
        self.plan.append(("wait", line))

    def meet(self, line, name, root=None, size=8, inside=1, root_waits=False):
        self.plan.append(("meet", line, name, root, size, inside, root_waits))

    def call(self, line, name, us):
        self.plan.append(("call", line, name, us))


class Run:
    def __init__(self, count):
        self.ranks = [Rank(number) for number in range(count)]
        self.sent = []  # [from, to, tag, size, when there, when begun, when its receive is posted]
        self.meetings = {}

    def event(self, rank, time, name, *data):
        rank.events.append((time, name, data))

    def post(self, rank, source, tag, wildcards=True):
        """The first message for it that was begun; marks that the receive is posted now."""
        found = [each for each in self.sent if each[1] == rank.number and each[2] == tag and
                 each[0] in (source, source if source != ANY else each[0]) and each[6] is None]
        found.sort(key=lambda each: each[4])
        return found[0] if found else None

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

    def do_call(self, rank, patient, line, name, us):
        self.event(rank, rank.now, "enter", name, line)
        rank.now += round(us * US)
        self.event(rank, rank.now, "leave", name, line)
        return True

    def do_send(self, rank, patient, line, to, size, tag):
        if rank.posted is None:
            rank.posted = [rank.number, to, tag, size, rank.now + US, rank.now, None]
            self.sent.append(rank.posted)
        if size >= LARGE and rank.posted[6] is None:
            return False
        self.event(rank, rank.now, "enter", "MPI_Send", line)
        self.event(rank, rank.now, "mpi_send", to, tag, size)
        rank.now = US + (max(rank.now, rank.posted[6]) if size >= LARGE else rank.now)
        self.event(rank, rank.now, "leave", "MPI_Send", line)
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

    def do_wait(self, rank, patient, line):
        self.event(rank, rank.now, "enter", "MPI_Waitall", line)
        rank.now = max([rank.now] + [each[4] for each in rank.open.values()]) + US
        for request, message in rank.open.items():
            self.event(rank, rank.now, "mpi_irecv", message[0], message[2], message[3], request)
        rank.open = {}
        self.event(rank, rank.now, "leave", "MPI_Waitall", line)
        return True

    def do_meet(self, rank, patient, line, name, root, size, inside, root_waits):
        number = rank.meetings = getattr(rank, "meetings", 0) + (rank.posted is None)
        rank.posted = True
        here = self.meetings.setdefault(number, {})
        here[rank.number] = rank.now
        if root is not None and rank.number == root and not root_waits:
            leave = rank.now + US
        elif len(here) < len(self.ranks):
            return False
        else:
            last = max(here.values()) if root is None or root_waits else max(here[root], rank.now)
            leave = last + round(inside * US)
        self.event(rank, rank.now, "enter", name, line)
        self.event(rank, rank.now, "mpi_collective_begin")
        self.event(rank, leave, "mpi_collective_end", name, root, size)
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

    def write(self, directory):
        self.run()
        with otf2.writer.open(directory, timer_resolution=10**9) as trace:
            define = trace.definitions
            node = define.system_tree_node("one", class_name="node")
            regions = {}
            locations = []
            groups = []
            work = define.region("work", paradigm=Paradigm.OPENMP)
            for rank in self.ranks:
                group = define.location_group("MPI Rank %d" % rank.number, system_tree_parent=node,
                                              location_group_type=LocationGroupType.PROCESS)
                groups.append(group)
                locations.append(define.location("Master thread", group=group,
                                                 type=LocationType.CPU_THREAD))
            define.group("", group_type=GroupType.COMM_LOCATIONS, paradigm=Paradigm.MPI,
                         members=locations)
            world = define.group("", group_type=GroupType.COMM_GROUP, paradigm=Paradigm.MPI,
                                 members=locations)
            comm = define.comm("MPI_COMM_WORLD", world)

            if any(name == "mpi_recv_of_any" for rank in self.ranks for _, name, _ in rank.events):
                wildcards = define.attribute("mpiwatch.wildcards", "", otf2.Type.UINT8)

            def region(name, line):
                if (name, line) not in regions:
                    regions[name, line] = define.region(
                        name, paradigm=Paradigm.MPI, source_file="planted.c" if line else "",
                        begin_line_number=line)
                return regions[name, line]

            for location, rank in zip(locations, self.ranks):
                writer = trace.event_writer_from_location(location)
                writer.enter(1000, region("MPI_Init", 0))
                writer.leave(2000, region("MPI_Init", 0))
                for time, name, data in rank.events:
                    if name in ("enter", "leave"):
                        getattr(writer, name)(time, region(*data))
                    elif name == "mpi_collective_begin":
                        writer.mpi_collective_begin(time)
                    elif name == "mpi_collective_end":
                        what, root, size = data
                        writer.mpi_collective_end(time, COLLECTIVES[what], comm,
                                                  ROOTLESS if root is None else root, size, size)
                    elif name == "mpi_recv_of_any":
                        peer, tag, size = data
                        writer.mpi_recv(time, peer, comm, tag, size, attributes={wildcards: 1})
                    elif name == "mpi_irecv_request":
                        writer.mpi_irecv_request(time, data[0])
                    else:
                        peer, tag, size, *request = data
                        getattr(writer, name)(time, peer, comm, tag, size, *request)
                writer.enter(rank.now, region("MPI_Finalize", 0))
                writer.leave(rank.now + 1000, region("MPI_Finalize", 0))
            for rank in self.ranks:
                if rank.thread:
                    thread = define.location("Thread", group=groups[rank.number],
                                             type=LocationType.CPU_THREAD)
                    writer = trace.event_writer_from_location(thread)
                    writer.enter(2000, work)
                    writer.leave(2000 + rank.thread * US, work)


def rounds(run, count, do):
    for each in range(count):
        for rank in run.ranks:
            do(rank, rank.number, each)


# --- the faults ---------------------------------------------------------------------------------
def imbalance(fault):
    """Rank 1 of 4 computes three times as long before each Allreduce."""
    run = Run(4)

    def do(rank, number, each):
        rank.compute(300 if fault and number == 1 else 100)
        rank.meet(10, "MPI_Allreduce")
    rounds(run, 10, do)
    return run


def bcasts(fault):
    """The same before broadcasts of each rank in turn, the last of which are late by it alone."""
    run = Run(4)

    def do(rank, number, each):
        rank.compute(300 if fault and number == 1 else 100)
        for root in range(4):
            rank.meet(11, "MPI_Bcast", root)
    rounds(run, 10, do)
    return run


def idle(fault):
    """Rank 0 of 4 computes a tenth of what the others do."""
    run = Run(4)

    def do(rank, number, each):
        rank.compute(10 if fault and number == 0 else 100)
        rank.meet(12, "MPI_Allreduce")
    rounds(run, 10, do)
    return run


def moving(fault):
    """Each time another rank computes three times as long."""
    run = Run(4)

    def do(rank, number, each):
        rank.compute(300 if fault and number == each % 4 else 100)
        rank.meet(20, "MPI_Allreduce")
    rounds(run, 12, do)
    return run


def chain(fault):
    """A token goes round: who has it computes. Without the fault each computes before it comes."""
    run = Run(4)

    def do(rank, number, each):
        if not fault:
            rank.compute(100)
        if number > 0 or each > 0:
            rank.recv(30, (number + 3) % 4)
        if fault:
            rank.compute(100)
        if number < 3 or each < 9:
            rank.send(31, (number + 1) % 4)
    rounds(run, 10, do)
    return run


def late_sender(fault):
    """Rank 0 computes first and then sends what the others begin with."""
    run = Run(3)

    def do(rank, number, each):
        if number == 0:
            if fault:
                rank.compute(100)
            for to in (1, 2):
                rank.send(40, to)
            if not fault:
                rank.compute(100)
        else:
            rank.recv(41, 0)
            rank.compute(100)
        rank.meet(42, "MPI_Barrier")
    rounds(run, 10, do)
    return run


def late_receiver(fault):
    """Rank 1 computes before it receives a large message, and rank 0 behind sending it."""
    run = Run(2)

    def do(rank, number, each):
        if number == 0:
            rank.send(50, 1, LARGE)
            rank.compute(100)
        else:
            if fault:
                rank.compute(100)
            rank.recv(51, 0)
            if not fault:
                rank.compute(100)
        rank.meet(52, "MPI_Barrier")
    rounds(run, 10, do)
    return run


def uneven_receiver(fault):
    """Rank 1 computes three times as long as rank 0, which waits for it in sending; or also
    polls."""
    run = Run(2)
    for each in range(10):
        run.ranks[0].compute(100)
        run.ranks[0].send(57, 1, LARGE)
        run.ranks[1].compute(300)
        run.ranks[1].recv(58, 0)
    for each in range(0 if fault else 1000):
        run.ranks[1].call(59, "MPI_Test", 1)
    return run


def one_waits(fault):
    """Rank 1 of four computes three times as long as the others; rank 0 alone waits for it."""
    run = Run(4)
    for each in range(10):
        for rank in run.ranks:
            rank.compute(300 if fault and rank.number == 1 else 100)
        run.ranks[0].send(57, 1, LARGE)
        run.ranks[1].recv(58, 0)
    return run


def slightly_uneven(fault):
    """Rank 1 computes 114 us to rank 0's 100 before it posts the receive that rank 0 waits for."""
    run = Run(2)
    for each in range(10):
        run.ranks[0].compute(100)
        run.ranks[0].send(45, 1, LARGE)
        run.ranks[1].compute(114 if fault else 101)
        run.ranks[1].irecv(46, 0)
        run.ranks[1].wait(47)
    return run


def late_post(fault):
    """The same with MPI_Irecv, which is there, and too late."""
    run = Run(2)

    def do(rank, number, each):
        if number == 0:
            rank.send(53, 1, LARGE)
            rank.compute(100)
        else:
            if fault:
                rank.compute(100)
            rank.irecv(54, 0)
            if not fault:
                rank.compute(100)
            rank.wait(55)
        rank.meet(56, "MPI_Barrier")
    rounds(run, 10, do)
    return run


def late_collective(fault):
    """Rank 2 computes before a broadcast of its own, the others behind it."""
    run = Run(4)

    def do(rank, number, each):
        if fault and number == 2:
            rank.compute(100)
        rank.meet(60, "MPI_Bcast", 2)
        if not fault or number != 2:
            rank.compute(100)
        rank.meet(61, "MPI_Barrier")
    rounds(run, 10, do)
    return run


def master(fault):
    """Rank 0 hands out work of 10 us, each piece of which costs it 20 us."""
    run = Run(4)
    boss, *workers = run.ranks
    for each in range(30):
        for worker in workers:
            worker.send(70, 0, tag=1)
            worker.recv(71, 0, tag=2)
            worker.compute(10 if fault else 400)
    for each in range(90):
        boss.recv(72, ANY, tag=1)
        boss.compute(20 if fault else 1)
        boss.send(73, 1 + each % 3, tag=2)
    return run


def collects(fault):
    """Rank 0 computes 1 ms, others wait for a piece of it, and give back theirs in any order, in
    three parts, or at once."""
    run = Run(4)
    boss, *workers = run.ranks
    parts = 3 if fault else 1
    boss.compute(1000)
    for worker in workers:
        boss.send(74, worker.number)
        worker.recv(75, 0)
        worker.compute(10)
        for part in range(parts):
            worker.send(76, 0, tag=1)
    for each in range(parts * len(workers)):
        boss.recv(77, ANY, tag=1)
    return run


def tiny(fault):
    """Rank 0 sends rank 1 2,000 messages of 8 bytes one after the other; or waits for an answer."""
    run = Run(2)
    for each in range(2000):
        run.ranks[0].send(80, 1)
        run.ranks[1].recv(81, 0)
        if not fault:
            run.ranks[1].send(82, 0)
            run.ranks[0].recv(83, 1)
    return run


def wrong_order(fault):
    """Rank 1 sends 10 messages of as many tags, 20 us apart; rank 0 begins with the last."""
    run = Run(2)
    for each in range(10):
        for tag in range(10):
            run.ranks[1].compute(20)
            run.ranks[1].send(90, 0, tag=tag)
        for tag in range(10):
            run.ranks[0].recv(91, 1, tag=9 - tag if fault else tag)
            run.ranks[0].compute(20)
        for rank in run.ranks:
            rank.meet(92, "MPI_Barrier")
    return run


def alltoall(fault):
    """MPI_Alltoall takes 50 us, of 150; without the fault 2."""
    run = Run(4)

    def do(rank, number, each):
        rank.compute(100)
        rank.meet(100, "MPI_Alltoall", size=8000, inside=50 if fault else 2)
    rounds(run, 10, do)
    return run


def allreduce(fault):
    run = Run(4)

    def do(rank, number, each):
        rank.compute(100)
        rank.meet(101, "MPI_Allreduce", inside=50 if fault else 2)
    rounds(run, 10, do)
    return run


def overlap(fault):
    """MPI_Bcast takes the others 50 us, of 150, rank 0 one; without the fault 2."""
    run = Run(4)

    def do(rank, number, each):
        rank.compute(100)
        rank.meet(102, "MPI_Bcast", 0, size=80000, inside=50 if fault else 2)
    rounds(run, 10, do)
    return run


def root_waits(fault):
    """Rank 1 computes 300 us, rank 0 100, before it sends 8 kB to it by a broadcast that cannot
    go on without it, as MPIs send what is not small."""
    run = Run(2)

    def do(rank, number, each):
        rank.compute(300 if fault and number == 1 else 100)
        rank.meet(13, "MPI_Bcast", 0, size=8192, inside=2, root_waits=True)
    rounds(run, 10, do)
    return run


def flood(fault):
    """Rank 1 sends 1,000 messages, 1 us each; rank 0 computes that long and takes them then, 1 us
    each: 500 wait on average. Or it computes afterwards."""
    run = Run(2)
    for each in range(1000):
        run.ranks[1].send(140, 0)
    run.ranks[1].compute(1000)
    run.ranks[0].compute(1000 if fault else 0)
    for each in range(1000):
        run.ranks[0].recv(141, 1)
    run.ranks[0].compute(0 if fault else 1000)
    return run


def threads(fault):
    """Each rank has a thread that works in a region for a tenth of 4,000 us; or for all of it."""
    run = Run(2)
    for rank in run.ranks:
        rank.compute(4000)
        rank.thread = 400 if fault else 4000
    return run


def polling(fault):
    """Rank 0 calls MPI_Test 2,000 times for 1 us, and computes as long; or 20 times."""
    run = Run(2)
    for each in range(2000 if fault else 20):
        run.ranks[0].call(110, "MPI_Test", 1)
        run.ranks[0].compute(1)
    run.ranks[0].compute(0 if fault else 3960)
    run.ranks[1].compute(4000)
    for rank in run.ranks:
        rank.meet(111, "MPI_Barrier")
    return run


def file_one_rank(fault):
    """Rank 0 writes for 200 us while the others compute for 100; without the fault for 5."""
    run = Run(4)

    def do(rank, number, each):
        rank.compute(100)
        if number == 0:
            rank.call(120, "MPI_File_write", 200 if fault else 5)
        rank.meet(121, "MPI_Barrier")
    rounds(run, 10, do)
    return run


def file_call(name, line):
    def planted(fault):
        run = Run(4)

        def do(rank, number, each):
            rank.compute(100)
            rank.call(line, name, 50 if fault else 1)
        rounds(run, 10, do)
        return run
    return planted


def recorder(fault):
    """1,000 calls of each rank, one each 150 ns; or each 10 us."""
    run = Run(2)
    for rank in run.ranks:
        for each in range(1000):
            rank.compute(0.1 if fault else 10)
            rank.call(130, "MPI_Comm_rank", 0.05)
    return run


def init(fault):
    """Nothing but MPI_Init, which takes 1 us; or 10 us behind it."""
    run = Run(2)
    for rank in run.ranks:
        rank.compute(0.5 if fault else 10)
    return run


FAULTS = {
    "imbalance": imbalance, "bcasts": bcasts, "idle": idle, "moving": moving, "chain": chain,
    "late_sender": late_sender, "late_receiver": late_receiver,
    "slightly_uneven": slightly_uneven, "uneven_receiver": uneven_receiver,
    "one_waits": one_waits, "late_post": late_post,
    "late_collective": late_collective, "master": master, "collects": collects, "tiny": tiny,
    "wrong_order": wrong_order, "alltoall": alltoall, "allreduce": allreduce,
    "overlap": overlap, "root_waits": root_waits, "flood": flood, "threads": threads,
    "polling": polling,
    "file_one_rank": file_one_rank, "file_io": file_call("MPI_File_write_at", 122),
    "file_sync": file_call("MPI_File_sync", 123),
    "file_together": file_call("MPI_File_write_all", 124), "recorder": recorder, "init": init,
}

if __name__ == "__main__":
    name = sys.argv[2]
    FAULTS[name[:-4] if name.endswith("_not") else name](not name.endswith("_not")).write(
        sys.argv[1])
