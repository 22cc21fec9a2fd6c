/* Processes that are forked need no launcher, and have what the test had before. */
#include "test/unit/analyzer/forked_team.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* The first one's to each; of another sockets[0] is to the first. */
static int sockets[FORKED_PROCESSES];

/* --- a transport of what teams use ------------------------------------------------------ */

static void put(int to, const void *data, uint64_t bytes)
{
    for (uint64_t done = 0; done < bytes;) {
        ssize_t step = write(to, (const char *)data + done, bytes - done);

        cr_assert_gt(step, 0);
        done += (uint64_t)step;
    }
}

static void get(int from, void *data, uint64_t bytes)
{
    for (uint64_t done = 0; done < bytes;) {
        ssize_t step = read(from, (char *)data + done, bytes - done);

        cr_assert_gt(step, 0);
        done += (uint64_t)step;
    }
}

static enum mw_status gather(void *context, const void *data, uint64_t bytes,
                             struct mw_parts *parts, struct mw_diagnostic *diagnostic)
{
    const struct mw_transport *transport = context;
    uint64_t all = bytes;

    *parts = (struct mw_parts){ 0 };
    if (transport->rank > 0) {
        put(sockets[0], &bytes, sizeof bytes);
        put(sockets[0], data, bytes);
        return MW_OK;
    }
    parts->count = FORKED_PROCESSES;
    parts->sizes = calloc(FORKED_PROCESSES, sizeof *parts->sizes);
    parts->parts = calloc(FORKED_PROCESSES, sizeof *parts->parts);
    parts->data = malloc(bytes + 1);
    memcpy(parts->data, data, bytes);
    parts->sizes[0] = bytes;
    for (uint32_t i = 1; i < FORKED_PROCESSES; i++) {
        get(sockets[i], &parts->sizes[i], sizeof parts->sizes[i]);
        parts->data = realloc(parts->data, all + parts->sizes[i] + 1);
        get(sockets[i], parts->data + all, parts->sizes[i]);
        all += parts->sizes[i];
    }
    all = 0;
    for (uint32_t i = 0; i < FORKED_PROCESSES; i++) {
        parts->parts[i] = parts->data + all;
        all += parts->sizes[i];
    }
    return MW_OK;
}

static enum mw_status agree(void *context, enum mw_status mine, enum mw_status *worst,
                            struct mw_diagnostic *diagnostic)
{
    const struct mw_transport *transport = context;

    *worst = mine;
    if (transport->rank > 0) {
        put(sockets[0], &mine, sizeof mine);
        get(sockets[0], worst, sizeof *worst);
        return MW_OK;
    }
    for (uint32_t i = 1; i < FORKED_PROCESSES; i++) {
        enum mw_status other;

        get(sockets[i], &other, sizeof other);
        *worst = other > *worst ? other : *worst;
    }
    for (uint32_t i = 1; i < FORKED_PROCESSES; i++) {
        put(sockets[i], worst, sizeof *worst);
    }
    return MW_OK;
}

static enum mw_status broadcast(void *context, void *data, uint64_t bytes,
                                struct mw_diagnostic *diagnostic)
{
    const struct mw_transport *transport = context;

    if (transport->rank > 0) {
        get(sockets[0], data, bytes);
    }
    for (uint32_t i = 1; transport->rank == 0 && i < FORKED_PROCESSES; i++) {
        put(sockets[i], data, bytes);
    }
    return MW_OK;
}

static enum mw_status scatter(void *context, const struct mw_parts *parts, char **data,
                              uint64_t *bytes, struct mw_diagnostic *diagnostic)
{
    const struct mw_transport *transport = context;

    for (uint32_t i = 1; transport->rank == 0 && i < FORKED_PROCESSES; i++) {
        put(sockets[i], &parts->sizes[i], sizeof parts->sizes[i]);
        put(sockets[i], parts->parts[i], parts->sizes[i]);
    }
    if (transport->rank == 0) {
        *bytes = parts->sizes[0];
    } else {
        get(sockets[0], bytes, sizeof *bytes);
    }
    *data = malloc(*bytes + 1);
    if (transport->rank == 0) {
        memcpy(*data, parts->parts[0], *bytes);
    } else {
        get(sockets[0], *data, *bytes);
    }
    return MW_OK;
}

static enum mw_status exscan(void *context, uint64_t mine, uint64_t *before, uint64_t *total,
                             struct mw_diagnostic *diagnostic)
{
    const struct mw_transport *transport = context;
    uint64_t all[FORKED_PROCESSES];
    struct mw_parts parts;

    (void)gather(context, &mine, sizeof mine, &parts, diagnostic);
    for (uint32_t i = 0; i < parts.count; i++) {
        memcpy(&all[i], parts.parts[i], sizeof all[i]);
    }
    mw_parts_fini(&parts);
    (void)broadcast(context, all, sizeof all, diagnostic);
    *before = *total = 0;
    for (uint32_t i = 0; i < FORKED_PROCESSES; i++) {
        *before += i < transport->rank ? all[i] : 0;
        *total += all[i];
    }
    return MW_OK;
}

static void end_nothing(struct mw_transport *transport)
{
}

void forked_team_make(struct mwa_team *team)
{
    *team = (struct mwa_team){ .end = end_nothing };
    team->transport = (struct mw_transport){ .context = &team->transport,
                                             .size = FORKED_PROCESSES,
                                             .gather = gather,
                                             .scatter = scatter,
                                             .broadcast = broadcast,
                                             .exscan = exscan,
                                             .agree = agree };
    for (uint32_t i = 1; i < FORKED_PROCESSES; i++) {
        int ends[2];

        cr_assert_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
        sockets[i] = ends[0];
        if (fork() == 0) {
            sockets[0] = ends[1];
            team->transport.rank = i;
            return;
        }
        close(ends[1]);
    }
}

bool forked_team_end(const struct mwa_team *team, enum mw_status status, enum mw_status expected)
{
    bool are_fine = status == expected;

    if (!mwa_team_is_first(team)) {
        _exit(are_fine ? 0 : 1);
    }
    for (uint32_t i = 1; i < FORKED_PROCESSES; i++) {
        int code;

        cr_assert_gt(wait(&code), 0);
        are_fine = are_fine && WIFEXITED(code) && WEXITSTATUS(code) == 0;
        close(sockets[i]);
    }
    return are_fine;
}
