/*
 * Asked for every so many events, so that the clock is read first and nothing else
 * done mostly. It may not spoil a pipe or a log: a terminal only, and the line is
 * taken away in the end.
 */
#include "analyzer/cli/progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define FIRST_NS 1000000000u
#define NEXT_NS  200000000u

static uint64_t now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static void show(void *user, uint64_t events)
{
    struct mwa_progress_line *line = user;
    uint64_t now = now_ns();

    if (now < line->due_ns || line->all == 0) {
        return;
    }
    line->due_ns = now + NEXT_NS;
    line->is_shown = true;
    fprintf(stderr, "\rreading %3u%% of %.1f million events ",
            (unsigned)((double)(events % line->all) / (double)line->all * 100),
            (double)line->all / 1e6);
}

static bool is_terminal(void)
{
    const char *term = getenv("TERM");

    return isatty(STDERR_FILENO) && term && strcmp(term, "dumb") != 0;
}

void mwa_progress_begin(struct mwa_progress_line *line, struct mwa_input *input)
{
    const struct mwa_trace *trace = mwa_input_trace(input);

    *line = (struct mwa_progress_line){ .due_ns = now_ns() + FIRST_NS };
    for (uint64_t i = 0; i < trace->location_count; i++) {
        line->all += trace->locations[i].events;
    }
    if (is_terminal()) {
        mwa_input_set_progress(input, show, line);
    }
}

void mwa_progress_end(struct mwa_progress_line *line)
{
    if (line->is_shown) {
        fputs("\r\033[K", stderr);
        line->is_shown = false;
    }
}
