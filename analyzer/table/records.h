#ifndef MWA_TABLE_RECORDS_H
#define MWA_TABLE_RECORDS_H

#include <stdint.h>

#include "analyzer/table/tables.h"

/*
 * Single calls of MPI and single messages, as tables have them: call_records.csv and
 * message_records.csv of export --csv. Times are ticks.
 */

struct mwa_call_record {
    uint64_t enter; /* cut to the window, as */
    uint64_t leave;
    uint64_t calls; /* polls that it stands for */
    uint64_t bytes_sent;
    uint64_t bytes_received;
    uint32_t location; /* indices: MWA_NONE: none, or not known */
    uint32_t call;
    uint32_t region;
    uint32_t site;
    uint32_t comm;
    uint32_t peer; /* world ranks */
    uint32_t root;
    uint32_t tag;
};

struct mwa_message_record {
    uint64_t sent;
    uint64_t posted;
    uint64_t received;
    uint64_t bytes; /* UINT64_MAX: not known */
    uint64_t wait;  /* of the receiver, late sender, and of the sender, late receiver */
    uint64_t send_wait;
    uint64_t progress_wait; /* of both, late progress */
    uint64_t send_progress_wait;
    uint32_t send_location;
    uint32_t receive_location;
    uint32_t send_call; /* indices: MWA_NONE: none */
    uint32_t receive_call;
    uint32_t send_site;
    uint32_t receive_site;
    uint32_t comm;
    uint32_t tag;
};

struct mwa_records {
    struct mwa_call_record *calls;
    uint64_t call_count;
    struct mwa_message_record *messages;
    uint64_t message_count;
};

/* Both, by name. Their roots' rows are struct mwa_records; of results only the trace is asked
 * for. The last one has no name. */
extern const struct mwa_named_table mwa_record_tables[];

#endif
