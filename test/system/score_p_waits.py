"""score_p_waits.py NAME DIRECTORY: writes the archive NAME as Score-P would, of 3 ranks, with
waits of one of Scalasca's patterns; prints as JSON the waits that it has, each as [pattern, call,
rank, rank waited for, ns, who]. They were worked out by hand from the times, which are in ns; in
completion nobody is waited for; "who" is "both", or who alone finds it: "mpiwatch" or "scout",
Scalasca's analyzer.

What a wait is has been published: Wolf, Mohr: Automatic performance analysis of hybrid MPI/OpenMP
applications (2003: late sender, wrong order, late receiver, early reduce, late broadcast, wait at
barrier, wait at NxN); Geimer, Wolf, Wylie, Mohr: A scalable tool architecture for diagnosing wait
states in massively parallel applications (2009); Scalasca's documentation of its patterns."""
import json
import sys

from otf2.enums import CollectiveOp, Paradigm, RegionRole

from foreign import Archive

NOBODY = 0xffffffff
ROLES = {"MPI_Init": RegionRole.FUNCTION, "MPI_Finalize": RegionRole.FUNCTION,
         "MPI_Barrier": RegionRole.BARRIER, "MPI_Ibarrier": RegionRole.BARRIER,
         "MPI_Bcast": RegionRole.COLL_ONE2ALL, "MPI_Ibcast": RegionRole.COLL_ONE2ALL,
         "MPI_Scatter": RegionRole.COLL_ONE2ALL, "MPI_Scatterv": RegionRole.COLL_ONE2ALL,
         "MPI_Reduce": RegionRole.COLL_ALL2ONE, "MPI_Ireduce": RegionRole.COLL_ALL2ONE,
         "MPI_Gather": RegionRole.COLL_ALL2ONE, "MPI_Gatherv": RegionRole.COLL_ALL2ONE,
         "MPI_Scan": RegionRole.COLL_OTHER}
FUNCTIONS = "MPI_Wait", "MPI_Test"
P2P = "MPI_Send", "MPI_Recv", "MPI_I", "MPI_Bsend", "MPI_Rsend", "MPI_Ssend"


class ScoreP(Archive):
    """Calls may be told in any order; close() writes them in that of their times."""

    def __init__(self, directory, initialized=(1000,) * 3, finalize=(90000,) * 3):
        super().__init__(directory, 3)
        self.pair = {ranks: self.comm("pair", ranks, parent=self.world)
                     for ranks in ((0, 2), (1, 2))}
        self.calls = [[] for rank in range(3)]
        self.last_request = 0
        for rank in range(3):
            self.told(rank, "MPI_Init", 0, initialized[rank])
            self.told(rank, "MPI_Finalize", finalize[rank], 95000)

    def region(self, name, paradigm=None):
        if name not in self.regions:
            role = ROLES.get(name)
            if role is None:
                role = (RegionRole.FUNCTION if name.startswith(FUNCTIONS) else
                        RegionRole.POINT2POINT if name.startswith(P2P)
                        else RegionRole.COLL_ALL2ALL)
            self.regions[name] = self.definitions.region(name, region_role=role,
                                                         paradigm=Paradigm.MPI,
                                                         source_file="MPI") # scout goes by it
        return self.regions[name]

    def told(self, rank, name, enter, leave, *inside):
        self.calls[rank].append((enter, leave, name, inside))

    def request(self):
        self.last_request += 1
        return self.last_request

    def send(self, name, rank, enter, leave, to, tag):
        """Blocking."""
        self.told(rank, name, enter, leave,
                  lambda writer: writer.mpi_send(enter, to, self.world, tag, 8))

    def recv(self, rank, enter, leave, source, tag):
        self.told(rank, "MPI_Recv", enter, leave,
                  lambda writer: writer.mpi_recv(leave, source, self.world, tag, 8))

    def isend(self, rank, enter, to, tag):
        """For 50 ns. Gives the call's part in what completes it."""
        request = self.request()
        self.told(rank, "MPI_Isend", enter, enter + 50,
                  lambda writer: writer.mpi_isend(enter + 50, to, self.world, tag, 8, request))
        return lambda writer, at: writer.mpi_isend_complete(at, request)

    def irecv(self, rank, enter, source, tag):
        request = self.request()
        self.told(rank, "MPI_Irecv", enter, enter + 50,
                  lambda writer: writer.mpi_irecv_request(enter + 50, request))
        return lambda writer, at: writer.mpi_irecv(at, source, self.world, tag, 8, request)

    def wait(self, name, rank, enter, leave, *completed):
        self.told(rank, name, enter, leave, *[
            lambda writer, each=each: each(writer, leave) for each in completed])

    def collective(self, name, operation, enters, leaves, root=NOBODY, sent=(8, 8, 8),
                   received=(8, 8, 8), ranks=(0, 1, 2), begins=None, ends=None):
        """Begins and ends at enter and leave, or as told; all lists are of the ranks that take
        part, root is that of the communicator."""
        comm = self.world if len(ranks) == 3 else self.pair[ranks]
        for i, rank in enumerate(ranks):
            begin, end = (begins or enters)[i], (ends or leaves)[i]
            self.told(rank, name, enters[i], leaves[i],
                      lambda writer, begin=begin: writer.mpi_collective_begin(begin),
                      lambda writer, end=end, i=i: writer.mpi_collective_end(
                          end, operation, comm, root, sent[i], received[i]))

    def nonblocking(self, name, operation, enters, waits, root=NOBODY, sent=(8, 8, 8),
                    received=(8, 8, 8)):
        """Each begins for 50 ns, and is completed by MPI_Wait between waits[rank]."""
        for rank in range(3):
            request = self.request()
            self.told(rank, name, enters[rank], enters[rank] + 50,
                      lambda writer, at=enters[rank] + 50, request=request:
                      writer.non_blocking_collective_request(at, request))
            enter, leave = waits[rank]
            self.told(rank, "MPI_Wait", enter, leave,
                      lambda writer, at=leave, rank=rank, request=request:
                      writer.non_blocking_collective_complete(
                          at, operation, self.world, root, sent[rank], received[rank], request))

    def close(self):
        for rank, calls in enumerate(self.calls):
            for enter, leave, name, inside in sorted(calls, key=lambda call: call[:2]):
                self.call(rank, name, enter, leave, *inside)
        super().close()


def late_sender(directory):
    run = ScoreP(directory)
    run.recv(1, 2000, 5100, 0, 1)
    run.send("MPI_Send", 0, 5000, 5050, 1, 1)
    run.send("MPI_Send", 0, 6000, 6050, 1, 2)           # was there before
    run.recv(1, 7000, 7100, 0, 2)
    one = run.irecv(2, 2000, 0, 3)
    run.wait("MPI_Wait", 2, 3000, 8200, one)
    run.wait("MPI_Wait", 0, 8100, 8200, run.isend(0, 8000, 2, 3))
    two = run.irecv(2, 9000, 0, 4), run.irecv(2, 9100, 1, 4)
    run.wait("MPI_Waitall", 2, 10000, 16200, *two)      # for the later one
    run.send("MPI_Send", 1, 12000, 12050, 2, 4)
    run.send("MPI_Send", 0, 15000, 15050, 2, 4)
    for rank, enter in (0, 20000), (1, 23000):
        run.told(rank, "MPI_Sendrecv", enter, 23500,
                 lambda writer, at=enter, to=1 - rank: writer.mpi_send(at, to, run.world, 5, 8),
                 lambda writer, to=1 - rank: writer.mpi_recv(23500, to, run.world, 5, 8))
    run.send("MPI_Send", 0, 30000, 30050, 1, 7)         # one source, in the wrong order
    run.send("MPI_Send", 0, 31000, 31050, 1, 6)
    run.recv(1, 29000, 31100, 0, 6)
    run.recv(1, 31200, 31300, 0, 7)
    run.send("MPI_Send", 0, 35000, 35050, 2, 8)         # two sources
    run.send("MPI_Send", 1, 36000, 36050, 2, 8)
    run.recv(2, 34000, 36100, 1, 8)
    run.recv(2, 36200, 36300, 0, 8)
    run.wait("MPI_Test", 2, 41000, 43000, run.irecv(2, 40000, 0, 9)) # does not wait
    run.send("MPI_Send", 0, 42000, 42050, 2, 9)
    run.wait("MPI_Waitany", 2, 45000, 47100, run.irecv(2, 44000, 1, 10))
    run.send("MPI_Send", 1, 47000, 47050, 2, 10)
    run.close()
    return [["late_sender", "MPI_Recv", 1, 0, 5000 - 2000, "both"],
            ["late_sender", "MPI_Wait", 2, 0, 8000 - 3000, "both"],
            ["late_sender", "MPI_Waitall", 2, 0, 15000 - 10000, "both"],
            ["late_sender", "MPI_Sendrecv", 0, 1, 23000 - 20000, "both"],
            ["late_sender", "MPI_Recv", 1, 0, 31000 - 29000, "both"],
            ["late_sender", "MPI_Recv", 2, 1, 36000 - 34000, "both"],
            ["late_sender", "MPI_Waitany", 2, 1, 47000 - 45000, "both"],
            ["wrong_order_same_source", "MPI_Recv", 1, 0, 31000 - 29000, "both"],
            ["wrong_order_different_source", "MPI_Recv", 2, 1, 36000 - 34000, "both"]]


def late_receiver(directory):
    run = ScoreP(directory)
    run.send("MPI_Send", 0, 2000, 5100, 1, 1)
    run.recv(1, 5000, 5150, 0, 1)
    run.send("MPI_Send", 0, 6000, 6100, 1, 2)           # did not wait for it
    run.recv(1, 8000, 8100, 0, 2)
    run.wait("MPI_Wait", 0, 10000, 14100, run.isend(0, 9000, 2, 3))
    run.recv(2, 14000, 14150, 0, 3)
    run.wait("MPI_Waitall", 0, 16000, 20200, run.isend(0, 15000, 1, 4), run.isend(0, 15100, 2, 4))
    run.recv(1, 18000, 18100, 0, 4)
    run.recv(2, 20000, 20150, 0, 4)
    run.send("MPI_Ssend", 1, 22000, 25000, 2, 5)
    run.wait("MPI_Wait", 2, 24600, 25050, run.irecv(2, 24500, 1, 5))
    run.wait("MPI_Waitall", 0, 31000, 36000, run.irecv(0, 30000, 1, 6), run.isend(0, 30100, 2, 7))
    run.send("MPI_Send", 1, 33000, 33050, 0, 6)         # a late sender goes before
    run.recv(2, 35000, 35100, 0, 7)
    run.wait("MPI_Test", 0, 41000, 43000, run.isend(0, 40000, 1, 8))
    run.recv(1, 42000, 42100, 0, 8)
    run.close()
    return [["late_receiver", "MPI_Send", 0, 1, 5000 - 2000, "both"],
            ["late_receiver", "MPI_Wait", 0, 2, 14000 - 10000, "both"],
            ["late_receiver", "MPI_Waitall", 0, 2, 20000 - 16000, "both"],
            ["late_receiver", "MPI_Ssend", 1, 2, 24500 - 22000, "both"],
            ["late_sender", "MPI_Waitall", 0, 1, 33000 - 31000, "both"]]


def nxn(directory):
    run = ScoreP(directory)
    run.collective("MPI_Allreduce", CollectiveOp.ALLREDUCE, (2000, 3000, 5000), (5150,) * 3)
    run.collective("MPI_Allgather", CollectiveOp.ALLGATHER, (7000, 6000, 6500), (7100,) * 3)
    run.collective("MPI_Alltoall", CollectiveOp.ALLTOALL, (8000, 9000), (9100,) * 2, ranks=(1, 2))
    run.collective("MPI_Allgatherv", CollectiveOp.ALLGATHERV, (10000, 11000, 15000),
                   (11100, 11150, 15100), sent=(8, 8, 0)) # nobody needs rank 2
    run.collective("MPI_Reduce_scatter", CollectiveOp.REDUCE_SCATTER, (16000, 17000, 18000),
                   (16100, 18100, 18100), received=(0, 8, 8)) # rank 0 needs nobody
    run.nonblocking("MPI_Iallreduce", CollectiveOp.ALLREDUCE, (20000, 21000, 25000),
                    ((22000, 25300), (23000, 25300), (26000, 26100)))
    run.close()
    return [["wait_at_nxn", "MPI_Allreduce", 0, 2, 5000 - 2000, "both"],
            ["wait_at_nxn", "MPI_Allreduce", 1, 2, 5000 - 3000, "both"],
            ["wait_at_nxn", "MPI_Allgather", 1, 0, 7000 - 6000, "both"],
            ["wait_at_nxn", "MPI_Allgather", 2, 0, 7000 - 6500, "both"],
            ["wait_at_nxn", "MPI_Alltoall", 1, 2, 9000 - 8000, "both"],
            ["wait_at_nxn", "MPI_Allgatherv", 0, 1, 11000 - 10000, "both"],
            ["wait_at_nxn", "MPI_Reduce_scatter", 1, 2, 18000 - 17000, "both"],
            ["nxn_completion", "MPI_Allgatherv", 1, None, 11150 - 11100, "both"], # not rank 2's
            ["wait_at_nxn", "MPI_Wait", 0, 2, 25000 - 22000, "mpiwatch"],
            ["wait_at_nxn", "MPI_Wait", 1, 2, 25000 - 23000, "mpiwatch"]]


def barrier(directory):
    run = ScoreP(directory)

    def barriers(*arguments, **options):
        run.collective("MPI_Barrier", CollectiveOp.BARRIER, *arguments, **options)

    barriers((2000, 4000, 3000), (4150,) * 3)
    barriers((5000, 8000), (8100,) * 2, ranks=(0, 2))
    barriers((10000,) * 3, (10100,) * 3)
    barriers((12000, 14000, 12500), (13000, 14100, 14100)) # the clock of rank 0 is behind: cut off
    run.nonblocking("MPI_Ibarrier", CollectiveOp.BARRIER, (16000, 20000, 16500),
                    ((17000, 20200), (20100, 20200), (18000, 20200)),
                    sent=(0,) * 3, received=(0,) * 3)
    run.close()
    return [["wait_at_barrier", "MPI_Barrier", 0, 1, 4000 - 2000, "both"],
            ["wait_at_barrier", "MPI_Barrier", 2, 1, 4000 - 3000, "both"],
            ["wait_at_barrier", "MPI_Barrier", 0, 2, 8000 - 5000, "both"],
            ["wait_at_barrier", "MPI_Barrier", 0, 1, 13000 - 12000, "both"],
            ["wait_at_barrier", "MPI_Barrier", 2, 1, 14000 - 12500, "both"],
            ["barrier_completion", "MPI_Barrier", 1, None, 14100 - 14000, "both"],
            ["barrier_completion", "MPI_Barrier", 2, None, 14100 - 14000, "both"],
            ["wait_at_barrier", "MPI_Wait", 0, 1, 20000 - 17000, "mpiwatch"],
            ["wait_at_barrier", "MPI_Wait", 2, 1, 20000 - 18000, "mpiwatch"]]


def early_reduce(directory):
    run = ScoreP(directory)
    run.collective("MPI_Reduce", CollectiveOp.REDUCE, (2000, 4000, 5000), (5200, 4100, 5100),
                   root=0, received=(24, 0, 0))
    run.collective("MPI_Gather", CollectiveOp.GATHER, (8000, 7000, 6000), (8050, 7050, 8100),
                   root=2, received=(0, 0, 24))
    run.collective("MPI_Gatherv", CollectiveOp.GATHERV, (9500, 9000, 12000), (9600, 12100, 12050),
                   root=1, sent=(0, 8, 8), received=(0, 16, 0)) # rank 0 has nothing to send
    run.collective("MPI_Reduce", CollectiveOp.REDUCE, (15000, 14000, 14500),
                   (15100, 14100, 14600), root=0, received=(24, 0, 0)) # the root comes last
    run.collective("MPI_Gatherv", CollectiveOp.GATHERV, (16000, 17000, 17000),
                   (17100,) * 3, root=0, sent=(0,) * 3, received=(0,) * 3) # of nothing
    run.nonblocking("MPI_Ireduce", CollectiveOp.REDUCE, (20000, 22000, 23000),
                    ((21000, 23200), (22100, 22200), (23100, 23200)), root=0,
                    received=(24, 0, 0))
    run.close()
    return [["early_reduce", "MPI_Reduce", 0, 1, 4000 - 2000, "both"],
            ["wait_for_last", "MPI_Reduce", 0, 2, 5000 - 4000, "mpiwatch"],
            ["early_reduce", "MPI_Gather", 2, 1, 7000 - 6000, "both"],
            ["wait_for_last", "MPI_Gather", 2, 0, 8000 - 7000, "mpiwatch"],
            ["early_reduce", "MPI_Gatherv", 1, 2, 12000 - 9000, "both"],
            ["wait_for_last", "MPI_Wait", 0, 2, 23000 - 21000, "mpiwatch"]]


def late_broadcast(directory):
    run = ScoreP(directory)
    run.collective("MPI_Bcast", CollectiveOp.BCAST, (5000, 2000, 3000), (5100, 5150, 5150),
                   root=0, sent=(24, 0, 0))
    run.collective("MPI_Scatter", CollectiveOp.SCATTER, (6000, 8000, 9000), (8100, 8100, 9100),
                   root=1, sent=(0, 24, 0))
    run.collective("MPI_Scatterv", CollectiveOp.SCATTERV, (10000, 11000, 12000),
                   (10050, 12100, 12050), root=2, sent=(0, 0, 16),
                   received=(0, 8, 8)) # nothing is for rank 0
    run.nonblocking("MPI_Ibcast", CollectiveOp.BCAST, (20000, 15000, 15500),
                    ((20060, 20100), (16000, 20100), (18000, 20100)), root=0, sent=(24, 0, 0))
    run.close()
    return [["late_broadcast", "MPI_Bcast", 1, 0, 5000 - 2000, "both"],
            ["late_broadcast", "MPI_Bcast", 2, 0, 5000 - 3000, "both"],
            ["late_broadcast", "MPI_Scatter", 0, 1, 8000 - 6000, "both"],
            ["late_broadcast", "MPI_Scatterv", 1, 2, 12000 - 11000, "both"],
            ["late_broadcast", "MPI_Wait", 1, 0, 20000 - 16000, "mpiwatch"],
            ["late_broadcast", "MPI_Wait", 2, 0, 20000 - 18000, "mpiwatch"]]


ARCHIVES = late_sender, late_receiver, nxn, barrier, early_reduce, late_broadcast


def apart(directory):
    """Where mpiwatch and scout differ, as mpiwatch-analyses(7) says."""
    run = ScoreP(directory, initialized=(1000, 1200, 1000), finalize=(88000, 90000, 90000))
    run.collective("MPI_Barrier", CollectiveOp.BARRIER, (2000, 3000, 3000), (3200,) * 3,
                   begins=(2040, 3010, 3005), ends=(3150,) * 3)
    run.told(0, "MPI_Sendrecv", 5000, 8100, # receives from MPI_PROC_NULL
             lambda writer: writer.mpi_send(5000, 1, run.world, 1, 8))
    run.recv(1, 8000, 8150, 0, 1)
    run.send("MPI_Bsend", 0, 10000, 12100, 1, 2)
    run.recv(1, 12000, 12150, 0, 2)
    run.collective("MPI_Alltoallv", CollectiveOp.ALLTOALLV, (15000, 16000, 18000), (18100,) * 3)
    run.collective("MPI_Scan", CollectiveOp.SCAN, (21000, 20000, 20000), (21100,) * 3)
    run.collective("MPI_Scan", CollectiveOp.SCAN, (23000, 22000, 22000), (23100,) * 3,
                   sent=(0,) * 3, received=(0,) * 3) # of nothing
    run.told(0, "MPI_Send", 30000, 31000, # begins first, and says later that it sends
             lambda writer: writer.mpi_send(30900, 2, run.world, 3, 8))
    run.send("MPI_Send", 1, 30500, 30600, 2, 4)
    run.recv(2, 29000, 30700, 1, 4)
    run.recv(2, 30800, 31000, 0, 3)
    run.send("MPI_Rsend", 0, 40000, 43100, 1, 5)
    run.recv(1, 43000, 43150, 0, 5)
    run.close()
    return [["wait_at_barrier", "MPI_Barrier", 0, 1, 3000 - 2000, "mpiwatch"],
            ["wait_at_barrier", "MPI_Barrier", 0, 1, 3010 - 2040, "scout"],
            ["wait_at_barrier", "MPI_Barrier", 2, 1, 3010 - 3005, "scout"],
            ["late_receiver", "MPI_Sendrecv", 0, 1, 8000 - 5000, "mpiwatch"],
            ["late_receiver", "MPI_Rsend", 0, 1, 43000 - 40000, "mpiwatch"],
            ["late_receiver", "MPI_Send", 0, 2, 30800 - 30000, "both"],
            ["late_sender", "MPI_Recv", 2, 1, 30500 - 29000, "both"],
            ["wrong_order_different_source", "MPI_Recv", 2, 1, 30500 - 29000, "mpiwatch"],
            ["wait_at_nxn", "MPI_Alltoallv", 0, 2, 18000 - 15000, "mpiwatch"],
            ["wait_at_nxn", "MPI_Alltoallv", 1, 2, 18000 - 16000, "mpiwatch"],
            ["early_scan", "MPI_Scan", 1, 0, 21000 - 20000, "both"],
            ["early_scan", "MPI_Scan", 2, 0, 21000 - 20000, "both"],
            ["init_completion", "MPI_Init", 1, None, 1200 - 1000, "both"],
            ["wait_at_finalize", "MPI_Finalize", 0, 1, 90000 - 88000, "both"]]


if __name__ == "__main__":
    print(json.dumps(globals()[sys.argv[1]](sys.argv[2])))
