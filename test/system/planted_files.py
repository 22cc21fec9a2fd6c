"""Faults of planted.py that are of file I/O."""
from planted_run import Run, rounds


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


def file_one_of_many(fault):
    """Rank 0 writes for 100 us to each of ten files, and flushes the last one for 150; without the
    fault it is one file."""
    run = Run(4)
    run.files_differ = True

    def do(rank, number, each):
        if fault or each == 0:
            rank.meet(245, "MPI_File_open")
        if number == 0:
            rank.write(246, 100, 512)
            if each == 9:
                rank.flush(248, 150)
        rank.meet(121, "MPI_Barrier")
        if fault or each == 9:
            rank.meet(247, "MPI_File_close")
    rounds(run, 10, do)
    return run


def output(fault):
    """Each of four ranks writes 8,000 bytes as text in 160 us of 300 that it is outside of MPI, by
    two calls of write(2); without the fault 3,400, those of the run by one call, as they are."""
    run = Run(4)

    def do(rank, number, each):
        rank.compute(300)
        rank.sample(0, written=(8000, 160, 8000, 2) if fault else (3400, 68, 3400, each // 9))
        rank.meet(248, "MPI_Barrier")
    rounds(run, 10, do)
    return run


def output_asleep(fault):
    """Each of two ranks writes 40,000 bytes at once, ten times, and sleeps for 100 us of the 300
    that it is outside of MPI; without the fault it does not."""
    run = Run(2)

    def do(rank, number, each):
        rank.compute(300)
        rank.sample(0, asleep=100 if fault else 0, written=(40000, 300, 40000, 1))
        rank.meet(250, "MPI_Barrier")
    rounds(run, 10, do)
    return run


def output_of_one(fault):
    """Rank 0 is outside of MPI for 400 us and writes 14,000 bytes as text in 280 of them, the
    others are for 100; without the fault it writes 5,000 in 100."""
    run = Run(4)

    def do(rank, number, each):
        rank.compute(400 if number == 0 else 100)
        if number == 0:
            rank.sample(0, written=(14000, 280, 14000, 4) if fault else (5000, 100, 5000, 2))
        rank.meet(249, "MPI_Barrier")
    rounds(run, 10, do)
    return run


def output_of_one_copied(_):
    """The same as without the fault, of 14,000 bytes of which write(2) gets 40,000 at a time: 56 us
    count."""
    run = output_of_one(False)
    for at, step in enumerate(run.ranks[0].plan):
        if step[0] == "sample":
            run.ranks[0].plan[at] = (*step[:4], 14000, 280, 40000, 1)
    return run


def output_beside(fault, **what):
    """Rank 0 writes 14,000 bytes as text in 280 of 400 us outside of MPI, or does what is said,
    while the others are there for 300; without the fault they are for 400 as well, and nobody waits
    for rank 0."""
    run = Run(4)
    what = what or {"written": (14000, 280, 14000, 4)}

    def do(rank, number, each):
        rank.compute(400 if number == 0 or not fault else 300)
        if number == 0:
            rank.sample(0, **what)
        rank.meet(251, "MPI_Barrier")
    rounds(run, 10, do)
    return run


def output_delayed(fault, **what):
    """The same for 280 of 300 us, as long as the others, and comes 150 later, which it computes;
    without the fault it has no core then."""
    run = Run(4)
    what = what or {"written": (14000, 280, 14000, 4)}

    def do(rank, number, each):
        rank.compute(450 if number == 0 else 300)
        if number == 0:
            rank.sample(0, outside=0 if fault else 150, **what)
        rank.meet(251, "MPI_Barrier")
    rounds(run, 10, do)
    return run


def asleep_beside(fault):
    """Rank 0 of four sleeps for 280 of the 300 us that it is outside of MPI, as long as two others
    compute, while rank 1 computes 450; without the fault it comes after 600."""
    run = Run(4)

    def do(rank, number, each):
        rank.compute(450 if number == 1 else 300 if fault or number else 600)
        if number == 0:
            rank.sample(0, asleep=280)
        rank.meet(253, "MPI_Barrier")
    rounds(run, 10, do)
    return run


def output_mapped(fault):
    """Each of two ranks is outside of MPI for 300 us, and 12,000 bytes of files have changed, for
    which write(2) got 9,000 by four calls: 180 us as text, and 3 for the rest. Without the fault it
    got nothing, and all was mapped: 12 us."""
    run = Run(2)

    def do(rank, number, each):
        rank.compute(300)
        rank.sample(0, written=(12000, 240, *((9000, 4) if fault else (0, 0))))
        rank.meet(252, "MPI_Barrier")
    rounds(run, 10, do)
    return run


def input_of_all(fault):
    """Each of four ranks reads 10,000 bytes in 150 us of 300 that it is outside of MPI; without the
    fault in 10, as they are in memory."""
    run = Run(4)

    def do(rank, number, each):
        rank.compute(300)
        rank.sample(0, read=(10000, 150 if fault else 10))
        rank.meet(251, "MPI_Barrier")
    rounds(run, 10, do)
    return run


def input_of_one(fault):
    """Rank 0 is outside of MPI for 400 us and reads 20,000 bytes in 280 of them, the others are
    for 100; without the fault it reads for 100."""
    run = Run(4)

    def do(rank, number, each):
        rank.compute(400 if number == 0 else 100)
        if number == 0:
            rank.sample(0, written=(1000, 20, 1000, 1),
                        read=(20000, 280) if fault else (6700, 100))
        rank.meet(252, "MPI_Barrier")
    rounds(run, 10, do)
    return run


def system_time(fault, faults=1000, resident=40000000):
    """Each of two ranks is in the kernel for 150 us of 300 outside of MPI, with so many page faults
    in all for its bytes of memory; without the fault for 25, or for 50 by few of them."""
    run = Run(2)
    little = 25 if faults == 1000 else 50

    def do(rank, number, each):
        rank.compute(300)
        rank.sample(0, system=(150 if fault else little, faults // 10, resident))
        rank.meet(250, "MPI_Barrier")
    rounds(run, 10, do)
    return run


def system_time_after_faults(fault):
    """The same of ranks that have 1,000 page faults in the first round, and none in others; without
    the fault in all."""
    run = Run(2)

    def do(rank, number, each):
        rank.compute(300)
        rank.sample(0, system=(150, (1000 if each == 0 else 0) if fault else 100, 40000000))
        rank.meet(250, "MPI_Barrier")
    rounds(run, 10, do)
    return run


def system_time_of_writing(fault):
    """The same of ranks that write 200,000 bytes a round meanwhile; without the fault 8,000."""
    run = Run(2)

    def do(rank, number, each):
        rank.compute(300)
        size = 200000 if fault else 8000
        rank.sample(0, written=(size, 150, size, 1), system=(150, 0, 4096))
        rank.meet(250, "MPI_Barrier")
    rounds(run, 10, do)
    return run


def file_one_on_cores(fault):
    """The same, of whose 2,000 us rank 0 has no core for 400; without the fault for 1,900."""
    run = file_one_rank(True)
    run.ranks[0].sample(400 if fault else 1900)
    return run


def file_pieces(fault):
    """Each of two ranks writes 512 bytes twenty times, 2 us each, once for 60 us of computing; or
    1,024 once, of 4, for 200."""
    run = Run(2)
    for rank in run.ranks:
        rank.meet(245, "MPI_File_open")

    def do(rank, number, each):
        rank.compute(60 if fault else 200)
        for _ in range(20 if fault else 1):
            rank.write(246, 2 if fault else 4, 512 if fault else 1024)
    rounds(run, 10, do)
    for rank in run.ranks:
        rank.meet(247, "MPI_File_close")
    return run


def file_mixed(fault):
    """Each flushes for 50 us and writes for 30; without the fault flushes for 1."""
    run = Run(4)

    def do(rank, number, each):
        rank.compute(100)
        rank.call(127, "MPI_File_write_at", 30)
        rank.call(128, "MPI_File_sync", 50 if fault else 1)
    rounds(run, 10, do)
    return run


def file_flush(fault):
    """Each writes ten times for 2 us and computes for 60, and flushes it all for 200 at the end;
    without the fault each time for 20."""
    run = Run(2)
    for rank in run.ranks:
        rank.meet(245, "MPI_File_open")

    def do(rank, number, each):
        rank.compute(60)
        rank.write(246, 2, 512)
        if not fault:
            rank.call(248, "MPI_File_sync", 20)
    rounds(run, 10, do)
    for rank in run.ranks:
        if fault:
            rank.call(248, "MPI_File_sync", 200)
        rank.meet(247, "MPI_File_close")
    return run


def file_flush_known(opened, flushed, lines=1):
    """Each of two ranks opens so many files, one after the other, 1 us each, computes ten times for
    60 us, and flushes the last file so often for 200 us in all, in as many lines."""
    def planted(fault):
        run = Run(2)
        run.files_differ = True
        for rank in run.ranks:
            for number in range(opened):
                rank.meet(245, "MPI_File_open")
                if number + 1 < opened:
                    rank.meet(247, "MPI_File_close")

        def do(rank, number, each):
            rank.compute(60)
        rounds(run, 10, do)
        for rank in run.ranks:
            for number in range(flushed):
                rank.flush(300 + number % lines, 200 / flushed)
            rank.meet(247, "MPI_File_close")
        return run
    return planted


def file_in_turn(fault):
    """Each time another rank of four writes for 80 us; without the fault for 1."""
    run = Run(4)

    def do(rank, number, each):
        rank.compute(100)
        if number == each % 4:
            rank.call(129, "MPI_File_write_at", 80 if fault else 1)
        rank.meet(130, "MPI_Barrier")
    rounds(run, 12, do)
    return run


def file_both(fault):
    """Rank 0 writes for 150 us, rank 1 for 50; without the fault for 1."""
    run = Run(2)

    def do(rank, number, each):
        rank.compute(100)
        rank.call(131, "MPI_File_write_at", (50 if number else 150) if fault else 1)
        rank.meet(132, "MPI_Barrier")
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


def file_unawaited(fault):
    """Rank 0 is in MPI_File_write_at for half of 1,000 us; rank 1 waits for the last one."""
    run = Run(2)
    for each in range(10):
        run.ranks[0].compute(50 if fault else 99)
        run.ranks[0].call(190, "MPI_File_write_at", 50 if fault else 1)
    run.ranks[1].compute(999)
    for rank in run.ranks:
        rank.meet(191, "MPI_Barrier")
    return run


def file_uneven(fault, name="MPI_File_write_all"):
    """Rank 1 computes for 300 us and calls for 10, the others for 100 and 210; or for 10, too."""
    run = Run(4)

    def do(rank, number, each):
        rank.compute(300 if number == 1 else 100)
        rank.call(192, name, 210 if fault and number != 1 else 10)
    rounds(run, 10, do)
    return run


def file_on_cores(fault):
    """Each is in MPI_File_write_all for 500 us, 100 of it without a core; or 450."""
    run = Run(4)
    for rank in run.ranks:
        for each in range(10):
            rank.compute(100)
            rank.call(126, "MPI_File_write_all", 50)
        rank.sample(100 if fault else 450)
    return run


FILES = {
    "output": output, "output_of_one": output_of_one, "output_asleep": output_asleep,
    "output_of_one_copied": output_of_one_copied,
    "output_beside": output_beside, "output_mapped": output_mapped,
    "input": input_of_all, "input_of_one": input_of_one,
    "input_beside": lambda fault: output_beside(fault, read=(20000, 280)),
    "output_delayed": output_delayed, "asleep_beside": asleep_beside,
    "system_time": system_time, "system_time_of_writing": system_time_of_writing,
    "system_time_again": lambda fault: system_time(fault, resident=2000000),
    "system_time_after_faults": system_time_after_faults,
    "system_time_beside": lambda fault: output_beside(fault, system=(280, 0, 4096)),
    "system_time_delayed": lambda fault: output_delayed(fault, system=(280, 0, 4096)),
    "system_time_of_calls": lambda fault: system_time(fault, faults=20),
    "file_one_rank": file_one_rank, "file_one_of_many": file_one_of_many,
    "file_one_on_cores": file_one_on_cores,
    "file_io": file_call("MPI_File_write_at", 122),
    "file_sync": file_call("MPI_File_sync", 123), "file_mixed": file_mixed,
    "file_flush": file_flush, "file_flush_known": file_flush_known(1, 2, 2),
    "file_flush_lines": file_flush_known(1, 20, 20), "file_flush_of_one": file_flush_known(11, 20),
    "file_pieces": file_pieces,
    "file_in_turn": file_in_turn, "file_both": file_both,
    "file_together": file_call("MPI_File_write_all", 124),
    "file_view": file_call("MPI_File_set_view", 125),
    **{f"file_{name}": file_call(f"MPI_File_{name}", 249)
       for name in ("open", "close", "set_size", "preallocate", "delete", "set_atomicity")},
    "file_on_cores": file_on_cores,
    "file_unawaited": file_unawaited, "file_uneven": file_uneven,
    "file_uneven_alone": lambda fault: file_uneven(fault, "MPI_File_write"),
}
