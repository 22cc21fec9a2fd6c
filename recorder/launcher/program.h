#ifndef MWR_LAUNCHER_PROGRAM_H
#define MWR_LAUNCHER_PROGRAM_H

#include <stdbool.h>

#include "formats/base/status.h"

/* A program file, seen with the eyes of execvp(3) and of the dynamic loader. */

enum mwr_program_kind {
    MWR_PROGRAM_DYNAMIC, /* the loader will read LD_PRELOAD */
    MWR_PROGRAM_STATIC,  /* no loader: nothing can be preloaded */
    MWR_PROGRAM_FOREIGN, /* ELF of another class or machine than this one */
    MWR_PROGRAM_UNREADABLE, /* may be executed and not read: no script, and nothing else is known */
    MWR_PROGRAM_SCRIPT   /* whatever else; a missing #! line means /bin/sh */
};

struct mwr_program {
    char path[4096];
    enum mwr_program_kind kind;
    bool privileged;        /* setuid, setgid or with capabilities: LD_PRELOAD is ignored */
    char interpreter[256];  /* the loader of a DYNAMIC one; the interpreter of a SCRIPT */
    char script_words[256]; /* what follows the interpreter on the #! line, or "" */
};

/*
 * Finds the file that execvp(3) would run for name and reads its head.
 *
 * \return MW_OK.
 * \return MW_ERROR_SYSTEM with error_number ENOENT when there is none, EACCES when the
 * one there is can't be executed, or what reading it gave, unless that it must not be read.
 */
enum mw_status mwr_program_find(const char *name, struct mwr_program *program,
                                struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/* The last part of a path. \return a pointer into path. */
const char *mwr_program_base(const char *path);

#endif
