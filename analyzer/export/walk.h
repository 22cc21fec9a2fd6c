#ifndef MWA_EXPORT_WALK_H
#define MWA_EXPORT_WALK_H

#include "analyzer/analysis/comms/call_facts.h"
#include "analyzer/export/export_selection.h"
#include "analyzer/export/links.h"
#include "analyzer/model/event.h"
#include "formats/base/status.h"

/*
 * Hands a part of a trace to a writer of another format: locations one after the other,
 * then the messages between them. Memory: some stacks of calls, and what analyzer/export/links.h
 * keeps of messages and waits.
 *
 * Every region that is begun is ended, inner ones first: those that are open when the
 * window begins are begun then, those open at its end are ended there. Times are ticks.
 */

struct mwa_walk_call {
    const struct mwa_region *region;
    const struct mwa_region *within; /* the innermost of the program around it; null: none */
    uint32_t site;   /* of a call of MPI where it is known (index); else MWA_NONE */
    uint64_t repeat; /* calls that it stands for, 1 or more */
    uint64_t enter;  /* also where that is before the window */
    bool outermost;  /* a call of MPI inside no other */
    struct mwa_call_facts facts; /* whole at its end */
    const struct mwa_link_end *ends; /* of messages that it sends or has received, so many; of
                                        outermost calls */
    uint64_t end_count;
};

struct mwa_walk_listener {
    void *user;

    /* A location in the selection begins; its events follow. */
    enum mw_status (*location)(void *user, uint32_t location);
    enum mw_status (*begin)(void *user, uint32_t location, uint64_t time,
                            const struct mwa_walk_call *call);
    enum mw_status (*end)(void *user, uint32_t location, uint64_t time,
                          const struct mwa_walk_call *call);
    /* A sample of variables, or recording was paused or resumed. */
    enum mw_status (*sample)(void *user, const struct mwa_event *event);
    enum mw_status (*measurement)(void *user, const struct mwa_event *event);
    /* Whether the thread ran since the sample before (MWA_RUNNING). */
    enum mw_status (*running)(void *user, const struct mwa_event *event);
    /* What the program marks. */
    enum mw_status (*marker)(void *user, const struct mwa_event *event);
    /* A variable was reset or has wrapped (MWA_DISCONTINUITY); its sum goes on. */
    enum mw_status (*discontinuity)(void *user, const struct mwa_event *event);
    /* A wait of the location that just ended, cut to the window; inside of one that was told
     * before, or behind it. */
    enum mw_status (*wait)(void *user, const struct mwa_link_wait *wait, uint64_t from,
                           uint64_t to);
    /* A matched message, sent and received within the selection. */
    enum mw_status (*message)(void *user, const struct mwa_link *link);
};

/*
 * Walks. A function that is null is not told. path is where the archive of trace can be opened
 * again, as is done twice: libotf2 reads the definitions of a location once.
 *
 * \return MW_OK; as mwa_input_open, mwa_event_reader_read, mwa_links_make; what a function of
 * listener returned.
 */
enum mw_status mwa_walk(const struct mwa_trace *trace, const char *path,
                        const struct mwa_selection *selection,
                        const struct mwa_walk_listener *listener,
                        struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

#endif
