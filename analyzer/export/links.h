#ifndef MWA_EXPORT_LINKS_H
#define MWA_EXPORT_LINKS_H

#include "analyzer/export/export_selection.h"
#include "analyzer/model/exchanged.h"
#include "formats/base/status.h"

/*
 * What ties locations together: the matched messages of a part of a trace, and who waited for
 * whom. They are found in a pass of their own, and kept, for writers that go through one location
 * after the other. Memory: 170 bytes for each message, 64 for each wait. Times are ticks.
 */

/* A matched message. Of its two ends the calls are those that MPI was in: of a non-blocking send
 * the one that began it, of a non-blocking receive the one that completed it. */
struct mwa_link {
    uint64_t number;
    uint64_t bytes; /* UINT64_MAX: not known */
    uint64_t sent;
    uint64_t received; /* in the call: 1 before its end */
    uint64_t posted;
    uint64_t wait;       /* of the receiver for this message: late sender */
    uint64_t send_wait;  /* of the sender for its receive: late receiver */
    uint64_t progress_wait; /* of the receiver and of the sender for the other's call that completes
                               its end: late progress */
    uint64_t send_progress_wait;
    uint64_t send_enter; /* of the calls */
    uint64_t receive_enter;
    uint64_t receive_leave;
    uint32_t send_location; /* index */
    uint32_t receive_location;
    uint32_t send_site;     /* index; MWA_NONE: not told */
    uint32_t receive_site;
    uint32_t comm; /* index; MWA_NONE: not known */
    uint32_t tag;
    const struct mwa_region *send_call; /* null: the event lies outside of all calls */
    const struct mwa_region *receive_call;
};

/* A wait that counts, of enum mwa_wait_pattern. */
struct mwa_link_wait {
    uint64_t from;
    uint64_t to;
    uint64_t message;
    uint32_t location;
    uint32_t pattern;
    uint32_t cause; /* world rank, MWA_NONE: nobody in particular */
    uint32_t comm;  /* index; MWA_NONE: of none */
};

/* One end of a message, in the order of locations, calls and messages. */
struct mwa_link_end {
    const struct mwa_link *link;
    bool is_receive;
};

struct mwa_links {
    struct mwa_link *list; /* by number */
    uint64_t count, capacity;
    struct mwa_link_wait *waits; /* by location and time, longer ones first */
    uint64_t wait_count, wait_capacity;
    struct mwa_link_end *ends; /* those in calls, by location and the call's enter */
    uint64_t end_count;
};

/*
 * Those in selection: messages whose both ends, waits of which a part is. path is where the archive
 * of trace can be opened again. links is to be freed with mwa_links_fini in any case.
 *
 * \return MW_OK; as mwa_exchanges_visit; MW_ERROR_MEMORY.
 */
enum mw_status mwa_links_make(const struct mwa_trace *trace, const char *path,
                              const struct mwa_selection *selection, struct mwa_links *links,
                              struct mw_diagnostic *diagnostic) MW_MUST_CHECK;
void mwa_links_fini(struct mwa_links *links);

/* The call of an end: its location, and when it was entered. */
uint32_t mwa_link_end_location(const struct mwa_link_end *end);
uint64_t mwa_link_end_enter(const struct mwa_link_end *end);

#endif
