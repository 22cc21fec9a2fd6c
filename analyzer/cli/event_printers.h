#ifndef MWA_CLI_EVENT_PRINTERS_H
#define MWA_CLI_EVENT_PRINTERS_H

#include <stdint.h>
#include <stdio.h>

#include "analyzer/model/event.h"
#include "formats/base/status.h"

/*
 * Events are printed by several threads, some thousand at a time, and come out in the order in
 * which one thread reads them. That thread alone calls these functions.
 */

/* Prints event to out; any thread, several at once. MW_OK, or MW_ERROR_MEMORY. */
typedef enum mw_status mwa_event_print(const void *user, const struct mwa_event *event, FILE *out);

struct mwa_event_printers;

/*
 * Starts so many threads to print to out, whose errors stay there; with 0, or where there can be
 * none, who reads prints.
 *
 * \return to be freed with mwa_event_printers_end; null: no memory.
 */
struct mwa_event_printers *mwa_event_printers_start(uint32_t threads, mwa_event_print *print,
                                                    const void *user, FILE *out);

/* Has a copy of event printed, at once or later. MW_OK; MW_ERROR_MEMORY, for this or an earlier
 * one. */
enum mw_status mwa_event_printers_take(struct mwa_event_printers *printers,
                                       const struct mwa_event *event) MW_MUST_CHECK;

/* Ends the threads when all that was taken is printed, and frees. Returns as take. */
enum mw_status mwa_event_printers_end(struct mwa_event_printers *printers) MW_MUST_CHECK;

#endif
