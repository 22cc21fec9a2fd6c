/*
 * One series alone often fits in several ways: a root that broadcasts is never late. What was made
 * between its operations says which.
 */
#include "analyzer/exchange/courses.h"

#include <stdlib.h>

#define SHIFT_MOST (MWA_COURSE_KEPT / 2)

static uint32_t rank_of(struct mwa_key key)
{
    return (uint32_t)key.high;
}

bool mwa_tails_add_part(struct mwa_tails *tails, struct mwa_key course,
                        const struct mwa_tail_part *part)
{
    const struct mwa_key series =
        mwa_series_key(part->series, rank_of(course), (uint32_t)course.low);
    const uint64_t number = mwa_index_of(&tails->number_index, series, &tails->numbers,
                                         sizeof *tails->numbers);
    const uint64_t place = mwa_index_of(&tails->course_index, course, &tails->courses,
                                        sizeof *tails->courses);
    struct mwa_course *found;

    if (number == MWA_MAP_ABSENT || place == MWA_MAP_ABSENT) {
        return false;
    }
    tails->numbers[number].count++;
    tails->numbers[number].course = (uint32_t)(course.high >> 32);
    found = &tails->courses[place];
    if (found->count < MWA_COURSE_KEPT &&
        !mwa_grow(&found->last, &found->capacity, found->count + 1, sizeof *found->last)) {
        return false;
    }
    found->last[found->count++ % MWA_COURSE_KEPT] = *part;
    return true;
}

/* --- which of the last ones belong together --------------------------------------------------- */

/* The one that so many come behind. */
static const struct mwa_tail_part *at(const struct mwa_course *course, uint64_t behind)
{
    return &course->last[(course->count - 1 - behind) % MWA_COURSE_KEPT];
}

static bool can_get(const struct mwa_clocks *clocks, const struct mwa_tail_part *giver,
                    const struct mwa_tail_part *taker)
{
    return !giver->gives || !taker->takes || (giver->side != 0 && giver->side == taker->side) ||
           mwa_clocks_allow(clocks, giver->begin, taker->end);
}

/* Whether all that is kept can belong together where the last so many of either have no other. */
static bool can_be(const struct mwa_clocks *clocks, const struct mwa_course *one,
                   uint64_t one_left, const struct mwa_course *other, uint64_t other_left)
{
    uint64_t i;

    for (i = 0; i + one_left + other_left < MWA_COURSE_KEPT && i + one_left < one->count &&
                i + other_left < other->count;
         i++) {
        const struct mwa_tail_part *a = at(one, i + one_left), *b = at(other, i + other_left);

        if (a->series != b->series || !can_get(clocks, a, b) || !can_get(clocks, b, a)) {
            return false;
        }
    }
    return i > 0 || one_left == one->count || other_left == other->count;
}

static void find_shift(const struct mwa_clocks *clocks, const struct mwa_course *reference,
                       struct mwa_course *course)
{
    for (uint32_t shift = 0; shift < SHIFT_MOST; shift++) {
        for (unsigned is_ahead = 0; is_ahead < 2; is_ahead++) {
            if (can_be(clocks, reference, is_ahead ? 0 : shift, course, is_ahead ? shift : 0)) {
                course->shift = shift;
                course->is_ahead = is_ahead;
                return;
            }
        }
    }
}

/* --- what is early ---------------------------------------------------------------------------- */

/* A course, or a series, of all ranks of a communicator. */
struct all_ranks {
    bool is_there;
    bool is_late;    /* one's record begins late */
    bool is_root;    /* of the last one with a root was … */
    uint32_t rank;   /* … the one that the others are compared with, … */
    uint64_t course; /* … whose these are */
    uint64_t least;  /* of what ranks have up to the last one of that */
};

/* What is being found. */
struct finding {
    struct mwa_tails *tails;
    const struct mwa_trace *trace;
    struct mwa_index course_index, series_index;
    struct all_ranks *courses, *series;
};

static struct all_ranks *all_of(struct mwa_index *index, struct all_ranks **list,
                                struct mwa_key key)
{
    const struct mwa_key without_rank = { key.high >> 32, key.low };
    const uint64_t place = mwa_index_of(index, without_rank, list, sizeof **list);

    return place == MWA_MAP_ABSENT ? NULL : &(*list)[place];
}

static struct all_ranks *all_of_course(struct finding *finding, struct mwa_key key)
{
    return all_of(&finding->course_index, &finding->courses, key);
}

/* The key of the course that the number's series belongs to. */
static struct mwa_key course_key(const struct finding *finding, const struct mwa_map_slot *number)
{
    return mwa_series_key(finding->tails->numbers[number->value].course, rank_of(number->key),
                          (uint32_t)number->key.low);
}

/* Whether the rank was the root of the last one that has a root. */
static bool is_root(const struct mwa_course *course)
{
    for (uint64_t i = 0; i < course->count && i < MWA_COURSE_KEPT; i++) {
        const struct mwa_tail_part *part = at(course, i);

        if (part->is_root || part->gives != part->takes) {
            return part->is_root;
        }
    }
    return false;
}

/* Takes in who has some; a root, or else the first, is compared with. */
static bool take_course(struct finding *finding, const struct mwa_map_slot *slot)
{
    const uint32_t rank = rank_of(slot->key);
    const bool has_root = is_root(&finding->tails->courses[slot->value]);
    struct all_ranks *all = all_of_course(finding, slot->key);

    if (!all) {
        return false;
    }
    if (!all->is_there || has_root > all->is_root ||
        (has_root == all->is_root && rank < all->rank)) {
        all->rank = rank;
        all->course = slot->value;
        all->is_root = has_root;
    }
    all->is_there = true;
    all->is_late |= mwa_trace_begins_late(finding->trace, rank);
    return true;
}

static bool shift_course(struct finding *finding, const struct mwa_map_slot *slot)
{
    const struct all_ranks *all = all_of_course(finding, slot->key);
    const struct mwa_clocks clocks =
        mwa_clocks_of(finding->trace, all->rank, rank_of(slot->key));

    if (finding->trace->ends_early && slot->value != all->course) {
        find_shift(&clocks, &finding->tails->courses[all->course],
                   &finding->tails->courses[slot->value]);
    }
    return true;
}

/* How many of the series are among the last. */
static uint64_t count_last(const struct mwa_course *course, uint32_t last, uint32_t series)
{
    uint64_t count = 0;

    for (uint32_t i = 0; i < last; i++) {
        count += at(course, i)->series == series;
    }
    return count;
}

/* What a rank has of a series up to the reference's last one: it may have had some more, or not so
 * many. */
static uint64_t count_up_to(struct finding *finding, const struct mwa_map_slot *slot)
{
    const struct mwa_tails *tails = finding->tails;
    const uint32_t series = (uint32_t)(slot->key.high >> 32);
    const struct mwa_key key = course_key(finding, slot);
    const struct mwa_course *course =
        &tails->courses[mwa_map_get(&tails->course_index.positions, key)];
    const struct mwa_course *reference = &tails->courses[all_of_course(finding, key)->course];
    const uint64_t count = tails->numbers[slot->value].count;

    return course->is_ahead ? count - count_last(course, course->shift, series)
                            : count + count_last(reference, course->shift, series);
}

static bool count_number(struct finding *finding, const struct mwa_map_slot *slot)
{
    const uint64_t count = count_up_to(finding, slot);
    struct all_ranks *all = all_of(&finding->series_index, &finding->series, slot->key);

    if (!all) {
        return false;
    }
    all->least = !all->is_there || count < all->least ? count : all->least;
    all->is_there = true;
    return true;
}

static bool note_number(struct finding *finding, const struct mwa_map_slot *slot,
                        struct mwa_beginnings *beginnings)
{
    const struct all_ranks *all = all_of(&finding->series_index, &finding->series, slot->key);
    const uint64_t early = count_up_to(finding, slot) - all->least;

    return early == 0 || !all_of_course(finding, course_key(finding, slot))->is_late ||
           mwa_map_put(&beginnings->numbers, slot->key, early) != NULL;
}

/* Hands all that has a value in the map to one that takes it. */
static bool each(struct finding *finding, const struct mwa_map *map,
                 bool (*take)(struct finding *finding, const struct mwa_map_slot *slot))
{
    bool has_room = true;

    for (uint64_t i = 0; has_room && i < map->capacity; i++) {
        has_room = map->slots[i].value == MWA_MAP_ABSENT || take(finding, &map->slots[i]);
    }
    return has_room;
}

bool mwa_courses_compare(struct mwa_tails *tails, const struct mwa_trace *trace,
                         struct mwa_beginnings *beginnings)
{
    struct finding finding = { .tails = tails, .trace = trace };
    const struct mwa_map *courses = &tails->course_index.positions;
    const struct mwa_map *numbers = &tails->number_index.positions;
    bool has_room = each(&finding, courses, take_course) &&
                    each(&finding, courses, shift_course) &&
                    each(&finding, numbers, count_number);

    for (uint64_t i = 0; has_room && i < numbers->capacity; i++) {
        has_room = numbers->slots[i].value == MWA_MAP_ABSENT ||
                   note_number(&finding, &numbers->slots[i], beginnings);
    }
    free(finding.courses);
    free(finding.series);
    mwa_index_fini(&finding.course_index);
    mwa_index_fini(&finding.series_index);
    return has_room;
}
