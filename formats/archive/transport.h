#ifndef MW_FORMATS_ARCHIVE_TRANSPORT_H
#define MW_FORMATS_ARCHIVE_TRANSPORT_H

#include <stdint.h>

#include "formats/base/buffer.h"
#include "formats/base/status.h"

/*
 * How the processes that write one archive together speak to each other: over MPI
 * in recorder/finalize, not at all in mpiwatch-recover (one process, size 1).
 *
 * Every function is collective: all processes call the same ones in the same
 * order, also those that have failed and have nothing to give. Returned memory is
 * malloc'd and the caller's. A status other than MW_OK from the transport itself
 * means that the processes can't speak any more (MW_ERROR_MPI) and is equal on all
 * as far as the transport can make it so; agree() is how they tell each other of
 * failures of their own.
 */

/* What rank 0 gets from a gather: parts[i] of sizes[i] bytes from process i. */
struct mw_parts {
    uint32_t count;
    uint64_t *sizes;
    char **parts; /* pointers into data */
    char *data;
};

/* Frees what parts owns; a zeroed one is fine. */
void mw_parts_fini(struct mw_parts *parts);

/* What each process has, to be put together with what others have. */
struct mw_combined {
    void *of; /* passed to both functions */
    /* Puts of as bytes behind what is in the empty buffer, which tells of having failed. */
    void (*give)(void *of, struct mw_buffer *to);
    /* Adds what the next processes above gave, in their order. */
    enum mw_status (*take)(void *of, const char *given, uint64_t bytes);
};

struct mw_transport {
    void *context; /* passed to every function */
    uint32_t rank;
    uint32_t size;

    /* All give bytes of data (0 allowed); rank 0 gets them all, others a zeroed struct. */
    enum mw_status (*gather)(void *context, const void *data, uint64_t bytes,
                             struct mw_parts *parts, struct mw_diagnostic *diagnostic);
    /*
     * Puts together what all have, in the order of processes, in rank 0's: up a tree, so that no
     * process takes from more than about log2(size) others. What others have is as it comes. The
     * own failure (of take, or without memory) is returned on that process only.
     */
    enum mw_status (*combine)(void *context, const struct mw_combined *combined,
                              struct mw_diagnostic *diagnostic);
    /* Rank 0 gives size parts; each process gets its own in *data (null if 0 bytes) and *bytes. */
    enum mw_status (*scatter)(void *context, const struct mw_parts *parts, char **data,
                              uint64_t *bytes, struct mw_diagnostic *diagnostic);
    /* data of rank 0 to all; bytes is equal on all. */
    enum mw_status (*broadcast)(void *context, void *data, uint64_t bytes,
                                struct mw_diagnostic *diagnostic);
    /* *before: the sum of mine over lower ranks (0 on rank 0); *total: over all. */
    enum mw_status (*exscan)(void *context, uint64_t mine, uint64_t *before, uint64_t *total,
                             struct mw_diagnostic *diagnostic);
    /* *worst is the highest status that any process gave, equal on all. */
    enum mw_status (*agree)(void *context, enum mw_status mine, enum mw_status *worst,
                            struct mw_diagnostic *diagnostic);

    /*
     * Creates the output file path (absolute; equal on all; the caller's until the output is
     * closed) anew on rank 0 and opens it on all. Fails on all if it fails on one, in
     * particular if a process does not see the file that rank 0 made (then nothing is left
     * behind).
     */
    enum mw_status (*output_open)(void *context, const char *path, uint64_t nonce,
                                  struct mw_diagnostic *diagnostic);
    /*
     * Copies bytes (0 allowed) from source_offset of the file source (a descriptor, -1
     * if 0 bytes) to target_offset of the output. Extents of different processes never
     * overlap. Bounded memory. The own failure is returned on the failing process only,
     * and all must go on to output_close.
     */
    enum mw_status (*output_write)(void *context, int source, uint64_t source_offset,
                                   uint64_t bytes, uint64_t target_offset,
                                   struct mw_diagnostic *diagnostic);
    enum mw_status (*output_close)(void *context, struct mw_diagnostic *diagnostic);
};

struct mw_serial_output; /* private */

/* A transport of one process. Valid until mw_transport_serial_fini. */
enum mw_status mw_transport_serial_init(struct mw_transport *transport,
                                        struct mw_diagnostic *diagnostic) MW_MUST_CHECK;
void mw_transport_serial_fini(struct mw_transport *transport);

#endif
