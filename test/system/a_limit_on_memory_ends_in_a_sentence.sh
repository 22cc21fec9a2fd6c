# A limit on a process's memory (RLIMIT_AS), which leaves a few MiB to what comes: the program ends
# as without the recorder, with an archive or with a sentence. ROMIO, which takes memory to open a
# file and ends the program where there is none, is not asked then, and needs no 16 MiB else.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"
test_timeout=60

# limited MIB: ranks that may take MIB more than they have when MPI_Init is over.
cat >limited.c <<'PROGRAM'
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

static void limit(long more)
{
    long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");

    if (file && fscanf(file, "%ld", &pages) == 1) {
        const rlim_t bytes = (rlim_t)(pages * sysconf(_SC_PAGESIZE) + more);

        fclose(file);
        setrlimit(RLIMIT_AS, &(struct rlimit){bytes, bytes});
    }
}

int main(int argc, char **argv)
{
    int rank, size, sum = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Barrier(MPI_COMM_WORLD);
    limit(atol(argv[1]) << 20);
    for (int i = 0; i < 2000; i++) {
        int next = (rank + 1) % size, last = (rank + size - 1) % size, from_last;

        MPI_Sendrecv(&i, 1, MPI_INT, next, 0, &from_last, 1, MPI_INT, last, 0, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        sum += from_last;
    }
    if (rank == 0) {
        printf("%d\n", sum);
    }
    MPI_Finalize();
    return 0;
}
PROGRAM

for mpi in $(built_mpis); do
    "$(mpicc_of "$mpi")" -o limited limited.c
    for more in 2 4 6 8 12 18; do
        rm -rf run.otf2.zip* "${spools:?}"/*
        status=0
        run_mpi "$mpi" 2 "$record" -o run.otf2.zip ./limited $more >out 2>err || status=$?
        assert_equal "0 1999000" "$status $(cat out)" "$mpi, $more MiB: $(cat err)"
        if [ -e run.otf2.zip ]; then
            "$analyze" validate run.otf2.zip >valid || wrong "$mpi, $more MiB: $(cat valid)"
        else
            assert_contains "$(cat err)" "mpiwatch: no archive was written: "
            assert_contains "$(cat err)" "mpiwatch-recover "
        fi
        [ $more -lt 12 ] || [ -e run.otf2.zip ] || wrong "$mpi, $more MiB: $(cat err)"
    done
done
finish
