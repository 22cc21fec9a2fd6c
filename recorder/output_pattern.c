/* Batch systems tell a job what it is by variables of the environment, each by its own. */
#include "recorder/output_pattern.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct letter {
    char letter;
    const char *variables[4]; /* Slurm's, PBS's, Torque's, LSF's: the first that is set counts */
};

static const struct letter letters[] = {
    {'x', {"SLURM_JOB_NAME", "PBS_JOBNAME", "LSB_JOBNAME"}},
    {'j', {"SLURM_JOB_ID", "PBS_JOBID", "LSB_JOBID"}},
    {'A', {"SLURM_ARRAY_JOB_ID", "SLURM_JOB_ID", "PBS_JOBID", "LSB_JOBID"}},
    {'a', {"SLURM_ARRAY_TASK_ID", "PBS_ARRAY_INDEX", "PBS_ARRAYID", "LSB_JOBINDEX"}},
    {'s', {"SLURM_STEP_ID"}},
};

static const char *of_job(const struct letter *letter, const char *without)
{
    const char *value = NULL;

    for (size_t i = 0; i < sizeof letter->variables / sizeof letter->variables[0]; i++) {
        if (!value && letter->variables[i]) {
            value = getenv(letter->variables[i]);
        }
    }
    return value && *value ? value : without;
}

/* PBS has 12.server of a job, 12[3].server (Torque 12-3.server) of one in an array. */
static const char *number(char letter, const char *value, char *text, size_t size)
{
    size_t digits = strspn(value, "0123456789");
    size_t length = letter == 'A' && digits > 0 ? digits : strcspn(value, ".");

    snprintf(text, size, "%.*s", (int)length, value);
    return text;
}

/* What the letter behind a % stands for, null: nothing. text is room for it. */
static const char *meaning(char letter, const char *program, char *text, size_t size)
{
    for (size_t i = 0; i < sizeof letters / sizeof letters[0]; i++) {
        if (letters[i].letter == letter) {
            return letter == 'x' ? of_job(&letters[i], program)
                                 : number(letter, of_job(&letters[i], "0"), text, size);
        }
    }
    switch (letter) {
    case 'h':
        if (gethostname(text, size) != 0) {
            text[0] = '\0';
        }
        text[size - 1] = '\0';
        text[strcspn(text, ".")] = '\0';
        return text;
    case 'p':
        snprintf(text, size, "%ld", (long)getpid());
        return text;
    case '%':
        return "%";
    default:
        return NULL;
    }
}

void mwr_output_expand(const char *pattern, const char *program, char *text, size_t size)
{
    char room[256];
    size_t length = 0;

    while (*pattern && length + 1 < size) {
        const char *value =
            *pattern == '%' ? meaning(pattern[1], program, room, sizeof room) : NULL;

        if (!value) {
            text[length++] = *pattern++;
            continue;
        }
        for (; *value && length + 1 < size; value++) {
            text[length++] = *value == '/' ? '_' : *value;
        }
        pattern += 2;
    }
    text[length] = '\0';
}
