#ifndef MW_FORMATS_MERGE_MERGE_H
#define MW_FORMATS_MERGE_MERGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "formats/base/clock.h"
#include "formats/base/index_table.h"
#include "formats/base/status.h"
#include "formats/merge/location_stats.h"
#include "formats/merge/merge_groups.h"
#include "formats/merge/merge_members.h"
#include "formats/merge/merge_objects.h"
#include "formats/merge/merge_samples.h"
#include "formats/merge/merge_sites.h"
#include "formats/merge/merge_texts.h"
#include "formats/merge/merge_user.h"
#include "formats/spool/definition.h"

/*
 * The definitions of all processes made one: communicators told by their uid and
 * numbered 0, 1, … with parents first, names chosen, equal groups shared. Rank 0's work.
 */

#define MW_MERGED_NONE MW_MEMBER_UNKNOWN /* no communicator; an unknown member */
#define MW_LOSS_REASON_COUNT (MW_LOSS_DAMAGE + 1)

/* One group of a communicator: the only one, or one of the two of an inter-communicator. */
struct mw_merged_side {
    struct mw_uid hash; /* inter: what its members call it by */
    uint32_t group; /* index of the shared group */
    struct mw_members members; /* world ranks */
    uint64_t *created; /* per member, ns on its own clock, 0: not told; null: of none it is */
    uint64_t *freed;
};

struct mw_merged_comm {
    struct mw_uid uid;
    struct mw_uid parent_uid;
    uint32_t parent; /* id; MW_MERGED_NONE: there is none, or it is not known */
    uint32_t call;   /* enum mw_call; MW_CALL_COUNT: none */
    uint32_t sequence;
    uint32_t flags;   /* enum mw_comm_flags */
    bool is_self;     /* MPI_COMM_SELF of all processes: no sides */
    bool is_piece;    /* other communicators came from the same call */
    bool contradicted; /* processes disagree about it */
    bool two_parents;  /* inter: each group made it from a communicator of its own */
    uint32_t side_count;
    struct mw_merged_side sides[2];
    char *default_name;
    const char *name;    /* the one that counts */
    uint32_t meeting;    /* in meetings; MW_MERGED_NONE: none of two jobs, or not told */
    uint32_t first_name; /* in names, chained by next; MW_MERGED_NONE: never named */
    uint32_t last_name;
    uint32_t first_registration; /* in user.registrations, chained likewise */
    uint32_t last_registration;
};

struct mw_merged_name {
    uint32_t comm;
    uint32_t source; /* enum mw_name_source */
    uint32_t rank;   /* who gave it: of those who gave the same, the first */
    uint32_t next;
    uint64_t time; /* ns on that rank's clock */
    const char *name;
};

/* How jobs met: struct mw_define_meeting, with times in ns on that rank's clock. */
struct mw_merged_meeting {
    uint32_t rank; /* who told it */
    uint32_t number;
    uint64_t place;
    uint64_t enter;
    uint64_t leave;
};

struct mw_merged_rank {
    bool recorded;    /* there is a spool of it */
    bool damaged;     /* whose definitions could not all be read */
    bool has_process; /* it came to say what it is */
    const char *lost_host; /* of one that did not, where others know it; else null */
    bool has_end;
    struct mw_define_process process;
    uint64_t time_unit; /* ns, as in struct mw_clock_scale */
    struct mw_define_end end;
    struct mw_clock_point *clock;
    size_t clock_count;
    uint32_t main_thread;
    uint64_t lost[MW_LOSS_REASON_COUNT];
    struct mw_location_stats *locations;
    uint32_t location_count;
    uint32_t *comms; /* id by the process's own number; MW_MERGED_NONE: not defined … */
    uint32_t comm_count;
    struct mw_members packed_comms; /* … while it is added, and then, as members are, here */
    uint32_t contingent; /* id of the Comm of its threads, behind those of communicators;
                            MW_MERGED_NONE: it had one thread */
    uint32_t *metrics; /* id by the process's own number */
    uint32_t metric_count;
    struct mw_define_offer offer; /* note null: not told */
    struct mw_define_own_traffic own_traffic; /* no calls: not told */
    struct mw_object_map objects;
    struct mw_user_map user;
    struct mw_site_map sites;
    struct mw_source_map sources;
    struct mw_merged_filtered filtered; /* of all communicators and calls */
    struct mw_define_misuse misuse;
    struct mw_define_samples samples; /* rate 0: it was not looked at */
    struct mw_define_crew crew;       /* zeros: there was none */
    struct mw_define_circumstance *circumstances; /* in their order */
    uint32_t circumstance_count;
};

/* The id of the communicator that is the rank's own number; MW_MERGED_NONE if there is none. */
static inline uint32_t mw_merged_comm_of(const struct mw_merged_rank *rank, uint32_t number)
{
    if (number >= rank->comm_count) {
        return MW_MERGED_NONE;
    }
    return rank->comms ? rank->comms[number] : mw_members_at(&rank->packed_comms, number);
}

/* A time of the rank's definitions, in ns of its clock, as its events tell theirs. */
static inline uint64_t mw_merged_told(const struct mw_merged_rank *rank, uint64_t ticks)
{
    return mw_clock_told(ticks, (struct mw_clock_scale){.resolution = rank->process.time_resolution,
                                                        .unit = rank->time_unit});
}

/* Whether the rank's record goes to the end of MPI_Finalize. */
static inline bool mw_merged_is_finalized(const struct mw_merged_rank *rank)
{
    return rank->has_end && rank->end.how == MW_ENDED_FINALIZE;
}

struct mw_merged_setting {
    const char *name;
    const char *value;
};

/* ids as the others'; comm and object MW_MERGED_NONE: bound to none. */
struct mw_merged_baseline {
    uint32_t rank;
    uint32_t metric;
    uint32_t comm;
    uint32_t object; /* the window or the open file, as the metric's bind says */
    uint32_t element;
    uint64_t value;
    uint64_t doubt;
};

/* A control variable as the first rank that told it has it. */
struct mw_merged_cvar {
    struct mw_define_cvar define;
    uint32_t rank;
};

/* What another rank has. */
struct mw_merged_cvar_difference {
    uint32_t cvar; /* index */
    uint32_t rank;
    const char *value;
};

/* formats/merge_variables. */
struct mw_merged_variables {
    struct mw_define_metric *metrics; /* by id; metric is of the process that told it first */
    uint32_t metric_count;
    struct mw_merged_baseline *baselines;
    uint32_t baseline_count;
    struct mw_merged_cvar *cvars;
    uint32_t cvar_count;
    struct mw_merged_cvar_difference *differences;
    uint32_t difference_count;
    struct mw_index_table by_metric;
    struct mw_index_table by_cvar;
};

struct mw_merged {
    uint32_t rank_count; /* size of MPI_COMM_WORLD */
    struct mw_merged_rank *ranks;
    struct mw_merged_comm *comms; /* 0: MPI_COMM_WORLD, 1: MPI_COMM_SELF */
    uint32_t comm_count;
    struct mw_merged_meeting *meetings;
    uint32_t meeting_count;
    struct mw_merged_name *names;
    uint32_t name_count;
    const struct mw_members **groups; /* a side's, or one of … */
    uint32_t group_count;
    struct mw_members **source_groups; /* … those that are no side's */
    uint32_t source_group_count;
    struct mw_merged_setting *settings; /* of the lowest rank that told any */
    uint32_t setting_count;
    uint32_t setting_rank;
    struct mw_merged_variables variables;
    struct mw_call_set used;
    struct mw_merged_objects objects;
    struct mw_merged_user user;
    struct mw_merged_sites sites;
    struct mw_merged_samples samples;
    struct mw_merged_texts texts; /* all that the others point to */
    struct mw_index_table by_uid;
    struct mw_index_table by_name;
    struct mw_index_table by_members;
};

/* What one process gives to be merged, which is not needed any more then. */
struct mw_merge_part {
    uint32_t rank;
    char *image; /* of its definitions file; is altered */
    size_t image_bytes;
    bool salvage;      /* definitions that are damaged count up to there */
    const char *where; /* for diagnostics */
    const void *locations; /* struct mw_location_stats each, at any address */
    uint32_t location_count;
    bool damaged; /* some of the tallies were */
    const void *tallies; /* struct mw_tally each, at any address: in the place of … */
    uint32_t tally_count; /* … the counts of filtered calls in the definitions, unless 0 */
};

/* rank_count is at least 1. \return MW_OK; MW_ERROR_MEMORY. mw_merged_fini is due. */
enum mw_status mw_merged_init(struct mw_merged *merged, uint32_t rank_count,
                              struct mw_diagnostic *diagnostic) MW_MUST_CHECK;
void mw_merged_fini(struct mw_merged *merged);

/*
 * Adds a process. To be called in the order of ranks, so that results do not depend
 * on who had which spool.
 *
 * \return MW_OK; MW_ERROR_MEMORY; MW_ERROR_FORMAT, MW_ERROR_VERSION of the definitions.
 */
enum mw_status mw_merge_add(struct mw_merged *merged, const struct mw_merge_part *part,
                            struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/* Chooses names and makes groups, when all have been added. \return MW_OK; MW_ERROR_MEMORY. */
enum mw_status mw_merge_finish(struct mw_merged *merged,
                               struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/* The id of the communicator with uid; MW_MERGED_NONE if there is none. */
uint32_t mw_merged_find_comm(const struct mw_merged *merged, struct mw_uid uid);

/* A time of rank on its own clock, on rank 0's. */
uint64_t mw_merged_time(const struct mw_merged *merged, uint32_t rank, uint64_t time);

#endif
