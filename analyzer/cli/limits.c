/* A file of limits belongs to a program and is read by people: it says where it is wrong. */
#include "analyzer/cli/limits.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/model/map.h"

#define BLANKS " \t\r\n"

static enum mw_status add(struct mwa_limits *limits, const char *text, bool is_max,
                          struct mw_diagnostic *diagnostic)
{
    if (!mwa_grow(&limits->list, &limits->capacity, limits->count + 1, sizeof *limits->list)) {
        return mw_no_memory(diagnostic, NULL, "for the limits");
    }
    return mwa_limit_parse(text, is_max, &limits->list[limits->count++], diagnostic);
}

/* Takes the comment and blanks at both ends away. */
static char *stripped(char *line)
{
    char *text = line + strspn(line, BLANKS);
    size_t length;

    for (char *at = text; *at; at++) {
        if (*at == '#' && (at == text || strchr(BLANKS, at[-1]))) {
            *at = 0;
            break;
        }
    }
    length = strlen(text);
    while (length > 0 && strchr(BLANKS, text[length - 1])) {
        text[--length] = 0;
    }
    return text;
}

static enum mw_status add_line(struct mwa_limits *limits, char *text,
                               struct mw_diagnostic *diagnostic)
{
    size_t word = strcspn(text, BLANKS);
    bool is_max = word == 3 && strncmp(text, "max", word) == 0;

    if (!is_max && !(word == 3 && strncmp(text, "min", word) == 0)) {
        return mw_fail(diagnostic, MW_ERROR_USAGE, "", MW_DIAGNOSTIC_OFFSET_NONE,
                       "a line is \"max KEY=NUMBER\" or \"min KEY=NUMBER\", not \"%.100s\"", text);
    }
    return add(limits, text + word + strspn(text + word, BLANKS), is_max, diagnostic);
}

static enum mw_status read_file(const char *path, struct mwa_limits *limits,
                                struct mw_diagnostic *diagnostic)
{
    FILE *file = fopen(path, "re");
    enum mw_status status = MW_OK;
    char *line = NULL;
    size_t size = 0;

    if (!file) {
        return mw_fail(diagnostic, MW_ERROR_SYSTEM, path, MW_DIAGNOSTIC_OFFSET_NONE,
                       "cannot open");
    }
    for (uint64_t number = 1; status == MW_OK && getline(&line, &size, file) >= 0; number++) {
        char *text = stripped(line);

        status = *text ? add_line(limits, text, diagnostic) : MW_OK;
        if (status == MW_ERROR_USAGE) {
            snprintf(diagnostic->where, sizeof diagnostic->where, "%s, line %" PRIu64, path,
                     number);
        }
    }
    if (status == MW_OK && !feof(file)) {
        status = mw_fail(diagnostic, MW_ERROR_SYSTEM, path, MW_DIAGNOSTIC_OFFSET_NONE,
                         "cannot read");
    }
    free(line);
    fclose(file);
    return status;
}

enum mw_status mwa_limits_read(const struct mwa_options *options, struct mwa_limits *limits,
                               struct mw_diagnostic *diagnostic)
{
    static const char *const by_default[] = { "pop.runtime_ns", "pop.useful_total_ns",
                                              "messages.bytes" };
    enum mw_status status = MW_OK;
    bool is_by_default;

    *limits = (struct mwa_limits){ .list = NULL };
    for (uint32_t i = 0; i < options->limit_count && status == MW_OK; i++) {
        status = add(limits, options->limits[i].text, options->limits[i].is_max, diagnostic);
    }
    if (status == MW_OK && options->limits_file) {
        status = read_file(options->limits_file, limits, diagnostic);
        if (status == MW_OK && limits->count == 0) {
            status = mw_fail(diagnostic, MW_ERROR_USAGE, options->limits_file,
                             MW_DIAGNOSTIC_OFFSET_NONE, "there is no limit in it");
        }
    }
    is_by_default = limits->count == 0;
    for (size_t i = 0; i < sizeof by_default / sizeof by_default[0] && status == MW_OK &&
                       is_by_default; i++) {
        status = add(limits, by_default[i], true, diagnostic);
    }
    return status;
}

void mwa_limits_fini(struct mwa_limits *limits)
{
    for (uint64_t i = 0; i < limits->count; i++) {
        mwa_limit_fini(&limits->list[i]);
    }
    free(limits->list);
}
