# A rank sleeps for 1 ms before one barrier and computes for 4 ms before the next, again and again,
# for longer than each sleep has a sample of its own: the verdict names the first. Where it sleeps
# and computes for less than samples can tell apart, it names none, or that one, and not the other.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"

cat >naps.c <<'C'
/* naps ASLEEP BUSY: us, in rounds that take 2.5 s. */
#include <mpi.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static double cpu_us(void)
{
    struct timespec time;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return 1e6 * (double)time.tv_sec + 1e-3 * (double)time.tv_nsec;
}

int main(int argc, char **argv)
{
    const double asleep = atof(argv[1]), busy = atof(argv[2]);

    MPI_Init(&argc, &argv);
    for (int each = 0; each < 2500000 / (asleep + busy); each++) {
        usleep((useconds_t)asleep);
        MPI_Barrier(MPI_COMM_WORLD); /* behind sleep */
        for (double begin = cpu_us(); cpu_us() - begin < busy;) {
        }
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
C
line=$(grep -n 'behind sleep' naps.c | cut -d: -f1)
for mpi in $(built_mpis | tr ' ' '\n' | head -1); do # of what samples tell nothing is the MPI's
    "$(mpicc_of "$mpi")" -g -O1 -o naps naps.c
    for how in "1000 4000" "300 300"; do
        # shellcheck disable=SC2086 # words
        run_mpi "$mpi" 1 "$record" -q --force -o run.otf2.zip ./naps $how
        "$analyze" report --json run.otf2.zip >report.json
        json report.json '"".join(c["sentence"] for c in d["causes"] if c["id"] == "not_running")' \
            >said
        case $how in
        1000*) before=", mostly before MPI_Barrier, naps\.c:$line" ;;
        *) before="(, mostly before MPI_Barrier, naps\.c:$line)?" ;;
        esac
        grep -qE "^the main thread of rank 0 does not run for [^,:]*$before: it" said ||
            fail "$mpi, $how: $(cat said)"
    done
done
