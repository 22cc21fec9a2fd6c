#ifndef MWA_VIEW_VIEW_LOOKS_H
#define MWA_VIEW_VIEW_LOOKS_H

#include <stdbool.h>
#include <stdint.h>

/*
 * What the latest looks at a run told, each as the line that mpiwatch-top --json prints of it, for
 * pages that come later or have not listened for a while. Memory is bounded: the oldest go, and
 * always the latest stays.
 */

#define MWA_VIEW_LOOKS_MOST  300u
#define MWA_VIEW_LOOKS_BYTES (8u << 20)

struct mwa_view_look {
    uint64_t number; /* from 1 */
    uint64_t time;   /* ns, of CLOCK_MONOTONIC */
    char *line;      /* JSON */
    uint64_t bytes;
};

struct mwa_view_looks {
    struct mwa_view_look list[MWA_VIEW_LOOKS_MOST]; /* a ring */
    uint64_t count;  /* in all; the latest one's number */
    uint64_t oldest; /* number of the oldest that is there, if any is */
    uint64_t bytes;  /* of lines */
    uint64_t first_time; /* of the first look */
};

/* Not thread-safe: the caller has a lock around all of these. One of zeros has none. */

/* Keeps a line of so many bytes, which it takes over. */
void mwa_view_looks_add(struct mwa_view_looks *looks, uint64_t time, char *line, uint64_t bytes);

/* Those whose number is higher than that, as a JSON array of objects with number, at_ms (since the
 * first look) and look; the caller's to free; null: no memory. */
char *mwa_view_looks_after(const struct mwa_view_looks *looks, uint64_t number);

void mwa_view_looks_fini(struct mwa_view_looks *looks);

#endif
