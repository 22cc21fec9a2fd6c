#ifndef MWA_VIEW_VIEW_RUN_H
#define MWA_VIEW_VIEW_RUN_H

#include "analyzer/view/view_server.h"

/*
 * A run that is shown while it runs, and then its archive, where somebody asks for that. One thread
 * looks at the run as mpiwatch-top does (analyzer/live); others answer from what it has found.
 *
 * Answers, beside the page's sources:
 *
 *   /looks   what looks have told (view_looks.h), and what is known of the archive; after: a number
 *   /why     who waits for whom at this moment, as mpiwatch-top --why --json tells it
 *   /open    opens the archive that the run has left: from then on answers are view_answers.h's
 */
struct mwa_view_run;

struct mwa_view_run_wishes {
    uint32_t interval; /* s between looks */
    uint32_t alarm;    /* s without a call that ends, after which it is said; 0: never */
    bool keeps;        /* what is read of the archive, as of mwa_view_index_open … */
    bool forgets;      /* … and what was kept of it goes */
};

/* Whether that is the name of a run's file, and not of an archive: it ends in ".run". */
bool mwa_view_is_run(const char *path);

/* path stays the caller's, and has to stay. \return MW_OK and *run, to be freed with
 * mwa_view_run_close in any case, also if it is null; as mwa_live_begin. */
enum mw_status mwa_view_run_open(const char *path, const struct mwa_view_run_wishes *wishes,
                                 struct mwa_view_run **run,
                                 struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/* After mwa_view_run_watch has returned, if it was called, and the server has gone. */
void mwa_view_run_close(struct mwa_view_run *run);

/* Looks until the run has ended, and does what is asked for until it is stopped; one thread. */
void mwa_view_run_watch(void *run);

/* Makes mwa_view_run_watch return soon. Any thread. */
void mwa_view_run_stop(void *run);

/* Whether the run, or its archive, can't be read (any more), and why. Any thread. */
bool mwa_view_run_has_failed(void *run, struct mw_diagnostic *diagnostic);

/* For the server. Any thread. */
void mwa_view_run_answer(void *run, const struct mwa_view_question *question,
                         struct mwa_view_answer *answer);

/* {"stage": "running", "ended" or "failed", "archive": "none", "there" or "missing", "why": ""};
 * once the archive is open, as mwa_view_tell. */
void mwa_view_run_tell(void *run, char *text, size_t size);

#endif
