#!/usr/bin/python3
"""Makes the archive of a run, at random, whose ranks send and receive without requests.

    random_rests.py SEED STEPS DIRECTORY [more]

A master gives work to others, or ranks pass messages on in lines, or any rank sends to any other
one; all may meet before that and behind it. Each rank's times are those of a program: a receive
ends behind the beginning of its send, and some sends wait for their receives. Some messages lie
there for long before they are received. With "more" ranks poll before they receive, and MPI calls
functions of the program; the records of some runs begin behind MPI_Init, and one rank of these has
only MPI_Finalize.
"""
import heapq
import random
import sys

sys.dont_write_bytecode = True

import otf2

from random_lulls import Archive, NO_ROOT

INIT = 1000  # ns


class Rank:
    """What a rank has done so far: (time, arguments of the writer)."""

    def __init__(self, number):
        self.number = number
        self.events, self.depth = [], 0
        self.now = INIT + 900 + random.randrange(50)

    def add(self, *what):
        self.events.append((self.now, what))


class Run:
    def __init__(self, has_more):
        self.has_more = has_more
        self.grain = random.choice((1, 1, 10))
        self.has = {name: random.random() < .5
                    for name in ("regions", "waiting", "slow", "meetings")}
        self.ranks = [Rank(i) for i in range(random.choice((2, 3, 4, 6, 9)))]
        self.parts = {"all": list(range(len(self.ranks)))}
        self.sent = {}     # by from, to: when each message was
        self.waiting = {}  # by from, to: who waits for one
        self.awaited = {}  # by from, to: who waits for it to be received

    def span(self, most):
        return self.grain * random.randrange(1, most // self.grain + 2)

    def passes_on(self, rank, steps):
        """What a rank of a line does: ("compute", ns), ("send", to), ("receive", from)."""
        last = len(self.ranks) - 1
        for step in range(steps):
            if rank > 0:
                yield "receive", rank - 1
            yield "compute", self.span(random.choice((200, 2000)))
            if rank < last:
                yield "send", rank + 1
            if self.has["slow"] and step % 7 == 6:
                yield "compute", self.span(20000)

    def plan(self, steps):
        """What each rank does, in an order in which all can be sent and received."""
        kind = random.choice(("master", "line", "any"))
        plans = [[] for _ in self.ranks]
        if kind == "line":
            return [list(self.passes_on(rank.number, steps)) for rank in self.ranks]
        self.has["waiting"] = False  # or they would wait for each other
        late = []
        for _ in range(steps * len(self.ranks)):
            one, other = random.sample(range(len(self.ranks)), 2)
            if kind == "master":
                one, other = random.choice(((0, other or 1), (one or 1, 0)))
            plans[one] += [("compute", self.span(random.choice((100, 3000)))), ("send", other)]
            late.append((one, other))
            while late and random.random() < .6:
                sender, receiver = late.pop(0)
                plans[receiver] += [("compute", self.span(500)), ("receive", sender)]
        for sender, receiver in late:
            plans[receiver].append(("receive", sender))
        return plans

    def call_back(self, rank):
        if self.has_more and random.random() < .4:
            rank.add("enter", "callback")
            rank.now += self.grain * random.randrange(7)
            rank.add("leave")

    def poll(self, rank, sender):
        """A row of polls, of which the last one finds a message that is there."""
        for _ in range(random.randrange(1, 4)):
            rank.add("enter", "MPI_Iprobe")
            rank.now += self.span(300)
            rank.add("leave")
            rank.now += self.span(30)
        if self.sent.get((sender, rank.number)):
            rank.add("enter", "MPI_Iprobe", sender)
            rank.now = max(rank.now, self.sent[sender, rank.number][0]) + self.span(300)
            rank.add("leave")
            rank.now += self.span(2000)

    def region(self, rank):
        if not self.has["regions"]:
            return
        if rank.depth > 0 and random.random() < .3:
            rank.now += self.span(9)
            rank.add("leave")
            rank.depth -= 1
        elif rank.depth < 3 and random.random() < .2:
            rank.now += self.span(9)
            rank.add("enter", random.choice(("step", "solve")))
            rank.depth += 1

    def send(self, rank, to):
        """True: it goes on by itself."""
        channel = (rank.number, to)
        rank.add("enter", "MPI_Send")
        self.sent.setdefault(channel, []).append(rank.now)
        rank.add("send", to)
        self.call_back(rank)
        if channel in self.waiting:
            self.wake(self.waiting.pop(channel))
            self.end_receive(self.ranks[to], rank.number)
        elif self.has["waiting"] and random.random() < .2:
            self.awaited[channel] = rank
            return False
        rank.now += self.span(9)
        rank.add("leave")
        return True

    def end_receive(self, rank, sender):
        channel = (sender, rank.number)
        rank.now = max(rank.now, self.sent[channel].pop(0)) + self.span(5)
        rank.add("recv", sender)
        self.call_back(rank)
        rank.now += self.span(3)
        rank.add("leave")

    def receive(self, rank, sender):
        channel = (sender, rank.number)
        if self.has_more and random.random() < .4:
            self.poll(rank, sender)
        rank.add("enter", "MPI_Recv")
        if not self.sent.get(channel):
            self.waiting[channel] = rank
            return False
        posted = rank.now
        self.end_receive(rank, sender)
        if channel in self.awaited and not self.sent[channel]:
            other = self.awaited.pop(channel)
            other.now = max(other.now, posted) + self.span(5)
            other.add("leave")
            self.wake(other)
        return True

    def wake(self, rank):
        heapq.heappush(self.ready, (rank.now, rank.number))

    def meet(self):
        for rank in self.ranks:
            rank.now += self.span(90)
            rank.add("enter", "MPI_Barrier")
        last = max(rank.now for rank in self.ranks)
        for rank in self.ranks:
            rank.now = last + self.span(9)
            rank.add("met", "MPI_Barrier", "all", 0, NO_ROOT)
            rank.add("leave")

    def follow(self, steps):
        plans = self.plan(steps)
        if self.has["meetings"]:
            self.meet()
        self.ready = [(rank.now, rank.number) for rank in self.ranks]
        heapq.heapify(self.ready)
        while self.ready:
            _, number = heapq.heappop(self.ready)
            rank = self.ranks[number]
            if not plans[number]:
                continue
            self.region(rank)
            what, value = plans[number].pop(0)
            if what == "compute":
                rank.now += value
                goes_on = True
            else:
                rank.now += self.span(9)
                goes_on = getattr(self, what)(rank, value)
            if goes_on:
                self.wake(rank)
        assert not any(plans), "they wait for each other"
        if self.has["meetings"]:
            self.meet()

    def end(self):
        for rank in self.ranks:
            for _ in range(rank.depth):
                rank.now += self.span(9)
                rank.add("leave")
            rank.now += 30
        return max(rank.now for rank in self.ranks) + 50


def main(seed, steps, directory, more=None):
    random.seed(int(seed))
    run = Run(more is not None)
    run.follow(int(steps))
    end = run.end()
    has_init = not more or random.random() < .7
    if not has_init:
        run.ranks.append(Rank(len(run.ranks)))
    with otf2.writer.open(directory, timer_resolution=10**9) as opened:
        archive = Archive(opened, run)
        for thread, rank in zip(archive.threads, run.ranks):
            writer = opened.event_writer_from_location(thread)
            if has_init:
                archive.write(writer, [(INIT, ("enter", "MPI_Init")), (INIT + 900, ("leave",))])
            archive.write(writer, rank.events)
            archive.write(writer, [(end, ("enter", "MPI_Finalize")), (end + 50, ("leave",))])


if __name__ == "__main__":
    main(*sys.argv[1:])
