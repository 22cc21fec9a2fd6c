/* Prints findings and no diagnostic: an unreadable archive is what the command is about. */
#include "analyzer/cli/command.h"
#include "analyzer/table/clean.h"

#include <inttypes.h>

#include "analyzer/validate/validate.h"

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
static void print_text(const struct mwa_findings *findings, const struct mwa_validated *validated,
                       FILE *out)
{
    for (uint64_t i = 0; i < findings->count; i++) {
        const struct mwa_finding *finding = &findings->list[i];

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
    if (findings->left_out > 0) {
        fprintf(out, "and %" PRIu64 " more\n", findings->left_out);
    }
    mwa_put_clean(findings->archive, out);
    fprintf(out, ": %s", verdict_of(findings));
    if (validated->members > 0) {
        fprintf(out, "; %" PRIu64 " members", validated->members);
    }
    fprintf(out, "; %" PRIu64 " locations, %" PRIu64 " events, %" PRIu64 " messages matched\n",
            validated->locations, validated->events, validated->messages);
}

static json_t *number(uint64_t value)
{
    return json_integer((json_int_t)value);
}

static enum mw_status print_json(const struct mwa_findings *findings,
                                 const struct mwa_validated *validated, FILE *out,
                                 struct mw_diagnostic *diagnostic)
{
    json_t *list = json_array();
    json_t *root = json_object();
    int code;

    for (uint64_t i = 0; i < findings->count; i++) {
        const struct mwa_finding *finding = &findings->list[i];
        json_t *object = json_object();

        json_object_set_new(object, "severity", json_string(mwa_severity_name(finding->severity)));
        json_object_set_new(object, "member",
                            finding->member[0] ? json_string(finding->member) : json_null());
        json_object_set_new(object, "offset",
                            finding->offset == MW_DIAGNOSTIC_OFFSET_NONE
                                ? json_null()
                                : number(finding->offset));
        json_object_set_new(object, "text", json_string(finding->text));
        json_array_append_new(list, object);
    }
    json_object_set_new(root, "schema", json_string("mpiwatch-validate/1"));
    json_object_set_new(root, "verdict", json_string(verdict_of(findings)));
    json_object_set_new(root, "members", number(validated->members));
    json_object_set_new(root, "locations", number(validated->locations));
    json_object_set_new(root, "events", number(validated->events));
    json_object_set_new(root, "messages_matched", number(validated->messages));
    json_object_set_new(root, "findings", list);
    json_object_set_new(root, "findings_left_out", number(findings->left_out));
    code = root ? json_dumpf(root, out, JSON_INDENT(1)) : -1;
    putc('\n', out);
    json_decref(root);
    return code == 0 ? MW_OK
                     : mw_fail(diagnostic, MW_ERROR_MEMORY, "", MW_DIAGNOSTIC_OFFSET_NONE,
                               "cannot print JSON");
}

/* The first finding of what is corrupt goes to the standard error as well. */
static void name_the_first(const struct mwa_findings *findings, bool is_zip,
                           struct mw_diagnostic *diagnostic)
{
    for (uint64_t i = 0; i < findings->count; i++) {
        const struct mwa_finding *finding = &findings->list[i];

        if (finding->severity == MWA_CORRUPT) {
            char where[sizeof diagnostic->where];

            snprintf(where, sizeof where, "%s%s%s", findings->archive,
                     !finding->member[0] ? "" : is_zip ? "!" : "/", finding->member);
            (void)mw_fail(diagnostic, MW_ERROR_FORMAT, where, finding->offset, "%s",
                          finding->text);
            return;
        }
    }
    (void)mw_fail(diagnostic, MW_ERROR_FORMAT, findings->archive, MW_DIAGNOSTIC_OFFSET_NONE,
                  "it is corrupt");
}

enum mw_status mwa_examine_validate(const struct mwa_options *options, FILE *out, bool *complete,
                                    struct mw_diagnostic *diagnostic)
{
    struct mwa_findings findings = { 0 };
    struct mwa_validated validated;
    enum mw_status status = MW_OK;

    mwa_validate(options->archive, &findings, &validated);
    if (options->json) {
        status = print_json(&findings, &validated, out, diagnostic);
    } else {
        print_text(&findings, &validated, out);
    }
    *complete = worst_of(&findings) == MWA_NOTE;
    if (status == MW_OK && worst_of(&findings) == MWA_CORRUPT) {
        name_the_first(&findings, validated.members > 0, diagnostic);
        status = MW_ERROR_FORMAT;
    }
    mwa_findings_fini(&findings);
    return status;
}
