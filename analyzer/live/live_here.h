#ifndef MWA_LIVE_LIVE_HERE_H
#define MWA_LIVE_LIVE_HERE_H

#include "analyzer/live/live_lines.h"
#include "analyzer/live/live_tell.h"

/* What there is of a run on this host, for those who are told of it. Of one thread. */
struct mwa_live_here {
    struct mwa_live live;
    struct mwa_live_lines *lines;   /* null: they are not looked up */
    struct mwa_live_detail *detail; /* null: nobody has wished for it */
    struct mwa_live_telling telling; /* to those who watch */
    bool is_there;
    bool was_named; /* there was what the user named */
    bool has_waits; /* detail has */
    uint64_t wished[2]; /* when each of enum mw_live_wish_flag was last, ns; 0: never */
    struct mwa_live_peers *peers; /* those on other hosts; the caller's; null: none */
    uint64_t ended;     /* when the run was seen to have ended, ns; 0: it goes on */
};

/* Somebody who watches wishes for that, enum mw_live_wish_flag. */
void mwa_live_here_wish(struct mwa_live_here *here, uint32_t flags);

/* Takes a message of a wish or of calls, from one of peers or somebody else: others, and what is no
 * message, change nothing. \return MW_OK, MW_ERROR_MEMORY. */
enum mw_status mwa_live_here_take(struct mwa_live_here *here, uint32_t from, const void *message,
                                  size_t bytes, uint32_t seconds,
                                  struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/*
 * Looks, as each so many seconds, and tells what there is, and what is wished for. A run whose
 * ranks come late, or that has none here, is no mistake. *has_ended: it has, and its end was told.
 *
 * \return MW_OK; MW_ERROR_MEMORY, or as mwa_live_look.
 */
enum mw_status mwa_live_here_look(struct mwa_live_here *here, const char **names, uint32_t seconds,
                                  bool *has_ended, struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

void mwa_live_here_end(struct mwa_live_here *here); /* a zeroed one is fine */

#endif
