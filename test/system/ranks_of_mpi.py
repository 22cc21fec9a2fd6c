"""What archives that scripts put together with python3-otf2 have in common: ranks of MPI."""
from otf2.enums import GroupType, LocationGroupType, LocationType, Paradigm


def define_group(define, threads):
    """The group of a communicator."""
    return define.group("", group_type=GroupType.COMM_GROUP, paradigm=Paradigm.MPI,
                        members=threads)


def define_ranks(define, node, count):
    """Ranks on node, with a thread each: their groups, their threads, and MPI_COMM_WORLD."""
    groups, threads = [], []
    for rank in range(count):
        groups.append(define.location_group("MPI Rank %d" % rank, system_tree_parent=node,
                                            location_group_type=LocationGroupType.PROCESS))
        threads.append(define.location("Master thread", group=groups[-1],
                                       type=LocationType.CPU_THREAD))
    define.group("", group_type=GroupType.COMM_LOCATIONS, paradigm=Paradigm.MPI, members=threads)
    return groups, threads, define.comm("MPI_COMM_WORLD", define_group(define, threads))
