#ifndef MW_FORMATS_ARCHIVE_RESOLVE_SITES_H
#define MW_FORMATS_ARCHIVE_RESOLVE_SITES_H

#include <stdbool.h>
#include <stddef.h>

#include "formats/archive/archive.h"
#include "formats/base/buffer.h"
#include "formats/base/status.h"
#include "formats/merge/merge_sites.h"

#define MW_RESOLVER_NAME "mpiwatch-resolve"
#define MW_RESOLVER_SECONDS 20u /* it may take at most */

/*
 * Finds the program: beside the file own, above the build tree's .libs, where programs are
 * installed, seen from there, or in installed. Cuts own to its directory. False: it is in none.
 */
bool mw_resolver_find(char *own, const char *installed, char *path, size_t size);

/* Whom to ask, and what holds for all questions. Absolute paths. */
struct mw_sites_resolver {
    const char *program;         /* null: there is none */
    const char *debug_directory; /* may have the debugging information of stripped files, or null */
    enum mw_source_paths paths;
};

/*
 * The spots in the order in which they are to be asked for: those of a file one after the other,
 * since it is opened and read anew whenever it comes again.
 *
 * \return the caller's to free; null: without memory.
 */
uint32_t *mw_sites_by_file(const struct mw_merged_sites *sites);

/* Puts the question for a spot behind the others, a line. False: no memory, as in questions. */
bool mw_sites_question(const struct mw_merged_sites *sites, uint32_t spot,
                       struct mw_buffer *questions);

/*
 * Asks the program, through files in the directory scratch, about what this host's files say.
 *
 * \return a line for each question, up to where it failed or had no more time
 * (MW_RESOLVER_SECONDS), which the caller frees; null: it can't be asked.
 */
char *mw_sites_ask(const char *questions, size_t bytes, const struct mw_sites_resolver *resolver,
                   const char *scratch);

/* Takes the next line of answers, which moves on, apart. Null: there is none, nor in *answers. */
char *mw_sites_next_answer(char **answers);

/*
 * Takes an answer, "LINE\tFUNCTION\tFILE", for a spot that has none; changes it.
 *
 * \return MW_OK; MW_ERROR_FORMAT: it says nothing; MW_ERROR_MEMORY.
 */
enum mw_status mw_sites_take(struct mw_merged_sites *sites, uint32_t spot,
                             char *answer) MW_MUST_CHECK;

/*
 * Gives every site its place, and every frame its context; spots of which no answer was taken are
 * module and address.
 *
 * \return MW_OK; MW_ERROR_MEMORY.
 */
enum mw_status mw_sites_finish(struct mw_merged_sites *sites,
                               struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/*
 * All of that by one process.
 *
 * \return MW_OK; MW_ERROR_MEMORY.
 */
enum mw_status mw_sites_resolve(struct mw_merged_sites *sites,
                                const struct mw_sites_resolver *resolver, const char *scratch,
                                struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

#endif
