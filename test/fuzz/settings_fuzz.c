/*
 * Fuzzes what reads a user's words: the lines of an input are variables as in environ(7). What
 * a setting says of its value has to give the same value again.
 *
 * LLVMFuzzerTestOneInput is libFuzzer's entry; test/fuzz/driver.c calls it without libFuzzer.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "recorder/settings.h"
#include "recorder/variables/pvar_selection.h"
#include "recorder/variables/schedule.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

#define LINES_MAX 64u

static struct mwr_settings settings;
static struct mwr_settings again;

/* Reads a value as what is kept as text and looked at later. */
static void parse_text(const char *text)
{
    struct mw_diagnostic diagnostic = { 0 };
    struct mwr_selection selection;
    struct mwr_schedule schedule;
    const struct mwr_candidate candidate = { .name = "pml_ob1_length", .bind = "MPI_COMM" };

    if (mwr_selection_parse(&selection, text, &diagnostic) == MW_OK) {
        if (selection.count > MWR_TERMS_MAX) {
            abort();
        }
        (void)mwr_selection_takes(&selection, &candidate);
    } else if (diagnostic.what[0] == 0) {
        abort();
    }
    (void)mwr_schedule_parse(&schedule, text);
}

static void check_round_trip(const struct mwr_setting *setting)
{
    static char value[MWR_SETTING_PATH_BYTES];
    static char second[MWR_SETTING_PATH_BYTES];
    struct mw_diagnostic diagnostic = { 0 };

    mwr_setting_value(&settings, setting, value, sizeof value);
    if (value[0] == 0) {
        return; /* as good as not being there */
    }
    again = settings;
    if (mwr_setting_set(&again, setting, value, &diagnostic) != MW_OK) {
        abort();
    }
    mwr_setting_value(&again, setting, second, sizeof second);
    if (strcmp(value, second) != 0) {
        abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    static struct mwr_warnings warnings;
    char *environment[LINES_MAX + 1];
    char *text = malloc(bytes + 1);
    char *rest = text;
    size_t lines = 0;

    if (!text) {
        return 0;
    }
    memcpy(text, data, bytes);
    text[bytes] = 0;
    while (rest && lines < LINES_MAX) {
        environment[lines++] = strsep(&rest, "\n");
    }
    environment[lines] = NULL;
    memset(&warnings, 0, sizeof warnings);
    mwr_settings_from_environment(&settings, environment, &warnings);
    for (unsigned i = 0; mwr_setting_at(i); i++) {
        check_round_trip(mwr_setting_at(i));
    }
    for (size_t i = 0; i < lines; i++) {
        const char *value = strchr(environment[i], '=');

        if (value) {
            parse_text(value + 1);
        }
    }
    free(text);
    return 0;
}
