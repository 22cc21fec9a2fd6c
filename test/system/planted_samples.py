"""Planted runs whose main threads were sampled, as with mpiwatch-record --functions: beside the
events an mpiwatch.json says where ranks were outside of MPI."""
import json
import os

import otf2

from planted_run import Run, rounds


class SampledRun(Run):
    """samples: of [rank, name of a call, spot, count]; spots: of (function, file, line); crew: how
    many threads of each rank call no MPI, how long they were there, ns, and samples of theirs."""
    def __init__(self, count, rate, spots, samples, crew=None):
        super().__init__(count)
        self.rate, self.spots, self.samples, self.crew = rate, spots, samples, crew

    def write(self, directory):
        super().write(directory)
        with otf2.reader.open(os.path.join(directory, "traces.otf2")) as trace:
            regions = [region.name for region in trace.definitions.regions]
        outside = [sum(sample[3] for sample in self.samples if sample[0] == rank)
                   for rank in range(len(self.ranks))]
        samples = {
            "rate_hz": self.rate,
            "ranks": [{"rank": rank, "outside": count, "inside": 0, "lost": 0, "refused": ""}
                      for rank, count in enumerate(outside)],
            "spots": [{"function": function, "file": file, "line": line}
                      for function, file, line in self.spots],
            "rows": [[rank, regions.index(call), spot, count]
                     for rank, call, spot, count in self.samples]}
        if self.crew:
            threads, there, of_crew = self.crew
            samples["others"] = {
                "ranks": [{"rank": rank, "threads": threads, "refused": 0, "there_ns": there,
                           "outside": sum(sample[3] for sample in of_crew if sample[0] == rank),
                           "inside": 0, "lost": 0} for rank in range(len(self.ranks))],
                "rows": [[rank, regions.index(call), spot, count]
                         for rank, call, spot, count in of_crew]}
        said = {"schema": "mpiwatch-archive/1", "nonce": "0" * 16, "samples": samples}
        with open(os.path.join(directory, "mpiwatch.json"), "w") as file:
            json.dump(said, file)


WORK = ("work", "planted.c", 5)


def computing(run):
    """All ranks compute 1,000 us before each of 10 MPI_Allreduce."""
    def do(rank, number, each):
        rank.compute(1000)
        rank.sample(0)
        rank.meet(260, "MPI_Allreduce")
    rounds(run, 10, do)
    return run


def openmp_waiting(fault, runtime=("libgomp.so.1", "", 0)):
    """Two ranks compute 1,000 us before each of 10 MPI_Allreduce, of which their main threads wait
    for others in the runtime for 400 (rank 0) and 100; without the fault for 10 both."""
    waits = (40, 10) if fault else (1, 1)  # of 100 samples, which are of 100 us each
    run = SampledRun(2, 10000, [WORK, runtime], [
        [rank, "MPI_Allreduce", spot, count] for rank, wait in enumerate(waits)
        for spot, count in ((0, 100 - wait), (1, wait))])

    return computing(run)


def openmp_with_symbols(fault):
    """The same where the runtime has names, or names that are the program's own."""
    return openmp_waiting(True, ("gomp_team_barrier_wait_end" if fault else "my_gomp_barrier",
                                 "bar.c", 102))


ALONE = ("assemble", "planted.c", 7)


def without_work(fault, spins=True):
    """Of the 1,000 us that two main threads compute before each of 10 MPI_Allreduce they do 800
    alone, while three threads of theirs wait on their cores, or sleep, and 200 together with these;
    without the fault 100 alone."""
    alone = 80 if fault else 10  # of 100 samples of a main thread
    run = SampledRun(2, 10000, [WORK, ALONE, ("libgomp.so.1", "", 0)], [
        [rank, "MPI_Allreduce", spot, count] for rank in range(2)
        for spot, count in ((0, 100 - alone), (1, alone))], (3, 30000000, [
            [rank, "MPI_Allreduce", spot, 3 * count] for rank in range(2)
            for spot, count in ((0, 100 - alone), (2, alone if spins else 0))]))

    return computing(run)


def without_work_asleep(fault):
    """The same where they sleep."""
    return without_work(fault, False)


def without_work_beside(fault, team=2):
    """Two ranks as above with two such threads, and one that writes a log for 12 samples, which is
    all that it has to do; or only that one."""
    alone = 80 if fault else 10
    run = without_work(fault)
    run.spots.append(("write_log", "planted.c", 9))
    run.crew = (team + 1, (team + 1) * 10000000, [
        [rank, "MPI_Allreduce", spot, count] for rank in range(2)
        for spot, count in ((0, team * (100 - alone)), (3, 12))])
    return run


def without_work_logging(fault):
    return without_work_beside(fault, 0)


SAMPLES = {"openmp_waiting": openmp_waiting, "openmp_with_symbols": openmp_with_symbols,
           "threads_without_work": without_work, "threads_without_work_asleep": without_work_asleep,
           "threads_without_work_beside": without_work_beside,
           "threads_without_work_logging": without_work_logging}
