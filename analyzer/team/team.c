/*
 * A failure travels with its sentence, so that the first process says what one alone would have
 * said. Parts come one after the other: the first process has one of them in memory at a time.
 */
#include "analyzer/team/team.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* What of a process counts. */
struct standing {
    enum mw_status status;
    uint64_t place;
    struct mw_diagnostic diagnostic;
};

void mwa_team_await(const struct mwa_team *team)
{
    if (team->await) {
        team->await((struct mw_transport *)&team->transport);
    }
}

static enum mw_status gather(const struct mwa_team *team, const void *data, uint64_t bytes,
                             struct mw_parts *parts, struct mw_diagnostic *diagnostic)
{
    return team->transport.gather(team->transport.context, data, bytes, parts, diagnostic);
}

/* Of those who failed, the one that counts; own where there is none. */
static struct standing first_of(const struct mw_parts *parts, const struct standing *own)
{
    struct standing first = *own;
    bool has_any = false;

    for (uint32_t i = 0; i < parts->count; i++) {
        struct standing told;

        memcpy(&told, parts->parts[i], sizeof told);
        if (told.status != MW_OK && (!has_any || told.place < first.place)) {
            first = told;
            has_any = true;
        }
    }
    return first;
}

/* Who takes in what another one has told may know no more than that it can't. */
static void explain(enum mw_status status, struct mw_diagnostic *diagnostic)
{
    if (diagnostic->status == MW_OK && status == MW_ERROR_MEMORY) {
        (void)!mw_no_memory(diagnostic, NULL, "for what processes tell each other");
    } else if (diagnostic->status == MW_OK) {
        (void)!mw_fail(diagnostic, status, NULL, MW_DIAGNOSTIC_OFFSET_NONE,
                       "a process has told what can't be taken in");
    }
}

enum mw_status mwa_team_agree(const struct mwa_team *team, enum mw_status status, uint64_t place,
                              struct mw_diagnostic *diagnostic)
{
    struct standing own = { .status = status, .place = place };
    struct mw_parts parts;
    enum mw_status worst = MW_OK;
    enum mw_status spoken;

    mwa_team_await(team);
    spoken = team->transport.agree(team->transport.context, status, &worst, diagnostic);
    if (spoken != MW_OK || worst == MW_OK) {
        return spoken;
    }
    if (status != MW_OK && diagnostic) {
        explain(status, diagnostic);
        own.diagnostic = *diagnostic;
    }
    spoken = gather(team, &own, sizeof own, &parts, diagnostic);
    if (spoken == MW_OK && mwa_team_is_first(team)) {
        own = first_of(&parts, &own);
        worst = own.status;
        if (diagnostic) {
            *diagnostic = own.diagnostic;
        }
    }
    mw_parts_fini(&parts);
    if (spoken != MW_OK && diagnostic) {
        explain(spoken, diagnostic);
    }
    return spoken == MW_OK ? worst : spoken;
}

enum mw_status mwa_team_compare(const struct mwa_team *team, uint64_t number, const char *what,
                                struct mw_diagnostic *diagnostic)
{
    struct mw_parts parts;
    enum mw_status status;

    mwa_team_await(team);
    status = gather(team, &number, sizeof number, &parts, diagnostic);
    for (uint32_t i = 1; status == MW_OK && i < parts.count; i++) {
        if (memcmp(parts.parts[i], &number, sizeof number) != 0) {
            status = mw_fail(diagnostic, MW_ERROR_USAGE, NULL, MW_DIAGNOSTIC_OFFSET_NONE,
                             "process %u %s", i, what);
        }
    }
    mw_parts_fini(&parts);
    return mwa_team_agree(team, status, 0, diagnostic);
}

/* One process gives its bytes, which take takes in the first one, if all went well so far. */
static enum mw_status give(const struct mwa_team *team, uint32_t giver,
                           const struct mw_buffer *packed,
                           enum mw_status (*take)(void *user, struct mw_cursor *from), void *user,
                           enum mw_status *taken, struct mw_diagnostic *diagnostic)
{
    const bool is_mine = team->transport.rank == giver;
    struct mw_parts parts;
    enum mw_status status = gather(team, is_mine ? packed->data : "",
                                   is_mine ? packed->bytes : 0, &parts, diagnostic);

    if (status == MW_OK && *taken == MW_OK && mwa_team_is_first(team)) {
        struct mw_cursor from = { parts.parts[giver], parts.sizes[giver] };

        *taken = take(user, &from);
    }
    mw_parts_fini(&parts);
    return status;
}

/* Whether all have packed what they have. */
static enum mw_status have_packed(const struct mwa_team *team, const struct mw_buffer *packed,
                                  struct mw_diagnostic *diagnostic)
{
    enum mw_status status = MW_OK;

    if (packed->failed && packed->unread) {
        errno = packed->unread;
        status = mw_fail(diagnostic, MW_ERROR_SYSTEM, NULL, MW_DIAGNOSTIC_OFFSET_NONE,
                         "what was put into a file of TMPDIR can't be read");
    } else if (packed->failed) {
        status = mw_no_memory(diagnostic, NULL, "to hand on the results");
    }
    return mwa_team_agree(team, status, 0, diagnostic);
}

enum mw_status mwa_team_give(const struct mwa_team *team, const struct mw_buffer *packed,
                             enum mw_status (*take)(void *user, struct mw_cursor *from),
                             void *user, struct mw_diagnostic *diagnostic)
{
    enum mw_status taken = MW_OK;
    enum mw_status status = have_packed(team, packed, diagnostic);

    for (uint32_t i = 1; status == MW_OK && i < team->transport.size; i++) {
        status = give(team, i, packed, take, user, &taken, diagnostic);
    }
    return status == MW_OK ? taken : status;
}

enum mw_status mwa_team_give_one(const struct mwa_team *team, uint32_t giver,
                                 const struct mw_buffer *packed,
                                 enum mw_status (*take)(void *user, struct mw_cursor *from),
                                 void *user, struct mw_diagnostic *diagnostic)
{
    enum mw_status taken = MW_OK;
    enum mw_status status = have_packed(team, packed, diagnostic);

    if (status == MW_OK) {
        status = give(team, giver, packed, take, user, &taken, diagnostic);
    }
    return status == MW_OK ? taken : status;
}

/* Bytes are known: memory for them, on those that were told how many. */
static enum mw_status tell_bytes(const struct mwa_team *team, struct mw_buffer *told,
                                 uint64_t bytes, struct mw_diagnostic *diagnostic)
{
    enum mw_status status = MW_OK;

    if (!mwa_team_is_first(team) && bytes > 0 && !mw_buffer_extend(told, bytes)) {
        status = mw_no_memory(diagnostic, NULL, "for what the first process has to say");
    }
    status = mwa_team_agree(team, status, 0, diagnostic);
    return status == MW_OK && bytes > 0
               ? team->transport.broadcast(team->transport.context, told->data, bytes, diagnostic)
               : status;
}

enum mw_status mwa_team_tell(const struct mwa_team *team, struct mw_buffer *told,
                             struct mw_diagnostic *diagnostic)
{
    uint64_t bytes = told->bytes;
    enum mw_status status =
        told->failed ? mw_no_memory(diagnostic, NULL, "for what others are to be told") : MW_OK;

    status = mwa_team_agree(team, status, 0, diagnostic);
    if (status == MW_OK) {
        status = team->transport.broadcast(team->transport.context, &bytes, sizeof bytes,
                                           diagnostic);
    }
    return status == MW_OK ? tell_bytes(team, told, bytes, diagnostic) : status;
}

enum mw_status mwa_team_any(const struct mwa_team *team, bool mine, bool *any,
                            struct mw_diagnostic *diagnostic)
{
    uint64_t before, total = 0;
    enum mw_status status;

    mwa_team_await(team);
    status = team->transport.exscan(team->transport.context, mine, &before, &total, diagnostic);
    *any = total > 0;
    return status;
}

/* Of what all have, part i gets what parts before it have. */
static void leave_before(const struct mw_parts *parts, uint8_t *before, uint64_t count)
{
    for (uint32_t i = 0; i < parts->count; i++) {
        for (uint64_t k = 0; k < count; k++) {
            const bool own = parts->parts[i][k] != 0;

            parts->parts[i][k] = (char)before[k];
            before[k] |= own;
        }
    }
}

enum mw_status mwa_team_before(const struct mwa_team *team, uint8_t *flags, uint64_t count,
                               struct mw_diagnostic *diagnostic)
{
    uint8_t *before = calloc(count + 1, sizeof *before);
    struct mw_parts parts = { 0 };
    char *own = NULL;
    uint64_t bytes = 0;
    enum mw_status status = before ? MW_OK : mw_no_memory(diagnostic, NULL, "for ranks");

    status = mwa_team_agree(team, status, 0, diagnostic);
    if (status == MW_OK) {
        status = gather(team, flags, count * sizeof *flags, &parts, diagnostic);
    }
    if (status == MW_OK) {
        leave_before(&parts, before, count);
        status = team->transport.scatter(team->transport.context, &parts, &own, &bytes,
                                         diagnostic);
    }
    if (status == MW_OK && bytes > 0) {
        memcpy(flags, own, bytes);
    }
    free(own);
    free(before);
    mw_parts_fini(&parts);
    return status;
}

void mwa_team_end(struct mwa_team *team)
{
    mwa_team_await(team);
    team->end(&team->transport);
}
