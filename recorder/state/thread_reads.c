/* The kernel does not say by which call of whom something was read: this has to be guessed. */
#include "recorder/state/thread_reads.h"

#include "formats/spool/record.h"

#define EVERY_NS      5000000u
#define READS_BYTES   4096u     /* in calls: the MPI does so */
#define OUTSIDE_SHARE 100u      /* less than that of a stretch, and it is one in calls */
#define KNOWN_NS      20000000u /* of calls that count in full */
#define QUIET_SHARE   4u        /* a quarter of what is unclear, at least, has to be quiet */
#define MPI_MOST      16.0      /* bytes in a ns: one thread copies no more; 5 were seen */
#define PIECE_BYTES   32768u    /* pieces of stdio and its like are 4 or 8 KiB; larger ones … */
#define COPY_NS       0.25      /* … are copied, 1 MB at a time in 0.2 ns a byte */

static uint64_t since(uint64_t now, uint64_t then)
{
    return now > then ? now - then : 0;
}

static void go_on(struct mwr_thread_reads *reads, uint64_t now,
                  const struct mwr_kernel_reads *seen)
{
    reads->since = now;
    reads->seen = *seen;
    reads->inside = 0;
    reads->has_files = false;
}

/* Notes whether the MPI reads in its calls, of a stretch with so much outside of these. */
static void note_calls(struct mwr_thread_reads *reads, uint64_t inside, uint64_t outside,
                       uint64_t bytes)
{
    if (reads->quiet + reads->unclear > KNOWN_NS) {
        reads->quiet /= 2;
        reads->unclear /= 2;
    }
    if (bytes == 0) {
        reads->quiet += inside;
    } else if (outside > inside / OUTSIDE_SHARE || reads->has_files) {
        reads->unclear += inside;
    } else if (bytes >= READS_BYTES) {
        reads->does_read = true;
    }
}

/* Bytes that the MPI may have read in calls, of so many. */
static double by_mpi(const struct mwr_thread_reads *reads, uint64_t inside, uint64_t outside,
                     uint64_t bytes)
{
    if (inside > outside) {
        return (double)bytes;
    }
    return reads->has_files || reads->does_read || reads->quiet < reads->unclear / QUIET_SHARE
               ? (double)inside * MPI_MOST
               : 0;
}

void mwr_thread_reads_take(struct mwr_thread_reads *reads, uint64_t now,
                           const struct mwr_kernel_reads *seen)
{
    const uint64_t bytes = since(seen->bytes, reads->seen.bytes);
    const uint64_t calls = since(seen->calls, reads->seen.calls);
    const uint64_t stretch = since(now, reads->since);
    const uint64_t inside = reads->inside < stretch ? reads->inside : stretch;
    const uint64_t outside = stretch - inside;
    double mpis;

    note_calls(reads, inside, outside, bytes);
    mpis = by_mpi(reads, inside, outside, bytes);
    reads->is_asked = bytes > 0 && inside <= outside && !reads->does_read;
    if ((double)bytes > mpis) {
        const double own = (double)bytes - mpis;
        const double each = bytes / PIECE_BYTES < calls ? MW_READING_NS : COPY_NS;
        const double ns = own * each;

        reads->bytes += (uint64_t)own;
        reads->ns += ns < (double)outside ? (uint64_t)ns : outside;
    }
    go_on(reads, now, seen);
}

void mwr_thread_reads_begin(struct mwr_thread_reads *reads, uint64_t now)
{
    struct mwr_kernel_reads seen = reads->seen;

    (void)mwr_kernel_reads(&seen);
    go_on(reads, now, &seen);
}

bool mwr_thread_reads_look(struct mwr_thread_reads *reads, uint64_t now, uint64_t inside)
{
    struct mwr_kernel_reads seen;

    reads->inside += inside;
    if ((reads->is_asked || since(now, reads->since) >= EVERY_NS) && mwr_kernel_reads(&seen)) {
        mwr_thread_reads_take(reads, now, &seen);
    }
    return reads->is_asked;
}
