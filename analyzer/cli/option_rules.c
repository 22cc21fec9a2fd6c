#include "analyzer/cli/option_rules.h"

#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>

#include "analyzer/cli/comm_options.h"

/* Whether name is one of list, whose words have single blanks between. */
static bool is_in(const char *name, const char *list)
{
    size_t length = strlen(name);

    for (const char *word = list; word; word = strchr(word, ' ')) {
        word += *word == ' ';
        if (strncmp(word, name, length) == 0 && (word[length] == ' ' || !word[length])) {
            return true;
        }
    }
    return false;
}

const char *mwa_option_not_taken(const struct mwa_options *options)
{
    const struct {
        const char *option;
        const char *commands; /* that take it */
        bool is_given;
    } rules[] = {
        { "--rank", "dump counters watermarks timeline waits comms", options->rank != MWA_NONE },
        { "--from", "watermarks timeline waits export", options->from_ns > 0 },
        { "--to", "watermarks timeline waits export", options->to_ns != UINT64_MAX },
        { "--top", "waits", options->top > 0 },
        { "--bins", "timeline", options->bins > 0 },
        { "--comms", "timeline", options->comms },
        { "--series", "counters", options->series },
        { "--png", "timeline", options->png },
        { "--weak", "compare", options->weak },
        { "--ranks", "export", options->ranks },
        { "--max and --min", "check", options->limit_count > 0 },
    };

    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        if (rules[i].is_given && !is_in(options->command->name, rules[i].commands)) {
            return rules[i].option;
        }
    }
    return mwa_comm_options_fault(options);
}

static bool is_same(const char *output, const char *archive)
{
    struct stat one;
    struct stat other;

    return stat(output, &one) == 0 && stat(archive, &other) == 0 && one.st_dev == other.st_dev &&
           one.st_ino == other.st_ino;
}

const char *mwa_option_overwrites(const struct mwa_options *options)
{
    const struct {
        const char *option;
        const char *file;
    } outputs[] = {
        { "--output", options->output }, { "--html", options->html },
        { "--png", options->png },       { "--perfetto", options->perfetto },
        { "--chrome", options->chrome }, { "--otf2", options->otf2 },
    };

    for (size_t i = 0; i < sizeof outputs / sizeof outputs[0]; i++) {
        for (uint32_t k = 0; outputs[i].file && k < options->archive_count; k++) {
            if (is_same(outputs[i].file, options->archives[k])) {
                return outputs[i].option;
            }
        }
    }
    return NULL;
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
