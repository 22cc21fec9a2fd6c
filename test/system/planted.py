"""Writes an OTF2 archive, with python3-otf2, of a run with one planted fault:

    planted.py DIRECTORY [FAULT]

FAULT_not is the same without the fault. All of these are in DIRECTORY if none is named. How long
what takes: planted_run.py."""
import os
import sys

sys.dont_write_bytecode = True  # the sources stay as they are

from planted_chains import CHAINS
from planted_exchanges import (AMONG, aside, asks, begun_late, beside_operation, ever_longer,
                               held_sends, held_sends_on_cores, held_sends_uneven, hidden,
                               hidden_operation, in_turns, last_receiver, longest_first,
                               moving_receiver, one_hides, posts_behind, ring, row_of_waits,
                               slow_first, small_messages, small_on_cores, tiny_behind,
                               tiny_beside_operation, wavefront, wavefront_2d)
from planted_files import FILES
from planted_operations import (alltoall, one_sends, ends_late, little_uneven, allreduce, barrier,
                                never_left, two_lines, on_cores, overlap, four_lines, neighbors,
                                tiny_bcast, root_waits, next_last, reduce_bcast, serial_root,
                                last_piece, gather_bcast, other_size, other_comm, worker_of_root,
                                barrier_of_window, barriers)
from planted_places import PLACES
from planted_polls import POLLS
from planted_run import ANY, LARGE, Run, rounds
from planted_samples import SAMPLES
from planted_windows import WINDOWS


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


def packs(fault):
    """Rank 0 is in MPI_Pack before it sends what the other waits for in MPI_Recv; or in MPI_Wait,
    once or always."""
    run = Run(2)
    for each in range(10):
        run.ranks[0].call(43, "MPI_Pack", 100)
        run.ranks[0].send(44, 1)
        if fault and each > 0:
            run.ranks[1].recv(48, 0)
        else:
            run.ranks[1].irecv(48, 0)
            run.ranks[1].wait(49)
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


def slightly_uneven(us):
    """Rank 1 computes so long to rank 0's 100 us before it posts the receive that rank 0 waits
    for."""
    def make(fault):
        run = Run(2)
        for each in range(10):
            run.ranks[0].compute(100)
            run.ranks[0].send(45, 1, LARGE)
            run.ranks[1].compute(us if fault else 101)
            run.ranks[1].irecv(46, 0)
            run.ranks[1].wait(47)
        return run
    return make


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


def late_collective(us):
    """Rank 2 computes so long before a broadcast of its own, the others 100 us behind it."""
    def planted(fault):
        run = Run(4)

        def do(rank, number, each):
            if fault and number == 2:
                rank.compute(us)
            rank.meet(60, "MPI_Bcast", 2)
            if not fault or number != 2:
                rank.compute(100)
            rank.meet(61, "MPI_Barrier")
        rounds(run, 10, do)
        return run
    return planted


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


def one_worker(fault):
    """Rank 0 does 1 us for each of 20 pieces that rank 1 asks for and computes 100 us; or it
    computes 50 us meanwhile, and they tell each other."""
    run = Run(2)
    boss, worker = run.ranks
    for each in range(20):
        worker.send(210, 0, tag=1)
        worker.recv(211, 0, tag=2)
        worker.compute(100)
        if fault:
            boss.recv(212, ANY, tag=1)
            boss.compute(1)
            boss.send(213, 1, tag=2)
        else:
            boss.send(214, 1, tag=2)
            boss.compute(50)
            boss.recv(212, ANY, tag=1)
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


tiny = tiny_behind(0)


def tiny_on_cores(fault):
    """The same, where the ranks have no core for a tenth of their calls; without the fault all."""
    run = tiny(True)
    for rank in run.ranks:
        rank.sample(200 if fault else 1990)
    return run


def messages(fault):
    """Two ranks send each other 2,000 bytes, or 20,000, which takes 20 of 122 us of each round."""
    run = Run(2)

    def do(rank, number, each):
        rank.isend(160, 1 - number, 20000 if fault else 2000)
        rank.irecv(161, 1 - number)
        rank.compute(100)
        rank.wait(162, 20)
    rounds(run, 10, do)
    return run


def messages_on_cores(fault):
    """The same, where each rank has no core for 70 us of its calls."""
    run = messages(fault)
    for rank in run.ranks:
        rank.sample(70)
    return run


def lost_comm(fault):
    """Two calls of 10 us, before which the communicator ends outside of all calls."""
    run = Run(1)
    rounds(run, 2, lambda rank, number, each: (rank.lose_comm(),
                                               rank.call(165, "MPI_Type_commit", 10)))
    return run


def disordered(receive):
    """Rank 1 sends 10 messages of as many tags, 20 us apart; rank 0 receives them as receive(rank,
    each) says."""
    run = Run(2)
    for each in range(10):
        for tag in range(10):
            run.ranks[1].compute(20)
            run.ranks[1].send(90, 0, tag=tag)
        for tag in range(10):
            receive(run.ranks[0], tag)
            run.ranks[0].compute(20)
        for rank in run.ranks:
            rank.meet(92, "MPI_Barrier")
    return run


def wrong_order(fault):
    """It begins with the last."""
    return disordered(lambda rank, each: rank.recv(91, 1, tag=9 - each if fault else each))


def wrong_waits(fault):
    """The same by MPI_Irecv and MPI_Wait; without the fault by MPI_Waitany, which takes what comes
    first, and may still get a late one before one that was sent earlier."""
    return disordered(lambda rank, each: (
        rank.irecv(91, 1, tag=9 - each),
        rank.wait(93, name="MPI_Wait" if fault else "MPI_Waitany")))


def circle(fault):
    """Each rank of a ring sends to the next one before it receives; without the fault rank 3
    receives first."""
    run = Run(4)

    def do(rank, number, each):
        rank.compute(100)
        if fault or number < 3:
            rank.send(195, (number + 1) % 4)
        rank.recv(196, (number + 3) % 4)
        if not fault and number == 3:
            rank.send(195, 0)
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


def joins(fault, late=False):
    """Main threads sleep for 900 of 1,000 us before MPI_Finalize, while another thread of each
    rank is in MPI for 440 us; or for 460. If late, they meet before that once more."""
    run = Run(2)
    for rank in run.ranks:
        rank.compute(1000)
        rank.sample(0, 0, 900)
        rank.thread = 440 if fault else 460
        rank.thread_calls = "MPI_Recv"
        if late:
            rank.meet(119, "MPI_Barrier")
    return run


def polls(name, line):
    """Rank 0 makes a call 2,000 times for 1 us, and computes as long; or 20 times."""
    def planted(fault):
        run = Run(2)
        for each in range(2000 if fault else 20):
            run.ranks[0].call(line, name, 1)
            run.ranks[0].compute(1)
        run.ranks[0].compute(0 if fault else 3960)
        run.ranks[1].compute(4000)
        for rank in run.ranks:
            rank.meet(111, "MPI_Barrier")
        return run
    return planted


def progress(size):
    """Of two ranks rank 0 sends a message of some bytes, and looks 2,000 times for 10 us each
    whether it is gone, beside 10 of computing; or for 1 us each."""
    def planted(fault):
        run = Run(2)
        run.ranks[0].send(119, 1, size)
        run.ranks[1].recv(119, 0)
        for each in range(2000):
            run.ranks[0].call(119, "MPI_Test", 10 if fault else 1)
            run.ranks[0].compute(10)
        run.ranks[1].compute(40000)
        for rank in run.ranks:
            rank.meet(111, "MPI_Barrier")
        return run
    return planted


def polling_on_cores(fault, lacked=400, outside=0):
    """The same, where rank 0 has no core for 400 us of 2,000 in them; or for 1,800. With outside
    rank 1 has none for so long."""
    run = Run(2)
    for each in range(2000):
        run.ranks[0].call(113, "MPI_Test", 1)
        run.ranks[0].compute(1)
    run.ranks[0].sample(lacked if fault else 1800)
    run.ranks[1].compute(4000)
    run.ranks[1].sample(0, outside)
    for rank in run.ranks:
        rank.meet(114, "MPI_Barrier")
    return run


def asleep_polling(fault, lacked=0, looks=20, places=1):
    """Rank 1 sleeps 90 us of 100 before each of 20 MPI_Iprobe, of which two find a message; or all
    do: it sleeps for another reason. Then it lacks a core for so many us before MPI_Barrier. They
    are on as many lines, one after the other."""
    run = Run(2)
    for each in range(looks):
        run.ranks[0].compute(100)
        run.ranks[0].sample(0)
        run.ranks[1].compute(100)
        run.ranks[1].sample(0, 0, 90)
        run.ranks[1].call(115 if each % places == 0 else 129 + each % places, "MPI_Iprobe", 1)
        if not fault or each % 10 == 9:
            run.ranks[0].send(116, 1)
            run.ranks[1].recv(117, 0)
    if lacked:
        run.ranks[1].compute(lacked)
        run.ranks[1].sample(0, lacked)
        for rank in run.ranks:
            rank.meet(118, "MPI_Barrier")
    return run


def late_by_clock(fault):
    """late_sender, where the clock of rank 0, which is 100 us late, is 80 us fast; or 5."""
    run = late_sender(True)
    run.ranks[0].shift = 80000 if fault else 5000
    return run


def remade(line, made, freed, no_core=0, files_differ=False):
    """Each of 20 rounds makes one and frees it; without the fault all are freed at the end. Of the
    400 us that it takes each rank has no core for some. Files are one, or all others."""
    def planted(fault):
        run = Run(4)
        run.files_differ = files_differ

        def do(rank, number, each):
            rank.compute(80)
            rank.meet(line, made, inside=15)
            if fault:
                rank.compute(20)
                rank.meet(line + 1, freed, inside=5)
        rounds(run, 20, do)
        rounds(run, 0 if fault else 20, lambda rank, number, each:
               rank.meet(line + 1, freed, inside=5))
        if no_core:
            for rank in run.ranks:
                rank.sample(no_core)
        return run
    return planted


def one_by_one(lock, access, end):
    """Rank 0 makes 1,000 accesses to a window, each followed by end, or each tenth, and behind
    lock, if there is one: (name, us) in lines from 130 on, or 133."""
    def planted(fault):
        run = Run(2)
        line = 133 if lock else 130
        for each in range(1000):
            if lock and (fault or each % 10 == 0):
                run.ranks[0].call(line, *lock)
            run.ranks[0].call(line + bool(lock), *access)
            if fault or each % 10 == 9:
                run.ranks[0].call(line + bool(lock) + 1, *end)
        run.ranks[0].compute(1000 if fault else 1900)
        run.ranks[1].compute(4000)
        for rank in run.ranks:
            rank.meet(line + bool(lock) + 2, "MPI_Barrier")
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


def long_start(fault):
    """Uneven ranks behind an MPI_Init of 1 s, or of 10."""
    run = imbalance(True)
    run.start(1000000 if fault else 10000000)
    return run


FAULTS = {
    "imbalance": imbalance, "long_start": long_start, "bcasts": bcasts, "idle": idle, **CHAINS,
    "late_sender": late_sender, "packs": packs, "late_receiver": late_receiver,
    "slightly_uneven": slightly_uneven(114), "barely_uneven": slightly_uneven(110),
    "uneven_receiver": uneven_receiver,
    "one_waits": one_waits, "late_post": late_post,
    "one_worker": one_worker, "worker_of_root": worker_of_root,
    "late_collective": late_collective(100), "late_of_little": late_collective(60),
    "master": master, "collects": collects, "tiny": tiny,
    "wrong_order": wrong_order, "wrong_waits": wrong_waits,
    "alltoall": alltoall, "allreduce": allreduce, "one_sends": one_sends,
    "ends_late": ends_late, "ends_later": lambda fault: ends_late(fault, 6),
    "one_sends_and_more": lambda fault: one_sends(fault, 2000), "little_uneven": little_uneven,
    "two_lines": two_lines, "four_lines": four_lines, "on_cores": on_cores,
    "overlap": overlap, "root_waits": root_waits,
    "flood": flood, "threads": threads, "joins": joins,
    "joins_late": lambda fault: joins(fault, True),
    "polling": polls("MPI_Test", 110), "looking": polls("MPI_Request_get_status", 112),
    "flushes": one_by_one(None, ("MPI_Put", 2), ("MPI_Win_flush", 1)), "tiny_bcast": tiny_bcast,
    "lock_epochs": one_by_one(("MPI_Win_lock", 0.5), ("MPI_Get", 1), ("MPI_Win_unlock", 1.5)),
    "reduce_bcast": reduce_bcast, "serial_root": serial_root, "last_piece": last_piece,
    "gather_bcast": gather_bcast, "other_size": other_size, "other_comm": other_comm,
    "hidden": hidden(LARGE), "hidden_small": hidden(2000), "not_hidden": hidden(8),
    "asks": asks(0), "asks_at_once": asks(.1), "asks_between": asks(4),
    "operation": hidden_operation(), "operation_slow": hidden_operation(inside=30),
    "operation_by_itself": hidden_operation(True), "one_hides": one_hides,
    "hidden_slow": hidden(LARGE, 30), "hidden_unsure": hidden(2000, 30),
    "hidden_asks": hidden(LARGE, behind="MPI_Cart_rank"),
    "hidden_begins": hidden(LARGE, behind="MPI_Recv_init"),
    "hidden_alone": hidden(LARGE, behind="alone"),
    "hidden_looks": hidden(LARGE, behind="MPI_Iprobe"),
    "posts_behind": posts_behind(10), "listener": posts_behind(1000, True),
    "row": row_of_waits(LARGE), "row_small": row_of_waits(2000),
    "row_unpacks": row_of_waits(LARGE, 30),
    "in_turns": in_turns, "ever_longer": ever_longer, "last_receiver": last_receiver,
    "begun_late": begun_late(), "begun_late_tested": begun_late("MPI_Test"),
    "begun_late_small": begun_late(size=20000),
    "held_sends": held_sends, "held_sends_on_cores": held_sends_on_cores,
    "held_sends_uneven": held_sends_uneven, "moving_receiver": moving_receiver,
    "slow_first": slow_first, "wavefront": wavefront, "wavefront_2d": wavefront_2d, "ring": ring,
    "longest_first": longest_first, "aside": aside, "next_last": next_last,
    "messages_on_cores": messages_on_cores, "beside_operation": beside_operation(20, 12, 1, 31),
    "completion": beside_operation(20, 25, 20, 1), "neighbors": neighbors,
    "tiny_beside_operation": tiny_beside_operation, "tiny_behind_work": tiny_behind(4),
    "messages": messages, "small_messages": small_messages(500), "circle": circle,
    "small_on_cores": small_on_cores,
    "small_messages_few": small_messages(499), "lost_comm": lost_comm,
    "small_messages_long": small_messages(500, 4097),
    "progress": progress(8), "long_progress": progress(20000),
    "barrier_before": barrier("MPI_Barrier", "MPI_Allreduce"),
    "barrier_behind": barrier("MPI_Allreduce", "MPI_Barrier"),
    "barrier_to_root": barrier("MPI_Barrier", "MPI_Allreduce", gap=False),
    "barriers": barriers(), "barriers_few": barriers(499),
    "barriers_needless": barriers(500, "MPI_Allreduce"),
    **FILES, **WINDOWS, **AMONG, **SAMPLES,
    "polling_on_cores": polling_on_cores, "asleep_polling": asleep_polling,
    "asleep_and_lacking": lambda fault: asleep_polling(fault, 3000),
    "asleep_polling_about": lambda fault: asleep_polling(fault, places=4),
    "asleep_polling_often": lambda fault: asleep_polling(fault, looks=10000, places=4),
    "asleep_polling_seldom": lambda fault: asleep_polling(fault, looks=9990),
    "polling_in_doubt": lambda fault: polling_on_cores(fault, 1500, 1000),
    "late_by_clock": late_by_clock, "tiny_on_cores": tiny_on_cores,
    "barrier_of_window": barrier_of_window,
    "windows_remade": remade(170, "MPI_Win_create", "MPI_Win_free"),
    "remade_on_cores": remade(172, "MPI_Win_create", "MPI_Win_free", 100),
    "comms_remade": remade(180, "MPI_Comm_dup", "MPI_Comm_free"),
    "files_reopened": remade(184, "MPI_File_open", "MPI_File_close"),
    "files_opened": remade(184, "MPI_File_open", "MPI_File_close", files_differ=True),
    **PLACES, **POLLS, "recorder": recorder, "init": init, "never_left": never_left,
}


def write(directory, name):
    FAULTS[name.removesuffix("_not")](not name.endswith("_not")).write(directory)


if __name__ == "__main__":
    if len(sys.argv) > 2:
        write(sys.argv[1], sys.argv[2])
    else:
        os.mkdir(sys.argv[1])
        for each in FAULTS:
            write(os.path.join(sys.argv[1], each), each)
            write(os.path.join(sys.argv[1], each + "_not"), each + "_not")
