/*
 * Each has something for each: what is received of one does not wait for what another one does.
 */
#include <stdlib.h>
#include <unistd.h>

#include "recorder/carry/carry_ways.h"
#include "recorder/dispatch/chain.h"

bool mwr_company_init(struct mwr_company *company, MPI_Comm comm)
{
    company->incoming.comm = comm;
    MWR_PMPI(Comm_rank)(comm, &company->rank);
    MWR_PMPI(Comm_size)(comm, &company->size);
    company->posts = calloc((size_t)company->size, sizeof *company->posts);
    for (int i = 0; company->posts && i < company->size; i++) {
        company->posts[i].comm = comm;
        company->posts[i].to = i;
    }
    return company->posts;
}

void mwr_company_fini(struct mwr_company *company)
{
    for (int i = 0; company->posts && i < company->size; i++) {
        mwr_posts_fini(&company->posts[i]);
    }
    mwr_incoming_fini(&company->incoming);
    free(company->posts);
    company->posts = NULL;
}

static void take_of_other(void *context, int from, const void *data, size_t bytes)
{
    struct mwr_company *company = context;

    if (data && from >= 0) {
        mwr_packets_put(company->packets, MW_CARRY_MESSAGE, (uint32_t)from, data, bytes);
    } else if (!data) {
        company->ended++;
        company->first_has_ended = company->first_has_ended || from == 0;
    }
}

void mwr_company_look(struct mwr_company *company, uint32_t to, const char *message, size_t bytes)
{
    if (bytes > 0 && to < (uint32_t)company->size && to != (uint32_t)company->rank) {
        mwr_posts_send(&company->posts[to], MWR_POST_MESSAGE, message, bytes);
    }
    mwr_incoming_look(&company->incoming, take_of_other, company);
}

/* Says to each that has received all that this is all. \return whether all have received that. */
static bool tell_ends(struct mwr_company *company)
{
    bool are_told = true;

    for (int i = 0; i < company->size; i++) {
        struct mwr_posts *posts = &company->posts[i];
        const bool is_received = mwr_posts_are_received(posts);

        if (i != company->rank && is_received && !posts->has_end) {
            mwr_posts_send(posts, MWR_POST_END, NULL, 0);
        }
        are_told = are_told &&
                   (i == company->rank || posts->failed || (is_received && posts->has_end));
    }
    return are_told;
}

bool mwr_company_end(struct mwr_company *company)
{
    const double until = mwr_carry_seconds() + MWR_CARRY_PATIENCE;
    bool are_told = false;

    while ((!are_told || company->ended < company->size - 1) && mwr_carry_seconds() < until) {
        mwr_incoming_look(&company->incoming, take_of_other, company);
        are_told = tell_ends(company);
        usleep(1000);
    }
    return are_told && company->ended >= company->size - 1;
}
