#ifndef MWA_ANALYSIS_COMMS_REGISTRATIONS_H
#define MWA_ANALYSIS_COMMS_REGISTRATIONS_H

#include "analyzer/analysis/comms/comm_history.h"

/* What the events say of registrations, for archives that have lost mpiwatch.json. */
struct mwa_namings {
    struct mwa_naming {
        uint32_t comm;
        uint32_t rank;
        uint64_t time; /* ticks */
        const char *name; /* null: it is unregistered */
    } *list;
    uint64_t capacity;
    uint64_t count;
};

/* Takes an event MWA_REGISTERED or MWA_UNREGISTERED in. MW_OK, MW_ERROR_MEMORY. */
enum mw_status mwa_namings_take(struct mwa_namings *namings,
                                const struct mwa_moment *moment) MW_MUST_CHECK;
enum mw_status mwa_namings_merge(struct mwa_namings *into,
                                 const struct mwa_namings *from) MW_MUST_CHECK;
void mwa_namings_fini(struct mwa_namings *namings);

/* As the analysis's pack and unpack. Names are strings of the trace. */
void mwa_namings_pack(const struct mwa_namings *namings, const struct mwa_trace *trace,
                      struct mw_buffer *to);
enum mw_status mwa_namings_unpack(struct mwa_namings *namings, const struct mwa_trace *trace,
                                  struct mw_cursor *from) MW_MUST_CHECK;

/*
 * Fills comms->registrations from mpiwatch.json, or of communicators that it does not tell of,
 * from namings; rows and lives must be there. MW_OK, MW_ERROR_MEMORY.
 */
enum mw_status mwa_registrations_make(const struct mwa_trace *trace,
                                      const struct mwa_namings *namings,
                                      struct mwa_comms *comms) MW_MUST_CHECK;

#endif
