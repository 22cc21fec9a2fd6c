#include "recorder/carry/posts.h"

#include <stdlib.h>
#include <string.h>

#include "recorder/dispatch/chain.h"

#define ARRIVALS_MAX 4096u /* receives that have begun at a time */

struct mwr_arrival {
    MPI_Request request;
    int from;
    int tag;
    int bytes;
    char *data;
};

/* --- sending ----------------------------------------------------------------------------- */

static void look_at(struct mwr_posts *posts, unsigned which)
{
    int is_done = 0;

    if (MWR_PMPI(Test)(&posts->requests[which], &is_done, MPI_STATUS_IGNORE) != MPI_SUCCESS) {
        posts->failed = true;
    }
    if (is_done) {
        posts->is_used[which] = false;
    }
}

bool mwr_posts_are_received(struct mwr_posts *posts)
{
    bool all = true;

    for (unsigned i = 0; i < MWR_POSTS && !posts->failed; i++) {
        if (posts->is_used[i]) {
            look_at(posts, i);
            all = all && !posts->is_used[i];
        }
    }
    return all || posts->failed;
}

void mwr_posts_send(struct mwr_posts *posts, enum mwr_post_tag tag, const void *data, size_t bytes)
{
    unsigned which = 0;

    mwr_posts_are_received(posts);
    while (which < MWR_POSTS && posts->is_used[which]) {
        which++;
    }
    if (posts->failed || which == MWR_POSTS || bytes > MW_LIVE_BYTES_MAX) {
        return;
    }
    if (!posts->data[which]) {
        posts->data[which] = malloc(MW_LIVE_BYTES_MAX);
    }
    if (!posts->data[which]) {
        return;
    }
    if (bytes > 0) {
        memcpy(posts->data[which], data, bytes);
    }
    if (MWR_PMPI(Issend)(posts->data[which], (int)bytes, MPI_BYTE, posts->to, (int)tag,
                         posts->comm, &posts->requests[which]) == MPI_SUCCESS) {
        posts->is_used[which] = true;
        posts->has_end = posts->has_end || tag == MWR_POST_END;
    } else {
        posts->failed = true;
    }
}

void mwr_posts_fini(struct mwr_posts *posts)
{
    for (unsigned i = 0; i < MWR_POSTS; i++) {
        if (!posts->is_used[i]) {
            free(posts->data[i]);
            posts->data[i] = NULL;
        }
    }
}

/* --- receiving --------------------------------------------------------------------------- */

/* Begins to receive what has come. \return whether there was something. */
static bool begin_one(struct mwr_incoming *incoming)
{
    struct mwr_arrival arrival = {.data = NULL};
    MPI_Status about;
    int has_come = 0;

    if (incoming->count == incoming->room) {
        const uint32_t room = incoming->room > 0 ? 2 * incoming->room : 16;
        void *grown = room <= ARRIVALS_MAX
                          ? realloc(incoming->arrivals, room * sizeof *incoming->arrivals)
                          : NULL;

        if (!grown) {
            return false;
        }
        incoming->arrivals = grown;
        incoming->room = room;
    }
    if (MWR_PMPI(Iprobe)(MPI_ANY_SOURCE, MPI_ANY_TAG, incoming->comm, &has_come, &about) !=
            MPI_SUCCESS ||
        (has_come && MWR_PMPI(Get_count)(&about, MPI_BYTE, &arrival.bytes) != MPI_SUCCESS)) {
        incoming->failed = true;
        return false;
    }
    if (!has_come) {
        return false;
    }
    arrival.from = about.MPI_SOURCE;
    arrival.tag = about.MPI_TAG;
    if (arrival.bytes > (int)MW_LIVE_BYTES_MAX) {
        incoming->is_misused = true; /* Open MPI does not survive a receive that cuts */
        incoming->failed = true;
        return false;
    }
    arrival.data = malloc((size_t)arrival.bytes + 1);
    if (!arrival.data) {
        return false;
    }
    if (MWR_PMPI(Irecv)(arrival.data, arrival.bytes, MPI_BYTE, arrival.from, arrival.tag,
                        incoming->comm, &arrival.request) != MPI_SUCCESS) {
        free(arrival.data);
        incoming->failed = true;
        return false;
    }
    incoming->arrivals[incoming->count++] = arrival;
    return true;
}

void mwr_incoming_look(struct mwr_incoming *incoming,
                       void (*take)(void *context, int from, const void *data, size_t bytes),
                       void *context)
{
    uint32_t kept = 0;

    while (!incoming->failed && begin_one(incoming)) {
    }
    for (uint32_t i = 0; i < incoming->count; i++) {
        struct mwr_arrival *arrival = &incoming->arrivals[i];
        int is_done = 0;
        const int error = MWR_PMPI(Test)(&arrival->request, &is_done, MPI_STATUS_IGNORE);

        if (!is_done && error == MPI_SUCCESS) {
            incoming->arrivals[kept++] = *arrival;
            continue;
        }
        if (error == MPI_SUCCESS) {
            take(context, arrival->from, arrival->tag == MWR_POST_END ? NULL : arrival->data,
                 (size_t)arrival->bytes);
        } else {
            incoming->failed = true;
        }
        free(arrival->data);
    }
    incoming->count = kept;
    if (incoming->is_misused) {
        take(context, -1, incoming, 0);
        incoming->is_misused = false;
    }
}

void mwr_incoming_fini(struct mwr_incoming *incoming)
{
    free(incoming->arrivals); /* but not what still comes in */
    incoming->arrivals = NULL;
    incoming->count = 0;
    incoming->room = 0;
}
