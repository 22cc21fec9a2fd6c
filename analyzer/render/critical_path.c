#include "analyzer/render/critical_path.h"

#include <inttypes.h>

#include "analyzer/render/clean.h"
#include "analyzer/render/csv.h"
#include "analyzer/render/units.h"
#include "analyzer/render/values.h"

#define ROWS_MAX  30u
#define RANKS_MAX 10u

/* The rank with the most time of the path that is less than below in order; or MWA_NONE. */
static uint32_t next_rank(const struct mwa_critical_path *path, uint32_t below)
{
    uint32_t best = MWA_NONE;

    for (uint32_t i = 0; i < path->rank_count; i++) {
        const uint64_t ns = path->per_rank_ns[i];
        bool later = below == MWA_NONE || ns < path->per_rank_ns[below] ||
                     (ns == path->per_rank_ns[below] && i > below);

        if (ns > 0 && later && (best == MWA_NONE || ns > path->per_rank_ns[best])) {
            best = i;
        }
    }
    return best;
}

static void put_ranks(const struct mwa_critical_path *path, FILE *out)
{
    char text[2][MWA_UNITS_BYTES];
    uint32_t rank = MWA_NONE;

    fprintf(out, "\n%6s %9s %6s\n", "rank", "on path", "share");
    for (unsigned i = 0; i < RANKS_MAX && (rank = next_rank(path, rank)) != MWA_NONE; i++) {
        fprintf(out, "%6" PRIu32 " %9s %6s\n", rank,
                mwa_time_text(path->per_rank_ns[rank], text[0]),
                mwa_share_text(path->per_rank_ns[rank], path->length_ns, text[1]));
    }
    if (rank != MWA_NONE && next_rank(path, rank) != MWA_NONE) {
        fprintf(out, "and others: --json has all\n");
    }
}

void mwa_text_critical_path(const struct mwa_results *results, FILE *out)
{
    const struct mwa_critical_path *path = &results->critical_path;
    char text[4][MWA_UNITS_BYTES];

    if (!path->known) {
        fprintf(out, "no critical path: no rank has a run\n");
        return;
    }
    fprintf(out, "%s to the end of rank %" PRIu32 ", %s hop%s\n\n",
            mwa_time_text(path->length_ns, text[0]), path->end_rank,
            mwa_count_text(path->hops, text[1]), path->hops == 1 ? "" : "s");
    fprintf(out, "%9s %6s %9s %9s  %s\n", "on path", "share", "average", "imbalance", "in");
    for (uint64_t i = 0; i < path->row_count && i < ROWS_MAX; i++) {
        const struct mwa_path_row *row = &path->rows[i];

        fprintf(out, "%9s %6s %9s %9s  ", mwa_time_text(row->path_ns, text[0]),
                mwa_share_text(row->path_ns, path->length_ns, text[1]),
                mwa_time_text(row->average_ns, text[2]),
                mwa_time_text(row->imbalance_ns, text[3]));
        mwa_put_clean(row->name, out);
        putc('\n', out);
    }
    if (path->row_count > ROWS_MAX) {
        fprintf(out, "and %" PRIu64 " more: --csv or --json have all\n",
                path->row_count - ROWS_MAX);
    }
    fprintf(out, "average is over all ranks; imbalance is what the path has above it\n");
    put_ranks(path, out);
    if (path->note) {
        fprintf(out, "\nwaits may be missing from it: %s\n", path->note);
    }
}

json_t *mwa_json_critical_path(const struct mwa_results *results)
{
    const struct mwa_critical_path *path = &results->critical_path;
    json_t *object = json_object();
    json_t *rows = json_array();
    json_t *ranks = json_array();

    for (uint64_t i = 0; i < path->row_count; i++) {
        const struct mwa_path_row *row = &path->rows[i];
        json_t *element = json_object();

        json_object_set_new(element, "name", mwa_json_text(row->name));
        json_object_set_new(element, "mpi", json_boolean(row->is_mpi));
        json_object_set_new(element, "path_ns", mwa_json_number(row->path_ns));
        json_object_set_new(element, "average_ns", mwa_json_number(row->average_ns));
        json_object_set_new(element, "imbalance_ns", mwa_json_number(row->imbalance_ns));
        json_array_append_new(rows, element);
    }
    for (uint64_t i = 0; i < path->rank_count; i++) {
        json_array_append_new(ranks, mwa_json_number(path->per_rank_ns[i]));
    }
    json_object_set_new(object, "schema", json_string("mpiwatch-critical-path/1"));
    json_object_set_new(object, "length_ns",
                        path->known ? mwa_json_number(path->length_ns) : json_null());
    json_object_set_new(object, "hops", path->known ? mwa_json_number(path->hops) : json_null());
    json_object_set_new(object, "end_rank",
                        path->known ? mwa_json_number(path->end_rank) : json_null());
    json_object_set_new(object, "rows", rows);
    json_object_set_new(object, "per_rank_ns", ranks);
    json_object_set_new(object, "note", mwa_json_text(path->note));
    return object;
}

void mwa_csv_critical_path(const struct mwa_results *results, FILE *out)
{
    mwa_csv_table(mwa_json_critical_path(results), "rows",
                  "name,mpi,path_ns,average_ns,imbalance_ns", out);
}
