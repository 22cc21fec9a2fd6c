#ifndef MWA_LOAD_FILES_H
#define MWA_LOAD_FILES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "analyzer/load/member.h"
#include "formats/base/status.h"

/*
 * The files of one archive, wherever they are: members of a ZIP file or plain files
 * in a directory. libotf2 reads both the same way: it is given a path that begins with
 * a made-up prefix, and fopen and stat, which the linker (--wrap), or for a shared
 * libotf2 analyzer/load/interposed, redirects to this module, serve every path with such
 * a prefix from its set of files. All other paths go to the C library.
 */

struct mwa_files;

/*
 * Opens what path names: a ZIP file, a directory with an anchor file (traces.otf2, or
 * the only *.otf2 in it), or an anchor file itself.
 *
 * \return MW_OK and *files, to be freed with mwa_files_close after every reader of it.
 * \return MW_ERROR_SYSTEM, MW_ERROR_MEMORY, MW_ERROR_FORMAT (also when there is no anchor
 * file), as mwa_zip_open.
 */
enum mw_status mwa_files_open(const char *path, struct mwa_files **files,
                              struct mw_diagnostic *diagnostic) MW_MUST_CHECK;
void mwa_files_close(struct mwa_files *files);

/* The path of the anchor file, for OTF2_Reader_Open. */
const char *mwa_files_anchor(const struct mwa_files *files);

/* Its name beside the others, for the functions below. */
const char *mwa_files_anchor_name(const struct mwa_files *files);

/* The path that was opened. */
const char *mwa_files_path(const struct mwa_files *files);

/*
 * Where one of its files is, for messages, in size bytes: "PATH!name" in a ZIP file, else its path
 * beside the anchor file.
 */
void mwa_files_place(const struct mwa_files *files, const char *name, char *place, size_t size);

/* The ZIP file's directory, or null for plain files. */
const struct mwa_zip *mwa_files_zip(const struct mwa_files *files);

/*
 * Opens the file called name beside the anchor file ("mpiwatch.json").
 *
 * \return a stream for fclose, or null: errno ENOENT when there is no such file, else
 * with a fault in the log.
 */
FILE *mwa_files_stream(struct mwa_files *files, const char *name);

/*
 * The same without stdio, to be closed by mwa_source_close; false instead of null. A seekable one
 * is for reading from somewhere in the middle, which an index of blocks in the archive makes short.
 */
bool mwa_files_source(struct mwa_files *files, const char *name, bool is_seekable,
                      struct mwa_source *source);

/*
 * Whether to read the file called name from somewhere in the middle takes about as long as if it
 * began there: not if it is large and was deflated by somebody who left no index of blocks.
 */
bool mwa_files_can_begin_late(struct mwa_files *files, const char *name);

/* Bytes in the file called name, uncompressed; false when there is none. */
bool mwa_files_size(const struct mwa_files *files, const char *name, uint64_t *size);

/*
 * Calls visit with the name of every plain file beside the anchor file and in the folder of
 * its locations, in no order; not for ZIP files, whose directory lists all. Other folders
 * are no part of an archive, and their files are not visited.
 */
void mwa_files_walk(const struct mwa_files *files, void (*visit)(void *user, const char *name),
                    void *user);

/* The name, for the functions above, of a location's file with the given suffix. */
void mwa_files_local_name(const struct mwa_files *files, uint64_t location, const char *suffix,
                          char *name, size_t size);

/* What streams noted; lives as long as files. */
struct mwa_stream_log *mwa_files_log(struct mwa_files *files);

#endif
