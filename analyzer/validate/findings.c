/*
 * A damaged archive may have as many faults as events: a limited number is kept,
 * all are counted.
 */
#include "analyzer/validate/findings.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/model/map.h"

void mwa_findings_fini(struct mwa_findings *findings)
{
    for (uint64_t i = 0; i < findings->count; i++) {
        free(findings->list[i].member);
        free(findings->list[i].text);
    }
    free(findings->list);
    *findings = (struct mwa_findings){ 0 };
}

/* where without the archive's path. */
static const char *member_of(const struct mwa_findings *findings, const char *where)
{
    size_t length = findings->archive ? strlen(findings->archive) : 0;
    size_t root = strlen(findings->root);

    if (root > 0 && strncmp(where, findings->root, root) == 0) {
        return where + root;
    }
    if (length == 0 || strncmp(where, findings->archive, length) != 0) {
        return where;
    }
    if (where[length] == 0) {
        return "";
    }
    if (where[length] == '!' || where[length] == '/') {
        return where + length + 1;
    }
    return findings->archive[length - 1] == '/' ? where + length : where;
}

/* Takes finding over, or counts that it is left out. */
static void keep(struct mwa_findings *findings, struct mwa_finding *finding)
{
    if (finding->member && finding->text && findings->count < MWA_FINDINGS_MAX &&
        mwa_grow(&findings->list, &findings->capacity, findings->count + 1,
                 sizeof *findings->list)) {
        findings->list[findings->count++] = *finding;
        return;
    }
    free(finding->member);
    free(finding->text);
    findings->left_out++;
}

void mwa_findings_add(struct mwa_findings *findings, enum mwa_severity severity,
                      const char *where, uint64_t offset, const char *format, ...)
{
    struct mwa_finding finding = { .severity = severity, .offset = offset };
    char text[1024];
    va_list arguments;

    findings->by_severity[severity]++;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    finding.member = strdup(member_of(findings, where));
    finding.text = strdup(text);
    keep(findings, &finding);
}

void mwa_findings_move(struct mwa_findings *into, struct mwa_findings *from)
{
    for (uint64_t i = 0; i < from->count; i++) {
        keep(into, &from->list[i]);
    }
    into->left_out += from->left_out;
    for (unsigned i = 0; i < sizeof into->by_severity / sizeof into->by_severity[0]; i++) {
        into->by_severity[i] += from->by_severity[i];
        from->by_severity[i] = 0;
    }
    free(from->list);
    from->list = NULL;
    from->count = 0;
    from->capacity = 0;
    from->left_out = 0;
}

void mwa_findings_add_failure(struct mwa_findings *findings,
                              const struct mw_diagnostic *diagnostic)
{
    struct mw_diagnostic placeless = *diagnostic;
    char text[1024];

    placeless.where[0] = 0;
    mwa_findings_add(findings, MWA_CORRUPT, diagnostic->where, diagnostic->offset, "%s",
                     mw_diagnostic_text(&placeless, text, sizeof text));
}

const char *mwa_severity_name(enum mwa_severity severity)
{
#define NAME(constant, name) name,
    static const char *const names[] = { MWA_SEVERITIES(NAME) };

    return names[severity];
}
