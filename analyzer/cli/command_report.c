#include "analyzer/cli/command.h"

#include "analyzer/report/report.h"
#include "analyzer/table/tables.h"

static void print_text(const struct mwa_results *results, const struct mwa_options *options,
                       FILE *out)
{
    mwa_text_report(results, options->color, out);
}

const struct mwa_command mwa_command_report = {
    .name = "report",
    .summary = "all of it on one screen",
    .help = "Prints one screen: a verdict, time outside MPI and inside it, the calls that take "
            "most, messages, communicators, and how far all that can be trusted. The other "
            "commands have the details.",
    .needs = MWA_NEED_REPORT,
    .text = print_text,
    .document = &mwa_report_document
};
