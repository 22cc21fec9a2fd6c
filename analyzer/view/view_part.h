#ifndef MWA_VIEW_VIEW_PART_H
#define MWA_VIEW_VIEW_PART_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * The report of a part of the run: a span and some ranks. mpiwatch-analyze makes it, as a user
 * would who types the same: a smaller archive of the part in $TMPDIR (else /var/tmp), and its
 * report. That takes a reading of the archive, so it is a job: it is begun, and asked for again
 * and again until it is done. There is one in the program: the next one ends it.
 *
 * Any thread.
 */

/* What a user types for the same: to be freed; null: no memory. Times as --from and --to take them;
 * ranks null: all. */
char *mwa_view_part_command(const char *archive, int64_t from_ns, int64_t to_ns,
                            const char *ranks);

/* Whether ranks is a list as --ranks takes it, of a length that can be passed. */
bool mwa_view_part_is_list(const char *ranks);

/* Ends the job that there is, and begins another one. \return as mwa_view_part_ask. */
json_t *mwa_view_part_begin(const char *archive, int64_t from_ns, int64_t to_ns,
                            const char *ranks);

/*
 * { "job": 3, "stage": "cutting" | "reporting" | "done" | "failed", "why": a sentence or null,
 * "command": "mpiwatch-analyze …", "report": null or, once it is done, what
 * mwa_view_part_report takes of report --json }; of a job that was ended, stage "ended". Null: no
 * memory.
 */
json_t *mwa_view_part_ask(uint64_t job);

/* Ends a job, if it is the one that there is; UINT64_MAX: whichever. Nothing of it is left. */
void mwa_view_part_end(uint64_t job);

/*
 * What the page shows of what report --json says, by the same keys; of lists the first
 * MWA_VIEW_PART_MOST, those of calls by their time. To be freed; null: no memory.
 */
#define MWA_VIEW_PART_MOST 64u
json_t *mwa_view_part_report(json_t *report);

#endif
