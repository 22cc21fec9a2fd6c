/*
 * Prints findings and no diagnostic: an unreadable archive is what the command is about, but none
 * that is not there.
 */
#include "analyzer/cli/command.h"

#include <inttypes.h>
#include <unistd.h>

#include "analyzer/cli/print.h"
#include "analyzer/model/shortage.h"
#include "analyzer/table/clean.h"
#include "analyzer/table/tables.h"
#include "analyzer/validate/validate.h"

#define OF_EACH_SEVERITY 40u /* lines */

static enum mwa_severity worst_of(const struct mwa_findings *findings)
{
    return findings->by_severity[MWA_CORRUPT]      ? MWA_CORRUPT
           : findings->by_severity[MWA_INCOMPLETE] ? MWA_INCOMPLETE
                                                   : MWA_NOTE;
}

static const char *verdict_of(const struct mwa_findings *findings)
{
    return worst_of(findings) == MWA_NOTE ? "sound" : mwa_severity_name(worst_of(findings));
}

/* "corrupt     traces/1.evt: offset 262144: event 7 refers to ..." */
static void print_finding(const struct mwa_finding *finding, FILE *out)
{
    fprintf(out, "%-11s ", mwa_severity_name(finding->severity));
    if (finding->member[0]) {
        mwa_put_clean(finding->member, out);
        fputs(": ", out);
    }
    if (finding->offset != MW_DIAGNOSTIC_OFFSET_NONE) {
        fprintf(out, "offset %" PRIu64 ": ", finding->offset);
    }
    mwa_put_clean(finding->text, out);
    putc('\n', out);
}

/* What is wrong with one location may be so with as many as there are. */
static void print_text(const struct mwa_findings *findings, const struct mwa_validated *validated,
                       FILE *out)
{
    uint64_t shown[MWA_CORRUPT + 1] = { 0 };
    uint64_t skipped = 0;

    for (uint64_t i = 0; i < findings->count; i++) {
        if (shown[findings->list[i].severity]++ < OF_EACH_SEVERITY) {
            print_finding(&findings->list[i], out);
        } else {
            skipped++;
        }
    }
    if (skipped + findings->left_out > 0) {
        fprintf(out, "and %" PRIu64 " more", skipped + findings->left_out);
        if (skipped > 0 && findings->left_out > 0) {
            fprintf(out, ": --json has %" PRIu64 " of them", skipped);
        } else if (skipped > 0) {
            fputs(": --json has all", out);
        }
        putc('\n', out);
    }
    mwa_put_clean(findings->archive, out);
    fprintf(out, ": %s", verdict_of(findings));
    if (validated->members > 0) {
        fprintf(out, "; %" PRIu64 " members", validated->members);
    }
    fprintf(out, "; %" PRIu64 " locations, %" PRIu64 " events, %" PRIu64 " messages matched\n",
            validated->locations, validated->events, validated->messages);
}

/* --- as JSON ------------------------------------------------------------------------------ */

/* The row that is all of it. */
struct said {
    struct mwa_findings findings;
    struct mwa_validated validated;
};

MWA_VALUE_OF(severity, struct mwa_finding, mwa_text(mwa_severity_name(row->severity)))
MWA_VALUE_OF(member, struct mwa_finding, mwa_text(row->member[0] ? row->member : NULL))
MWA_VALUE_OF(verdict, struct said, mwa_text(verdict_of(&row->findings)))

static const struct mwa_column finding_columns[] = {
    { "severity", MWA_BY(MWA_TEXT, severity) },
    { "member", MWA_BY(MWA_TEXT, member), .unknown = "it is of the archive itself" },
    { "offset", .unit = MWA_BYTES, MWA_IN(struct mwa_finding, offset),
      .unknown = "it is at no place of its own" },
    { "text", MWA_IN(struct mwa_finding, text) },
};

static const struct mwa_table finding_rows = { MWA_COLUMNS(finding_columns),
                                           MWA_ROWS(struct said, findings.list, findings.count) };

static const struct mwa_column document[] = {
    { "verdict", MWA_BY(MWA_TEXT, verdict) },
    { "members", MWA_IN(struct said, validated.members) },
    { "locations", MWA_IN(struct said, validated.locations) },
    { "events", MWA_IN(struct said, validated.events) },
    { "messages_matched", MWA_IN(struct said, validated.messages) },
    { "findings", .table = &finding_rows },
    { "findings_left_out", MWA_IN(struct said, findings.left_out) },
};

const struct mwa_table mwa_validate_document = { .shape = MWA_ROW,
                                                 .schema = "mpiwatch-validate/1",
                                                 MWA_COLUMNS(document) };

/* ------------------------------------------------------------------------------------------ */

/* The first finding of what is corrupt goes to the standard error as well. */
static void name_the_first(const struct mwa_findings *findings,
                           struct mw_diagnostic *diagnostic)
{
    for (uint64_t i = 0; i < findings->count; i++) {
        const struct mwa_finding *finding = &findings->list[i];

        if (finding->severity == MWA_CORRUPT) {
            char where[sizeof diagnostic->where];

            snprintf(where, sizeof where, "%s%s",
                     finding->member[0] ? findings->root : findings->archive, finding->member);
            (void)mw_fail(diagnostic, MW_ERROR_FORMAT, where, finding->offset, "%s",
                          finding->text);
            return;
        }
    }
    (void)mw_fail(diagnostic, MW_ERROR_FORMAT, findings->archive, MW_DIAGNOSTIC_OFFSET_NONE,
                  "it is corrupt");
}

enum mw_status mwa_examine_validate(const struct mwa_options *options,
                                    struct mwa_processes *processes, FILE *out,
                                    bool *complete, struct mw_diagnostic *diagnostic)
{
    struct said said = { 0 };
    const struct mwa_cell cell = { .row = &said };
    enum mw_status status = MW_OK;

    if (access(options->archive, F_OK) != 0) { /* nothing is corrupt of what is not there */
        *complete = false;
        return mw_fail(diagnostic, MW_ERROR_SYSTEM, options->archive, MW_DIAGNOSTIC_OFFSET_NONE,
                       "cannot open");
    }
    mwa_validate(options->archive, options->jobs, &said.findings, &said.validated);
    mwa_shortage_watch();
    if (options->json) {
        status = mwa_print_json(mwa_table_json(&mwa_validate_document, &cell), out, diagnostic);
    } else {
        print_text(&said.findings, &said.validated, out);
    }
    *complete = worst_of(&said.findings) == MWA_NOTE;
    if (status == MW_OK && worst_of(&said.findings) == MWA_CORRUPT) {
        name_the_first(&said.findings, diagnostic);
        status = MW_ERROR_FORMAT;
    }
    mwa_findings_fini(&said.findings);
    return status;
}
