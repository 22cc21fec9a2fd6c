#ifndef MWR_SITES_ELF_FILE_H
#define MWR_SITES_ELF_FILE_H

#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Tables of symbols in the files that the program consists of, which the loader does not have in
 * memory. No library reads them: none is to be loaded into the program for it. Any thread.
 */

/* False: the file has not so many bytes there, or can't be read. */
bool mwr_elf_read(int file, void *to, size_t bytes, uint64_t offset);

/* False: it is no such file, of this machine's kind. */
bool mwr_elf_header(int file, ElfW(Ehdr) *header);

/* False: there is none of this index, or it can't be read. */
bool mwr_elf_section(int file, const ElfW(Ehdr) *header, unsigned index, ElfW(Shdr) *section);

/* Calls visit with each symbol of a table until it returns true. \return whether it has; *is_read:
 * the table could be read up to there. */
bool mwr_elf_symbols(int file, const ElfW(Shdr) *table,
                     bool (*visit)(const ElfW(Sym) *symbol, void *context), void *context,
                     bool *is_read);

#endif
