/*
 * What commands there are: rows of the table that has the analyses, so that both stand together.
 */
#include "analyzer/cli/command.h"

#include "analyzer/export/timeline_picture.h"
#include "analyzer/report/compare.h"
#include "analyzer/report/text.h"
#include "analyzer/table/tables.h"

#define VARIANT(...) &(const struct mwa_command){ __VA_ARGS__ }

const struct mwa_command mwa_commands[MWA_COMMANDS] = {
#define COMMAND(id, word, line, about, ...)                                                        \
    { .name = (word), .summary = (line), .help = (about), __VA_ARGS__ },
#include "analyzer/analysis/analyses.def"
};
