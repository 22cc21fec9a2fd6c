#ifndef MWA_REPORT_TEXT_H
#define MWA_REPORT_TEXT_H

#include <stdio.h>

#include "analyzer/analysis/results.h"
#include "analyzer/table/line.h"

/* How people want to see results. */
struct mwa_screen {
    unsigned columns;
    bool color;   /* with escape sequences */
    uint32_t top; /* rows of what is worst; 0: the default */
    bool all_ranks; /* a line for each, however many */
    uint32_t bins; /* parts of the window that a column of a timeline has together, at least 1 */
};

/*
 * Results for people, each as a command prints them; of what is selected, if anything is. Errors of
 * out stay in out. All is to be laid out (analyzer/table/layout.h). The report has at most 24 lines
 * of 100 columns, or 30 of 80, whatever the archive: only the commands that it names, with the
 * archive as it was typed, are longer if they have to.
 */
void mwa_text_report(const struct mwa_results *results, const struct mwa_screen *screen,
                     FILE *out);
void mwa_text_info(const struct mwa_results *results, const struct mwa_screen *screen,
                   FILE *out);
void mwa_text_record_sizes(const struct mwa_results *results, const struct mwa_screen *screen,
                           FILE *out);
void mwa_text_functions(const struct mwa_results *results, const struct mwa_screen *screen,
                        FILE *out);
void mwa_text_ranks(const struct mwa_results *results, const struct mwa_screen *screen,
                    FILE *out);
/* Before the results of several archives that are read as one: which jobs they are of. */
void mwa_text_jobs(const struct mwa_results *results, FILE *out);
void mwa_text_messages(const struct mwa_results *results, const struct mwa_screen *screen,
                       FILE *out);
void mwa_text_comms(const struct mwa_results *results, const struct mwa_screen *screen,
                    FILE *out);
void mwa_text_critical_path(const struct mwa_results *results, const struct mwa_screen *screen,
                            FILE *out);
void mwa_text_hang(const struct mwa_results *results, const struct mwa_screen *screen,
                   FILE *out);
/* One of them, or an error that calls returned, as a sentence and a line's end. */
void mwa_text_mistake(const struct mwa_trace *trace, const struct mwa_mistake *mistake, FILE *out);
void mwa_text_call_error(const struct mwa_trace *trace, const struct mwa_call_error *error,
                         FILE *out);
void mwa_text_mistakes(const struct mwa_results *results, const struct mwa_screen *screen,
                       FILE *out);
void mwa_text_imbalance(const struct mwa_results *results, const struct mwa_screen *screen,
                        FILE *out);
void mwa_text_pop(const struct mwa_results *results, const struct mwa_screen *screen,
                  FILE *out);
void mwa_text_rank_states(const struct mwa_results *results, const struct mwa_screen *screen,
                          FILE *out);
void mwa_text_comm_timeline(const struct mwa_results *results, const struct mwa_screen *screen,
                            FILE *out);
void mwa_text_counters(const struct mwa_results *results, const struct mwa_screen *screen,
                       FILE *out);
void mwa_text_series(const struct mwa_results *results, const struct mwa_screen *screen,
                     FILE *out);
void mwa_text_watermarks(const struct mwa_results *results, const struct mwa_screen *screen,
                         FILE *out);
void mwa_text_waits(const struct mwa_results *results, const struct mwa_screen *screen,
                    FILE *out);

/* Adds the titles of waits that are not known (waits_known.h), if any, with before in front. */
void mwa_add_unknown_waits(const struct mwa_results *results, const char *before,
                           struct mwa_line *line);

/* Receives for any source or tag, as part of what tells of messages. */
void mwa_text_wildcards(const struct mwa_results *results, FILE *out);

/* "0.81", or "-" for what is not defined; text is of MWA_UNITS_BYTES. Returns text. */
const char *mwa_factor_text(double factor, char *text);

#endif
