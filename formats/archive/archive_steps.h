#ifndef MW_FORMATS_ARCHIVE_ARCHIVE_STEPS_H
#define MW_FORMATS_ARCHIVE_ARCHIVE_STEPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "formats/archive/archive.h"
#include "formats/archive/otf2_output.h"
#include "formats/archive/pack.h"
#include "formats/archive/replay.h"
#include "formats/archive/transport.h"
#include "formats/base/buffer.h"
#include "formats/base/bundle.h"
#include "formats/base/host_key.h"
#include "formats/merge/merge.h"
#include "formats/spool/spool_directory.h"

/* The steps of formats/archive and what they work on. Not for others. */

/* Rank 0's decisions, the same on all processes. */
struct mw_archive_plan {
    uint64_t definition_chunk_bytes;
    uint32_t world_size;
    uint32_t site_form; /* enum mw_site_form */
    char partial[4096];
};

/* A rank that nobody has a spool of. */
struct mw_absent_rank {
    uint32_t rank;
    uint64_t gone; /* calls that were in one which is gone; 0: there never was one, or unknown */
};

/* Who is asked for the lines of which calls. */
struct mw_lookup {
    char *questions; /* to this process; 0 bytes: none */
    uint64_t question_bytes;
    char *answers; /* its own; null: it has none */
    /* rank 0's: */
    struct mw_host_key *keys; /* by process */
    uint32_t *leaders;        /* by process: the first one of its host */
    uint32_t *ranks;          /* by rank: the process that has its spool */
    uint32_t *asked_first;    /* by spot: the process that was asked in the first round */
    uint32_t *order;          /* of the spots: those of a file come together */
    bool *is_open;            /* by spot: there was no answer when the second one began */
    unsigned round;           /* of answers that were taken; 0: none */
    bool is_cut;              /* a resolver did not answer all, and so may know more */
    struct mw_parts answered;
};

/* What goes to rank 0 of each process: a message of this, and one of each of its spools. */
struct mw_process_report {
    struct mw_host_key host;
    struct mw_call_set used;
    uint32_t spool_count;
};

/* What a spool's message begins with; the locations' stats, tallies, and the definitions follow. */
struct mw_spool_report {
    uint32_t rank;
    uint32_t location_count;
    uint32_t damaged;     /* 1: some tallies can't be read */
    uint64_t tally_bytes; /* of what the definitions should have told and don't */
    uint64_t image_bytes; /* 0: there is no spool */
};

struct mw_archiving {
    const struct mw_archive_job *job;
    const struct mw_transport *transport;
    struct mw_spool_directory *directories; /* own spools; rank 0: and ranks without one */
    uint32_t directory_count;
    uint32_t location_count;   /* of all directories */
    struct mw_parts parts;     /* rank 0: what was gathered last */
    struct mw_bundle bundle;   /* what is to be told of the definitions; rank 0: of all */
    uint32_t *spool_ranks;     /* rank 0: of all spools, process by process … */
    uint32_t *spool_ends;      /* … and by process where its ones end in them */
    struct mw_parts scattered; /* rank 0: what is to be scattered */
    struct mw_archive_plan plan;
    struct mw_absent_rank *absent; /* rank 0's */
    uint32_t absent_count;
    struct mw_otf2_output output;
    struct mw_pack pack;
    struct mw_location_stats *stats; /* of all locations, directory by directory */
    struct mw_call_set used;
    struct mw_buffer message; /* what is to be gathered */
    struct mw_merged merged;  /* rank 0 */
    struct mw_lookup lookup;
    char *numbers;            /* what was scattered: regions, communicators */
    uint64_t number_bytes;
    struct mw_archive_result result;
};

enum mw_status mw_step_look(struct mw_archiving *, struct mw_diagnostic *);
enum mw_status mw_step_plan(struct mw_archiving *, struct mw_diagnostic *);
enum mw_status mw_step_broadcast_plan(struct mw_archiving *, struct mw_diagnostic *);
enum mw_status mw_step_begin(struct mw_archiving *, struct mw_diagnostic *);
enum mw_status mw_step_join(struct mw_archiving *, struct mw_diagnostic *);
enum mw_status mw_step_replay(struct mw_archiving *, struct mw_diagnostic *);
enum mw_status mw_step_gather(struct mw_archiving *, struct mw_diagnostic *);
enum mw_status mw_step_combine(struct mw_archiving *, struct mw_diagnostic *);
enum mw_status mw_step_merge(struct mw_archiving *, struct mw_diagnostic *);
enum mw_status mw_step_ask(struct mw_archiving *, struct mw_diagnostic *);
enum mw_status mw_step_send_questions(struct mw_archiving *, struct mw_diagnostic *);
enum mw_status mw_step_look_up(struct mw_archiving *, struct mw_diagnostic *);
enum mw_status mw_step_gather_answers(struct mw_archiving *, struct mw_diagnostic *);
enum mw_status mw_step_number(struct mw_archiving *, struct mw_diagnostic *);
enum mw_status mw_step_scatter(struct mw_archiving *, struct mw_diagnostic *);
enum mw_status mw_step_define(struct mw_archiving *, struct mw_diagnostic *);
enum mw_status mw_step_collect(struct mw_archiving *, struct mw_diagnostic *);
enum mw_status mw_step_seal(struct mw_archiving *, struct mw_diagnostic *);
enum mw_status mw_step_write(struct mw_archiving *, struct mw_diagnostic *);
enum mw_status mw_step_verify(struct mw_archiving *, struct mw_diagnostic *);
enum mw_status mw_step_publish(struct mw_archiving *, struct mw_diagnostic *);
enum mw_status mw_step_broadcast_result(struct mw_archiving *, struct mw_diagnostic *);

/* What the step of this number, from 0, is called; "end" behind the last. For measurements. */
const char *mw_archive_step_name(size_t step);

/*
 * Takes what the last round of questions gave into the places of calls; false without memory. Parts
 * of formats/archive/lookup_steps.c.
 */
bool mw_lookup_take(struct mw_archiving *archiving);
void mw_lookup_fini(struct mw_lookup *lookup);

/* Frees all; removes the scratch, and the output when failed. */
void mw_archiving_fini(struct mw_archiving *archiving, bool failed);

#endif
