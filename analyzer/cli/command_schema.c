/* What commands say as JSON, as a JSON Schema: from the same tables as the JSON itself. */
#include "analyzer/cli/command.h"

#include <string.h>

#include "analyzer/cli/print.h"

#define DRAFT "https://json-schema.org/draft/2020-12/schema"

static const struct mwa_command *const commands[] = {
#define ADDRESS_OF(name) &mwa_command_##name,
    MWA_COMMANDS(ADDRESS_OF)
};

#define COMMANDS (sizeof commands / sizeof commands[0])

static const struct mwa_command *command_named(const char *name)
{
    for (size_t i = 0; i < COMMANDS; i++) {
        if (strcmp(commands[i]->name, name) == 0) {
            return commands[i];
        }
    }
    return NULL;
}

/* Of all commands: each is a definition, and what any of them prints is one of these. */
static json_t *all_schemas(void)
{
    json_t *definitions = json_object();
    json_t *references = json_array();

    for (size_t i = 0; i < COMMANDS; i++) {
        if (commands[i]->document) {
            json_object_set_new(definitions, commands[i]->name,
                                mwa_sheet_schema(commands[i]->document));
            json_array_append_new(references, json_pack("{so}", "$ref",
                                                        json_sprintf("#/$defs/%s",
                                                                     commands[i]->name)));
        }
    }
    return json_pack("{sssoso}", "$schema", DRAFT, "anyOf", references, "$defs", definitions);
}

static enum mw_status examine(const struct mwa_options *options, FILE *out, bool *complete,
                              struct mw_diagnostic *diagnostic)
{
    const struct mwa_command *command;
    json_t *schema;

    *complete = true;
    if (options->archive_count == 0) {
        return mwa_print_json(all_schemas(), out, diagnostic);
    }
    command = command_named(options->archives[0]);
    if (!command || !command->document) {
        return mw_fail(diagnostic, MW_ERROR_USAGE, "", MW_DIAGNOSTIC_OFFSET_NONE,
                       "%s \"%s\"", command ? "there is no schema of" : "there is no command",
                       options->archives[0]);
    }
    schema = mwa_sheet_schema(command->document);
    json_object_set_new(schema, "$schema", json_string(DRAFT));
    return mwa_print_json(schema, out, diagnostic);
}

const struct mwa_command mwa_command_schema = {
    .name = "schema",
    .summary = "what commands say as JSON, as a JSON Schema",
    .help = "Prints the JSON Schema (draft 2020-12) of what COMMAND prints with --json, or of all "
            "commands. Units are in the descriptions. mpiwatch-archive(5) says what a version of "
            "a schema promises.",
    .words = "[COMMAND]",
    .examine = examine
};
