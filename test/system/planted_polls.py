"""Those of the runs of planted.py in which ranks ask all the time, and do nothing in between, or
do."""
from planted_run import Run, rounds


def looks(rank, count, us, between):
    """So many MPI_Iprobe that find nothing, of so many us each, and between each and the next."""
    for each in range(count):
        rank.call(120, "MPI_Iprobe", us)
        rank.compute(between)


def asks_alone(fault):
    """Rank 0 looks 2,000 times for 1 us each, with 0.1 in between, while rank 1 computes 2,200 us;
    or computes for 1 us in between, and rank 1 for 4,000."""
    run = Run(2)
    looks(run.ranks[0], 2000, 1, .1 if fault else 1)
    run.ranks[1].compute(2200 if fault else 4000)
    for rank in run.ranks:
        rank.meet(121, "MPI_Barrier")
    return run


def asks_in_a_long_file(fault):
    """The same in a file whose name a line of the screen hardly has room for; or as above."""
    run = asks_alone(True)
    if fault:
        run.source = "where_a_rank_looks_whether_anything_has_come_and_does_nothing_in_between.c"
    return run


def both_ask(fault):
    """Both ranks look 4,000 times for 0.2 us each with 0.05 in between; or with 0.25."""
    run = Run(2)
    for rank in run.ranks:
        looks(rank, 4000, .2, .05 if fault else .25)
        rank.meet(121, "MPI_Barrier")
    return run


def asks_by_itself(fault):
    """The only rank looks 4,000 times for 0.2 us each with 0.05 in between, or computes as long."""
    run = Run(1)
    run.ranks[0].compute(200)
    if fault:
        looks(run.ranks[0], 4000, .2, .05)
    else:
        run.ranks[0].compute(1000)
    run.ranks[0].meet(121, "MPI_Barrier")
    return run


def asks_longest(fault):
    """Rank 0 looks 4,000 times for 0.2 us each with 0.2 in between until rank 1 sends, which is in
    MPI_Pack for 800 us and then computes as long; or with 0.3, and rank 1 is 1,200 us in it. Then
    rank 0 computes 500 us, for which rank 1 waits."""
    run = Run(2)
    first, second = run.ranks
    looks(first, 4000, .2, .2 if fault else .3)
    second.call(122, "MPI_Pack", 800 if fault else 1200)
    second.compute(800)
    second.send(123, 0)
    first.recv(124, 1)
    first.compute(500)
    for rank in run.ranks:
        rank.meet(121, "MPI_Barrier")
    return run


def asks_beside_little(fault):
    """Rank 1 of two computes 280 us for 100 before each of ten MPI_Iallreduce, for which rank 0
    asks by MPI_Test of 1 us with 0.5 in between; or 1,600, while rank 0 computes 500 between each
    two MPI_Test."""
    run = Run(2)

    def do(rank, number, each):
        rank.compute((280 if fault else 1600) if number == 1 else 100)
        rank.operate(131)
        rank.ask(132, .5 if fault else 500)
    rounds(run, 10, do)
    return run


def asks_then_works(fault):
    """Rank 0 looks 1,000 times for 1 us with 0.5 in between, computes 400 us, and does so again,
    while rank 1 computes 3,400; or with 1.1 in between."""
    run = Run(2)
    for each in range(2):
        looks(run.ranks[0], 1000, 1, .5 if fault else 1.1)
        run.ranks[0].compute(0 if each else 400)
    run.ranks[1].compute(3400)
    for rank in run.ranks:
        rank.meet(121, "MPI_Barrier")
    return run


def asleep_manager(us):
    """Rank 0 sleeps 90 us of 100 before each of 20 MPI_Iprobe, of which the last finds what rank 1
    sends; this one sleeps so many us before each of its own 20, and computes 100 behind each. Or
    they compute instead of sleeping."""
    def plant(fault):
        run = Run(2)
        manager, worker = run.ranks
        for each in range(20):
            manager.compute(100)
            manager.sample(0, 0, 90 if fault else 0)
            manager.call(125, "MPI_Iprobe", 1)
            worker.compute(us)
            worker.sample(0, 0, us if fault else 0)
            worker.call(126, "MPI_Iprobe", 1)
            worker.compute(100)
            worker.sample(0)
        manager.send(127, 1)
        worker.recv(128, 0)
        worker.send(129, 0)
        manager.recv(130, 1)
        return run
    return plant


def held_by_sleep(fault):
    """Rank 0 looks, sleeps 150 us and looks again, 20 times, before it receives and answers what
    rank 1 sends, which computes 100 before, or 160."""
    run = Run(2)
    manager, worker = run.ranks
    for each in range(20):
        manager.call(133, "MPI_Iprobe", 1)
        manager.compute(150)
        manager.sample(0, 0, 150)
        manager.call(133, "MPI_Iprobe", 1)
        manager.recv(134, 1)
        manager.send(135, 1)
        worker.compute(100 if fault else 160)
        worker.sample(0)
        worker.send(136, 0)
        worker.recv(137, 0)
    return run


POLLS = {"asks_alone": asks_alone, "asks_in_a_long_file": asks_in_a_long_file,
         "both_ask": both_ask, "asks_by_itself": asks_by_itself, "asks_longest": asks_longest,
         "held_by_sleep": held_by_sleep,
         "asks_beside_little": asks_beside_little, "asks_then_works": asks_then_works,
         "asleep_manager": asleep_manager(22), "asleep_manager_busy": asleep_manager(23)}
