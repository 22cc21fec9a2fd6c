#ifndef MWA_ANALYSIS_TIME_FLAME_H
#define MWA_ANALYSIS_TIME_FLAME_H

#include "analyzer/analysis/time/path_profile.h"
#include "analyzer/analysis/time/site_profile.h"
#include "analyzer/analysis/waits/waits.h"

/*
 * The tree of who calls MPI, for flame graphs: functions from the outermost in to the one that
 * makes a call, then the call and its line. Where an archive tells no stacks these are the regions
 * of the program that the call is made in, as far as region_paths.h tells them apart, and the
 * function that makes it; without places the call alone. Calls but MPI_Init and MPI_Finalize that
 * take time, of all ranks and threads; time and waits are those of the sites.
 */

struct mwa_flame_node {
    char *name;       /* of a function, or "MPI_Send halo.c:31" */
    uint32_t parent;  /* index; MWA_NONE: the root, which is all of MPI */
    uint32_t depth;   /* of the root 0 */
    bool is_call;     /* of MPI: it has no children */
    uint64_t time_ns; /* with all that is below it */
    uint64_t wait_ns; /* of that */
    uint64_t first;   /* position in children … */
    uint64_t count;   /* … and how many it has */
};

struct mwa_flame {
    struct mwa_flame_node *nodes; /* the root first; none: there were no calls */
    uint64_t count;
    uint32_t *children; /* nodes: those of one beside each other, by time */
    uint32_t *calls;    /* nodes that are calls, by time */
    uint64_t call_count;
    uint32_t depth;     /* the greatest of all nodes */
};

/* \return MW_OK, and *flame is to be freed with mwa_flame_fini in any case; MW_ERROR_MEMORY. */
enum mw_status mwa_flame_make(const struct mwa_trace *trace,
                              const struct mwa_site_profile *sites,
                              const struct mwa_path_profile *paths,
                              const struct mwa_waits *waits,
                              struct mwa_flame *flame) MW_MUST_CHECK;
void mwa_flame_fini(struct mwa_flame *flame);

/*
 * The names from the root's child in to a node, with separator between them; a semicolon in a name
 * is a comma. The caller's to free. Null: no memory.
 */
char *mwa_flame_path(const struct mwa_flame *flame, uint32_t node, const char *separator);

#endif
