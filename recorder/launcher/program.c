/*
 * What can't be preloaded into has to be refused before it runs unrecorded for
 * hours: the loader ignores LD_PRELOAD without a word. ELF is read only as far as
 * that takes.
 */
#include "recorder/launcher/program.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

const char *mwr_program_base(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

/* 0, or the errno that executing path would give. */
static int executable(const char *path)
{
    struct stat status;

    if (stat(path, &status) != 0) {
        return errno;
    }
    return S_ISREG(status.st_mode) && access(path, X_OK) == 0 ? 0 : EACCES;
}

/* Looks along PATH as execvp does: a file that can't be executed is passed over. */
static int find_on_path(const char *name, char *path, size_t size)
{
    const char *directory = getenv("PATH");
    int result = ENOENT;

    directory = directory ? directory : "/bin:/usr/bin";
    while (true) {
        size_t length = strcspn(directory, ":");
        int error;

        snprintf(path, size, "%.*s%s%s", (int)length, directory, length ? "/" : "./", name);
        error = executable(path);
        if (error == 0) {
            return 0;
        }
        result = error == EACCES ? EACCES : result;
        if (directory[length] == '\0') {
            return result;
        }
        directory += length + 1;
    }
}

static bool is_privileged(const char *path)
{
    struct stat status;

    return stat(path, &status) == 0 &&
           (status.st_mode & (S_ISUID | S_ISGID) ||
            getxattr(path, "security.capability", NULL, 0) > 0);
}

/* Looks for the name of the loader among the program headers. */
static void read_loader(int file, const ElfW(Ehdr) *header, struct mwr_program *program)
{
    program->kind = MWR_PROGRAM_STATIC;
    for (unsigned index = 0; index < header->e_phnum; index++) {
        ElfW(Phdr) segment;
        off_t place = (off_t)(header->e_phoff + (uint64_t)index * header->e_phentsize);

        if (pread(file, &segment, sizeof segment, place) != sizeof segment) {
            return;
        }
        if (segment.p_type == PT_INTERP && segment.p_filesz < sizeof program->interpreter &&
            pread(file, program->interpreter, segment.p_filesz, (off_t)segment.p_offset) ==
                (ssize_t)segment.p_filesz) {
            program->kind = MWR_PROGRAM_DYNAMIC;
            return;
        }
    }
}

/* Takes "#! interpreter words" apart; line is terminated. */
static void read_script_line(const char *line, struct mwr_program *program)
{
    size_t length;

    program->kind = MWR_PROGRAM_SCRIPT;
    if (line[0] != '#' || line[1] != '!') {
        snprintf(program->interpreter, sizeof program->interpreter, "/bin/sh");
        return;
    }
    line += 2 + strspn(line + 2, " \t");
    length = strcspn(line, " \t\n");
    snprintf(program->interpreter, sizeof program->interpreter, "%.*s", (int)length, line);
    line += length;
    line += strspn(line, " \t");
    snprintf(program->script_words, sizeof program->script_words, "%.*s",
             (int)strcspn(line, "\n"), line);
}

static void read_head(int file, struct mwr_program *program)
{
    union {
        ElfW(Ehdr) elf;
        char text[256];
    } head = {.text = ""};
    ssize_t bytes = pread(file, &head, sizeof head - 1, 0);

    if (bytes < (ssize_t)sizeof head.elf || memcmp(head.text, ELFMAG, SELFMAG) != 0) {
        read_script_line(head.text, program);
    } else if (head.elf.e_ident[EI_CLASS] != (__ELF_NATIVE_CLASS == 64 ? ELFCLASS64 : ELFCLASS32) ||
               head.elf.e_phentsize != sizeof(ElfW(Phdr))) {
        program->kind = MWR_PROGRAM_FOREIGN;
    } else {
        read_loader(file, &head.elf, program);
    }
}

enum mw_status mwr_program_find(const char *name, struct mwr_program *program,
                                struct mw_diagnostic *diagnostic)
{
    int file;

    memset(program, 0, sizeof *program);
    if (strchr(name, '/')) {
        snprintf(program->path, sizeof program->path, "%s", name);
        errno = executable(name);
    } else {
        errno = find_on_path(name, program->path, sizeof program->path);
    }
    if (errno) {
        return mw_fail(diagnostic, MW_ERROR_SYSTEM, name, MW_DIAGNOSTIC_OFFSET_NONE,
                       "can't be run");
    }
    program->privileged = is_privileged(program->path);
    file = open(program->path, O_RDONLY | O_CLOEXEC);
    if (file < 0 && errno == EACCES) { /* as licensed programs are installed: mode 0711 */
        program->kind = MWR_PROGRAM_UNREADABLE;
        return MW_OK;
    }
    if (file < 0) {
        return mw_fail(diagnostic, MW_ERROR_SYSTEM, program->path, MW_DIAGNOSTIC_OFFSET_NONE,
                       "can't be read");
    }
    read_head(file, program);
    close(file);
    return MW_OK;
}
