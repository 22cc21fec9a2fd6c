#ifndef MWR_STATE_THREAD_READS_H
#define MWR_STATE_THREAD_READS_H

#include <stdbool.h>
#include <stdint.h>

#include "recorder/state/kernel_counts.h"

/*
 * What a thread reads from files between calls of MPI: the kernel counts what it gets by read(2)
 * and the like, from whatever, in a file of /proc, which takes 3 us. So it is asked for each 5 ms
 * at most, and some times more where it is not clear who has read. What the MPI reads by itself,
 * from sockets and files, is in these counts, too: of a stretch that is mostly in calls all is,
 * and of others so much as can be read in the time in calls, unless it is known that the MPI reads
 * nothing. That is known as long as no stretch in calls has had any reading and there was none in
 * enough of the time in calls. So behind a stretch with reading the next call is looked at by
 * itself, or where that sends, which no socket has to be read for, the next one that does not; what
 * was taken for the MPI's is told if that shows that it reads nothing. What reads may be another
 * one: so later ones are looked at, too, which chance chooses.
 */

/* All zero is before the beginning. For one thread. */
struct mwr_thread_reads {
    uint64_t since;  /* when it was asked for last, and what had been read then */
    struct mwr_kernel_reads seen;
    uint64_t inside; /* ns in calls of MPI since then … */
    bool has_files;  /* … and some were of MPI-IO */
    bool does_read;   /* the MPI has read in its calls … */
    uint64_t quiet;   /* … or has not, in so many ns of these, but sends; old ones count less … */
    uint64_t unclear; /* … nor is it clear who has in so many */
    unsigned little; /* calls that have read little each */
    bool is_send;    /* the call sends that is entered as is looked, or was last then */
    unsigned sends;  /* so many more may come before one is looked at; 0: none is waited for */
    unsigned asked;  /* so many looks to come ask the kernel, as one call lies between them; … */
    uint64_t later;  /* … and more of them from then on (0: no), … */
    uint64_t wait;   /* … after as long again … */
    unsigned left;   /* … and so on, so often; … */
    uint32_t chance; /* … by which it is chosen how long */
    uint64_t held_bytes; /* to be told if there is no reading in that: … */
    uint64_t held_ns;    /* … how long those may have taken */
    uint64_t bytes;  /* to be told: read between calls of MPI … */
    uint64_t ns;     /* … and how long that may have taken */
};

/* What was read up to now is passed over. */
void mwr_thread_reads_begin(struct mwr_thread_reads *reads, uint64_t now);

/* At now, of the time since the last look inside ns were in calls of MPI. \return when the next
 * look is to be: where a call is entered or ends then. */
uint64_t mwr_thread_reads_look(struct mwr_thread_reads *reads, uint64_t now, uint64_t inside);

/* What is behind that: by now the thread has read so much in all. */
void mwr_thread_reads_take(struct mwr_thread_reads *reads, uint64_t now,
                           const struct mwr_kernel_reads *seen);

#endif
