#ifndef MW_FORMATS_SPOOL_SPOOL_DIRECTORY_H
#define MW_FORMATS_SPOOL_SPOOL_DIRECTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "formats/base/status.h"
#include "formats/spool/known.h"

/* What a process has to know of a spool directory to replay it. */
struct mw_spool_directory {
    char *path;          /* null: of this rank there is no spool */
    uint64_t gone;       /* calls that were in it, if known */
    uint32_t rank;
    uint32_t world_size; /* 0: the process died before it said so */
    uint64_t resolution; /* ticks per second of the times in the definitions */
    uint64_t time_unit;  /* that times are to be told in, in ns */
    uint64_t last_time;  /* the latest in the definitions, ns of the own clock */
    uint32_t *threads; /* rising; thread 0 is always among them */
    bool *has_events;  /* whether <thread>.events is there and begun */
    uint32_t thread_count;
    struct mw_known known;
    bool salvage; /* what is damaged counts up to there, and is no error */
    bool damaged;
    bool has_end;        /* the process told how it ended, and what was lost until then */
    bool tells_lost;     /* it told that, and may have had no room to tell its end */
    bool has_filtered;   /* some of */
    bool tells_filtered; /* the definitions have the counts of filtered calls, and an end */
};

/*
 * Looks into the directory path. A nonce other than 0 has to be that of the files. With
 * salvage, damaged definitions are taken up to the damage.
 *
 * \return MW_OK, and mw_spool_directory_fini is due.
 * \return MW_ERROR_SYSTEM, MW_ERROR_MEMORY; MW_ERROR_FORMAT, MW_ERROR_VERSION by
 * what the definitions are.
 */
enum mw_status mw_spool_directory_load(struct mw_spool_directory *directory, const char *path,
                                       uint64_t nonce, bool salvage,
                                       struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/*
 * Makes the directory of a rank that left no spool, or whose spool is gone with so many calls:
 * one thread without events.
 */
enum mw_status mw_spool_directory_absent(struct mw_spool_directory *directory, uint32_t rank,
                                         uint64_t gone,
                                         struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/* A zeroed one is fine. */
void mw_spool_directory_fini(struct mw_spool_directory *directory);

#endif
