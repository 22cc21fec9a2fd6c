#ifndef MWA_ANALYSIS_TIME_SITE_PROFILE_H
#define MWA_ANALYSIS_TIME_SITE_PROFILE_H

#include "analyzer/analysis/comms/charge.h"

/*
 * MPI calls by the place that they are made at: numbers as in profile.h, of all threads. Of what is
 * inside a call of an MPI function, bytes are those of the innermost one. Where archives tell who
 * called the function that makes a call, a place has a row for each of these callers.
 */

struct mwa_site_row {
    uint32_t site;  /* index */
    uint32_t place; /* its place, a site */
    uint64_t count;
    uint64_t time_ns;
    uint64_t used_ns[MWA_USES]; /* of it, by what for (enum mwa_use) */
    uint64_t max_ns; /* of one call */
    uint64_t bytes_sent;
    uint64_t bytes_received;
};

/* What of the program's code leads to a place in a library with most of the time there. */
struct mwa_led_by {
    const struct mwa_stack_frame *frame; /* null: nothing to say, or of half of it it's not known */
    uint64_t others;                     /* how many more lead there */
};

struct mwa_place_row {
    struct mwa_site_row sum;         /* its site is the place (struct mwa_site) */
    const struct mwa_site_row *rows; /* of its sites, by time, then site */
    uint64_t count;
};

/* To a place, which is a site, with a call of this region this line leads mostly. */
struct mwa_led_line {
    uint32_t region;
    uint32_t line;
    uint64_t function; /* of no file: other names have other numbers, nearly all; 0: of a file */
    uint32_t site;
};

struct mwa_site_profile {
    struct mwa_place_row *places; /* by time, then site; only those at which a call was made */
    uint64_t place_count;
    struct mwa_site_row *rows; /* those of the first place, then those of the second … */
    struct mwa_led_line *lines; /* of places that are led to, in this order; null: there are none */
    uint64_t line_count;
    struct mwa_led_by *led_by; /* of each site that is a place here; null: nothing to say of any */
};

/* Of a place (a site); of a profile without times (all 0) what all of its calls are led to by. */
struct mwa_led_by mwa_led_by(const struct mwa_trace *trace, const struct mwa_site_profile *sites,
                             uint32_t place);

/* The places with a call of the region to which by, or what may read the same, leads mostly, *count
 * of them. */
const struct mwa_led_line *mwa_led_lines(const struct mwa_site_profile *sites, uint32_t region,
                                         const struct mwa_stack_frame *by, uint64_t *count);

/* The place of a call (an index among regions) with most of its time; null: none is known. */
const struct mwa_place_row *mwa_hottest_place(const struct mwa_trace *trace,
                                              const struct mwa_site_profile *sites,
                                              uint32_t region);

/* The same, of what of its time is for that use. */
const struct mwa_place_row *mwa_hottest_use(const struct mwa_trace *trace,
                                            const struct mwa_site_profile *sites, uint32_t region,
                                            enum mwa_use use);

extern const struct mwa_analysis mwa_sites_analysis; /* finishes into struct mwa_site_profile */

void mwa_site_profile_fini(struct mwa_site_profile *sites);

#endif
