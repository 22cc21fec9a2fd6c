/* Who has to mend what a gate has stopped reads its first line: it says why, and not only that. */
#include "analyzer/report/gate.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/report/compare_differences.h"
#include "analyzer/report/compare_words.h"
#include "analyzer/table/clean.h"
#include "analyzer/table/layout.h"
#include "analyzer/table/tables.h"

/* --- judging ------------------------------------------------------------------------------ */

/* How many baselines come before this one by their run's time. */
static uint64_t shorter_than(const struct mwa_gate *gate, uint64_t baseline)
{
    const struct mwa_compared_run *runs = gate->comparison.runs;
    uint64_t count = 0;

    for (uint64_t i = 0; i + 1 < gate->archive_count; i++) {
        count += runs[i].pop.runtime_ns < runs[baseline].pop.runtime_ns ||
                 (runs[i].pop.runtime_ns == runs[baseline].pop.runtime_ns && i < baseline);
    }
    return count;
}

enum mw_status mwa_gate_judge(struct mwa_gate *gate, struct mw_diagnostic *diagnostic)
{
    enum mw_status status = MW_OK;

    for (uint64_t i = 0; i < gate->limit_count && status == MW_OK; i++) {
        status = mwa_limit_judge(&gate->limits[i], gate->archive_count, gate->tolerance,
                                 diagnostic);
        gate->breaches += !gate->limits[i].passed;
    }
    for (uint64_t i = 0; i + 1 < gate->archive_count; i++) {
        if (shorter_than(gate, i) == (gate->archive_count - 2) / 2) {
            gate->reference = i;
        }
    }
    return status;
}

/* --- sentences ---------------------------------------------------------------------------- */

static const char *baseline_name(const struct mwa_gate *gate)
{
    return gate->archive_count > 2 ? "the median baseline" : "the baseline";
}

const char *mwa_gate_sentence(const struct mwa_gate *gate, char *text)
{
    char why[MWA_SENTENCE_BYTES] = "";
    char counted[96];

    if (gate->breaches == 0) {
        snprintf(counted, sizeof counted,
                 gate->limit_count == 1 ? "the limit is kept" : "all limits are kept (%" PRIu64 ")",
                 gate->limit_count);
    } else {
        snprintf(counted, sizeof counted, "%" PRIu64 " of %" PRIu64 " limit%s %s not kept",
                 gate->breaches, gate->limit_count, gate->limit_count == 1 ? "" : "s",
                 gate->breaches == 1 ? "is" : "are");
    }
    if (mwa_gate_has_baseline(gate)) {
        mwa_compared_sentence(&gate->comparison, gate->reference, gate->archive_count - 1,
                              baseline_name(gate), "the run", why);
    }
    snprintf(text, MWA_SENTENCE_BYTES, "%s%s%.900s", counted, why[0] ? ": " : "", why);
    return text;
}

/* What differs from the baselines, first of all from the one that the sentence is about; null: not
 * in this. */
static const char *difference_of(const struct mwa_gate *gate, unsigned index, char *text)
{
    const uint64_t last = gate->archive_count - 1;
    const char *found;

    if (!mwa_gate_has_baseline(gate)) {
        return NULL;
    }
    found = mwa_compared_difference(&gate->comparison, gate->reference, last, baseline_name(gate),
                                    "the run", index, text);
    for (uint64_t i = 0; i < last && !found; i++) {
        found = mwa_compared_difference(&gate->comparison, i, last, "a baseline", "the run", index,
                                        text);
    }
    return found;
}

void mwa_text_gate(const struct mwa_gate *gate, FILE *out)
{
    char text[MWA_LIMIT_BYTES];
    const char *found;

    fprintf(out, "%-10s", "verdict");
    mwa_put_clean(mwa_gate_sentence(gate, text), out);
    putc('\n', out);
    for (uint64_t i = 0; i < gate->limit_count; i++) {
        fprintf(out, "%-10s", gate->limits[i].passed ? "ok" : "BREACH");
        mwa_put_clean(mwa_limit_text(&gate->limits[i], gate->archive_count, gate->tolerance, text),
                      out);
        putc('\n', out);
    }
    for (unsigned i = 0; i < MWA_DIFFERENCES; i++) {
        found = difference_of(gate, i, text);
        if (found) {
            fprintf(out, "%-10s", "warning");
            mwa_put_clean(found, out);
            putc('\n', out);
        }
    }
}

/* --- GitHub ------------------------------------------------------------------------------- */

/* %, and of a property (a title) what ends it. */
static void put_escaped(const char *text, bool is_property, FILE *out)
{
    char clean[MWA_LIMIT_BYTES];

    mwa_clean(text, clean, sizeof clean);
    for (const char *at = clean; *at; at++) {
        if (*at == '%' || (is_property && (*at == ':' || *at == ','))) {
            fprintf(out, "%%%02X", (unsigned)*at);
        } else {
            putc(*at, out);
        }
    }
}

static void put_command(const char *command, const char *title, const char *text, FILE *out)
{
    fprintf(out, MWA_WHOLE "::%s title=", command);
    put_escaped(title, true, out);
    fputs("::", out);
    put_escaped(text, false, out);
    putc('\n', out);
}

void mwa_github_gate(const struct mwa_gate *gate, FILE *out)
{
    char text[MWA_LIMIT_BYTES], title[MWA_KEY_BYTES + 32];
    const char *found;

    for (uint64_t i = 0; i < gate->limit_count; i++) {
        const struct mwa_limit *limit = &gate->limits[i];

        if (!limit->passed) {
            snprintf(title, sizeof title, "mpiwatch: %s", limit->key);
            put_command("error", title,
                        mwa_limit_text(limit, gate->archive_count, gate->tolerance, text), out);
        }
    }
    if (gate->breaches > 0) {
        put_command("error", "mpiwatch", mwa_gate_sentence(gate, text), out);
    }
    for (unsigned i = 0; i < MWA_DIFFERENCES; i++) {
        found = difference_of(gate, i, text);
        if (found) {
            put_command("warning", "mpiwatch", found, out);
        }
    }
}

/* --- as JSON ------------------------------------------------------------------------------ */

static const struct mwa_gate *gate_of(const struct mwa_cell *cell)
{
    return cell->row;
}

static const struct mwa_limit *limit_of(const struct mwa_cell *cell)
{
    return cell->row;
}

/* Why there is no baseline's number. */
#define NO_BASELINE "no --baseline is given, or it does not know the number"
#define NO_SPREAD   "there are not two baselines, or they do not know the number"

static struct mwa_value limit_text(const struct mwa_cell *cell)
{
    const struct mwa_gate *gate = gate_of(cell->parent);
    char text[MWA_LIMIT_BYTES];

    return mwa_owned_text(strdup(mwa_limit_text(limit_of(cell), gate->archive_count,
                                                gate->tolerance, text)));
}

static struct mwa_value unit(const struct mwa_cell *cell)
{
    const struct mwa_column *column = limit_of(cell)->column;

    return mwa_text(column ? mwa_unit_name(column->unit) : NULL);
}

MWA_VALUE(key, mwa_text(limit_of(cell)->key))
MWA_VALUE(which, mwa_text(limit_of(cell)->is_max ? "max" : "min"))
MWA_VALUE(given, mwa_text(limit_of(cell)->given[0] ? limit_of(cell)->given : NULL))
MWA_VALUE(value, mwa_decimal(limit_of(cell)->values[gate_of(cell->parent)->archive_count - 1]))
MWA_VALUE(noise, limit_of(cell)->baselines.count < 2 ? mwa_nothing() :
          mwa_real(limit_of(cell)->baselines.noise))

static const struct mwa_column limit_columns[] = {
    { "key", MWA_BY(MWA_TEXT, key) },
    { "bound", MWA_BY(MWA_TEXT, which) },
    { "limit", MWA_IN(struct mwa_limit, bound), .unknown = "a baseline does not know the number" },
    { "value", MWA_BY(MWA_DECIMAL, value), .unknown = "see unknown" },
    { "passed", MWA_IN(struct mwa_limit, passed) },
    { "unit", MWA_BY(MWA_TEXT, unit), .unknown = "the number has none" },
    { "given", MWA_BY(MWA_TEXT, given), .unknown = "the key was given alone: a baseline's number "
                                                   "and a tolerance are the limit" },
    { "baseline_mean", MWA_IN(struct mwa_limit, baselines.mean), .unknown = NO_BASELINE },
    { "baseline_deviation", MWA_IN(struct mwa_limit, baselines.deviation), .unknown = NO_SPREAD },
    { "baseline_noise", MWA_BY(MWA_REAL, noise), .unknown = NO_SPREAD },
    { "text", MWA_BY(MWA_TEXT, limit_text) },
    { "unknown", MWA_IN(struct mwa_limit, unknown), .unknown = "the number is known" },
};

static const struct mwa_table limits = { MWA_COLUMNS(limit_columns),
                                         MWA_ROWS(struct mwa_gate, limits, limit_count) };

MWA_COUNT_BY(baseline_count, gate_of(parent)->archive_count - 1)
MWA_ROW_BY(baseline_at, gate_of(parent)->archives[index])
MWA_VALUE(baseline, mwa_text(cell->row))
MWA_COUNT_BY(difference_count, MWA_DIFFERENCES)
MWA_ROW_BY(in_gate, parent->row)

static struct mwa_value difference(const struct mwa_cell *cell)
{
    char text[MWA_SENTENCE_BYTES];
    const char *found = difference_of(gate_of(cell), (unsigned)cell->index, text);

    return mwa_owned_text(found ? strdup(found) : NULL);
}

static bool is_different(const struct mwa_cell *cell)
{
    struct mwa_value value = difference(cell);

    free(value.owned);
    return value.kind != MWA_NOTHING;
}

static const struct mwa_column baseline_columns[] = { { MWA_BY(MWA_TEXT, baseline) } };
static const struct mwa_column difference_columns[] = { { MWA_BY(MWA_TEXT, difference) } };

static const struct mwa_table baselines = { .shape = MWA_VALUES,
                                            MWA_COLUMNS(baseline_columns),
                                            .count = baseline_count,
                                            .row = baseline_at };
static const struct mwa_table differences = { .shape = MWA_VALUES,
                                              MWA_COLUMNS(difference_columns),
                                              .count = difference_count,
                                              .row = in_gate,
                                              .is_shown = is_different };

static struct mwa_value sentence(const struct mwa_cell *cell)
{
    char text[MWA_SENTENCE_BYTES];

    return mwa_owned_text(strdup(mwa_gate_sentence(gate_of(cell), text)));
}

MWA_VALUE(passed, mwa_flag(gate_of(cell)->breaches == 0))
MWA_VALUE(archive, mwa_text(gate_of(cell)->archives[gate_of(cell)->archive_count - 1]))
MWA_VALUE(tolerance, mwa_gate_has_baseline(gate_of(cell)) ? mwa_real(gate_of(cell)->tolerance) :
          mwa_nothing())

static const struct mwa_column document[] = {
    { "passed", MWA_BY(MWA_FLAG, passed) },
    { "checks", .table = &limits },
    { "sentence", MWA_BY(MWA_TEXT, sentence) },
    { "archive", MWA_BY(MWA_TEXT, archive) },
    { "baselines", .table = &baselines },
    { "tolerance", .unit = MWA_SHARE, MWA_BY(MWA_REAL, tolerance),
      .unknown = "no --baseline is given" },
    { "differences", .table = &differences },
};

const struct mwa_table mwa_check_document = { .shape = MWA_ROW,
                                              .schema = "mpiwatch-check/1",
                                              MWA_COLUMNS(document) };
