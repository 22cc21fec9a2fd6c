#ifndef MW_FORMATS_MERGE_MERGE_SITES_H
#define MW_FORMATS_MERGE_MERGE_SITES_H

#include <stdbool.h>
#include <stdint.h>

#include "formats/base/buffer.h"
#include "formats/base/index_table.h"
#include "formats/spool/definition.h"

/*
 * Where calls were made, of all processes: modules by path and build-id, sites by call, module
 * and address, and places, which are what sites are in the source: several sites can be of one
 * line. A part of formats/merge.
 */

struct mw_merged_module {
    const char *path;
    const char *build_id; /* "" where it has none */
};

struct mw_merged_site {
    uint32_t call;
    uint32_t module;  /* index */
    uint64_t address; /* where the call returns to, as the module's file counts addresses */
    uint32_t place;   /* index; MW_SITE_NONE before mw_merged_sites_put */
};

struct mw_merged_place {
    uint32_t call;
    uint32_t line; /* 0: not known */
    char *file;    /* "": not known */
    char *function; /* "" where file is known and it is not; else at least "module+0x12" */
};

struct mw_merged_sites {
    struct mw_merged_module *modules;
    uint32_t module_count;
    struct mw_merged_site *sites;
    uint32_t site_count;
    struct mw_merged_place *places;
    uint32_t place_count;
    struct mw_index_table by_module;
    struct mw_index_table by_site;
    struct mw_index_table by_place;
};

/* The indices, by the process's own numbers. */
struct mw_site_map {
    uint32_t *modules;
    uint32_t module_count;
    uint32_t *sites;
    uint32_t site_count;
};

/* Takes in a MW_DEFINE_MODULE or _SITE of the process that map is of. False without memory. */
bool mw_merge_site(struct mw_merged_sites *sites, struct mw_site_map *map,
                   const struct mw_definition *definition);

/* Says what place a site is; texts are copied. False without memory. */
bool mw_merged_sites_put(struct mw_merged_sites *sites, uint32_t site, const char *file,
                         uint32_t line, const char *function);

void mw_merged_sites_fini(struct mw_merged_sites *sites);
void mw_site_map_fini(struct mw_site_map *map);

/*
 * Puts the regions of a process's sites behind what is in the buffer: those of the places, from
 * first_region on.
 */
void mw_site_map_append(const struct mw_site_map *map, const struct mw_merged_sites *sites,
                        uint32_t first_region, struct mw_buffer *buffer);

#endif
