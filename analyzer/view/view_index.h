#ifndef MWA_VIEW_VIEW_INDEX_H
#define MWA_VIEW_VIEW_INDEX_H

#include <jansson.h>

#include "analyzer/view/view_store.h"

/*
 * An archive that is shown: opened at once, so that its ranks are known, and then read by a thread
 * of its own, while others already ask.
 */
struct mwa_view_index;

enum mwa_view_stage {
    MWA_VIEW_READING, /* events are read */
    MWA_VIEW_READY,   /* all is there, and changes no more */
    MWA_VIEW_FAILED   /* it can't be read: see the diagnostic */
};

/*
 * keeps: what was read is kept in the user's cache, and used if it is there.
 *
 * \return MW_OK and *index, to be freed with mwa_view_index_close. As mwa_input_open.
 */
enum mw_status mwa_view_index_open(const char *path, bool keeps, struct mwa_view_index **index,
                                   struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/* After mwa_view_index_make has returned, if it was called. Null is fine. */
void mwa_view_index_close(struct mwa_view_index *index);

/* Removes all that is kept of the archive. */
void mwa_view_index_forget(struct mwa_view_index *index);

/* Reads all events, once; by one thread. */
void mwa_view_index_make(struct mwa_view_index *index);

/* Makes mwa_view_index_make return soon. Any thread. */
void mwa_view_index_stop(struct mwa_view_index *index);

/* Any thread. */
enum mwa_view_stage mwa_view_index_stage(struct mwa_view_index *index);

/* How many events have been read, of how many that are promised. Any thread. */
void mwa_view_index_progress(struct mwa_view_index *index, uint64_t *read, uint64_t *all);

/* Why it failed: once it has. */
const struct mw_diagnostic *mwa_view_index_diagnostic(const struct mwa_view_index *index);

/* Why what was read could not be kept for the next view; null: it is, or it is not known yet, or
 * nobody wants it. Any thread. */
const struct mw_diagnostic *mwa_view_index_unkept(struct mwa_view_index *index);

/* What mwa_view_preview_tell has of what was read so far; null: there is none. Any thread. */
json_t *mwa_view_index_preview(struct mwa_view_index *index);

/* What has become of the archive since it was opened, as mwa_view_fate_tell. Any thread. */
const char *mwa_view_index_fate(const struct mwa_view_index *index);

const char *mwa_view_index_path(const struct mwa_view_index *index);

/* Once it is ready; null before. Any thread. */
const struct mwa_view_store *mwa_view_index_store(struct mwa_view_index *index);

#endif
