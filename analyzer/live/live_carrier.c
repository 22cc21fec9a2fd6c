/*
 * A socket that keeps packets apart: what is not taken at once is not sent, and nothing is sent in
 * part. When it is closed both sides end.
 */
#include "analyzer/live/live_carrier.h"

#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "formats/base/nearby.h"

#define HELLO_MILLISECONDS 120000 /* MPI_Init of all takes its time on a busy machine */
#define END_SECONDS 15

extern char **environ;

static enum mw_status start(struct mwa_live_carrier *carrier, const char *way, const char *place,
                            struct mw_diagnostic *diagnostic)
{
    char path[PATH_MAX];
    char number[16];
    char *arguments[] = {MW_CARRY_PROGRAM, number, (char *)way, (char *)place, NULL};
    int ends[2];

    if (!mw_nearby_program(NULL, PKGLIBDIR, MW_CARRY_PROGRAM, path, sizeof path)) {
        return mw_fail(diagnostic, MW_ERROR_SYSTEM, PKGLIBDIR, MW_DIAGNOSTIC_OFFSET_NONE,
                       "no %s there", MW_CARRY_PROGRAM);
    }
    if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends) != 0) {
        return mw_fail(diagnostic, MW_ERROR_SYSTEM, NULL, MW_DIAGNOSTIC_OFFSET_NONE,
                       "there can be no socket");
    }
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    snprintf(number, sizeof number, "%d", ends[1]);
    fflush(stdout);
    if (posix_spawn(&carrier->pid, path, NULL, NULL, arguments, environ) != 0) {
        carrier->pid = 0;
        (void)!mw_fail(diagnostic, MW_ERROR_SYSTEM, path, MW_DIAGNOSTIC_OFFSET_NONE,
                       "it could not be run");
    }
    close(ends[1]);
    carrier->socket = ends[0];
    return carrier->pid > 0 ? MW_OK : MW_ERROR_SYSTEM;
}

enum mw_status mwa_live_carrier_begin(struct mwa_live_carrier *carrier, const char *way,
                                      const char *place, struct mw_diagnostic *diagnostic)
{
    struct mw_carry_head head = {.kind = MW_CARRY_OVER};
    const char *data = NULL;
    size_t bytes = 0;
    enum mw_status status;

    *carrier = (struct mwa_live_carrier){.socket = -1};
    status = start(carrier, way, place, diagnostic);
    if (status != MW_OK) {
        return status;
    }
    if (!mwa_live_carrier_take(carrier, HELLO_MILLISECONDS, &head, &data, &bytes) ||
        head.kind != MW_CARRY_HELLO || bytes == 0 || bytes > 10) {
        return mw_fail(diagnostic, MW_ERROR_MPI, NULL, MW_DIAGNOSTIC_OFFSET_NONE,
                       "there is nobody to speak to over MPI");
    }
    for (size_t i = 0; i < bytes; i++) {
        carrier->rank = 10 * carrier->rank + (uint32_t)(data[i] - '0');
    }
    carrier->tellers = head.number;
    return MW_OK;
}

bool mwa_live_carrier_give(struct mwa_live_carrier *carrier, uint32_t to, const void *message,
                           size_t bytes)
{
    struct mw_carry_head head = {.kind = MW_CARRY_MESSAGE, .number = to};
    struct iovec parts[] = {{&head, sizeof head}, {(void *)message, bytes}};
    const struct msghdr packet = {.msg_iov = parts, .msg_iovlen = 2};

    return carrier->socket >= 0 &&
           sendmsg(carrier->socket, &packet, MSG_DONTWAIT | MSG_NOSIGNAL) >= 0;
}

bool mwa_live_carrier_take(struct mwa_live_carrier *carrier, int milliseconds,
                           struct mw_carry_head *head, const char **data, size_t *bytes)
{
    struct pollfd poll_of = {.fd = carrier->socket, .events = POLLIN};
    ssize_t got;

    if (carrier->socket < 0 || poll(&poll_of, 1, milliseconds) <= 0) {
        return false;
    }
    got = recv(carrier->socket, carrier->packet, sizeof carrier->packet, MSG_DONTWAIT);
    if (got < (ssize_t)sizeof *head) {
        close(carrier->socket);
        carrier->socket = -1;
        return false;
    }
    memcpy(head, carrier->packet, sizeof *head);
    *data = carrier->packet + sizeof *head;
    *bytes = (size_t)got - sizeof *head;
    return true;
}

void mwa_live_carrier_stop(struct mwa_live_carrier *carrier)
{
    if (carrier->socket >= 0) {
        shutdown(carrier->socket, SHUT_WR);
    }
}

void mwa_live_carrier_end(struct mwa_live_carrier *carrier)
{
    if (carrier->socket >= 0) {
        close(carrier->socket);
        carrier->socket = -1;
    }
    for (int i = 0; carrier->pid > 0 && i < END_SECONDS * 100; i++) {
        if (waitpid(carrier->pid, NULL, WNOHANG) != 0) {
            carrier->pid = 0;
        } else {
            poll(NULL, 0, 10);
        }
    }
    if (carrier->pid > 0) {
        kill(carrier->pid, SIGKILL);
        waitpid(carrier->pid, NULL, 0);
        carrier->pid = 0;
    }
}
