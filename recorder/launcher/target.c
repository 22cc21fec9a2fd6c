#include "recorder/launcher/target.h"

#include <stdio.h>
#include <string.h>

/* A script that runs a script that … ends somewhere before this. */
#define DEPTH_MAX 8

static const char *const launchers[] = {
    "mpirun", "mpiexec", "orterun", "prterun", "srun",    "sbatch",    "salloc",
    "aprun",  "jsrun",   "lrun",    "ibrun",   "palsrun", "ccc_mprun", NULL};

static const char *const wrappers[] = {
    "env",    "nice", "nohup",  "numactl", "taskset", "time",       "timeout",   "stdbuf",
    "setsid", "chrt", "ionice", "setarch", "prlimit", "hwloc-bind", "catchsegv", NULL};

static bool listed(const char *const *list, const char *word)
{
    while (*list && strcmp(*list, word) != 0) {
        list++;
    }
    return *list != NULL;
}

/* mpirun.openmpi and mpiexec.hydra are launchers too. */
static bool is_launcher(const char *path)
{
    char name[32];

    snprintf(name, sizeof name, "%s", mwr_program_base(path));
    name[strcspn(name, ".")] = '\0';
    return listed(launchers, name);
}

/*
 * The command within a wrapper's or launcher's words: the first word after options and
 * their values that names a program. \return null when there is none.
 */
static char *const *inner_command(char *const *command)
{
    struct mwr_program program;

    for (command++; *command; command++) {
        if (**command != '-' && mwr_program_find(*command, &program, NULL) == MW_OK) {
            return command;
        }
    }
    return NULL;
}

/* Appends words[0 .. count) with a blank before each. */
static void append_words(char *line, size_t size, char *const *words, size_t count)
{
    size_t used = strlen(line);

    for (size_t word = 0; word < count && used < size; word++) {
        used += (size_t)snprintf(line + used, size - used, " %s", words[word]);
    }
}

static enum mw_status refuse_launcher(char *const *command, struct mw_diagnostic *diagnostic)
{
    char *const *inner = inner_command(command);
    char before[160] = "";
    char after[160] = "";

    if (!inner) {
        return mw_fail(diagnostic, MW_ERROR_USAGE, NULL, MW_DIAGNOSTIC_OFFSET_NONE,
                       "%s comes first: %s ... mpiwatch-record PROGRAM", command[0], command[0]);
    }
    append_words(before, sizeof before, command + 1, (size_t)(inner - command) - 1);
    append_words(after, sizeof after, inner, 1);
    return mw_fail(diagnostic, MW_ERROR_USAGE, NULL, MW_DIAGNOSTIC_OFFSET_NONE,
                   "%s comes first, mpiwatch-record after it: %s%s mpiwatch-record%s%s", command[0],
                   command[0], before, after, inner[1] ? " ..." : "");
}

static enum mw_status refuse_program(const struct mwr_program *program,
                                     struct mw_diagnostic *diagnostic)
{
    const char *reason = NULL;

    if (program->privileged) {
        reason = "is setuid, setgid or has capabilities, so the loader ignores LD_PRELOAD";
    } else if (program->kind == MWR_PROGRAM_STATIC) {
        reason = "is linked statically, so nothing can be preloaded; link it dynamically";
    } else if (program->kind == MWR_PROGRAM_FOREIGN) {
        reason = "is built for another machine or word size";
    }
    return reason ? mw_fail(diagnostic, MW_ERROR_USAGE, program->path, MW_DIAGNOSTIC_OFFSET_NONE,
                            "%s", reason)
                  : MW_OK;
}

static bool clears_environment(char *const *command, char *const *inner)
{
    for (; command != inner; command++) {
        if (strcmp(*command, "-") == 0 || strcmp(*command, "-i") == 0 ||
            strcmp(*command, "--ignore-environment") == 0) {
            return true;
        }
    }
    return false;
}

/* Goes one step inwards: to what a wrapper runs. *command is null when there is nothing. */
static enum mw_status enter_wrapper(char *const **command, struct mw_diagnostic *diagnostic)
{
    char *const *inner = inner_command(*command);

    if (inner && strcmp(mwr_program_base(**command), "env") == 0 &&
        clears_environment(*command, inner)) {
        return mw_fail(diagnostic, MW_ERROR_USAGE, NULL, MW_DIAGNOSTIC_OFFSET_NONE,
                       "env -i removes LD_PRELOAD: put mpiwatch-record after env");
    }
    *command = inner;
    return MW_OK;
}

/* "#!/usr/bin/env -S python3 -u": the interpreter is the first word that can be one. */
static const char *interpreter_name(struct mwr_program *script)
{
    char *rest = NULL;

    if (strcmp(mwr_program_base(script->interpreter), "env") != 0) {
        return script->interpreter;
    }
    for (char *word = strtok_r(script->script_words, " \t", &rest); word;
         word = strtok_r(NULL, " \t", &rest)) {
        if (*word != '-' && !strchr(word, '=')) {
            return word;
        }
    }
    return script->interpreter;
}

/* From a script to the program that runs it, which may be a script again. */
static enum mw_status enter_script(struct mwr_program *program, struct mw_diagnostic *diagnostic)
{
    enum mw_status status = MW_OK;

    for (unsigned depth = 0; program->kind == MWR_PROGRAM_SCRIPT && status == MW_OK; depth++) {
        struct mwr_program script = *program;

        if (depth == DEPTH_MAX) {
            return mw_fail(diagnostic, MW_ERROR_USAGE, script.path, MW_DIAGNOSTIC_OFFSET_NONE,
                           "is a script whose interpreter is a script, and so on");
        }
        status = mwr_program_find(interpreter_name(&script), program, diagnostic);
    }
    return status;
}

/*
 * Inspects the command's first word, of which *runs is what will be executed; *command becomes
 * what to inspect next, or null.
 */
static enum mw_status inspect_word(char *const **command, struct mwr_program *program,
                                   struct mwr_program *runs, struct mwr_linked *linked,
                                   struct mw_diagnostic *diagnostic)
{
    enum mw_status status;

    if (is_launcher(**command)) {
        return refuse_launcher(*command, diagnostic);
    }
    status = mwr_program_find(**command, program, diagnostic);
    if (status != MW_OK) {
        return status;
    }
    *runs = *program;
    status = enter_script(runs, diagnostic);
    if (status == MW_OK) {
        status = refuse_program(runs, diagnostic);
    }
    if (status == MW_OK && runs->kind != MWR_PROGRAM_UNREADABLE) {
        status = mwr_linked_read(runs, linked, diagnostic);
    }
    if (status == MW_OK && !linked->library[0] && listed(wrappers, mwr_program_base(**command))) {
        return enter_wrapper(command, diagnostic);
    }
    *command = NULL;
    return status;
}

enum mw_status mwr_target_inspect(char *const *command, struct mwr_target *target,
                                  struct mw_diagnostic *diagnostic)
{
    struct mwr_program wrapped;
    enum mw_status status = inspect_word(&command, &target->program, &target->inner,
                                         &target->linked, diagnostic);

    while (status == MW_OK && command) {
        status = inspect_word(&command, &wrapped, &target->inner, &target->linked, diagnostic);
    }
    return status;
}
