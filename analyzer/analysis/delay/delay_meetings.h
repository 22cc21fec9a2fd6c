#ifndef MWA_ANALYSIS_DELAY_DELAY_MEETINGS_H
#define MWA_ANALYSIS_DELAY_DELAY_MEETINGS_H

#include "analyzer/analysis/delay/activity.h"
#include "analyzer/analysis/delay/delay.h"

/*
 * When any two ranks met last, and what each had done till then (delay.h). Two ranks have met
 * as a pair, in a group, or at the beginning of the run. A pair is remembered as long as it is one
 * of the last MWA_DELAY_PAIRS of either rank, of groups each rank's last MWA_DELAY_GROUPS: so what
 * other ranks do makes no difference. The last meeting of all ranks is remembered whatever comes
 * behind it, so that nothing before it is ever asked for: what follows is the same, whether it was
 * told or not. Meetings are told in their order. Not thread-safe.
 */

/* What a rank had done when it met another. */
struct mwa_standing {
    struct mwa_mark *mark; /* at the enter of the call, or when it was waited for */
    uint64_t logged;       /* waits of the rank up to the meeting */
    uint64_t waited;       /* what they come to, ticks */
    uint32_t count;
    uint64_t spent[]; /* count sums by activity, ticks, modulo 2^64: what the mark has, less the
                         waits */
};

struct mwa_meeting {
    const struct mwa_standing *one; /* null: the beginning of the run */
    const struct mwa_standing *other;
    uint64_t begin;  /* when the first of both left the call, ticks */
};

/* A rank that meets another, with the sums of its waits. */
struct mwa_attendant {
    uint32_t rank;
    struct mwa_mark *mark; /* of which a hold is taken */
    uint64_t logged;       /* so many of its waits … */
    uint64_t waited;       /* … come to that */
    const uint64_t *waits; /* count sums of them by activity, no fewer than the mark has */
    uint32_t count;
};

struct mwa_meetings;

struct mwa_meetings *mwa_meetings_create(uint64_t ranks); /* null without memory */
void mwa_meetings_destroy(struct mwa_meetings *meetings); /* null is fine */

/* Two ranks met at time, at which the first of both left the call if is_at_leave: else their marks
 * tell when that was. MW_OK, MW_ERROR_MEMORY. */
enum mw_status mwa_meetings_pair(struct mwa_meetings *meetings, uint64_t time, bool is_at_leave,
                                 const struct mwa_attendant *one,
                                 const struct mwa_attendant *other) MW_MUST_CHECK;

/* A meeting of a group: which one is said by time, communicator and first rank. */
struct mwa_gathering {
    uint64_t time;
    uint64_t begin; /* an interval that it begins does so here */
    uint32_t comm;  /* index, MWA_NONE */
    uint32_t first; /* of its ranks the lowest */
    uint64_t of_all; /* 0: some ranks are not there; else which of those of all, from 1 */
};

/* A group meets. Then each of its ranks joins. */
void mwa_meetings_open(struct mwa_meetings *meetings, const struct mwa_gathering *gathering);
enum mw_status mwa_meetings_join(struct mwa_meetings *meetings,
                                 const struct mwa_attendant *attendant) MW_MUST_CHECK;

/* What rank had done at the last meeting of all; good until the next one is told. Null: there was
 * none. */
struct mwa_mark *mwa_meetings_of_all(const struct mwa_meetings *meetings, uint32_t rank);

/* The last meeting of two ranks; good until the next one is told. */
void mwa_meetings_last(const struct mwa_meetings *meetings, uint32_t one, uint32_t other,
                       struct mwa_meeting *met);

/* Whether a meeting was forgotten for others. */
bool mwa_meetings_have_forgotten(const struct mwa_meetings *meetings);

/* Appends who remembers whom, for a look at all chapters: *fit says whether all of it would be
 * remembered in a run that has them all, and is false, too, without memory. MW_OK, MW_ERROR_FORMAT:
 * these are other bytes. */
void mwa_meetings_pack_keys(const struct mwa_meetings *meetings, struct mw_buffer *to);
enum mw_status mwa_meetings_keys_fit(struct mw_cursor *from, bool *fit) MW_MUST_CHECK;

/* What a standing of rank in a chapter is in the one behind it. Null: no memory. */
typedef struct mwa_standing *(*mwa_standing_carry)(void *user, uint32_t rank,
                                                   const struct mwa_standing *standing);

/* Adds what earlier, of the chapter before, remembers, and meetings don't. MW_OK,
 * MW_ERROR_MEMORY. */
enum mw_status mwa_meetings_inherit(struct mwa_meetings *meetings,
                                    const struct mwa_meetings *earlier, mwa_standing_carry carry,
                                    void *user) MW_MUST_CHECK;

/*
 * All that inherit and last ask for, for another process (analyzer/team/packing.h): unpack takes
 * it out into new ones, with marks of activities. MW_OK; MW_ERROR_MEMORY; MW_ERROR_FORMAT: these
 * are other bytes.
 */
void mwa_meetings_pack(const struct mwa_meetings *meetings, struct mw_buffer *to);
enum mw_status mwa_meetings_unpack(struct mwa_meetings *meetings,
                                   struct mwa_activities *activities,
                                   struct mw_cursor *from) MW_MUST_CHECK;

void mwa_standing_destroy(struct mwa_standing *standing); /* null is fine */

#endif
