#ifndef MWA_ANALYSIS_EFFICIENCY_DEPENDENCE_H
#define MWA_ANALYSIS_EFFICIENCY_DEPENDENCE_H

#include "analyzer/model/exchanged.h"

/*
 * Whom a rank that takes part in a collective has to wait for, by what the operation means
 * (Scalasca's wait-state patterns; s_j, r_i are the bytes that j sends and i receives):
 *
 *   Barrier, and what works like one (creation of communicators, windows, fences)
 *                                     every i waits for all
 *   Allreduce, Allgather(v), Alltoall(v, w), Reduce_scatter(_block)
 *                                     i with r_i > 0 waits for all j with s_j > 0
 *   Bcast, Scatter(v)                 i with r_i > 0 waits for the root
 *   Reduce, Gather(v)                 the root, with r_i > 0, waits for all j with s_j > 0
 *   Scan, Exscan                      i waits for all lower j
 *   post, complete, unlock            who accesses, waits or locks, as the engine says
 *   on neighbourhoods                 i waits for its in-neighbours, as far as they are told
 *
 * On intercommunicators "all" are those of the other group, and only those of the other group than
 * the root's wait for the root. Bytes that are not known count
 * as more than 0. Where an archive says whom i gets something from, as mpiwatch's do of
 * neighbourhoods and of Alltoallv and Alltoallw, i waits for these; where it does not,
 * Alltoallv and Alltoallw are taken for Alltoall, and nobody waits on neighbourhoods.
 */

/* Two words of a member that has begun, clocks, say: of each the greatest is wanted by itself. */
struct mwa_words {
    uint64_t first;
    uint64_t second;
};

typedef struct mwa_words (*mwa_member_words)(const struct mwa_member *member, void *user);

static inline struct mwa_words mwa_greatest(struct mwa_words one, struct mwa_words other)
{
    return (struct mwa_words){ one.first > other.first ? one.first : other.first,
                               one.second > other.second ? one.second : other.second };
}

/* What a member waits for. */
struct mwa_dependence {
    uint32_t latest; /* the member whose begin was entered last, the lowest of several;
                        MWA_NONE: it waits for nobody */
    struct mwa_words words; /* the greatest of all that it waits for; 0 without */
};

/* What members that wait for all share, by the group that is waited for. */
struct mwa_gathering {
    struct mwa_dependence of[2];
    bool is_made[2];
};

/*
 * What member, a position in collective's members, waits for, of those that have begun.
 * gathering belongs to the collective and is zero at first: so all members together cost
 * as much as a few. The first member asked for must come after all that any waits for have
 * begun, which the order of analyzer/exchange/exchange.h sees to.
 */
struct mwa_dependence mwa_dependence_of(const struct mwa_collective *collective, uint32_t member,
                                        mwa_member_words words, void *user,
                                        struct mwa_gathering *gathering);

#endif
