/*
 * Most runs are recorded with the defaults, and a line of a dozen of them hides the one that is
 * not: what the recorder told to be as by default is left out.
 */
#include "analyzer/report/settings_text.h"

#include <string.h>

#include "analyzer/table/line.h"

/* Whether name is one of the words of list, which have commas between. */
static bool has_word(const char *list, const char *name)
{
    size_t length = strlen(name);

    while (list && *list) {
        if (strncmp(list, name, length) == 0 && (list[length] == ',' || !list[length])) {
            return true;
        }
        list += strcspn(list, ",");
        list += *list == ',';
    }
    return false;
}

bool mwa_setting_is_default(const struct mwa_trace *trace, const char *name)
{
    return has_word(mwa_trace_setting(trace, "defaults"), name);
}

/*
 * What differs from the defaults, where the recorder said what these are; options that are off, and
 * where files went, say nothing of the archive's contents.
 */
static bool is_worth_telling(const struct mwa_trace *trace, const char *name, const char *value)
{
    static const char silent[] = "defaults,output,spool,force,quiet,verbose,parent-nonce";
    const char *defaults = mwa_trace_setting(trace, "defaults");

    return defaults ? !has_word(defaults, name) && !has_word(silent, name)
                    : value[0] && strcmp(value, "0") != 0 && strcmp(name, "output") != 0;
}

void mwa_put_settings(const struct mwa_trace *trace, unsigned lines, FILE *out)
{
    struct mwa_line line = mwa_line_with("settings");
    bool differs = false;

    if (!*trace->creator && trace->setting_count == 0) {
        return;
    }
    mwa_line_add(&line, "%s", trace->creator);
    for (uint64_t i = 0; i + 1 < trace->setting_count; i += 2) {
        const char *name = trace->settings[i];
        const char *value = trace->settings[i + 1];

        if (is_worth_telling(trace, name, value)) {
            mwa_line_add(&line, " %s=%s", name, value);
            differs = true;
        }
    }
    if (!differs && mwa_trace_setting(trace, "defaults")) {
        mwa_line_add(&line, ", all as by default");
    }
    mwa_line_put(&line, lines, out);
}
