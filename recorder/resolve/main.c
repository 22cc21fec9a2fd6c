/*
 * mpiwatch-resolve QUESTIONS ANSWERS full|relative|base [DIRECTORY]: for each line "ADDRESS
 * BUILD-ID PATH" of one file (hexadecimal, BUILD-ID may be empty; "ADDRESS@CALL": it is where a
 * call of that function of MPI returns to) a line "LINE TAB FUNCTION TAB FILE" of the other. Of
 * files that are stripped or gone DIRECTORY may have what they had. The recorder and
 * mpiwatch-recover run it; time and memory are limited, since a program's debugging information can
 * be anything. Answers are written as they come: what was said before an end counts.
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "recorder/resolve/source.h"

#define SECONDS_MAX 15
#define MEMORY_BYTES_MAX (UINT64_C(4) << 30)

static void limit(void)
{
    struct rlimit seconds = {SECONDS_MAX, SECONDS_MAX};
    struct rlimit nothing = {0, 0};

    (void)setrlimit(RLIMIT_CORE, &nothing); /* it would lie in the program's directory */
#ifndef __SANITIZE_ADDRESS__ /* which maps more than there is */
    struct rlimit memory = {MEMORY_BYTES_MAX, MEMORY_BYTES_MAX};

    (void)setrlimit(RLIMIT_AS, &memory);
#endif
    (void)alarm(SECONDS_MAX);
    (void)setrlimit(RLIMIT_CPU, &seconds);
    (void)unsetenv("DEBUGINFOD_URLS"); /* nothing is asked of the network */
}

/* What would break a line or a column. */
static void write_word(FILE *out, const char *word)
{
    for (; *word; word++) {
        fputc(iscntrl((unsigned char)*word) ? '?' : *word, out);
    }
}

struct question {
    uint64_t address;
    const char *call; /* "": none of MPI */
    char *build_id;
    char *path;
};

/* Takes a line apart; false: it is none. */
static bool read_question(char *line, struct question *question)
{
    char *end = NULL;

    line[strcspn(line, "\n")] = '\0';
    question->address = strtoull(line, &end, 16);
    if (end == line || (*end != ' ' && *end != '@')) {
        return false;
    }
    question->call = *end == '@' ? end + 1 : "";
    end = strchr(end, ' ');
    if (!end) {
        return false;
    }
    *end = '\0';
    question->build_id = end + 1;
    end = strchr(question->build_id, ' ');
    if (!end) {
        return false;
    }
    *end = '\0';
    question->path = end + 1;
    return true;
}

/* What holds for all questions. */
struct asked {
    enum mw_source_paths paths;
    const char *directory; /* "": none */
};

static bool read_arguments(int argc, char **argv, struct asked *asked)
{
    static const char *const words[] = {
        [MW_PATHS_FULL] = "full", [MW_PATHS_RELATIVE] = "relative", [MW_PATHS_BASE] = "base"};

    asked->directory = argc == 5 ? argv[4] : "";
    for (unsigned i = 0; argc > 3 && argc < 6 && i < sizeof words / sizeof words[0]; i++) {
        if (strcmp(argv[3], words[i]) == 0) {
            asked->paths = i;
            return true;
        }
    }
    return false;
}

/* The file that the questions before were about, and that the next ones are, as a rule. */
struct opened {
    char *path;
    char *build_id;
    struct mwr_source *source; /* null: it can't be read */
};

static void close_source(struct opened *opened)
{
    if (opened->source) {
        mwr_source_destroy(opened->source);
    }
    free(opened->path);
    free(opened->build_id);
    memset(opened, 0, sizeof *opened);
}

static void answer(struct opened *opened, const struct question *question,
                   const struct asked *asked, FILE *out)
{
    struct mwr_source_place place = {.file = "", .function = ""};

    if (!opened->path || strcmp(opened->path, question->path) != 0 ||
        strcmp(opened->build_id, question->build_id) != 0) {
        close_source(opened);
        opened->path = strdup(question->path);
        opened->build_id = strdup(question->build_id);
        if (!opened->path || !opened->build_id) {
            exit(1);
        }
        opened->source = mwr_source_create(question->path, question->build_id, asked->paths,
                                           asked->directory);
    }
    if (opened->source) {
        mwr_source_find(opened->source, question->address, question->call, &place);
    }
    fprintf(out, "%" PRIu32 "\t", place.line);
    write_word(out, place.function);
    fputc('\t', out);
    write_word(out, place.file);
    fputc('\n', out);
    fflush(out);
}

int main(int argc, char **argv)
{
    struct opened opened = {0};
    char *line = NULL;
    size_t room = 0;
    struct asked asked;
    FILE *in = read_arguments(argc, argv, &asked) ? fopen(argv[1], "re") : NULL;
    FILE *out = in ? fopen(argv[2], "wxe") : NULL;
    bool is_whole = true;

    if (!out) {
        fprintf(stderr, "usage: mpiwatch-resolve QUESTIONS ANSWERS full|relative|base [DIRECTORY] "
                        "(mpiwatch runs it itself)\n");
        return 2;
    }
    limit();
    while (is_whole && getline(&line, &room, in) > 0) {
        struct question question;

        is_whole = read_question(line, &question);
        if (is_whole) {
            answer(&opened, &question, &asked, out);
        }
    }
    is_whole = !ferror(in) && fclose(out) == 0 && is_whole;
    fclose(in);
    close_source(&opened);
    free(line);
    return is_whole ? 0 : 1;
}
