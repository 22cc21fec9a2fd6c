"""Faults of planted.py in when ranks compute and receive, though all compute as long."""
from planted_run import ANY, Run, rounds


def moving(fault):
    """Each time another rank computes three times as long."""
    run = Run(4)

    def do(rank, number, each):
        rank.compute(300 if fault and number == each % 4 else 100)
        rank.meet(20, "MPI_Allreduce")
    rounds(run, 12, do)
    return run


def moving_and_longer(fault):
    """Of ten times rank 0 computes three times as long in six, and ranks 1 and 2 in two each:
    without the fault they do not."""
    run = Run(4)

    def do(rank, number, each):
        longer = (0, 1, 0, 2, 0, 1, 0, 2, 0, 0)[each]
        rank.compute(300 if number == longer and (fault or number == 0) else 100)
        rank.meet(26, "MPI_Allreduce")
    rounds(run, 10, do)
    return run


def moving_of_two(fault):
    """Of two ranks rank 1 computes four times as long in three of five steps, and rank 0 in the
    others; without the fault both compute 250 us."""
    run = Run(2)

    def do(rank, number, each):
        longer = 1 if each % 5 < 3 else 0
        rank.compute((400 if number == longer else 100) if fault else 250)
        rank.meet(16, "MPI_Allreduce")
    rounds(run, 20, do)
    return run


def longer_by_turns(fault):
    """Of four ranks now rank 2 and now rank 3 computes four times as long."""
    run = Run(4)

    def do(rank, number, each):
        rank.compute(400 if fault and number == 2 + each % 2 else 100)
        rank.meet(19, "MPI_Allreduce")
    rounds(run, 10, do)
    return run


def late_and_longer(fault):
    """Rank 2 of four computes 60 us before all meet, and the others 100 behind that, rank 1 160;
    without the fault rank 2 does so behind it, too."""
    run = Run(4)

    def do(rank, number, each):
        if fault and number == 2:
            rank.compute(60)
        rank.meet(17, "MPI_Allreduce")
        rank.compute((100, 160, 0 if fault else 60, 100)[number])
        rank.meet(18, "MPI_Barrier")
    rounds(run, 10, do)
    return run


def late_beside_longer(fault):
    """Rank 0 computes 60 us before it sends what rank 1 computes 100 with, and rank 2 100 before it
    sends in the same line what rank 3 computes 20 with; without the fault rank 0 sends first."""
    run = Run(4)

    def do(rank, number, each):
        before, behind = ((60 if fault else 0, 0 if fault else 60), (0, 100), (100, 0),
                          (0, 20))[number]
        rank.compute(before)
        if number % 2 == 0:
            rank.send(63, number + 1)
        else:
            rank.recv(64, number - 1)
        rank.compute(behind)
        rank.meet(65, "MPI_Barrier")
    rounds(run, 10, do)
    return run


def moving_and_lacking(fault):
    """Two ranks compute 200 us by turns, and 100 between, and rank 0 has no core for 300 us more;
    without the fault they always compute 150."""
    run = Run(2)

    def do(rank, number, each):
        rank.compute((200 if (each + number) % 2 else 100) if fault else 150)
        if number == 0 and each == 1:
            rank.compute(300)
            rank.sample(0, 300)
        rank.meet(24, "MPI_Allreduce")
    rounds(run, 20, do)
    return run


def moving_or_lacking(fault):
    """Each time another of four ranks takes 16 us longer than 100: it has no core for 6 of them,
    or, without the fault, for all."""
    run = Run(4)

    def do(rank, number, each):
        rank.compute(116 if number == each % 4 else 100)
        if number == each % 4:
            rank.sample(0, 6 if fault else 16)
        rank.meet(27, "MPI_Allreduce")
    rounds(run, 20, do)
    return run


def longer_and_lacking(fault):
    """Rank 0 computes three times as long as three others, ten times, and has no core for 200 us
    more, once; without the fault for 1,200."""
    run = Run(4)

    def do(rank, number, each):
        lack = (200 if fault else 1200) * (number == 0 and each == 4)
        rank.compute((300 if number == 0 else 100) + lack)
        if lack:
            rank.sample(0, lack)
        rank.meet(28, "MPI_Allreduce")
    rounds(run, 10, do)
    return run


def many_lacking(fault):
    """Eight of 80 ranks compute 300 us more, once; rank 40 has no core for 200."""
    run = Run(80)

    def do(rank, number, each):
        rank.compute(400 if each == 3 and 30 <= number < 38 else 100)
        if fault and each == 5 and number == 40:
            rank.compute(200)
            rank.sample(0, 200)
        rank.meet(25, "MPI_Allreduce")
    rounds(run, 10, do)
    return run


def moving_with_messages(fault):
    """Each time another rank computes three times as long, before ranks send round and all meet."""
    run = Run(4)

    def do(rank, number, each):
        rank.compute(300 if fault and number == each % 4 else 100)
        rank.send(21, (number + 1) % 4)
        rank.recv(22, (number + 3) % 4)
        rank.meet(23, "MPI_Allreduce")
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


def by_turns(fault, own=0, server=100):
    """Rank 1 asks rank 0, which computes, for an answer, and waits for it, 10 times; it computes
    for `own` us before it asks. Without the fault both compute before they tell each other."""
    run = Run(2)
    for each in range(10):
        run.ranks[1].compute(own)
        run.ranks[1].send(66, 0)
        run.ranks[1].recv(67, 0)
        if fault:
            run.ranks[0].recv(68, 1)
            run.ranks[0].compute(server)
        else:
            run.ranks[0].compute(server)
            run.ranks[0].recv(68, 1)
        run.ranks[0].send(69, 1)
    return run


def sweep(pieces, ranks=4, meet_each=1):
    """Ranks compute 200 us, in pieces, one behind the other as these come, now from the first rank
    on, now from the last; then all meet, or each meet_each times. Without the fault each hands a
    piece on before that."""
    def of(fault):
        run = Run(ranks)
        for each in range(10):
            step = 1 if each % 2 == 0 else -1
            for rank in run.ranks[::step]:
                for piece in range(pieces):
                    if 0 <= rank.number - step < ranks:
                        rank.recv(36, rank.number - step)
                    if fault:
                        rank.compute(200 / pieces)
                    if 0 <= rank.number + step < ranks:
                        rank.send(37, rank.number + step)
                    if not fault:
                        rank.compute(200 / pieces)
                if each % meet_each == meet_each - 1:
                    rank.meet(38, "MPI_Allreduce")
        return run
    return of


def moving_in_ring(longer):
    """Each time another of four ranks computes longer than 100 us before all send what they have
    to both neighbours of a ring, and receive what these have."""
    def of(fault):
        run = Run(4)

        def do(rank, number, each):
            rank.compute(100 + longer if fault and number == each % 4 else 100)
            for to in ((number + 1) % 4, (number - 1) % 4):
                rank.send(31, to)
        for each in range(40):
            for rank in run.ranks:
                do(rank, rank.number, each)
            for rank in run.ranks:
                for source in ((rank.number + 1) % 4, (rank.number - 1) % 4):
                    rank.recv(32, source)
        return run
    return of


def mesh(sides, line, writes):
    """Of ranks in a mesh of two along each side each computes 100 us when those before it along the
    sides have, whose messages it receives in as many lines behind line; then all meet. Without the
    fault each hands on before that. Before all of it each writes for so long, if that is not 0."""
    def of(fault):
        run = Run(2 ** len(sides))

        def do(rank, number, each):
            if writes:
                rank.call(40, "MPI_File_write_at", writes)
            for side in sides:
                if number & side:
                    rank.recv(line + side, number - side)
            if fault:
                rank.compute(100)
            for side in sides:
                if not number & side:
                    rank.send(29, number + side)
            if not fault:
                rank.compute(100)
            rank.meet(39, "MPI_Allreduce")
        rounds(run, 10, do)
        return run
    return of


def any_order(between):
    """What rank 1 sends is there after 300 us, and what rank 2 sends 200 us later before it; rank 0
    receives from rank 2 first, or from whoever comes, and computes in between."""
    def of(fault):
        run = Run(3)
        run.ranks[1].travels = 300
        for each in range(10):
            run.ranks[1].send(93, 0)
            run.ranks[2].compute(200)
            run.ranks[2].send(93, 0)
            run.ranks[0].recv(94, 2 if fault else ANY)
            run.ranks[0].compute(between)
            run.ranks[0].recv(94, 1 if fault else ANY)
            for rank in run.ranks:
                rank.meet(95, "MPI_Barrier")
        return run
    return of


CHAINS = {
    "moving": moving, "moving_and_longer": moving_and_longer,
    "moving_of_two": moving_of_two, "longer_by_turns": longer_by_turns,
    "late_and_longer": late_and_longer,
    "late_beside_longer": late_beside_longer, "moving_and_lacking": moving_and_lacking,
    "moving_or_lacking": moving_or_lacking, "longer_and_lacking": longer_and_lacking,
    "many_lacking": many_lacking, "moving_with_messages": moving_with_messages, "chain": chain,
    "by_turns": by_turns, "by_turns_with_own": lambda fault: by_turns(fault, 20),
    "sweep": sweep(4), "seldom_met": sweep(4, 3, 10),
    "moving_in_ring": moving_in_ring(200), "hardly_moving_in_ring": moving_in_ring(40),
    "grid": mesh((1, 2), 26, 0), "serial_sweep": sweep(1),
    "any_order": any_order(100),
    "no_order": any_order(0), "cube_and_files": mesh((1, 2, 4, 8), 10020, 600),
}
