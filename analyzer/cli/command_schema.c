/* What commands say as JSON, as a JSON Schema: from the same tables as the JSON itself. */
#include "analyzer/cli/command.h"

#include <string.h>

#include "analyzer/cli/print.h"
#include "analyzer/export/output_kind.h"
#include "analyzer/model/shortage.h"

#define DRAFT "https://json-schema.org/draft/2020-12/schema"

/* Of what a command says, also with --comms. */
static void add_schemas(json_t *schemas, const struct mwa_command *command)
{
    const struct mwa_command *variant = command->variant;

    if (command->document) {
        json_array_append_new(schemas, mwa_table_schema(command->document));
    }
    if (variant && variant->document != command->document) {
        json_array_append_new(schemas, mwa_table_schema(variant->document));
    }
}

enum mw_status mwa_examine_schema(const struct mwa_options *options,
                                  struct mwa_processes *processes, FILE *out,
                                  bool *complete, struct mw_diagnostic *diagnostic)
{
    json_t *schemas;

    mwa_shortage_watch();
    schemas = json_array();
    *complete = true;
    for (size_t i = 0; i < MWA_COMMANDS; i++) {
        const struct mwa_command *command = &mwa_commands[i];

        if (options->archive_count == 0 || strcmp(command->name, options->archives[0]) == 0) {
            add_schemas(schemas, command);
        }
    }
    if (json_array_size(schemas) == 0 && !mwa_shortage_seen()) {
        json_decref(schemas);
        return mw_fail(diagnostic, MW_ERROR_USAGE, "", MW_DIAGNOSTIC_OFFSET_NONE,
                       "there is no schema of \"%s\"", options->archives[0]);
    }
    return mwa_print_json(json_pack("{ssssso}", "$comment", "JSON of " MWA_OUTPUT_WRITER, "$schema",
                                    DRAFT, "anyOf", schemas), out,
                          diagnostic);
}
