#ifndef MW_TEST_UNIT_FORMATS_MAKER_H
#define MW_TEST_UNIT_FORMATS_MAKER_H

#include <stdint.h>

#include "formats/archive/archive.h"
#include "formats/spool/definition_reader.h"
#include "formats/spool/definition_writer.h"
#include "formats/spool/spool_reader.h"
#include "formats/spool/spool_writer.h"
#include "formats/table/calls.h"

/* Spools and archives made by hand. Everything asserts; nothing is returned that failed. */

#define NONCE 0x1122334455667788u

/* A fresh directory, removed with all in it by maker_fini. */
struct maker {
    char path[256];
    char text[65536]; /* what the last program printed */
};

void maker_init(struct maker *maker);
void maker_fini(struct maker *maker);

/* maker's path/name; static storage, four at a time. */
const char *maker_path(const struct maker *maker, const char *name);

/* Runs a shell command in the directory; returns its exit status, output in maker->text. */
int maker_run(struct maker *maker, const char *command);

/* The definitions of a spool directory "rN", with the process and its clock of one host. */
struct mw_definition_writer *maker_definitions(const struct maker *maker, uint32_t rank,
                                               uint32_t size);
void maker_define(struct mw_definition_writer *writer, const struct mw_definition *definition);

/* The spool of a thread in directory "rN". */
void maker_spool(const struct maker *maker, uint32_t rank, uint32_t thread,
                 struct mw_spool *spool);

/* A whole call without members. */
void maker_call(struct mw_spool *spool, unsigned call, uint64_t enter, uint64_t leave);

/* A member of the open call; the caller fills and commits it. */
void *maker_member(struct mw_spool *spool, enum mw_record_type type, size_t bytes,
                   uint32_t comm);

/* Ends the definitions as MPI_Finalize does. */
void maker_end(struct mw_definition_writer *writer, uint64_t time);

/* All of a rank with an Init, one send to rank 0 and a Finalize: 7 events. */
void maker_rank(const struct maker *maker, uint32_t rank, uint32_t size);

/* A job for the spools r0 .. r(count - 1), to name in the directory. */
struct mw_archive_job maker_job(const struct maker *maker, uint32_t count, const char *name);

/* Writes the archive, serially. */
enum mw_status maker_write(const struct mw_archive_job *job, struct mw_archive_result *result,
                           struct mw_diagnostic *diagnostic);

/* otf2-print's words on an archive that is unpacked at name, with arguments; it must be content. */
const char *maker_print(struct maker *maker, const char *arguments, const char *name);

/* How often word stands in text. */
unsigned count_of(const char *text, const char *word);

#endif
