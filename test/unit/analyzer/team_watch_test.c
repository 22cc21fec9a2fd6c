#include "analyzer/team/team_watch.h"

#include <criterion/criterion.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/*
 * Two processes, of which the first does nothing any more once they look at each other: what the
 * other one is told of it, and until when.
 */

static int other;    /* a socket to it */
static int told[2];  /* a pipe: what tell was told */
static pid_t stuck;
static bool awaits;  /* from here on */
static bool was_told;

struct mwa_patience mwa_team_patience(void)
{
    return (struct mwa_patience){ .first = 2, .last = 4 };
}

static enum mw_status gather(void *context, const void *data, uint64_t bytes,
                             struct mw_parts *parts, struct mw_diagnostic *diagnostic)
{
    const struct mw_transport *transport = context;

    *parts = (struct mw_parts){ 0 };
    if (transport->rank > 0) {
        cr_assert_eq(write(other, data, bytes), (ssize_t)bytes);
        return MW_OK;
    }
    parts->count = 2;
    parts->sizes = calloc(2, sizeof *parts->sizes);
    parts->parts = calloc(2, sizeof *parts->parts);
    parts->data = malloc(2 * bytes);
    memcpy(parts->data, data, bytes);
    parts->sizes[0] = parts->sizes[1] = bytes;
    parts->parts[0] = parts->data;
    parts->parts[1] = parts->data + bytes;
    cr_assert_eq(read(other, parts->parts[1], bytes), (ssize_t)bytes);
    return MW_OK;
}

static enum mw_status agree(void *context, enum mw_status mine, enum mw_status *worst,
                            struct mw_diagnostic *diagnostic)
{
    enum mw_status its;

    cr_assert_eq(write(other, &mine, sizeof mine), (ssize_t)sizeof mine);
    cr_assert_eq(read(other, &its, sizeof its), (ssize_t)sizeof its);
    *worst = mine > its ? mine : its;
    return MW_OK;
}

static enum mw_status broadcast(void *context, void *data, uint64_t bytes,
                                struct mw_diagnostic *diagnostic)
{
    const struct mw_transport *transport = context;
    const ssize_t moved = transport->rank == 0 ? write(other, data, bytes)
                                               : read(other, data, bytes);

    cr_assert_eq(moved, (ssize_t)bytes);
    return MW_OK;
}

/* Whether it is told, in time, that the other one is given up. Who waits for it does nothing. */
static bool is_given_up(void)
{
    struct pollfd end = { .fd = told[0], .events = POLLIN };
    struct mwa_stuck said = { 0 };

    if (poll(&end, 1, 20000) == 1) {
        cr_assert_eq(read(told[0], &said, sizeof said), (ssize_t)sizeof said);
        cr_assert_eq(said.process, 0);
        cr_assert_eq(said.pid, (uint64_t)stuck);
    }
    return said.is_over;
}

static void await(struct mw_transport *transport)
{
    was_told = awaits && is_given_up();
}

/* The thread that looks has much to do, although the process has not. */
static void work_on(const struct mwa_stuck *one)
{
    for (volatile uint64_t i = 0;; i++) {
    }
}

static void hand_on(const struct mwa_stuck *one)
{
    if (one->is_over) {
        cr_assert_eq(write(told[1], one, sizeof *one), (ssize_t)sizeof *one);
    }
}

/* Makes this process two, which look at each other; returns in the one that goes on. */
static struct mwa_team_watch *look(struct mwa_team *team)
{
    struct mw_diagnostic diagnostic = { 0 };
    struct mwa_team_watch *watch;
    int ends[2];

    *team = (struct mwa_team){ .await = await };
    team->transport = (struct mw_transport){ .context = &team->transport,
                                             .rank = 1,
                                             .size = 2,
                                             .gather = gather,
                                             .broadcast = broadcast,
                                             .agree = agree };
    cr_assert_eq(pipe(told), 0);
    cr_assert_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    stuck = fork();
    other = ends[stuck == 0];
    team->transport.rank = stuck == 0 ? 0 : 1;
    cr_assert_eq(mwa_team_watch_begin(team, stuck == 0 ? work_on : hand_on, &watch, &diagnostic),
                 MW_OK);
    while (stuck == 0) {
        pause();
    }
    cr_assert_not_null(watch);
    return watch;
}

static void end(void)
{
    kill(stuck, SIGKILL);
    waitpid(stuck, NULL, 0);
}

Test(team_watch, who_does_nothing_but_look_is_given_up)
{
    struct mwa_team team;
    struct mwa_team_watch *watch = look(&team);

    cr_expect(is_given_up());
    mwa_team_watch_end(&team, watch);
    end();
}

Test(team_watch, who_does_not_come_to_its_end_is_given_up)
{
    struct mwa_team team;
    struct mwa_team_watch *watch = look(&team);

    awaits = true;
    mwa_team_watch_end(&team, watch);
    cr_expect(was_told);
    end();
}
