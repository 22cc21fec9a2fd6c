#include "analyzer/analysis/time/regions.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/analysis/keyed_rows.h"
#include "formats/base/order.h"

#define NEAR 32u /* a power of two */

/* A region of kind MWA_REGION_USER that is open. */
struct frame {
    uint64_t enter;
    uint64_t mpi; /* ticks in MPI so far when it was entered */
    uint64_t cell;
    bool outer; /* not inside of itself */
};

/* Its times are ticks until mwa_regions_analysis.finish. */
struct partial {
    const struct mwa_trace *trace;
    struct mwa_index index; /* region and rank, to position in cells */
    uint32_t near[NEAR];    /* position of a cell met lately, by the last bits of its region */
    struct mwa_region_cell *cells;

    /* Of the location being read. */
    struct frame *stack;
    uint64_t stack_capacity;
    uint64_t depth;
    uint64_t *open; /* by cell: how often it is on the stack */
    uint64_t open_capacity;
    uint64_t mpi; /* ticks in outermost MPI calls of the run */
    uint64_t mpi_enter;
    bool in_mpi;
    bool run_ended;
};

static void fini(void *data)
{
    struct partial *partial = data;

    free(partial->stack);
    free(partial->open);
}

static struct mwa_key key_of(const void *data)
{
    const struct mwa_region_cell *cell = data;

    return (struct mwa_key){ cell->region, cell->rank };
}

static void add(void *to_data, const void *data)
{
    struct mwa_region_cell *to = to_data;
    const struct mwa_region_cell *cell = data;

    to->visits += cell->visits;
    to->exclusive_ns += cell->exclusive_ns;
    to->inclusive_ns += cell->inclusive_ns;
    to->useful_ns += cell->useful_ns;
}

static bool is_known(const struct mwa_trace *trace, const void *data)
{
    const struct mwa_region_cell *cell = data;

    return cell->rank < trace->rank_count && cell->region < trace->region_count;
}

static const struct mwa_keyed_rows rows = { MWA_ROWS_IN_PARTIAL(cells),
                                            .key = key_of,
                                            .add = add,
                                            .is_known = is_known };

/* The position of the cell of region and rank; UINT64_MAX without memory. */
static uint64_t cell_of(struct partial *partial, uint32_t region, uint32_t rank)
{
    uint32_t *near = &partial->near[region % NEAR];
    uint64_t at;

    if (*near < partial->index.count && partial->cells[*near].region == region &&
        partial->cells[*near].rank == rank) {
        return *near;
    }
    at = mwa_index_put(&partial->index, (struct mwa_key){ region, rank }, &partial->cells,
                       sizeof *partial->cells);
    if (at == MWA_MAP_ABSENT) {
        return UINT64_MAX;
    }
    partial->cells[at].region = region;
    partial->cells[at].rank = rank;
    *near = at < MWA_NONE ? (uint32_t)at : MWA_NONE;
    return at;
}

/* Ticks in outermost MPI calls up to now. */
static uint64_t mpi_until(const struct partial *partial, uint64_t now)
{
    return partial->mpi + (partial->in_mpi ? now - partial->mpi_enter : 0);
}

static enum mw_status enter_user(struct partial *partial, const struct mwa_moment *moment)
{
    uint64_t now = moment->event->time;
    uint64_t cell = cell_of(partial, moment->event->of.call.region, moment->location->rank);

    if (cell == UINT64_MAX ||
        !mwa_grow(&partial->stack, &partial->stack_capacity, partial->depth + 1,
                  sizeof *partial->stack) ||
        !mwa_grow(&partial->open, &partial->open_capacity, cell + 1, sizeof *partial->open)) {
        return MW_ERROR_MEMORY;
    }
    partial->stack[partial->depth] = (struct frame){ .enter = now,
                                                     .mpi = mpi_until(partial, now),
                                                     .cell = cell,
                                                     .outer = partial->open[cell]++ == 0 };
    partial->depth++;
    return MW_OK;
}

/* Adds an open region's time up to now to its cell. */
static void charge(struct partial *partial, const struct frame *frame, uint64_t now)
{
    struct mwa_region_cell *cell = &partial->cells[frame->cell];

    if (frame->outer && !partial->run_ended) {
        cell->inclusive_ns += now - frame->enter;
        cell->useful_ns += now - frame->enter - (mpi_until(partial, now) - frame->mpi);
    }
}

/* The run begins: what was before it does not count. */
static void begin_run(struct partial *partial, uint64_t now)
{
    for (uint64_t i = 0; i < partial->index.count; i++) {
        partial->cells[i].inclusive_ns = 0;
        partial->cells[i].useful_ns = 0;
    }
    partial->mpi = 0;
    for (uint64_t i = 0; i < partial->depth; i++) {
        partial->stack[i].enter = now;
        partial->stack[i].mpi = 0;
    }
}

static void end_run(struct partial *partial, uint64_t now)
{
    for (uint64_t i = 0; i < partial->depth; i++) {
        charge(partial, &partial->stack[i], now);
    }
    partial->run_ended = true;
}

static enum mw_status enter(struct partial *partial, const struct mwa_moment *moment)
{
    uint64_t now = moment->event->time;
    bool is_mpi = moment->mpi && moment->trace->regions[moment->event->of.call.region].kind !=
                                     MWA_REGION_USER;

    if (!is_mpi) {
        return enter_user(partial, moment);
    }
    if (moment->mpi_depth == 1) {
        if (mwa_ends_run(moment) && !partial->run_ended) {
            end_run(partial, now);
        }
        partial->in_mpi = true;
        partial->mpi_enter = now;
    }
    return MW_OK;
}

static enum mw_status leave(struct partial *partial, const struct mwa_moment *moment)
{
    const struct mwa_call *call = moment->call;
    uint32_t region = (uint32_t)(call->region - moment->trace->regions);
    uint64_t cell = cell_of(partial, region, moment->location->rank);

    if (cell == UINT64_MAX) {
        return MW_ERROR_MEMORY;
    }
    partial->cells[cell].visits += call->repeat;
    partial->cells[cell].exclusive_ns += call->exclusive;
    if (call->region->kind == MWA_REGION_USER) {
        if (partial->depth > 0) {
            const struct frame *frame = &partial->stack[--partial->depth];

            charge(partial, frame, call->leave);
            partial->open[frame->cell]--;
        }
        return MW_OK;
    }
    if (call->outermost) {
        partial->in_mpi = false;
        partial->mpi += call->inclusive;
        if (mwa_begins_run(moment)) {
            begin_run(partial, call->leave);
        }
    }
    return MW_OK;
}

static enum mw_status event(void *data, const struct mwa_moment *moment)
{
    struct partial *partial = data;

    if (!moment->location->master || moment->location->rank == MWA_NONE) {
        return MW_OK;
    }
    return moment->event->kind == MWA_ENTER ? enter(partial, moment) : leave(partial, moment);
}

static int by_region(const void *one, const void *other)
{
    const struct mwa_region_cell *a = one;
    const struct mwa_region_cell *b = other;

    return mw_order(a->region, b->region) ?: mw_order(a->rank, b->rank);
}

static enum mw_status finish(const void *data, void *result)
{
    const struct partial *partial = data;
    struct mwa_regions *regions = result;

    regions->count = 0;
    regions->cells = malloc((partial->index.count + 1) * sizeof *regions->cells);
    if (!regions->cells) {
        return MW_ERROR_MEMORY;
    }
    for (uint64_t i = 0; i < partial->index.count; i++) {
        struct mwa_region_cell cell = partial->cells[i];

        cell.exclusive_ns = mwa_trace_ns(partial->trace, cell.exclusive_ns);
        cell.inclusive_ns = mwa_trace_ns(partial->trace, cell.inclusive_ns);
        cell.useful_ns = mwa_trace_ns(partial->trace, cell.useful_ns);
        if (cell.visits > 0) {
            regions->cells[regions->count++] = cell;
        }
    }
    qsort(regions->cells, regions->count, sizeof *regions->cells, by_region);
    return MW_OK;
}

void mwa_regions_fini(struct mwa_regions *regions)
{
    free(regions->cells);
    *regions = (struct mwa_regions){ 0 };
}

const struct mwa_region_cell *mwa_regions_of(const struct mwa_regions *regions, uint32_t region,
                                             uint64_t *count)
{
    uint64_t first = mw_first_from(regions->cells, regions->count, sizeof *regions->cells,
                                   offsetof(struct mwa_region_cell, region), region);

    *count = 0;
    while (first + *count < regions->count && regions->cells[first + *count].region == region) {
        (*count)++;
    }
    return *count > 0 ? &regions->cells[first] : NULL;
}

const struct mwa_analysis mwa_regions_analysis = {
    .name = "regions",
    .kinds = MWA_KIND(MWA_ENTER) | MWA_KIND(MWA_LEAVE),
    .size = sizeof(struct partial),
    .rows = &rows,
    .event = event,
    .finish = finish,
    .fini = fini
};
