/*
 * Halves are sorted by place, so that only those of one place are held against each other. There
 * are as many of one as a server had clients at one port: pairs of them are quadratic in that, and
 * places with more than MET_MAX are left alone.
 */
#include "analyzer/load/joint_meetings.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/load/joint_clock.h"

#define MET_MAX 2000u

/* A communicator as one side has it. */
struct half {
    uint32_t part;
    uint32_t comm;
    const struct mwa_comm *of;
    const char *answer; /* the call of the other side */
};

static const char *answer_to(const char *call)
{
    static const char *const calls[][2] = { { "MPI_Comm_accept", "MPI_Comm_connect" },
                                            { "MPI_Comm_connect", "MPI_Comm_accept" },
                                            { "MPI_Comm_join", "MPI_Comm_join" } };

    for (size_t i = 0; call && i < sizeof calls / sizeof calls[0]; i++) {
        if (strcmp(call, calls[i][0]) == 0) {
            return calls[i][1];
        }
    }
    return NULL;
}

/* By place, process and call, and in the order in which this process met. */
static int in_order(const void *left, const void *right)
{
    const struct half *a = left, *b = right;
    const struct mwa_comm_meeting *x = &a->of->meeting, *y = &b->of->meeting;
    const uint64_t keys[][2] = { { x->place, y->place },
                                 { a->part, b->part },
                                 { x->rank, y->rank },
                                 { (uint64_t)a->answer[9], (uint64_t)b->answer[9] },
                                 { x->number, y->number },
                                 { a->comm, b->comm } };

    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        if (keys[i][0] != keys[i][1]) {
            return keys[i][0] < keys[i][1] ? -1 : 1;
        }
    }
    return 0;
}

/* Whether the one call can have ended only after the other began, as far as clocks tell. */
static bool may_follow(uint64_t leave, uint64_t enter, uint64_t error)
{
    return leave == UINT64_MAX || enter == UINT64_MAX || leave >= enter || enter - leave <= error;
}

static bool may_have_met(const struct mwa_meeting_part *parts, const struct half *a,
                         const struct half *b)
{
    const struct mwa_trace *first = parts[a->part].trace, *second = parts[b->part].trace;
    const struct mwa_comm_meeting *x = &a->of->meeting, *y = &b->of->meeting;
    const uint64_t error = first->hosts_clock_error_ns + second->hosts_clock_error_ns;

    if (a->part == b->part || strcmp(a->answer, b->of->created_by) != 0 ||
        !mwa_joint_complement(a->of, b->of)) {
        return false;
    }
    return mwa_joint_clock_of(first, second) != MWA_JOB_CLOCK_SHARED ||
           (may_follow(x->leave, y->enter, error) && may_follow(y->leave, x->enter, error));
}

static bool is_paired(const struct mwa_meeting_part *parts, const struct half *half)
{
    return parts[half->part].partners[half->comm].part != MWA_NONE;
}

static void pair(struct mwa_meeting_part *parts, const struct half *a, const struct half *b)
{
    parts[a->part].partners[a->comm] = (struct mwa_partner){ b->part, b->comm };
    parts[b->part].partners[b->comm] = (struct mwa_partner){ a->part, a->comm };
}

/* --- in their order --------------------------------------------------------------------- */

/* How many of the halves are of the same process and call as the first. */
static size_t run_of(const struct half *halves, size_t count)
{
    size_t run = 1;

    while (run < count && halves[run].part == halves[0].part &&
           halves[run].of->meeting.rank == halves[0].of->meeting.rank &&
           strcmp(halves[run].answer, halves[0].answer) == 0) {
        run++;
    }
    return run;
}

/* If nobody but two processes met at a place, they did so in the same order. */
static void pair_in_order(struct mwa_meeting_part *parts, const struct half *halves, size_t count)
{
    const size_t run = run_of(halves, count);

    if (2 * run != count || run_of(halves + run, run) != run) {
        return;
    }
    for (size_t i = 0; i < run; i++) {
        if (!may_have_met(parts, &halves[i], &halves[run + i])) {
            return;
        }
    }
    for (size_t i = 0; i < run; i++) {
        pair(parts, &halves[i], &halves[run + i]);
    }
}

/* --- nobody else's ---------------------------------------------------------------------- */

/* The only half that may be the other one of halves[at]; count if there is none, or several. */
static size_t only_one(const struct mwa_meeting_part *parts, const struct half *halves,
                       size_t count, size_t at)
{
    size_t found = count;

    for (size_t i = 0; i < count; i++) {
        if (!is_paired(parts, &halves[i]) && may_have_met(parts, &halves[at], &halves[i])) {
            if (found < count) {
                return count;
            }
            found = i;
        }
    }
    return found;
}

/*
 * Who connects did so to the one process that has the port, all of whose halves are here if one is;
 * who accepts, to whomever. Each pair may leave only one for another half: until that gives nothing
 * new.
 */
static void pair_what_is_certain(struct mwa_meeting_part *parts, const struct half *halves,
                                 size_t count)
{
    bool more = true;

    while (more) {
        more = false;
        for (size_t i = 0; i < count; i++) {
            size_t other =
                is_paired(parts, &halves[i]) ? count : only_one(parts, halves, count, i);

            if (other < count && (strcmp(halves[i].of->created_by, "MPI_Comm_connect") == 0 ||
                                  only_one(parts, halves, count, other) == i)) {
                pair(parts, &halves[i], &halves[other]);
                more = true;
            }
        }
    }
}

/* --- all -------------------------------------------------------------------------------- */

static size_t collect(const struct mwa_meeting_part *parts, uint32_t count, struct half *halves)
{
    size_t found = 0;

    for (uint32_t part = 0; part < count; part++) {
        const struct mwa_trace *trace = parts[part].trace;

        for (uint32_t i = 0; i < trace->comm_count; i++) {
            const struct mwa_comm *comm = &trace->comms[i];
            const char *answer = answer_to(comm->created_by);

            if (comm->other_job && comm->inter && comm->meeting.place != 0 && answer) {
                if (halves) {
                    halves[found] = (struct half){ part, i, comm, answer };
                }
                found++;
            }
        }
    }
    return found;
}

enum mw_status mwa_joint_meetings_pair(struct mwa_meeting_part *parts, uint32_t count)
{
    const size_t found = collect(parts, count, NULL);
    struct half *halves = calloc(found + 1, sizeof *halves);
    size_t next;

    if (!halves) {
        return MW_ERROR_MEMORY;
    }
    (void)collect(parts, count, halves);
    qsort(halves, found, sizeof *halves, in_order);
    for (size_t i = 0; i < found; i = next) {
        next = i + 1;
        while (next < found && halves[next].of->meeting.place == halves[i].of->meeting.place) {
            next++;
        }
        pair_in_order(parts, halves + i, next - i);
        if (next - i <= MET_MAX) {
            pair_what_is_certain(parts, halves + i, next - i);
        }
    }
    free(halves);
    return MW_OK;
}
