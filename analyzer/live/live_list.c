/* A run is told by its NAME.run where that was read, since it is what a user would type. */
#include "analyzer/live/live_list.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <time.h>

#include "analyzer/live/live_json.h"
#include "analyzer/model/shortage.h"
#include "analyzer/table/clean.h"
#include "analyzer/table/layout.h"

#define SECOND 1000000000u

static const char *program_of(const struct mw_run *run)
{
    return run->spool_count > 0 && run->spools[0].program ? run->spools[0].program : "?";
}

/* What names the run: its NAME.run, or a directory of its spools. */
static const char *name_of(const struct mw_run *run)
{
    return run->run_file          ? run->run_file
           : run->spool_count > 0 ? run->spools[0].path
                                  : "?";
}

static void put_line(const char *mark, const char *began, const char *ranks, const char *program,
                     const char *name, FILE *out)
{
    const char sorts[] = "A0AA";
    const bool is_title = !*mark && !*began;
    char clean[2][512];

    fprintf(out, MWA_CELL "%c%-21s ", is_title ? sorts[0] : '.', is_title ? "  began" : began);
    fprintf(out, MWA_CELL "%c%6s ", is_title ? sorts[1] : '.', ranks);
    fprintf(out, MWA_CELL "%c%-30s ", is_title ? sorts[2] : '.',
            mwa_clean(program, clean[0], sizeof clean[0]));
    fprintf(out, MWA_CELL "%c%-30s\n", is_title ? sorts[3] : '.',
            mwa_clean(name, clean[1], sizeof clean[1]));
}

bool mwa_live_list_put(const struct mwa_live *live, uint32_t chosen, FILE *out)
{
    uint32_t count;
    uint32_t *running = mwa_live_running(live, &count);

    if (!running) {
        return false;
    }
    fprintf(out, "%" PRIu32 " runs run here:\n", count);
    put_line("", "", "ranks", "program", "of", out);
    for (uint32_t i = 0; i < count; i++) {
        const struct mw_run *run = &live->runs.runs[running[i]];
        const time_t began = (time_t)(mwa_live_started(run) / SECOND);
        const char *mark = i == chosen ? "> " : "  ";
        char when[48];
        char ranks[16];
        struct tm parts;

        snprintf(when, sizeof when, "%s", mark);
        if (localtime_r(&began, &parts)) {
            strftime(when + 2, sizeof when - 2, "%Y-%m-%d %H:%M:%S", &parts);
        }
        snprintf(ranks, sizeof ranks, "%" PRIu32, run->size);
        put_line(mark, when, ranks, program_of(run), name_of(run), out);
    }
    free(running);
    return true;
}

bool mwa_live_list_json(const struct mwa_live *live, FILE *out)
{
    const uint64_t shortages = mwa_shortage_count();
    json_t *root = json_object();
    json_t *list = json_array();
    uint32_t count;
    uint32_t *running = mwa_live_running(live, &count);
    bool is_written;

    for (uint32_t i = 0; running && i < count; i++) {
        const struct mw_run *run = &live->runs.runs[running[i]];
        json_t *object = json_object();
        char text[1024];

        snprintf(text, sizeof text, "%016" PRIx64, run->nonce);
        json_object_set_new(object, "run", json_string(text));
        json_object_set_new(object, "program",
                            json_string(mwa_clean(program_of(run), text, sizeof text)));
        json_object_set_new(object, "ranks", json_integer(run->size));
        json_object_set_new(object, "began_ns",
                            json_integer((json_int_t)mwa_live_started(run)));
        json_object_set_new(object, "name",
                            json_string(mwa_clean(name_of(run), text, sizeof text)));
        json_array_append_new(list, object);
    }
    json_object_set_new(root, "schema", json_integer(1));
    json_object_set_new(root, "runs", list);
    if (!running) {
        mwa_shortage_note();
    }
    free(running);
    is_written = mwa_live_json_print(root, JSON_COMPACT, shortages, out);
    return fflush(out) == 0 && is_written;
}
