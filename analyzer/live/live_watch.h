#ifndef MWA_LIVE_LIVE_WATCH_H
#define MWA_LIVE_LIVE_WATCH_H

#include "analyzer/live/live_detail.h"
#include "analyzer/live/live_lines.h"
#include "analyzer/live/live_screen.h"

/* A run, and what is looked up and read for those who watch it. Of one thread. */
struct mwa_live_watch {
    struct mwa_live *live; /* the caller's */
    struct mwa_live_lines *lines;
    struct mwa_live_detail *detail; /* null: no view has needed it */
    struct mwa_live_detail *asked;  /* for who asks why without; null: nobody has */
    bool has_waits; /* detail has: they need all events from the beginning on */
};

/* What a look reads of events. */
enum mwa_live_reading {
    MWA_LIVE_READS_COUNTS, /* none */
    MWA_LIVE_READS_EVENTS, /* for views other than that of ranks */
    MWA_LIVE_READS_WAITS   /* also how much of their time ranks wait */
};

/* What a screen needs. */
enum mwa_live_reading mwa_live_watch_needs(const struct mwa_live_screen *screen);


/* \return MW_OK, MW_ERROR_MEMORY; mwa_live_watch_fini is due in either case. */
enum mw_status mwa_live_watch_init(struct mwa_live_watch *watch, struct mwa_live *live,
                                   struct mw_diagnostic *diagnostic) MW_MUST_CHECK;
void mwa_live_watch_fini(struct mwa_live_watch *watch);

/*
 * Looks again, waiting for lines with is_waiting. Events are read on as reading says: for
 * MWA_LIVE_READING_PERCENT of so many seconds, 0: to their end, as of a run that has ended.
 *
 * \return as mwa_live_look.
 */
enum mw_status mwa_live_watch_look(struct mwa_live_watch *watch, bool is_waiting,
                                   enum mwa_live_reading reading, uint32_t seconds,
                                   struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/* Whether there is more to be looked at: a process that has told its end writes its last records,
 * and its archive, after that. */
bool mwa_live_watch_goes_on(const struct mwa_live_watch *watch);

/* What has been read to the end of what there is, to be asked where ranks are; the watch's. *found
 * null: no memory. \return as mwa_live_look. */
enum mw_status mwa_live_watch_ask(struct mwa_live_watch *watch,
                                  const struct mwa_live_detail **found,
                                  struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/* Whether others who tell of the run have told what was read for; true where it is read here. */
bool mwa_live_watch_is_answered(const struct mwa_live_watch *watch,
                                enum mwa_live_reading reading);

/* Prints the screen's view with its head, for mwa_lay_out; *rows: that there are.
 * \return MW_OK, MW_ERROR_MEMORY. */
enum mw_status mwa_live_watch_put(struct mwa_live_watch *watch,
                                  const struct mwa_live_screen *screen, uint32_t *rows, FILE *out,
                                  struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/* The same laid out for the screen's columns. */
enum mw_status mwa_live_watch_print(struct mwa_live_watch *watch,
                                    const struct mwa_live_screen *screen, uint32_t *rows,
                                    FILE *out, struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

#endif
