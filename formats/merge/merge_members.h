#ifndef MW_FORMATS_MERGE_MERGE_MEMBERS_H
#define MW_FORMATS_MERGE_MERGE_MEMBERS_H

#include <stdbool.h>
#include <stdint.h>

/*
 * The members of a group: a world rank for each place, or MW_MEMBER_UNKNOWN. Most groups are all
 * ranks, a row, a column, in their order, and members say who they are in theirs: runs, of which
 * one is 16 bytes; what has no runs is a list. A part of formats/merge. A zeroed one has no place.
 */

#define MW_MEMBER_UNKNOWN UINT32_MAX

/* Members first, first + stride … of count places from place on. Modulo 2^32. */
struct mw_member_run {
    uint32_t place;
    uint32_t count;
    uint32_t first;
    uint32_t stride;
};

struct mw_members {
    uint32_t size;
    uint32_t known; /* places whose member is known */
    struct mw_member_run *runs; /* by place; the others are not known */
    uint32_t run_count;
    uint32_t *list; /* by place; null: there are runs */
};

/*
 * Says who is at place (below size): what is known already stays.
 *
 * \return false without memory. *agrees: nobody else was there.
 */
bool mw_members_set(struct mw_members *members, uint32_t place, uint32_t rank, bool *agrees);

/* Who is at place, which is below size. */
uint32_t mw_members_at(const struct mw_members *members, uint32_t place);

/* The lowest one that is known; MW_MEMBER_UNKNOWN if none is. */
uint32_t mw_members_lowest(const struct mw_members *members);

/* Makes of members the one form that equal ones have, whoever told them. False without memory. */
bool mw_members_settle(struct mw_members *members);

/* Of such. */
uint64_t mw_members_hash(const struct mw_members *members);
bool mw_members_equal(const struct mw_members *one, const struct mw_members *other);

void mw_members_fini(struct mw_members *members);

#endif
