#ifndef MWA_REPORT_LIMIT_H
#define MWA_REPORT_LIMIT_H

#include <jansson.h>

#include "analyzer/report/spread.h"
#include "analyzer/table/table.h"
#include "formats/base/status.h"

/*
 * Limits that numbers of the report have to keep: KEY=NUMBER, or KEY alone. A number is what it
 * says; with % it is a share of 1 where the key is a share or a ratio, else a share of what the
 * baselines have on average. KEY alone is the baselines' average and a tolerance on top, or as much
 * as one more run like them may have (spread.h) if that is further away.
 */

#define MWA_KEY_BYTES 512u

enum mwa_limit_sort {
    MWA_LIMIT_NUMBER,
    MWA_LIMIT_PERCENT,
    MWA_LIMIT_BASELINE, /* with a tolerance */
};

struct mwa_limit {
    char key[MWA_KEY_BYTES];
    bool is_max;
    enum mwa_limit_sort sort;
    double number;       /* ns, bytes or of 1; of a percentage 1.1 */
    enum mwa_unit unit;  /* that number has; MWA_PLAIN: none */
    char given[64];      /* the number as it was given */

    /* Judged: */
    const struct mwa_column *column; /* static; null: of no column */
    double *values;      /* of each archive, the last is the one to be judged; NaN: not known */
    double bound;        /* NaN: not known */
    struct mwa_spread_of_runs baselines;
    bool is_noise;       /* the bound is that of the noise, and not of the tolerance */
    bool passed;
    const char *unknown; /* why value or bound are not known, static; null: they are */
    bool is_baseline_unknown; /* it is the bound */
};

/* Reads "pop.runtime_ns=1.5s". MW_OK; MW_ERROR_USAGE. */
enum mw_status mwa_limit_parse(const char *text, bool is_max, struct mwa_limit *limit,
                               struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/* Makes room for the values of so many archives. MW_OK, MW_ERROR_MEMORY. */
enum mw_status mwa_limit_init(struct mwa_limit *limit, uint64_t archives) MW_MUST_CHECK;
void mwa_limit_fini(struct mwa_limit *limit);

/*
 * Looks the key up in the JSON report of an archive.
 *
 * \return MW_OK. MW_ERROR_USAGE: there is no such number; or its unit is not the limit's.
 */
enum mw_status mwa_limit_look_up(struct mwa_limit *limit, json_t *report, uint64_t archive,
                                 struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/*
 * Judges the last of so many archives by those before, tolerance being of 1.
 *
 * \return MW_OK. MW_ERROR_USAGE: it is a limit of baselines, and there is none.
 */
enum mw_status mwa_limit_judge(struct mwa_limit *limit, uint64_t archives, double tolerance,
                               struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/*
 * "pop.runtime_ns 2.41 s (+101%), at most 1.26 s: 5% above the baseline's 1.20 s"; returns text, of
 * MWA_LIMIT_BYTES.
 */
#define MWA_LIMIT_BYTES 1536
const char *mwa_limit_text(const struct mwa_limit *limit, uint64_t archives, double tolerance,
                           char *text);

#endif
