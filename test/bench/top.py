"""What watching costs: seconds of a core that mpiwatch-top takes of one, by getrusage, while ranks
make calls (messages with themselves) at a rate that they keep, and how many more seconds the ranks
take for the same calls.
Usage: top.py BUILD MPIRUN MPICC [RANKS [CALLS A SECOND OF ALL [SECONDS]]]"""
import json
import os
import resource
import subprocess
import sys
import tempfile
import time

PROGRAM = r"""
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

int main(int argc, char **argv)
{
    const long rate = atol(argv[1]), seconds = atol(argv[2]);
    double sent = 1, got, mine, all;
    struct timespec until;
    struct rusage used;
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Barrier(MPI_COMM_WORLD);
    clock_gettime(CLOCK_MONOTONIC, &until);
    for (long i = 0; i < 100 * seconds; i++) {
        for (long k = 0; k < rate / 100; k++) {
            MPI_Sendrecv(&sent, 1, MPI_DOUBLE, 0, 1, &got, 1, MPI_DOUBLE, 0, 1, MPI_COMM_SELF,
                         MPI_STATUS_IGNORE);
        }
        until.tv_nsec += 10000000;
        until.tv_sec += until.tv_nsec / 1000000000;
        until.tv_nsec %= 1000000000;
        clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
    }
    getrusage(RUSAGE_SELF, &used);
    mine = used.ru_utime.tv_sec + used.ru_stime.tv_sec +
           1e-6 * (used.ru_utime.tv_usec + used.ru_stime.tv_usec);
    MPI_Reduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        printf("cpu %.3f\n", all);
    }
    MPI_Finalize();
    return 0;
}
"""


def taken():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def run(build, mpirun, ranks, rate, seconds, options):
    """The ranks' seconds of a core; of mpiwatch-top's per second watched; calls a second."""
    program = subprocess.Popen(
        [mpirun, "-n", str(ranks), build + "/mpiwatch-record", "-o", "top.otf2.zip", "./paced",
         str(rate // ranks), str(seconds)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        text=True)
    share = calls = 0.0
    if options is not None:
        while not os.path.exists("top.otf2.zip.run"):
            time.sleep(0.1)
        time.sleep(2)
        watched = seconds * 2 // 3 # MPI_Init takes its time, and starting on a busy machine
        before = taken()
        lines = subprocess.run(
            [build + "/mpiwatch-top", "--json", "--count=%d" % watched, *options,
             "top.otf2.zip.run"], stdout=subprocess.PIPE, check=True, text=True).stdout
        share = (taken() - before) / watched
        last = json.loads(lines.splitlines()[-1])
        calls = sum(thread["calls_per_s"] or 0 for thread in last["threads"])
        if "events" in last:
            calls_read = last["events"]["read_share"]
            print("  read %.0f %% of the calls" % (100 * calls_read))
    said = program.communicate()[0]
    os.remove("top.otf2.zip")
    return float(said.split()[-1]), share, calls


def main():
    build, mpirun, mpicc = (os.path.abspath(sys.argv[1]), *sys.argv[2:4])
    ranks, rate, seconds = (int(word) for word in
                            (sys.argv[4:] + ["16", "1000000", "60"][len(sys.argv) - 4:]))
    with tempfile.TemporaryDirectory() as directory:
        os.chdir(directory)
        with open("paced.c", "w", encoding="utf-8") as file:
            file.write(PROGRAM)
        subprocess.run([mpicc, "-O2", "-o", "paced", "paced.c"], check=True)
        for name, options in (("nobody", None), ("ranks", []), ("calls", ["--view=calls"]),
                              ("nobody", None)):
            cpu, share, calls = run(build, mpirun, ranks, rate, seconds, options)
            print("watched by %s: ranks took %.2f s of a core" % (name, cpu) +
                  ("; mpiwatch-top %.2f %% of a core at %.0f calls a second" %
                   (100 * share, calls) if options is not None else ""), flush=True)
        os.chdir("/")


if __name__ == "__main__":
    main()
