"""Those of the runs of planted.py whose fault is in messages that are begun and completed apart."""
from planted_run import LARGE, Run, rounds


def hidden(size, inside=1, behind=None):
    """Rank 1 computes three times as long as rank 0 between beginning to exchange messages and
    completing that, which all but the smallest need both ranks for; without the fault as long.
    Behind computing it makes another call, or an operation by itself alone."""
    def planted(fault):
        run = Run(2)

        def do(rank, number, each):
            rank.isend(190, 1 - number, size)
            rank.irecv(191, 1 - number)
            rank.compute(300 if fault and number == 1 else 100)
            if behind == "alone":
                rank.alone(225)
            elif behind:
                rank.call(225, behind, 1)
            rank.wait(192, inside)
        rounds(run, 10, do)
        return run
    return planted


def asks(work):
    """Rank 1 computes 300 us, two others 100, before MPI_Iallreduce; all ask by MPI_Test whether it
    is complete, and do nothing in between, or so many us of work."""
    def planted(fault):
        run = Run(3)

        def do(rank, number, each):
            rank.compute(300 if number == 1 and fault else 100)
            rank.operate(228)
            rank.ask(229, work)
        rounds(run, 10, do)
        return run
    return planted


def hidden_operation(by_itself=False, inside=1):
    """The same of three ranks behind an MPI_Iallreduce, which goes on while all are in calls, or by
    itself."""
    def planted(fault):
        run = Run(3)

        def do(rank, number, each):
            rank.operate(226)
            rank.compute(300 if fault and number == 1 else 100)
            rank.complete(227, by_itself, inside)
        rounds(run, 10, do)
        return run
    return planted


def row_of_waits(size, unpack=0):
    """Each of three ranks exchanges messages with both others, which rank 1 begins to complete 200
    us later; without the fault at once. Each is completed by an MPI_Wait of its own, behind which a
    rank may do something with it."""
    def planted(fault):
        run = Run(3)

        def do(rank, number, each):
            others = (number + 1) % 3, (number + 2) % 3
            for other in others:
                rank.isend(228, other, size)
            for other in others:
                rank.irecv(229, other)
            rank.compute(300 if fault and number == 1 else 100)
            rank.wait_each(230, unpack)
        rounds(run, 10, do)
        return run
    return planted


def posts_behind(count, listens=False):
    """Rank 1 posts a receive only when it has computed for 200 us, for which rank 0 waits in what
    completes the send; without the fault it posts first. So count times. If rank 0 listens, it has
    another receive open all the time, and computes for 100 us before the first send, so that what
    completes that is behind its longest time outside of MPI."""
    def planted(fault):
        run = Run(2)
        if listens:
            run.ranks[0].listen(234)
            run.ranks[0].compute(100)

        def do(rank, number, each):
            if number == 0:
                rank.isend(231, 1, LARGE)
            elif fault:
                rank.compute(200)
                rank.irecv(232, 0)
            else:
                rank.irecv(232, 0)
                rank.compute(200)
            rank.wait(233)
        rounds(run, count, do)
        return run
    return planted


def one_hides(fault):
    """Rank 1 sends to rank 0, and computes three times as long as it between beginning and
    completing that; without the fault rank 0 does."""
    run = Run(2)

    def do(rank, number, each):
        if number == 1:
            rank.isend(190, 0, LARGE)
        else:
            rank.irecv(191, 1)
        rank.compute(300 if number == int(fault) else 100)
        rank.wait(192)
    rounds(run, 10, do)
    return run


def in_turns(fault):
    """Two ranks exchange messages, before which one computes for long, now the one, now the other;
    without the fault they are so large that a send waits for its receive."""
    run = Run(2)

    def do(rank, number, each):
        rank.compute(190 if (each + number) % 2 else 10)
        rank.isend(194, 1 - number, 8 if fault else LARGE)
        rank.irecv(195, 1 - number)
        rank.wait(196)
    rounds(run, 20, do)
    return run


def ever_longer(fault):
    """Ranks 1 to 3 compute 100, 200 and 300 us before they send to rank 0, which takes them in that
    order and computes nothing; without the fault 200 each."""
    run = Run(4)

    def do(rank, number, each):
        if number == 0:
            for source in 1, 2, 3:
                rank.recv(199, source)
        else:
            rank.compute(100 * number if fault else 200)
            rank.send(198, 0)
        rank.meet(193, "MPI_Barrier")
    rounds(run, 10, do)
    return run


def last_receiver(fault):
    """Rank 1 completes a message from rank 0, late by 20 us, and one to rank 2, which computes for
    300 us before it posts the receive; without the fault that one is too small to wait for it."""
    run = Run(3)

    def do(rank, number, each):
        if number == 0:
            rank.compute(20)
            rank.send(197, 1)
        elif number == 1:
            rank.isend(198, 2, 2000 if fault else 8)
            rank.irecv(199, 0)
            rank.wait(200)
        else:
            rank.compute(300)
            rank.irecv(201, 1)
            rank.wait(202)
            rank.compute(10)
        rank.meet(203, "MPI_Barrier")
    rounds(run, 10, do)
    return run


def begun_late(completes="MPI_Waitall", size=LARGE):
    """Rank 0 completes a message that rank 1 begins after 50 us, and completes after 250 more, for
    which all but small ones wait; without the fault it is small."""
    def planted(fault):
        run = Run(2)

        def do(rank, number, each):
            if number == 0:
                rank.irecv(204, 1)
                rank.wait(206)
            else:
                rank.compute(50)
                rank.isend(205, 0, size if fault else 8)
                rank.compute(250)
                rank.wait(206, name=completes)
        rounds(run, 10, do)
        return run
    return planted


def held_sends(fault):
    """Each rank of a line computes 20 us, sends a large message to the next one, computes 50 and
    receives what was sent to it; without the fault by MPI_Irecv before all that."""
    run = Run(4)

    def do(rank, number, each):
        if not fault and number > 0:
            rank.irecv(220, number - 1)
        rank.compute(20)
        if number < 3:
            rank.send(221, number + 1, LARGE)
        rank.compute(50)
        if number > 0:
            rank.recv(222, number - 1) if fault else rank.wait(222)
        rank.meet(223, "MPI_Barrier")
    rounds(run, 20, do)
    return run


def held_sends_uneven(fault):
    """Two ranks send a large message in turn: who does computes 50 us before and 200 behind that,
    and who receives it 250 before; rank 1 80, 320 and 400."""
    run = Run(2)

    def do(rank, number, each):
        before, behind = (80, 320) if number and fault else (50, 200)
        if number == each % 2:
            rank.compute(before)
            rank.send(291, 1 - number, LARGE)
            rank.compute(behind)
        else:
            rank.compute(before + behind)
            rank.recv(292, 1 - number)
    rounds(run, 20, do)
    return run


def held_sends_on_cores(fault):
    """The same, where each rank has no core for 1,000 us of the 1,400 that it computes, or 100."""
    run = held_sends(True)
    for rank in run.ranks:
        rank.sample(0, 1000 if fault else 100)
    return run


def moving_receiver(fault):
    """Two ranks send a large message in turn, and who receives it computes 100 us longer before
    that, as who sends it does without the fault."""
    run = Run(2)

    def do(rank, number, each):
        sends = number == each % 2
        rank.compute(20 if fault == sends else 120)
        if sends:
            rank.send(224, 1 - number, LARGE)
        else:
            rank.recv(225, 1 - number)
        rank.meet(226, "MPI_Barrier")
    rounds(run, 20, do)
    return run


def slow_first(fault):
    """Rank 0 of four begins with what comes last, from rank 1, and computes 20 us for each message
    before all meet; without the fault rank 1 comes there later than it."""
    run = Run(4)

    def do(rank, number, each):
        if number == 0:
            for source in (1, 2, 3):
                rank.recv(193, source)
                rank.compute(20)
        else:
            rank.compute(90 if number == 1 else 30)
            rank.send(194, 0)
            rank.compute(100 if number == 1 and not fault else 0)
        rank.meet(197, "MPI_Barrier")
    rounds(run, 20, do)
    return run


def wavefront(fault):
    """Each of eight ranks computes 100 us for the message of the one before it, and all meet at
    the end; without the fault 20 times, as a pipeline."""
    run = Run(8)

    def do(rank, number, each):
        if number > 0:
            rank.recv(207, number - 1)
        rank.compute(100)
        if number < 7:
            rank.send(208, number + 1)
    rounds(run, 1 if fault else 20, do)
    for rank in run.ranks:
        rank.meet(209, "MPI_Allreduce", inside=1)
    return run


def wavefront_2d(fault):
    """The same of 6 times 6 ranks, each of which needs those to its left and above; without the
    fault none needs another."""
    run = Run(36)
    for rank in run.ranks:
        column, row = rank.number % 6, rank.number // 6
        if fault and column > 0:
            rank.recv(221, rank.number - 1)
        if fault and row > 0:
            rank.recv(222, rank.number - 6)
        rank.compute(100)
        if fault and column < 5:
            rank.send(223, rank.number + 1)
        if fault and row < 5:
            rank.send(223, rank.number + 6)
        rank.meet(224, "MPI_Allreduce", inside=1)
    return run


def ring(fault):
    """Four ranks exchange messages with both neighbours, and wait for all; each time another rank
    computes for 300 us, the others for 100, as all do without the fault."""
    run = Run(4)

    def do(rank, number, each):
        rank.compute(300 if fault and number == each % 4 else 100)
        for to in (number + 1, number - 1):
            rank.isend(210, to % 4, tag=(to - number) % 4)
        for source in (number + 1, number - 1):
            rank.irecv(211, source % 4, tag=(number - source) % 4)
        rank.wait(212)
    rounds(run, 20, do)
    return run


def longest_first(fault):
    """Rank 0 receives from rank 1, which computes for 300 us, and then from rank 2, which does for
    100; without the fault both do."""
    run = Run(3)

    def do(rank, number, each):
        if number == 0:
            for source in 1, 2:
                rank.recv(218, source)
                rank.compute(5)
        else:
            rank.compute(300 if fault and number == 1 else 100)
            rank.send(219, 0)
        rank.meet(220, "MPI_Barrier")
    rounds(run, 10, do)
    return run


def aside(fault):
    """Rank 0 waits for rank 1, which computes for 110 us, while rank 3 computes 60 for what rank 2
    has computed 60 for, before an MPI_Alltoall of 25; without the fault rank 1 does for 250."""
    run = Run(4)

    def do(rank, number, each):
        if number % 2 == 0:
            rank.compute(60 if number else 10)
        if number == 1:
            rank.compute(110 if fault else 250)
            rank.send(213, 0)
        elif number == 0:
            rank.recv(214, 1)
        elif number == 2:
            rank.send(215, 3)
        else:
            rank.recv(216, 2)
            rank.compute(60)
        rank.meet(217, "MPI_Alltoall", size=8000, inside=25)
    rounds(run, 20, do)
    return run


def beside_operation(messages, operation, other_messages, other_operation):
    """Two ranks send each other 20,000 bytes, which takes so many us in MPI_Wait, and reduce, which
    takes so many in another one; without the fault the others."""
    def planted(fault):
        run = Run(2)

        def do(rank, number, each):
            rank.isend(160, 1 - number, 20000)
            rank.irecv(161, 1 - number)
            rank.operate(244)
            rank.compute(100)
            rank.wait(245, messages if fault else other_messages, "MPI_Wait")
            rank.complete(246, inside=operation if fault else other_operation)
        rounds(run, 10, do)
        return run
    return planted


def tiny_behind(work):
    """Rank 0 computes so many us, if any, before each of 2,000 messages of 8 bytes, 1 us each, that
    rank 1 waits for; without the fault it gets an answer to each."""
    def planted(fault):
        run = Run(2)
        for each in range(2000):
            if work:
                run.ranks[0].compute(work)
            run.ranks[0].send(80, 1)
            run.ranks[1].recv(81, 0)
            if not fault:
                run.ranks[1].send(82, 0)
                run.ranks[0].recv(83, 1)
        return run
    return planted


def tiny_beside_operation(fault):
    """Rank 0 sends rank 1 2,000 messages of 8 bytes, 1 us each, and then both reduce, which takes
    1 ms in MPI_Wait; without the fault a second."""
    run = Run(2)
    for each in range(2000):
        run.ranks[0].send(80, 1)
        run.ranks[1].recv(81, 0)
    for rank in run.ranks:
        rank.operate(244)
        rank.complete(246, inside=1000 if fault else 1000000)
    return run


def messages_among(short, long, inside):
    """In each of 100 rounds rank 0 computes for 20 us, sends rank 1 twenty short messages for 1 us
    each and a long one for so many; that receives them for 1, 1 and 2. Without the fault rank 0
    computes for 2000."""
    def planted(fault):
        run = Run(2)

        def do(rank, number, each):
            rank.compute(20 if fault or number == 1 else 2000)
            for _ in range(20):
                if number == 0:
                    rank.send(270, 1, short)
                else:
                    rank.recv(271, 0)
            if number == 0:
                rank.send(272, 1, long, inside=inside, name="MPI_Ssend")
            else:
                rank.irecv(273, 0)
                rank.wait(274)
        rounds(run, 100, do)
        return run
    return planted


AMONG = {
    "among_costly": messages_among(300, 60000, 60), "among_cheap": messages_among(300, 200000, 10),
    "among_tiny": messages_among(8, 60000, 60),
}


def small_messages(count, size=2000):
    """Each of two ranks sends the other so many messages of 2,000 bytes, or another size, of which
    each takes 5 us beside 10 of computing; without the fault beside 100."""
    def planted(fault):
        run = Run(2)

        def do(rank, number, each):
            rank.isend(85, 1 - number, size)
            rank.irecv(86, 1 - number)
            rank.compute(10 if fault else 100)
            rank.wait(87, 3)
        rounds(run, count, do)
        return run
    return planted


def small_on_cores(fault):
    """Small messages, where the ranks have no core for two fifths of their calls; without the fault
    for three."""
    run = small_messages(500)(True)
    for rank in run.ranks:
        rank.sample(1000 if fault else 1500)
    return run
