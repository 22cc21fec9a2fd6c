/*
 * What depends on several options at once, above all: no output may be an archive
 * that is still to be read, nor be written by two. Files are the same by device
 * and inode, whatever they are called.
 */
#include "analyzer/cli/option_rules.h"

#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>

#include "analyzer/analysis/chosen_window.h"
#include "analyzer/export/cut.h"
#include "analyzer/export/export_tables.h"
#include "analyzer/export/output.h"
#include "analyzer/export/paraver.h"
#include "analyzer/load/joint_clock.h"
#include "analyzer/table/units.h"

static bool is_same(const char *output, const char *archive)
{
    struct stat one;
    struct stat other;

    return stat(output, &one) == 0 && stat(archive, &other) == 0 && one.st_dev == other.st_dev &&
           one.st_ino == other.st_ino;
}

/* An option that names a file to be written. */
struct output {
    const char *option;
    const char *path; /* null: not given */
    enum mwa_output_kind kind;
};

#define OUTPUTS 11u

/* What may be written, but for the tables of export, which are in a directory of theirs. */
static void list_outputs(const struct mwa_options *options, struct output *outputs)
{
    const struct output all[OUTPUTS] = {
        { "--output", options->output, mwa_option_printed_kind(options) },
        { "--html", options->html, MWA_OUTPUT_PAGE },
        { "--png", options->png, MWA_OUTPUT_PICTURE },
        { "--svg", options->svg, MWA_OUTPUT_SVG },
        { "--junit", options->junit, MWA_OUTPUT_JUNIT },
        { "--perfetto", options->perfetto, MWA_OUTPUT_PERFETTO },
        { "--chrome", options->chrome, MWA_OUTPUT_CHROME },
        { "--folded", options->folded, MWA_OUTPUT_FOLDED },
        { "--folded-waits", options->folded_waits, MWA_OUTPUT_FOLDED },
        { "--paraver", options->paraver, MWA_OUTPUT_PARAVER },
        { "--otf2", options->otf2,
          options->otf2 ? mwa_export_kind(options->otf2) : MWA_OUTPUT_ARCHIVE },
    };

    memcpy(outputs, all, sizeof all);
}

enum mwa_output_kind mwa_option_printed_kind(const struct mwa_options *options)
{
    return options->json || options->command->is_json ? MWA_OUTPUT_JSON
           : options->csv ? MWA_OUTPUT_TABLE : MWA_OUTPUT_TEXT;
}

const char *mwa_option_overwrites(const struct mwa_options *options)
{
    struct output outputs[OUTPUTS];

    list_outputs(options, outputs);
    for (size_t i = 0; i < OUTPUTS; i++) {
        for (uint32_t k = 0; outputs[i].path && k < options->archive_count; k++) {
            if (is_same(outputs[i].path, options->archives[k])) {
                return outputs[i].option;
            }
        }
    }
    return NULL;
}

const char *mwa_option_took(const struct mwa_options *options, const char **path)
{
    struct output outputs[OUTPUTS];
    struct stat file;

    list_outputs(options, outputs);
    for (size_t i = 0; i < OUTPUTS; i++) {
        if (outputs[i].path && stat(outputs[i].path, &file) == 0) {
            *path = outputs[i].path;
            return outputs[i].option;
        }
    }
    return NULL;
}

static bool is_dash(const char *path)
{
    return path && strcmp(path, "-") == 0;
}

/* Directories may be named with slashes at the end. */
static bool is_one_name(const char *one, const char *other)
{
    size_t length = strlen(one), other_length = strlen(other);

    while (length > 1 && one[length - 1] == '/') {
        length--;
    }
    while (other_length > 1 && other[other_length - 1] == '/') {
        other_length--;
    }
    return is_same(one, other) ||
           (length == other_length && strncmp(one, other, length) == 0);
}

const char *mwa_option_outputs_clash(const struct mwa_options *options)
{
    bool prints = !options->html && options->command != &mwa_commands[MWA_COMMAND_export];
    unsigned on_standard = prints && !options->output;
    struct output outputs[OUTPUTS];

    if (is_dash(options->otf2) || is_dash(options->csv_directory) || is_dash(options->paraver)) {
        return "an archive, a directory of tables and a trace for Paraver can't go to the standard "
               "output";
    }
    list_outputs(options, outputs);
    for (size_t i = 0; i < OUTPUTS; i++) {
        if (outputs[i].path && options->csv_directory &&
            is_one_name(outputs[i].path, options->csv_directory)) {
            return "two outputs have the same name";
        }
        on_standard += is_dash(outputs[i].path);
        for (size_t k = 0; outputs[i].path && k < i; k++) {
            if (outputs[k].path && is_one_name(outputs[i].path, outputs[k].path)) {
                return "two outputs have the same name";
            }
        }
    }
    return on_standard > 1 ? "only one output can go to the standard output" : NULL;
}

enum mw_status mwa_option_outputs_check(const struct mwa_options *options,
                                        struct mw_diagnostic *diagnostic)
{
    struct output outputs[OUTPUTS];
    enum mw_status status = MW_OK;

    list_outputs(options, outputs);
    for (size_t i = 0; i < OUTPUTS && status == MW_OK; i++) {
        if (outputs[i].path) {
            status = mwa_output_check(outputs[i].path, outputs[i].kind, options->force,
                                      diagnostic);
        }
    }
    if (status == MW_OK && options->paraver) {
        status = mwa_export_paraver_check(options->paraver, options->force, diagnostic);
    }
    return status == MW_OK && options->csv_directory
               ? mwa_export_tables_check(options->csv_directory, options->force, diagnostic)
               : status;
}

enum mw_status mwa_option_rank_exists(const struct mwa_options *options,
                                      const struct mwa_trace *trace,
                                      struct mw_diagnostic *diagnostic)
{
    if (options->rank == MWA_NONE || options->rank < trace->rank_count) {
        return MW_OK;
    }
    return mw_fail(diagnostic, MW_ERROR_USAGE, "", MW_DIAGNOSTIC_OFFSET_NONE,
                   "there is no rank %" PRIu32 ": the archive has %" PRIu64 " ranks, from 0 on",
                   options->rank, trace->rank_count);
}

enum mw_status mwa_option_from_exists(const struct mwa_options *options, struct mwa_input *input,
                                      struct mw_diagnostic *diagnostic)
{
    const struct mwa_trace *trace = mwa_input_trace(input);
    uint64_t end = mwa_joint_end(trace);
    enum mw_status status = MW_OK;
    char text[MWA_UNITS_BYTES];
    uint64_t from;

    if (options->from_ns == MWA_FIRST_NS) {
        return MW_OK;
    }
    from = mwa_trace_first_at(trace, options->from_ns);
    if (from > end && options->archive_count == 1) {
        status = mwa_window_last_time(input, &end, diagnostic);
    }
    return status != MW_OK || from <= end
               ? status
               : mw_fail(diagnostic, MW_ERROR_USAGE, "", MW_DIAGNOSTIC_OFFSET_NONE,
                         "there is nothing from --from on: the archive ends at %s",
                         mwa_moment_text(mwa_trace_since_begin(trace, end), text));
}
