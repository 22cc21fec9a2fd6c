/*
 * Sets the variables of fake_mpi_t.c in 20 steps, an MPI call after each. What they sum up
 * to, worked out on paper:
 *
 *   fake_raw    20 times 3, on top of 1000                              60
 *   fake_wraps  20 times 5, from 10 below 2^32 on                      100, 1 wrap
 *   fake_reset  10 times 2 on top of 700, set back to 0, 9 times 2      38, 1 reset
 *   fake_size   0 + 1 + … + 19                                         190
 *   fake_mark   0 … 4 over and over, which no high-water mark does       4 at most
 *   fake_drain  0, 1, … 19, and 0 once it is read                       19 at most
 *   fake_late   appears with 5 in step 15, then 4 times 1                4
 */
#include <mpi.h>
#include <unistd.h>

extern unsigned long long fake_values[];
extern int fake_count;

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    for (unsigned i = 0; i < 20; i++) {
        fake_values[0] += 3;
        fake_values[2] = (unsigned)(fake_values[2] + 5);
        fake_values[3] = i == 10 ? 0 : fake_values[3] + 2;
        fake_values[4] += i;
        fake_values[5] = i % 5;
        fake_values[6] = i;
        if (i == 15) {
            usleep(1100000); /* the recorder looks for new variables once a second */
            fake_count++;
            fake_values[7] = 5;
        } else if (i > 15) {
            fake_values[7]++;
        }
        MPI_Barrier(MPI_COMM_SELF);
    }
    MPI_Finalize();
    return 0;
}
