#ifndef MWA_LIVE_LIVE_TRACE_H
#define MWA_LIVE_LIVE_TRACE_H

#include "analyzer/model/trace.h"
#include "formats/base/clock.h"
#include "formats/base/status.h"
#include "formats/spool/definition_follow.h"
#include "formats/spool/spool_reader.h"

/*
 * What the definitions of a run's processes say, as the struct mwa_trace that analyses read, while
 * the processes go on defining: indices stay, arrays grow.
 */

struct mwa_live_metric {
    char *name; /* null: not defined */
    uint32_t class; /* enum mw_variable_class, as the values behave */
    char *unit;
};

/* What a process's own numbers are of. */
struct mwa_live_numbers {
    uint32_t *comms; /* indices of the trace, MWA_NONE: not known */
    uint32_t comm_room;
    struct mw_uid *object_comms[MW_OBJECT_KIND_COUNT]; /* that they were made on */
    uint32_t object_rooms[MW_OBJECT_KIND_COUNT];
    uint32_t *windows; /* indices of the trace's objects, MWA_NONE: not known */
    uint32_t window_room;
    uint16_t *site_calls; /* 0xffff: not known */
    uint32_t site_room;
    struct mwa_live_metric *metrics;
    uint32_t metric_room;
    struct mw_definition_follower definitions;
    uint32_t rank;       /* the process's, as they say; at first 0 */
    uint64_t resolution; /* ticks a second of the times in them */
    struct mw_clock_point *clock; /* how its clock was compared with rank 0's */
    size_t clock_count;
};

struct mwa_live_trace {
    struct mwa_trace trace;
    struct mwa_map by_uid;  /* to indices of communicators */
    struct mwa_map windows_by_uid; /* to those of the trace's objects … */
    struct mw_uid *window_comms;   /* … on which those were made */
    struct mw_uid *uids;    /* by index, but of MPI_COMM_WORLD and MPI_COMM_SELF */
    struct mw_uid *parents; /* the same */
    uint32_t *leaders;      /* the rank that tells its members, by index */
    unsigned *calls;        /* that made it, enum mw_call, by index */
    uint32_t *sequences;
    uint64_t window_capacity;
    uint64_t uid_capacity, comm_capacity, group_capacity, parent_capacity, call_capacity,
        sequence_capacity, leader_capacity;
};

/* \return false: no memory; mwa_live_trace_fini is due in either case. */
bool mwa_live_trace_init(struct mwa_live_trace *live, uint32_t ranks) MW_MUST_CHECK;
void mwa_live_trace_fini(struct mwa_live_trace *live);
void mwa_live_numbers_fini(struct mwa_live_numbers *numbers);

/*
 * Reads the definitions of the spool directory path again if they have grown. What is damaged
 * counts as far as it goes.
 *
 * \return false: no memory.
 */
bool mwa_live_trace_read(struct mwa_live_trace *live, struct mwa_live_numbers *numbers,
                         const char *path) MW_MUST_CHECK;

/* The index of a communicator that somebody else tells of, who numbers it otherwise; MWA_NONE: no
 * memory. Its groups are told below. */
uint32_t mwa_live_trace_hear(struct mwa_live_trace *live, struct mw_uid uid, bool is_inter,
                             bool is_other_job);

/* A group of such a one, if it is not known yet. \return false: no memory. */
bool mwa_live_trace_hear_group(struct mwa_live_trace *live, uint32_t comm, const uint32_t *ranks,
                               uint32_t count) MW_MUST_CHECK;

/* Whether all is known that events of the call speak of: communicators, or its site as well. A rank
 * that is not here (is_here false) will not tell the members of its communicators. */
bool mwa_live_trace_knows_comms(const struct mwa_live_trace *live,
                                const struct mwa_live_numbers *numbers, const bool *is_here,
                                const struct mw_spool_call *call);
bool mwa_live_trace_knows(const struct mwa_live_trace *live, const struct mwa_live_numbers *numbers,
                          const bool *is_here, const struct mw_spool_call *call);

/* The index of a process's communicator; MWA_NONE: not known. */
uint32_t mwa_live_trace_comm(const struct mwa_live_numbers *numbers, uint32_t comm);

/* The index of the communicator that an object was made on; MWA_NONE: not known. */
uint32_t mwa_live_trace_object(const struct mwa_live_trace *live,
                               const struct mwa_live_numbers *numbers, enum mw_object_kind kind,
                               uint32_t number);

/* The index of a process's window among the trace's objects; MWA_NONE: not known. */
uint32_t mwa_live_trace_window(const struct mwa_live_numbers *numbers, uint32_t window);

/* The name that it was given, or how it was made: "grid", "MPI_COMM_WORLD/dup#2"; returns text, of
 * size bytes, as it is in the program. */
const char *mwa_live_trace_comm_name(const struct mwa_live_trace *live, uint32_t comm, char *text,
                                     size_t size);

#endif
