/*
 * There is no standard of JUnit XML but what readers take. These elements and attributes are those
 * that Jenkins, GitLab and pytest have in common.
 */
#include "analyzer/report/junit.h"

#include <inttypes.h>

#include "analyzer/report/compare_words.h"
#include "analyzer/table/clean.h"
#include "analyzer/table/markup.h"

static void put_xml(const char *text, FILE *out)
{
    char clean[MWA_LIMIT_BYTES];

    mwa_put_markup(mwa_clean(text, clean, sizeof clean), out);
}

static void put_limit(const struct mwa_gate *gate, const struct mwa_limit *limit, FILE *out)
{
    char text[MWA_LIMIT_BYTES], sentence[MWA_SENTENCE_BYTES];

    fprintf(out, "  <testcase classname=\"mpiwatch\" name=\"%s ", limit->is_max ? "max" : "min");
    put_xml(limit->key, out);
    if (limit->given[0]) {
        putc('=', out);
        put_xml(limit->given, out);
    }
    fputs("\" time=\"0\">\n", out);
    mwa_limit_text(limit, gate->archive_count, gate->tolerance, text);
    if (limit->passed) {
        fputs("   <system-out>", out);
        put_xml(text, out);
        fputs("</system-out>\n", out);
    } else {
        fputs("   <failure type=\"limit\" message=\"", out);
        put_xml(text, out);
        fputs("\">", out);
        put_xml(mwa_gate_sentence(gate, sentence), out);
        fputs("</failure>\n", out);
    }
    fputs("  </testcase>\n", out);
}

void mwa_junit_gate(const struct mwa_gate *gate, FILE *out)
{
    const char *archive = gate->archives[gate->archive_count - 1];

    fprintf(out,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<testsuites name=\"mpiwatch-analyze check\" tests=\"%" PRIu64 "\" failures=\"%" PRIu64
            "\" errors=\"0\">\n <testsuite name=\"",
            gate->limit_count, gate->breaches);
    put_xml(archive, out);
    fprintf(out, "\" tests=\"%" PRIu64 "\" failures=\"%" PRIu64 "\" errors=\"0\" skipped=\"0\">\n",
            gate->limit_count, gate->breaches);
    for (uint64_t i = 0; i < gate->limit_count; i++) {
        put_limit(gate, &gate->limits[i], out);
    }
    fputs(" </testsuite>\n</testsuites>\n", out);
}
