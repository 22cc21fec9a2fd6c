#ifndef MW_FORMATS_ARCHIVE_OTF2_OUTPUT_H
#define MW_FORMATS_ARCHIVE_OTF2_OUTPUT_H

#include <otf2/otf2.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "formats/base/status.h"

/*
 * An OTF2 archive being written by one process, without other processes, without a
 * word on stderr and with one chunk of memory per open file. To libotf2 it is two: one of
 * events, which never are a file but go on from memory, and one of definitions.
 *
 * Order of use: init, events_begin, (a writer of events per location, one at a time),
 * events_end, definitions_begin, (a writer of definitions per location), definitions_end,
 * global definitions on rank 0, close.
 */

/*
 * The chunk of event files, in every archive of mpiwatch and on every rank: a file is
 * read with the chunk size of the anchor. Also the size of the blocks of deflate.
 */
#define MW_EVENT_CHUNK_BYTES ((uint64_t)256 << 10)

/* The chunk of definition files is at least this. A record can't be larger than it. */
#define MW_DEFINITION_CHUNK_BYTES_MIN ((uint64_t)4 << 20)
#define MW_DEFINITION_CHUNK_BYTES_MAX OTF2_CHUNK_SIZE_MAX /* 16 MiB: it refuses larger ones */

/*
 * Takes the next chunk of the file of events that is being written: MW_EVENT_CHUNK_BYTES of it
 * or, of the last chunk, what there is.
 */
typedef enum mw_status mw_otf2_take(void *context, const void *chunk, size_t bytes, bool is_last,
                                    struct mw_diagnostic *diagnostic);

struct mw_otf2_output {
    OTF2_Archive *events;      /* in memory */
    OTF2_Archive *definitions; /* in files */
    mw_otf2_take *take;
    void *context;
    bool is_last;                    /* the chunk that libotf2 writes is its file's last */
    enum mw_status status;           /* of take, the first that was not MW_OK, … */
    struct mw_diagnostic diagnostic; /* … and why */
    OTF2_ErrorCallback previous_callback;
    bool registered;
    bool failed; /* libotf2 reported an error: error and text are its first */
    OTF2_ErrorCode error;
    char text[256];
    char directory[4096];
};

/*
 * Creates the archive directory/traces.*; take gets what is written of events. output must not
 * move until mw_otf2_close. libotf2's error callback is this output's until then.
 *
 * \return MW_OK; MW_ERROR_OTF2. mw_otf2_close is due in both cases.
 */
enum mw_status mw_otf2_init(struct mw_otf2_output *output, const char *directory,
                            uint64_t definition_chunk_bytes, mw_otf2_take *take, void *context,
                            struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/*
 * MW_OK; what take returned first that was not; MW_ERROR_OTF2 with libotf2's first error when
 * code or an earlier one is bad.
 */
enum mw_status mw_otf2_check(struct mw_otf2_output *output, OTF2_ErrorCode code,
                             const char *what, struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/* Closes the archive, which writes the anchor. A zeroed output is fine. */
enum mw_status mw_otf2_close(struct mw_otf2_output *output,
                             struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/* The location of a thread. */
static inline uint64_t mw_location_of(uint32_t rank, uint32_t thread)
{
    return (uint64_t)thread << 32 | rank;
}

#endif
