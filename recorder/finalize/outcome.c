#include "recorder/finalize/outcome.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "formats/archive/resolve_sites.h"
#include "formats/base/shell_word.h"
#include "recorder/recorder.h"
#include "recorder/state/own_clock.h"

#define WORTH_SAYING UINT64_C(2000000000) /* ns */

const char *mwr_bytes_text(char *text, size_t size, uint64_t bytes)
{
    static const char *const units[] = {"B", "kB", "MB", "GB", "TB"};
    double value = (double)bytes;
    size_t unit = 0;

    while (value >= 1000 && unit + 1 < sizeof units / sizeof units[0]) {
        value /= 1000;
        unit++;
    }
    snprintf(text, size, unit == 0 ? "%.0f %s" : "%.1f %s", value, units[unit]);
    return text;
}

/* ", 12 calls LOST", ", all calls of 1 rank LOST", both, or nothing. */
static void print_lost(char *text, size_t size, const struct mw_archive_result *result)
{
    uint32_t unheard = result->ranks_unheard;
    char calls[32] = "";
    char ranks[48] = "";

    if (result->lost > 0) {
        snprintf(calls, sizeof calls, "%" PRIu64 " calls", result->lost);
    }
    if (unheard > 0) {
        snprintf(ranks, sizeof ranks, "all calls of %" PRIu32 " rank%s", unheard,
                 unheard == 1 ? "" : "s");
    }
    snprintf(text, size, "%s%s%s%s%s", calls[0] || ranks[0] ? ", " : "", calls,
             calls[0] && ranks[0] ? " and " : "", ranks, calls[0] || ranks[0] ? " LOST" : "");
}

/* ", finalize took 2.1 s", where somebody may have wondered; else nothing. */
static void print_took(char *text, size_t size, uint64_t nanoseconds)
{
    text[0] = '\0';
    if (nanoseconds > WORTH_SAYING) {
        snprintf(text, size, ", finalize took %.1f s", (double)nanoseconds / 1e9);
    }
}

/* Not with --quiet: they can be looked up later. */
static void say_given_up(uint32_t places)
{
    if (places > 0 && !mwr_recorder.settings.quiet) {
        mwr_say("%u place%s of calls %s told as an address: looking up lines failed, or took more "
                "than %u s or its memory; mpiwatch-analyze --debug-dir=DIR may still tell %s",
                places, places == 1 ? "" : "s", places == 1 ? "is" : "are", MW_RESOLVER_SECONDS,
                places == 1 ? "it" : "them");
    }
}

void mwr_say_success(const struct mw_archive_result *result, uint64_t began)
{
    char bytes[32];
    char lost[128];
    char took[48];
    char word[MWR_PATH_BYTES];

    mwr_bytes_text(bytes, sizeof bytes, result->bytes);
    mw_shell_word(result->path, "", word, sizeof word);
    print_took(took, sizeof took, mwr_clock() - began);
    say_given_up(result->places_given_up);
    if (result->lost > 0 || !result->complete) {
        print_lost(lost, sizeof lost, result);
        mwr_say("%s: %s, %" PRIu64 " events of %u of %u ranks%s%s%s; next: mpiwatch-analyze %s",
                result->path, bytes, result->events, result->ranks, result->ranks_expected, lost,
                result->complete ? "" : ", INCOMPLETE", took, word);
    } else if (!mwr_recorder.settings.quiet) {
        mwr_say("%s: %s, %" PRIu64 " events of %u rank%s, lost 0%s; next: mpiwatch-analyze %s",
                result->path, bytes, result->events, result->ranks, result->ranks == 1 ? "" : "s",
                took, word);
    }
}

static uint64_t spool_bytes(void)
{
    char path[MWR_PATH_BYTES + 32];
    struct stat about;
    uint64_t bytes = 0;

    for (uint32_t i = 0; i < mwr_recorder.stream_count; i++) {
        snprintf(path, sizeof path, "%s/%u.events", mwr_recorder.spool, i);
        bytes += stat(path, &about) == 0 ? (uint64_t)about.st_size : 0;
    }
    return bytes;
}

const char *mwr_choose_scratch(void)
{
    const char *places[] = {mwr_recorder.spool, mwr_recorder.settings.spool, getenv("TMPDIR"),
                            "/tmp"};
    uint64_t needed = spool_bytes();
    const char *best = "/tmp";
    uint64_t most = 0;

    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        struct statvfs space;

        if (!places[i] || !places[i][0] || access(places[i], W_OK | X_OK) != 0 ||
            statvfs(places[i], &space) != 0) {
            continue;
        }
        uint64_t room = (uint64_t)space.f_bavail * space.f_frsize;

        if (room >= needed) {
            return places[i];
        }
        if (room > most) {
            most = room;
            best = places[i];
        }
    }
    return best;
}
