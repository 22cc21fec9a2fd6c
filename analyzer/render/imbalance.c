#include "analyzer/render/imbalance.h"

#include <inttypes.h>

#include "analyzer/render/clean.h"
#include "analyzer/render/csv.h"
#include "analyzer/render/units.h"
#include "analyzer/render/values.h"

#define ROWS_MAX 40u
#define BAR_MAX  20.0

static const char *const kind_names[] = { [MWA_IMBALANCE_USEFUL] = "useful",
                                          [MWA_IMBALANCE_MPI] = "mpi",
                                          [MWA_IMBALANCE_REGION] = "region" };

static void put_row(const struct mwa_imbalance_row *row, FILE *out)
{
    char text[4][MWA_UNITS_BYTES];
    char worst[MWA_UNITS_BYTES + 16];

    snprintf(worst, sizeof worst, "%s (%" PRIu32 ")", mwa_time_text(row->max_ns, text[2]),
             row->rank_max);
    fprintf(out, "%-6s %6" PRIu32 " %9s %9s %18s %5.2f %5.2f %9s  ", kind_names[row->kind],
            row->participants, mwa_time_text(row->min_ns, text[0]),
            mwa_time_text(row->average_ns, text[1]), worst, row->load_balance, row->cov,
            mwa_time_text(row->overload_ns, text[3]));
    mwa_put_clean(row->name, out);
    fputs(row->participants == 1 && row->absent > 0 ? " (one rank alone)" : "", out);
    putc('\n', out);
}

/* A line per rank: its useful time, and by how much it is above or below the average. */
static void put_ranks(const struct mwa_results *results, const struct mwa_imbalance_row *useful,
                      FILE *out)
{
    char text[2][MWA_UNITS_BYTES];

    fprintf(out, "\n%6s %9s %10s\n", "rank", "useful", "to average");
    for (uint64_t i = 0; i < results->profile.rank_count; i++) {
        uint64_t ns = useful->per_rank_ns[i];
        bool over = ns >= useful->average_ns;
        unsigned bar = useful->max_ns ? (unsigned)((double)ns / (double)useful->max_ns * BAR_MAX)
                                      : 0;

        if (!results->profile.ranks[i].has_events) {
            continue;
        }
        fprintf(out, "%6" PRIu64 " %9s %c%9s ", i, mwa_time_text(ns, text[0]), over ? '+' : '-',
                mwa_time_text(over ? ns - useful->average_ns : useful->average_ns - ns, text[1]));
        for (unsigned k = 0; k < bar; k++) {
            putc('#', out);
        }
        putc('\n', out);
    }
}

void mwa_text_imbalance(const struct mwa_results *results, FILE *out)
{
    const struct mwa_imbalance *imbalance = &results->imbalance;

    if (imbalance->count == 0) {
        fprintf(out, "nothing to compare: no rank has events\n");
        return;
    }
    fprintf(out, "%-6s %6s %9s %9s %18s %5s %5s %9s  %s\n", "kind", "ranks", "min", "average",
            "max (rank)", "LB", "COV", "overload", "of what");
    for (uint64_t i = 0; i < imbalance->count && i < ROWS_MAX; i++) {
        put_row(&imbalance->rows[i], out);
    }
    if (imbalance->count > ROWS_MAX) {
        fprintf(out, "and %" PRIu64 " more: --csv or --json have all\n",
                imbalance->count - ROWS_MAX);
    }
    fprintf(out, "LB is average / max, COV standard deviation / average; overload is the time "
                 "above average\n");
    if (imbalance->rows[0].kind == MWA_IMBALANCE_USEFUL) {
        put_ranks(results, &imbalance->rows[0], out);
    }
}

static json_t *row_object(const struct mwa_imbalance_row *row, uint64_t rank_count)
{
    json_t *object = json_object();
    json_t *list = json_array();

    for (uint64_t i = 0; i < rank_count; i++) {
        json_array_append_new(list, mwa_json_number(row->per_rank_ns[i]));
    }
    json_object_set_new(object, "kind", json_string(kind_names[row->kind]));
    json_object_set_new(object, "name", mwa_json_text(row->name));
    json_object_set_new(object, "ranks", mwa_json_number(row->participants));
    json_object_set_new(object, "absent", mwa_json_number(row->absent));
    json_object_set_new(object, "total_ns", mwa_json_number(row->total_ns));
    json_object_set_new(object, "min_ns", mwa_json_number(row->min_ns));
    json_object_set_new(object, "average_ns", mwa_json_number(row->average_ns));
    json_object_set_new(object, "max_ns", mwa_json_number(row->max_ns));
    json_object_set_new(object, "rank_min", mwa_json_number(row->rank_min));
    json_object_set_new(object, "rank_max", mwa_json_number(row->rank_max));
    json_object_set_new(object, "load_balance", mwa_json_ratio(row->load_balance));
    json_object_set_new(object, "cov", mwa_json_ratio(row->cov));
    json_object_set_new(object, "overload_ns", mwa_json_number(row->overload_ns));
    json_object_set_new(object, "underload_ns", mwa_json_number(row->underload_ns));
    json_object_set_new(object, "per_rank_ns", list);
    return object;
}

json_t *mwa_json_imbalance(const struct mwa_results *results)
{
    json_t *object = json_object();
    json_t *list = json_array();

    for (uint64_t i = 0; i < results->imbalance.count; i++) {
        json_array_append_new(list, row_object(&results->imbalance.rows[i],
                                               results->imbalance.rank_count));
    }
    json_object_set_new(object, "schema", json_string("mpiwatch-imbalance/1"));
    json_object_set_new(object, "rows", list);
    return object;
}

void mwa_csv_imbalance(const struct mwa_results *results, FILE *out)
{
    mwa_csv_table(mwa_json_imbalance(results), "rows",
                  "kind,name,ranks,absent,total_ns,min_ns,average_ns,max_ns,rank_min,rank_max,"
                  "load_balance,cov,overload_ns,underload_ns,per_rank_ns",
                  out);
}
