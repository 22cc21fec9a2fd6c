/* Functions that a program or a library does not export have names in its file alone. */
#include "recorder/sites/elf_file.h"

#include <elf.h>
#include <string.h>
#include <unistd.h>

#define SYMBOLS_AT_ONCE 64u

bool mwr_elf_read(int file, void *to, size_t bytes, uint64_t offset)
{
    char *at = to;
    ssize_t count = 1;

    while (bytes > 0 && count > 0) {
        count = pread(file, at, bytes, (off_t)offset);
        if (count > 0) {
            at += count;
            offset += (uint64_t)count;
            bytes -= (size_t)count;
        }
    }
    return bytes == 0;
}

bool mwr_elf_header(int file, ElfW(Ehdr) *header)
{
    return mwr_elf_read(file, header, sizeof *header, 0) &&
           memcmp(header->e_ident, ELFMAG, SELFMAG) == 0 &&
           header->e_shentsize == sizeof(ElfW(Shdr));
}

bool mwr_elf_section(int file, const ElfW(Ehdr) *header, unsigned index, ElfW(Shdr) *section)
{
    return index < header->e_shnum &&
           mwr_elf_read(file, section, sizeof *section,
                        header->e_shoff + (uint64_t)index * sizeof *section);
}

bool mwr_elf_symbols(int file, const ElfW(Shdr) *table,
                     bool (*visit)(const ElfW(Sym) *symbol, void *context), void *context,
                     bool *is_read)
{
    ElfW(Sym) symbols[SYMBOLS_AT_ONCE];
    const uint64_t count = table->sh_size / sizeof symbols[0];

    *is_read = true;
    for (uint64_t at = 0; at < count; at += SYMBOLS_AT_ONCE) {
        const uint64_t some = count - at < SYMBOLS_AT_ONCE ? count - at : SYMBOLS_AT_ONCE;

        *is_read = mwr_elf_read(file, symbols, some * sizeof symbols[0],
                                table->sh_offset + at * sizeof symbols[0]);
        if (!*is_read) {
            return false;
        }
        for (uint64_t i = 0; i < some; i++) {
            if (visit(&symbols[i], context)) {
                return true;
            }
        }
    }
    return false;
}
