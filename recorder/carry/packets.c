#include "recorder/carry/packets.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#define WAITING_MAX (32u << 20) /* bytes */

struct mwr_packet {
    struct mwr_packet *next;
    struct mw_carry_head head;
    size_t bytes;
    char data[];
};

void mwr_packets_init(struct mwr_packets *packets, int socket)
{
    *packets = (struct mwr_packets){.socket = socket, .lock = PTHREAD_MUTEX_INITIALIZER};
}

void mwr_packets_put(struct mwr_packets *packets, enum mw_carry_kind kind, uint32_t number,
                     const void *data, size_t bytes)
{
    struct mwr_packet *packet = malloc(sizeof *packet + bytes);

    if (!packet) {
        return;
    }
    packet->next = NULL;
    packet->head = (struct mw_carry_head){.kind = kind, .number = number};
    packet->bytes = bytes;
    if (bytes > 0) {
        memcpy(packet->data, data, bytes);
    }
    pthread_mutex_lock(&packets->lock);
    if (packets->bytes > WAITING_MAX && kind == MW_CARRY_MESSAGE) {
        free(packet);
    } else {
        packets->bytes += sizeof *packet + bytes;
        if (packets->last) {
            packets->last->next = packet;
        } else {
            packets->first = packet;
        }
        packets->last = packet;
    }
    pthread_mutex_unlock(&packets->lock);
}

static bool send_packet(int socket, const struct mwr_packet *packet)
{
    struct iovec parts[] = {
        {(void *)&packet->head, sizeof packet->head},
        {(void *)packet->data, packet->bytes},
    };
    const struct msghdr message = {.msg_iov = parts, .msg_iovlen = 2};

    return sendmsg(socket, &message, MSG_DONTWAIT | MSG_NOSIGNAL) >= 0;
}

/* Whether nothing waits any more. */
static bool give_away(struct mwr_packets *packets)
{
    bool is_empty;

    pthread_mutex_lock(&packets->lock);
    while (packets->first && send_packet(packets->socket, packets->first)) {
        struct mwr_packet *given = packets->first;

        packets->first = given->next;
        packets->last = packets->first ? packets->last : NULL;
        packets->bytes -= sizeof *given + given->bytes;
        free(given);
    }
    is_empty = !packets->first;
    pthread_mutex_unlock(&packets->lock);
    return is_empty;
}

bool mwr_packets_take(struct mwr_packets *packets, int milliseconds, uint32_t *to, char *message,
                      size_t *bytes)
{
    struct mw_carry_head head;
    struct iovec parts[] = {{&head, sizeof head}, {message, MW_LIVE_BYTES_MAX}};
    struct msghdr received = {.msg_iov = parts, .msg_iovlen = 2};
    struct pollfd poll_of = {.fd = packets->socket, .events = POLLIN};
    ssize_t got;

    *bytes = 0;
    give_away(packets);
    if (poll(&poll_of, 1, milliseconds) <= 0) {
        return true;
    }
    got = recvmsg(packets->socket, &received, MSG_DONTWAIT);
    if (got > (ssize_t)sizeof head && !(received.msg_flags & MSG_TRUNC)) {
        *bytes = (size_t)got - sizeof head;
        *to = head.number;
    }
    return got > 0;
}

void mwr_packets_fini(struct mwr_packets *packets)
{
    for (int i = 0; i < 100 && !give_away(packets); i++) {
        poll(NULL, 0, 10);
    }
    close(packets->socket);
    while (packets->first) {
        struct mwr_packet *left = packets->first;

        packets->first = left->next;
        free(left);
    }
    packets->last = NULL;
}
