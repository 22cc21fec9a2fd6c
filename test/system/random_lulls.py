#!/usr/bin/python3
"""Makes the archive of a run, at random, in which ranks come to rest, and never all meet.

    random_lulls.py SEED STEPS DIRECTORY [skewed|rooted|scanned|begun|open]
    random_lulls.py partners STEPS DIRECTORY

In each step a rank begins to send to its neighbours and to receive from them, and ends all of that
before it does something else: it sends to some without a request, or meets a part of the others.
Some get far ahead of others. With "skewed" some clocks are fast, by up to 900 ns. With "rooted" all
take part, at the end of most steps, in an operation that only its root waits for, or that waits for
nobody but its root; with "scanned" in a scan, in which a rank waits for those before it, and some
for the next one; with "begun" in one of all these kinds that does not block, which some are held in
until somebody else begins it. With "partners" each of 70 ranks is a neighbour of all others.
"""
import random
import sys

sys.dont_write_bytecode = True

import otf2
from otf2.enums import CollectiveOp, Paradigm

from ranks_of_mpi import define_group, define_ranks

OPERATIONS = {"MPI_Allreduce": CollectiveOp.ALLREDUCE, "MPI_Barrier": CollectiveOp.BARRIER,
              "MPI_Bcast": CollectiveOp.BCAST, "MPI_Reduce": CollectiveOp.REDUCE}
ROOTED = ("MPI_Bcast", "MPI_Reduce")
MEANT = {**OPERATIONS, "MPI_Scan": CollectiveOp.SCAN}
NO_ROOT = 2**32 - 1
SENT_TAG = 9  # of messages without requests
EARLY_TAG = 7
INIT, BEGIN = 1000, 2000  # ns
HABITS = {"collectives": .5, "nonblocking": .3, "blocking": .5, "wildcards": .3, "regions": .5,
          "polls": .4, "several": .5, "large": .4, "ties": .3, "uneven": .5, "probes": .2,
          "backwards": .1, "mistakes": .3, "circles": .3}


class Rank:
    """What a rank has done so far: (time, step of the writer, arguments)."""

    def __init__(self, number, run):
        self.number, self.run = number, run
        self.events, self.requests, self.open, self.depth = [], 0, [], 0
        self.speed = random.choice((1, 1, 1, 2, 3))
        self.now = BEGIN + run.grain * random.randrange(20)

    def add(self, *what):
        self.events.append((self.now, what))

    def go_on(self, most):
        self.now += self.run.grain * random.randrange(most // self.run.grain + 2)

    def compute(self):
        most = random.choice((20, 200, 2000) + (20000,) * self.run.has["uneven"])
        self.now += self.run.grain * (self.speed * random.randrange(1, most) // self.run.grain + 1)

    def begin(self, *what):
        """In a call of its own; the request's number, and when that was."""
        self.requests += 1
        begun = self.now
        self.add("enter", "MPI_Isend" if what[0] == "isend" else
                 "MPI_Irecv" if what[0] == "irecv_post" else "MPI_Iallreduce")
        self.add(*what, self.requests)
        self.go_on(5)
        self.add("leave")
        return self.requests, begun


class Run:
    """Ranks, their neighbours, and communicators of some of them."""

    def __init__(self, partners, habit):
        self.habit = habit
        self.early = {}    # by from, to: the number of a receive that is posted long before
        self.has = {name: not partners and random.random() < share
                    for name, share in HABITS.items()}
        self.grain = 10 if self.has["ties"] else 1
        self.ranks = [Rank(i, self) for i in range(70 if partners else
                                                   random.choice((3, 4, 5, 6, 8, 12)))]
        count = len(self.ranks)
        pairs = [(i, k) for k in range(count) for i in range(k)]
        shapes = [pairs] if partners else [
            [(i, i + 1) for i in range(count - 1)],
            [(i, (i + 1) % count) for i in range(count)],
            [pair for pair in pairs if random.random() < .5],
            [(i, i + 2) for i in range(count - 2)]]
        self.edges = sorted({pair for pair in random.choice(shapes) if pair[0] != pair[1]})
        alone = set(range(count)) - {i for edge in self.edges for i in edge}
        self.edges += [(i, i) for i in alone]
        self.parts = {"half": list(range((count + 1) // 2)), "ends": [0, count - 1]}

    def may(self, habit, share=.5):
        return self.has[habit] and random.random() < share

    def plan(self):
        """What each rank is to begin: (what, peer, tag, bytes)."""
        plans = [[] for _ in self.ranks]
        for one, other in self.edges:
            for number in range(random.choice((1, 2, 3)) if self.has["several"] else 1):
                size = random.choice((8, 5000, 70000, 1000000) if self.has["large"] else (8, 4000))
                tag = random.choice((0, 1, number))
                for source, target in {(one, other), (other, one)}:
                    plans[source].append(("isend", target, tag, size))
                    plans[target].append(("irecv", source, tag, size))
        return plans

    def exchange(self):
        sent = {}
        for rank, plan in zip(self.ranks, self.plan()):
            rank.compute()
            if self.may("probes"):
                rank.add("enter", "MPI_Iprobe")
                rank.go_on(5)
                rank.add("leave")
            random.shuffle(plan)
            for what, peer, tag, size in plan:
                if what == "isend":
                    request, begun = rank.begin(what, peer, tag, size)
                    sent.setdefault((rank.number, peer, tag), []).append((begun, size))
                    if self.habit != "open" or random.random() < .97: # else it is freed
                        rank.open.append(("isend_complete", request))
                else:
                    request, _ = rank.begin("irecv_post", self.may("wildcards"))
                    rank.open.append((what, request, peer, tag))
        self.reduce_meanwhile()
        if self.habit == "open":
            self.send_what_is_awaited()
        for rank in random.sample(self.ranks, len(self.ranks)):
            received = {}
            for at, one in enumerate(rank.open):
                if one[0] == "irecv" and len(one) == 4:
                    channel = (one[2], rank.number, one[3])
                    begun, size = sent[channel][received.get(channel, 0)]
                    received[channel] = received.get(channel, 0) + 1
                    rank.open[at] = one + (size, begun)
            self.end_all(rank)

    def send_what_is_awaited(self):
        """Receives are posted, some steps before the message is sent, if ever."""
        for one, other in self.edges:
            source, target = self.ranks[one], self.ranks[other]
            if one == other:
                continue
            if (one, other) not in self.early:
                if random.random() < .2:
                    self.early[one, other], _ = target.begin("irecv_post", False)
            elif random.random() < .2:
                request, begun = source.begin("isend", other, EARLY_TAG, 64)
                source.open.append(("isend_complete", request))
                target.open.append(("irecv", self.early.pop((one, other)), one, EARLY_TAG, 64,
                                    begun))

    def reduce_meanwhile(self):
        """Of a part, which ends it with its messages."""
        if not self.may("nonblocking"):
            return
        part = random.choice(sorted(self.parts))
        begun = {i: self.ranks[i].begin("reduce") for i in self.parts[part]}
        last = max(time for _, time in begun.values())
        for i, (request, _) in begun.items():
            self.ranks[i].open.append(("reduced", request, part, last))

    def end_all(self, rank):
        """In an order of its own, one at a time or several."""
        for _ in range(random.randrange(4) if self.may("polls") else 0):
            rank.add("enter", "MPI_Testall")
            rank.go_on(4)
            rank.add("leave")
            rank.go_on(300)
        rank.compute()
        if random.random() < .5:
            random.shuffle(rank.open)
        kept = [one for one in rank.open if self.habit == "open" and one[0] == "isend_complete" and
                random.random() < .3]
        rank.open = [one for one in rank.open if one not in kept]
        while rank.open:
            some = len(rank.open) if random.random() < .4 else random.choice((1, 1, 2, 3))
            ended, rank.open = rank.open[:some], rank.open[some:]
            rank.add("enter", random.choice(("MPI_Waitany", "MPI_Waitsome", "MPI_Waitall")))
            ready = [one[-1] for one in ended if one[0] in ("irecv", "reduced")]
            if not self.may("backwards", .05):
                rank.now = max([rank.now] + ready)
            rank.now += self.grain * random.randrange(1, 8)
            for one in ended:
                rank.add(*one)
            rank.go_on(3)
            rank.add("leave")
        rank.open = kept

    def send_up(self):
        """Without requests, from lower ranks to higher ones."""
        sent = {}
        for rank in self.ranks:
            for source, target in sorted(sent):
                if target == rank.number:
                    rank.add("enter", "MPI_Recv")
                    rank.now = max(rank.now, sent[source, target])
                    rank.now += self.grain * random.randrange(1, 9)
                    rank.add("recv", source)
                    rank.go_on(2)
                    rank.add("leave")
            for source, target in self.edges:
                if source == rank.number < target and random.random() < .7:
                    rank.compute()
                    rank.add("enter", "MPI_Send")
                    sent[source, target] = rank.now
                    rank.add("send", target)
                    rank.go_on(9)
                    rank.add("leave")

    def send_round(self):
        """Each of some neighbours sends to the other before it receives, which the MPI keeps."""
        for one, other in self.edges:
            pair = (self.ranks[one], self.ranks[other])
            if one == other or random.random() < .7:
                continue
            for rank, peer in zip(pair, (other, one)):
                rank.go_on(90)
                rank.add("enter", "MPI_Send")
                rank.add("send", peer)
                rank.go_on(9)
                rank.add("leave")
            sent = max(rank.now for rank in pair)
            for rank, peer in zip(pair, (other, one)):
                rank.add("enter", "MPI_Recv")
                rank.now = sent + self.grain * random.randrange(1, 9)
                rank.add("recv", peer)
                rank.go_on(2)
                rank.add("leave")

    def meet_in_part(self):
        part = random.choice(sorted(self.parts))
        self.meet(random.choice(sorted(OPERATIONS)), part, self.parts[part])

    def meet(self, name, part, numbers):
        members = [self.ranks[i] for i in numbers]
        for rank in members:
            rank.go_on(500)
            rank.add("enter", name)
        enters = [rank.now for rank in members]
        for i, (rank, own) in enumerate(zip(members, enters)):
            until = (max(enters[:i + random.randrange(1, 3)]) if name == "MPI_Scan" else
                     enters[0] if name == "MPI_Bcast" else
                     own if name == "MPI_Reduce" and rank is not members[0] else max(enters))
            rank.now = max(own, until) + self.grain * random.randrange(1, 5)
            rank.add("met", name, part, 16 if self.may("mistakes", .05) else 8,
                     NO_ROOT if name not in ROOTED else int(self.may("mistakes", .05)))
            rank.go_on(2)
            rank.add("leave")

    def begin_and_wait(self):
        """In an operation of all that does not block."""
        name = random.choice((*ROOTED, "MPI_Scan"))
        begun = []
        for rank in self.ranks:
            rank.go_on(500)
            begun.append(rank.begin("reduce"))
            rank.go_on(90)
        times = [time for _, time in begun]
        for i, rank in enumerate(self.ranks):
            needed = (times[0] if name == "MPI_Bcast" else max(times[:i + 1])
                      if name == "MPI_Scan" else max(times) if i == 0 else 0)
            rank.add("enter", "MPI_Wait")
            rank.now = max(rank.now, needed, random.choice((0, *times)))
            rank.now += self.grain * random.randrange(1, 5)
            rank.add("ended", name, begun[i][0])
            rank.go_on(2)
            rank.add("leave")

    def enter_or_leave(self, rank, leave):
        if leave and rank.depth > 0 and random.random() < .6:
            rank.go_on(9)
            rank.add("leave")
            rank.depth -= 1
        elif not leave and rank.depth < 3 and random.random() < .4:
            rank.add("enter", random.choice(("step", "solve", "halo")))
            rank.depth += 1

    def step(self):
        for rank in self.ranks if self.has["regions"] else ():
            self.enter_or_leave(rank, False)
        self.exchange()
        if self.may("blocking", .4):
            self.send_up()
        if self.may("circles", .2):
            self.send_round()
        if self.may("collectives"):
            self.meet_in_part()
        if self.habit == "rooted" and random.random() < .8:
            self.meet(random.choice(ROOTED), "all", range(len(self.ranks)))
        if self.habit == "scanned" and random.random() < .8:
            self.meet("MPI_Scan", "all", range(len(self.ranks)))
        if self.habit == "begun" and random.random() < .8:
            self.begin_and_wait()
        for rank in self.ranks:
            self.enter_or_leave(rank, True)

    def end(self):
        for rank in self.ranks:
            for _ in range(rank.depth):
                rank.go_on(9)
                rank.add("leave")
            rank.go_on(30)
        return max(rank.now for rank in self.ranks) + 50


class Archive:
    """What is written, and what it is made of."""

    def __init__(self, archive, run):
        self.define = archive.definitions
        node = self.define.system_tree_node("one", class_name="node")
        _, self.threads, self.world = define_ranks(self.define, node, len(run.ranks))
        self.parts = {name: self.define.comm(name, define_group(
            self.define, [self.threads[i] for i in members]), parent=self.world)
                      for name, members in run.parts.items()}
        self.parts.setdefault("all", self.world)
        self.wildcards = self.define.attribute("mpiwatch.wildcards", "", otf2.Type.UINT8)
        self.found = [self.define.attribute("mpiwatch.found_" + name, "", of)
                      for name, of in (("comm", otf2.Type.COMM), ("source", otf2.Type.INT32),
                                       ("tag", otf2.Type.INT32))]
        self.regions = {}

    def region(self, name):
        if name not in self.regions:
            paradigm = Paradigm.MPI if name.startswith("MPI_") else Paradigm.USER
            self.regions[name] = self.define.region(name, paradigm=paradigm)
        return self.regions[name]

    def what_is_found(self, source=None):
        """By a probe: a message that was sent without a request."""
        return {} if source is None else {
            "attributes": dict(zip(self.found, (self.world, source, SENT_TAG)))}

    def write(self, writer, events):
        stack = []
        for time, (what, *told) in events:
            if what == "enter":
                stack.append(self.region(told[0]))
                writer.enter(time, stack[-1], **self.what_is_found(*told[1:]))
            elif what == "leave":
                writer.leave(time, stack.pop())
            else:
                self.tell(writer, time, what, told)

    def tell(self, writer, time, what, told):
        if what == "isend":
            peer, tag, size, request = told
            writer.mpi_isend(time, peer, self.world, tag, size, request)
        elif what == "isend_complete":
            writer.mpi_isend_complete(time, told[0])
        elif what == "irecv_post":
            wild, request = told
            writer.mpi_irecv_request(time, request,
                                     **({"attributes": {self.wildcards: 1}} if wild else {}))
        elif what == "irecv":
            request, peer, tag, size, _ = told
            writer.mpi_irecv(time, peer, self.world, tag, size, request)
        elif what == "send":
            writer.mpi_send(time, told[0], self.world, SENT_TAG, 8)
        elif what == "recv":
            writer.mpi_recv(time, told[0], self.world, SENT_TAG, 8)
        elif what == "reduce":
            writer.non_blocking_collective_request(time, told[0])
        elif what == "reduced":
            writer.non_blocking_collective_complete(time, CollectiveOp.ALLREDUCE,
                                                    self.parts[told[1]], NO_ROOT, 8, 8, told[0])
        elif what == "ended":
            name, request = told
            writer.non_blocking_collective_complete(time, MEANT[name], self.parts["all"],
                                                    0 if name in ROOTED else NO_ROOT, 8, 8, request)
        else:
            name, part, size, root = told
            writer.mpi_collective_begin(time)
            writer.mpi_collective_end(time, MEANT[name], self.parts[part], root, size, 8)


def shift(events, by):
    return [(time + by, what) for time, what in events]


def main(seed, steps, directory, habit=None):
    random.seed(0 if seed == "partners" else int(seed))
    run = Run(seed == "partners", habit)
    for _ in range(int(steps)):
        run.step()
    end = run.end()
    skews = [random.choice((0, 0, 3, 17, 150, 900)) if habit == "skewed" else 0 for _ in run.ranks]
    with otf2.writer.open(directory, timer_resolution=10**9) as opened:
        archive = Archive(opened, run)
        for thread, rank, skew in zip(archive.threads, run.ranks, skews):
            writer = opened.event_writer_from_location(thread)
            for events in ([(INIT, ("enter", "MPI_Init")), (INIT + 900, ("leave",))], rank.events,
                           [(end, ("enter", "MPI_Finalize")), (end + 50, ("leave",))]):
                archive.write(writer, shift(events, skew))


if __name__ == "__main__":
    main(*sys.argv[1:])
