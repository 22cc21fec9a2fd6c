#ifndef MWR_CARRY_PACKETS_H
#define MWR_CARRY_PACKETS_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "formats/spool/live_carry.h"

/* Packets to and from the mpiwatch-top beside; those to it wait in memory until it takes them. */

struct mwr_packet;

struct mwr_packets {
    int socket;
    pthread_mutex_t lock;
    struct mwr_packet *first;
    struct mwr_packet *last;
    size_t bytes; /* that wait */
};

void mwr_packets_init(struct mwr_packets *packets, int socket);

/* Puts one behind those that wait; what there is no room for is dropped. Any thread. */
void mwr_packets_put(struct mwr_packets *packets, enum mw_carry_kind kind, uint32_t number,
                     const void *data, size_t bytes);

/*
 * Waits up to so many milliseconds for a packet of mpiwatch-top, and gives away meanwhile what
 * waits for it. *bytes: those of the message in it, put into message of MW_LIVE_BYTES_MAX; 0: none
 * came; *to: whom it is for. One thread.
 *
 * \return false: mpiwatch-top is gone.
 */
bool mwr_packets_take(struct mwr_packets *packets, int milliseconds, uint32_t *to, char *message,
                      size_t *bytes);

/* Gives away what waits, for a second at most, and closes the socket. */
void mwr_packets_fini(struct mwr_packets *packets);

#endif
