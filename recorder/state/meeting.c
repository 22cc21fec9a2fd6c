/*
 * What both sides see alike without speaking to each other is the port's name, or the addresses of
 * a connection; how often one process has met there tells several times apart, and the times of
 * the calls, since neither side leaves before the other has entered.
 */
#include "recorder/state/meeting.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "recorder/dispatch/chain.h"
#include "recorder/recorder.h"
#include "recorder/state/comms.h"
#include "recorder/state/identity.h"

#define ADDRESS_BYTES 160u /* of one end, as text */

union address {
    struct sockaddr any;
    struct sockaddr_in v4;
    struct sockaddr_in6 v6;
    struct sockaddr_un local;
    struct sockaddr_storage room;
};

static uint64_t place_of(const char *text)
{
    const uint64_t hash = mwr_identity_of_text(text);

    return hash != MWR_PLACE_NONE ? hash : 1;
}

uint64_t mwr_place_of_port(const char *port, int root, MPI_Comm comm)
{
    int rank = -1;

    if (comm == MPI_COMM_NULL || MWR_PMPI(Comm_rank)(comm, &rank) != MPI_SUCCESS ||
        rank != root || !port) {
        return MWR_PLACE_NONE;
    }
    return place_of(port);
}

/* Of the internet; an address of version 4 that one of version 6 stands for, as itself. */
static bool print_internet(const union address *address, char *text)
{
    char host[INET6_ADDRSTRLEN] = "";
    unsigned port;

    if (address->any.sa_family == AF_INET) {
        port = ntohs(address->v4.sin_port);
        (void)inet_ntop(AF_INET, &address->v4.sin_addr, host, sizeof host);
    } else if (address->any.sa_family == AF_INET6) {
        const bool is_mapped = IN6_IS_ADDR_V4MAPPED(&address->v6.sin6_addr);
        const unsigned char *bytes = address->v6.sin6_addr.s6_addr;

        port = ntohs(address->v6.sin6_port);
        (void)inet_ntop(is_mapped ? AF_INET : AF_INET6, is_mapped ? bytes + 12 : bytes, host,
                        sizeof host);
    } else {
        return false;
    }
    snprintf(text, ADDRESS_BYTES, "%s %u", host, port);
    return host[0] != '\0';
}

/* The path of a local socket, or its name without one; "" of one that is not bound. */
static void print_local(const union address *address, socklen_t length, char *text)
{
    size_t count = length > offsetof(struct sockaddr_un, sun_path)
                       ? length - offsetof(struct sockaddr_un, sun_path)
                       : 0;
    const char *path = address->local.sun_path;

    if (count > 0 && path[0] == '\0') {
        path++;
        count--;
    }
    snprintf(text, ADDRESS_BYTES, "%.*s", (int)count, path);
}

static uint64_t place_of_local(int fd, const char *own, const char *peer)
{
    struct ucred maker = {.pid = 0};
    socklen_t length = sizeof maker;
    char text[ADDRESS_BYTES + 16];

    if (own[0] || peer[0]) {
        snprintf(text, sizeof text, "local %s", own[0] ? own : peer);
    } else if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &maker, &length) == 0 && maker.pid > 0) {
        snprintf(text, sizeof text, "pair of %ld", (long)maker.pid);
    } else {
        return MWR_PLACE_NONE;
    }
    return place_of(text);
}

uint64_t mwr_place_of_socket(int fd)
{
    union address own = {.any.sa_family = AF_UNSPEC};
    union address peer = {.any.sa_family = AF_UNSPEC};
    socklen_t own_length = sizeof own;
    socklen_t peer_length = sizeof peer;
    char a[ADDRESS_BYTES] = "", b[ADDRESS_BYTES] = "";
    char text[2 * ADDRESS_BYTES + 8];
    bool is_ordered;

    if (getsockname(fd, &own.any, &own_length) != 0 ||
        getpeername(fd, &peer.any, &peer_length) != 0) {
        return MWR_PLACE_NONE;
    }
    if (own.any.sa_family == AF_UNIX) {
        print_local(&own, own_length, a);
        print_local(&peer, peer_length, b);
        return place_of_local(fd, a, b);
    }
    if (!print_internet(&own, a) || !print_internet(&peer, b)) {
        return MWR_PLACE_NONE;
    }
    is_ordered = strcmp(a, b) <= 0;
    snprintf(text, sizeof text, "%s, %s", is_ordered ? a : b, is_ordered ? b : a);
    return place_of(text);
}

void mwr_meeting_define(unsigned call, MPI_Comm handle, uint64_t place, uint64_t enter)
{
    const struct mwr_comm *comm = place != MWR_PLACE_NONE ? mwr_comm_find(handle) : NULL;
    const struct mw_uid key = {place, call};

    if (!comm) {
        return;
    }
    mwr_recorder_define(&(struct mw_definition){
        .kind = MW_DEFINE_MEETING,
        .of.meeting = {.comm = comm->number,
                       .number = mwr_identity_repeat(key, MWR_KIND_MEETING),
                       .place = place,
                       .enter = enter,
                       .leave = mwr_clock()},
    });
}
