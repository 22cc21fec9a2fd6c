/* The kernel does not say by which call of whom something was read: this has to be guessed. */
#include "recorder/state/thread_reads.h"

#include "formats/spool/record.h"

#define EVERY_NS      5000000u
#define READS_BYTES   4096u     /* in calls: the MPI does so, … */
#define LITTLE_BYTES  256u      /* … or so much in each of so many: small messages, each with … */
#define LITTLE_CALLS  2u        /* … its header; what wakes it up is less */
#define SOON          2u        /* times as long as it was in calls, … */
#define LATE          4u        /* … or as the stretch was, a look may be later, … */
#define LOOKS         4u        /* … and others, as much later each */
#define SENDS_MOST    32u       /* before the call that is looked at: each takes 1 us more */
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
        reads->quiet += reads->is_send ? 0 : inside;
    } else if (outside > inside / OUTSIDE_SHARE || reads->has_files) {
        reads->unclear += inside;
    } else if (bytes >= LITTLE_BYTES) {
        reads->quiet = 0;
        reads->does_read = bytes >= READS_BYTES || ++reads->little >= LITTLE_CALLS;
    }
}

static bool is_quiet(const struct mwr_thread_reads *reads)
{
    return !reads->does_read && reads->quiet >= reads->unclear / QUIET_SHARE;
}

/* Of so many bytes, those that the MPI may have read in calls. */
static double by_mpi(const struct mwr_thread_reads *reads, uint64_t inside, uint64_t outside,
                     uint64_t bytes)
{
    const double most = (double)inside * MPI_MOST;

    if (inside <= outside && !reads->has_files && is_quiet(reads)) {
        return 0;
    }
    return inside > outside || most > (double)bytes ? (double)bytes : most;
}

static uint64_t at_most(double ns, uint64_t limit)
{
    return ns < (double)limit ? (uint64_t)ns : limit;
}

/* What may have been the MPI's was not, as the next call shows. */
static void tell_held(struct mwr_thread_reads *reads, bool is_shown)
{
    if (is_shown) {
        reads->bytes += reads->held_bytes;
        reads->ns += reads->held_ns;
    }
    reads->held_bytes = reads->held_ns = 0;
}

/*
 * How much later a call is looked at behind a stretch that was in calls for so long. Chance
 * chooses: half of the time one of those that are close behind each other, else any, in whatever
 * order.
 */
static uint64_t some_time(struct mwr_thread_reads *reads, uint64_t stretch, uint64_t inside)
{
    uint64_t most;

    reads->chance = reads->chance * 1664525u + 1013904223u; /* Numerical Recipes */
    most = reads->chance >> 31 ? SOON * inside : LATE * stretch >> (reads->chance >> 28 & 7);
    return most * ((reads->chance >> 20 & 0xff) + 1) / 256;
}

/* It is not clear who has read: the call that is entered now is looked at, or the next one that
 * does more than send, and later ones. */
static void ask(struct mwr_thread_reads *reads, uint64_t now, uint64_t stretch, uint64_t inside)
{
    reads->sends = reads->is_send ? SENDS_MOST : 0;
    reads->asked += reads->asked == 0 && !reads->is_send;
    if (reads->later == 0 && stretch >= EVERY_NS) {
        reads->wait = some_time(reads, stretch, inside);
        reads->later = now + reads->wait;
        reads->left = LOOKS;
    }
}

void mwr_thread_reads_take(struct mwr_thread_reads *reads, uint64_t now,
                           const struct mwr_kernel_reads *seen)
{
    const uint64_t bytes = since(seen->bytes, reads->seen.bytes);
    const uint64_t calls = since(seen->calls, reads->seen.calls);
    const double each = bytes / PIECE_BYTES < calls ? MW_READING_NS : COPY_NS;
    const uint64_t stretch = since(now, reads->since);
    const uint64_t inside = reads->inside < stretch ? reads->inside : stretch;
    const uint64_t outside = stretch - inside;
    double mpis;
    uint64_t ns;

    note_calls(reads, inside, outside, bytes);
    tell_held(reads, bytes == 0 && is_quiet(reads));
    mpis = by_mpi(reads, inside, outside, bytes);
    ns = at_most(((double)bytes - mpis) * each, outside);
    reads->bytes += bytes - (uint64_t)mpis;
    reads->ns += ns;
    reads->asked -= reads->asked > 0;
    if (reads->does_read) {
        reads->asked = reads->sends = 0;
        reads->later = 0;
    } else if (bytes > 0 && inside <= outside) {
        ask(reads, now, stretch, inside);
        if (!reads->has_files) {
            reads->held_bytes = (uint64_t)mpis;
            reads->held_ns = at_most(mpis * each, outside - ns);
        }
    }
    go_on(reads, now, seen);
}

void mwr_thread_reads_begin(struct mwr_thread_reads *reads, uint64_t now)
{
    struct mwr_kernel_reads seen = reads->seen;

    (void)mwr_kernel_reads(&seen);
    go_on(reads, now, &seen);
}

uint64_t mwr_thread_reads_look(struct mwr_thread_reads *reads, uint64_t now, uint64_t inside)
{
    struct mwr_kernel_reads seen;

    reads->inside += inside;
    if (reads->sends > 0 && reads->is_send) {
        reads->sends--;
    } else if (reads->sends > 0) {
        reads->sends = 0;
        reads->asked = 2; /* where it is entered, which is now, and where it ends */
    }
    if (reads->later > 0 && now >= reads->later) {
        reads->later = --reads->left > 0 ? now + reads->wait : 0;
        reads->asked = 3; /* now, and where a call is entered and where it ends, in either order */
    }
    if ((reads->asked > 0 || since(now, reads->since) >= EVERY_NS) && mwr_kernel_reads(&seen)) {
        mwr_thread_reads_take(reads, now, &seen);
    }
    return reads->asked > 0 || reads->sends > 0 ? now
           : reads->later > 0                   ? reads->later
                                                : UINT64_MAX;
}
