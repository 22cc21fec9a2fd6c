#ifndef MWA_ANALYSIS_EFFICIENCY_REGION_CLOCKS_H
#define MWA_ANALYSIS_EFFICIENCY_REGION_CLOCKS_H

#include "analyzer/analysis/efficiency/ideal.h"
#include "formats/base/buffer.h"
#include "formats/base/status.h"

/*
 * What a rank's clock advances by inside each region that its program names, within its run, and
 * which of these regions are open. A region inside of itself counts once. All zero is a rank
 * that has been in none. Not thread-safe.
 */

struct mwa_region_clock {
    uint64_t ticks;
    uint64_t open;      /* how often it is open, within itself */
    uint32_t region;
    bool was_in_run;    /* it was left in the run, perhaps at once */
    bool is_at_seam;    /* it is open where the chapter ends */
};

struct mwa_region_clocks {
    struct mwa_region_clock *regions; /* in the order of being entered first */
    struct mwa_index index; /* by region */
    struct mwa_open_region *open;
    uint64_t open_capacity;
    uint64_t depth;
};

void mwa_region_clocks_fini(struct mwa_region_clocks *clocks);

/* region is entered at clock. MW_OK, MW_ERROR_MEMORY. */
enum mw_status mwa_region_clocks_enter(struct mwa_region_clocks *clocks, uint32_t region,
                                       uint64_t clock) MW_MUST_CHECK;

/* The innermost is left, in the run or not; nothing where none is open. */
void mwa_region_clocks_leave(struct mwa_region_clocks *clocks, uint64_t clock, bool running);

/* The innermost region, MWA_NONE: none is open. */
uint32_t mwa_region_clocks_innermost(const struct mwa_region_clocks *clocks);

/* The run begins, at clock 0: what was before does not count. It ends at clock, or the chapter. */
void mwa_region_clocks_begin(struct mwa_region_clocks *clocks);
void mwa_region_clocks_end(struct mwa_region_clocks *clocks, uint64_t clock);

/* The call that closes a chapter of the run is about to be left: what is open is so in the next,
 * and to be ended here (mwa_region_clocks_end) unless it is left at once. */
void mwa_region_clocks_reach_seam(struct mwa_region_clocks *clocks);

/*
 * Adds those of the next chapter; in the call between the two this rank has waited for so many
 * ticks of its clock. MW_OK, MW_ERROR_MEMORY.
 */
enum mw_status mwa_region_clocks_append(struct mwa_region_clocks *clocks,
                                        const struct mwa_region_clocks *later,
                                        uint64_t waited) MW_MUST_CHECK;

/*
 * What mwa_region_clocks_append asks of later, for another process (analyzer/team/packing.h):
 * unpack takes out into an empty one what pack has appended, of fewer than regions regions. MW_OK,
 * MW_ERROR_MEMORY, MW_ERROR_FORMAT: these are other bytes.
 */
void mwa_region_clocks_pack(const struct mwa_region_clocks *clocks, struct mw_buffer *to);
enum mw_status mwa_region_clocks_unpack(struct mwa_region_clocks *clocks, uint64_t regions,
                                        struct mw_cursor *from) MW_MUST_CHECK;

/* Writes a cell for each region that was left in the run, at most count. Returns how many. */
uint64_t mwa_region_clocks_cells(const struct mwa_region_clocks *clocks,
                                 const struct mwa_trace *trace, uint32_t rank,
                                 struct mwa_ideal_cell *cells);

#endif
