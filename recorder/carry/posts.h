#ifndef MWR_CARRY_POSTS_H
#define MWR_CARRY_POSTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "formats/spool/live_message.h"
#include "recorder/dispatch/mpi_header.h"

/*
 * Messages over MPI for which nobody waits. They are sent so that they count as sent when they are
 * received (MPI_Issend), and only a few at a time, so that nothing piles up at who does not
 * receive.
 */

#define MWR_POSTS 8u

enum mwr_post_tag {
    MWR_POST_MESSAGE = 1,
    MWR_POST_END /* the last one, which has no bytes */
};

/* To one process. A zeroed one with comm and to is fine. */
struct mwr_posts {
    MPI_Comm comm;
    int to;
    bool is_used[MWR_POSTS];
    MPI_Request requests[MWR_POSTS];
    char *data[MWR_POSTS];
    bool has_end; /* the last one was sent */
    bool failed;  /* nothing can be sent any more */
};

/* Sends a message, unless so many were not received yet: then it is dropped. */
void mwr_posts_send(struct mwr_posts *posts, enum mwr_post_tag tag, const void *data,
                    size_t bytes);

/* Whether all that was sent was received, or can't be any more. */
bool mwr_posts_are_received(struct mwr_posts *posts);

/* Frees what was received; what is on its way stays. */
void mwr_posts_fini(struct mwr_posts *posts);

/* What comes in: receives that have begun. */
struct mwr_incoming {
    MPI_Comm comm;
    struct mwr_arrival *arrivals;
    uint32_t count;
    uint32_t room;
    bool failed; /* nothing can be received any more */
    bool is_misused; /* for something that is longer than messages are, which is to be told */
};

/*
 * Looks what has come from anybody, and calls take with all that is whole: data is null for
 * MWR_POST_END. After something that is longer than messages are, of which 0 bytes from -1 are
 * told, nothing is received any more.
 */
void mwr_incoming_look(struct mwr_incoming *incoming,
                       void (*take)(void *context, int from, const void *data, size_t bytes),
                       void *context);
void mwr_incoming_fini(struct mwr_incoming *incoming);

#endif
