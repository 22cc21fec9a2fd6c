#ifndef MW_FORMATS_MERGE_MERGE_SITES_H
#define MW_FORMATS_MERGE_MERGE_SITES_H

#include <stdbool.h>
#include <stdint.h>

#include "formats/base/buffer.h"
#include "formats/base/index_table.h"
#include "formats/spool/definition.h"

/*
 * Where calls were made, of all processes: modules by path and build-id, spots by module, address
 * and call, which somebody has to look up, frames by parent and spot, and sites by call and spot or
 * frame. When the spots have been looked up, places and contexts are what sites and frames are in
 * the source: several can be of one line. A part of formats/merge.
 */

struct mw_merged_module {
    const char *path;
    const char *build_id; /* "" where it has none */
};

struct mw_merged_spot {
    uint32_t module;  /* index */
    uint64_t address; /* where a call returns to, as the module's file counts addresses */
    uint32_t call;    /* of which function of MPI; MW_SPOT_OF_FRAME: of what is no call of MPI */
    uint32_t line;    /* 0: not known, as all before mw_merged_sites_put */
    char *file;       /* "": not known */
    char *function;   /* "" where file is known and it is not; else at least "module+0x12" */
    bool is_line;     /* it was told with its line: the address is none, the module is the file */
};

#define MW_SPOT_OF_FRAME UINT32_MAX

struct mw_merged_frame {
    uint32_t parent; /* index, MW_FRAME_NONE or MW_FRAME_CUT */
    uint32_t spot;   /* index */
    uint32_t context; /* index; set by mw_merged_sites_place */
};

struct mw_merged_site {
    uint32_t call;
    uint32_t spot;  /* index */
    uint32_t frame; /* index; MW_FRAME_NONE: its callers are not told */
    uint32_t place; /* index; set by mw_merged_sites_place */
};

struct mw_merged_place {
    uint32_t call;
    uint32_t context; /* index; MW_CONTEXT_NONE: its callers are not told */
    uint32_t line;    /* these three are as in a spot, whose texts they are */
    const char *file;
    const char *function;
};

#define MW_CONTEXT_NONE UINT32_MAX

/* A function that was called at a place of another one, from which it calls on. */
struct mw_merged_context {
    uint32_t parent; /* index, MW_FRAME_NONE or MW_FRAME_CUT */
    uint32_t line;
    const char *file;
    const char *function;
};

struct mw_merged_sites {
    struct mw_merged_module *modules;
    uint32_t module_count;
    struct mw_merged_spot *spots;
    uint32_t spot_count;
    struct mw_merged_frame *frames; /* parents first */
    uint32_t frame_count;
    struct mw_merged_site *sites;
    uint32_t site_count;
    struct mw_merged_place *places;
    uint32_t place_count;
    struct mw_merged_context *contexts; /* parents first */
    uint32_t context_count;
    bool are_attributes; /* events say their sites by an attribute, and not by their region */
    struct mw_index_table by_module;
    struct mw_index_table by_spot;
    struct mw_index_table by_frame;
    struct mw_index_table by_site;
    struct mw_index_table by_place;
    struct mw_index_table by_context;
};

/* The indices, by the process's own numbers. */
struct mw_site_map {
    uint32_t *modules;
    uint32_t module_count;
    uint32_t *frames;
    uint32_t frame_count;
    uint32_t *sites;
    uint32_t site_count;
};

/*
 * Takes in a MW_DEFINE_MODULE, _SITE, _LINE, _FRAME or _STACK of the process that map is of. False
 * without memory.
 */
bool mw_merge_site(struct mw_merged_sites *sites, struct mw_site_map *map,
                   const struct mw_definition *definition);

/* The index of a frame's spot at an address, which may be new; MW_INDEX_NONE without memory. */
uint32_t mw_merged_sites_spot(struct mw_merged_sites *sites, uint32_t module, uint64_t address);

/* Says what a spot is; texts are copied. False without memory. */
bool mw_merged_sites_put(struct mw_merged_sites *sites, uint32_t spot, const char *file,
                         uint32_t line, const char *function);

/* Makes places and contexts, once that has been said of all spots. False without memory. */
bool mw_merged_sites_place(struct mw_merged_sites *sites);

void mw_merged_sites_fini(struct mw_merged_sites *sites);
void mw_site_map_fini(struct mw_site_map *map);

/*
 * Puts the regions of a process's sites behind what is in the buffer: those of the places, from
 * first_region on.
 */
void mw_site_map_append(const struct mw_site_map *map, const struct mw_merged_sites *sites,
                        uint32_t first_region, struct mw_buffer *buffer);

#endif
