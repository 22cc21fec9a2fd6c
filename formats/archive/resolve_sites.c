/*
 * Debugging information is read by another program: it takes a lot of memory and time, and reads
 * what anybody may have written. Its questions and answers are lines of two files.
 */
#include "formats/archive/resolve_sites.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "formats/base/buffer.h"
#include "formats/base/child.h"
#include "formats/base/file.h"
#include "formats/base/nearby.h"
#include "formats/base/scratch.h"
#include "formats/table/calls.h"

#define QUESTIONS "sites"
#define ANSWERS "places"
#define ANSWERS_BYTES_MAX (256u << 20)

static const char *base_of(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

/* A library of Python's may have any name, and that of the one which calls MPI tells nobody. */
static const char *name_of(const char *path)
{
    const char *base = base_of(path);

    return strncmp(base, "MPI.", 4) == 0 && base - path >= 8 &&
                   strncmp(base - 8, "/mpi4py/", 8) == 0
               ? "mpi4py"
               : base;
}

/* "ring+0x11d3": what is always known. */
static bool put_address(struct mw_merged_sites *sites, uint32_t spot)
{
    const struct mw_merged_spot *of = &sites->spots[spot];
    char text[512];

    snprintf(text, sizeof text, "%.400s+0x%" PRIx64, name_of(sites->modules[of->module].path),
             of->address);
    return mw_merged_sites_put(sites, spot, "", 0, text);
}

uint32_t *mw_sites_by_file(const struct mw_merged_sites *sites)
{
    size_t *ends = calloc(sites->module_count + (size_t)1, sizeof *ends);
    uint32_t *order = malloc((sites->spot_count + (size_t)1) * sizeof *order);

    for (uint32_t i = 0; ends && i < sites->spot_count; i++) {
        ends[sites->spots[i].module]++;
    }
    for (uint32_t i = 1; ends && i < sites->module_count; i++) {
        ends[i] += ends[i - 1];
    }
    for (uint32_t i = sites->spot_count; ends && order && i > 0; i--) {
        order[--ends[sites->spots[i - 1].module]] = i - 1;
    }
    if (!ends) {
        free(order);
        order = NULL;
    }
    free(ends);
    return order;
}

bool mw_sites_question(const struct mw_merged_sites *sites, uint32_t spot,
                       struct mw_buffer *questions)
{
    const struct mw_merged_spot *of = &sites->spots[spot];
    const struct mw_merged_module *module = &sites->modules[of->module];
    char text[128];
    int length = of->call < MW_CALL_COUNT
                     ? snprintf(text, sizeof text, "%" PRIx64 "@%s ", of->address,
                                mw_call_name(of->call))
                     : snprintf(text, sizeof text, "%" PRIx64 " ", of->address);

    mw_buffer_append(questions, text, (size_t)length);
    mw_buffer_append(questions, module->build_id, strlen(module->build_id));
    mw_buffer_append(questions, " ", 1);
    if (!strchr(module->path, '\n')) {
        mw_buffer_append(questions, module->path, strlen(module->path));
    }
    mw_buffer_append(questions, "\n", 1);
    return !questions->failed;
}

static enum mw_status write_questions(const char *questions, size_t bytes, const char *path,
                                      struct mw_diagnostic *diagnostic)
{
    enum mw_status status = MW_ERROR_SYSTEM;
    int descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

    if (descriptor >= 0) {
        status = mw_file_write(descriptor, questions, bytes, 0, path, diagnostic);
        close(descriptor);
    }
    return status;
}

/* Reads the file as a text; null: there is none. The caller's to free. */
static char *read_answers(const char *path)
{
    struct mw_diagnostic diagnostic;
    char *text = NULL;
    int descriptor;
    off_t bytes;

    if (mw_file_open_regular(path, "the places", &descriptor, &diagnostic) != MW_OK) {
        return NULL;
    }
    bytes = lseek(descriptor, 0, SEEK_END);
    if (bytes >= 0 && bytes <= (off_t)ANSWERS_BYTES_MAX) {
        text = malloc((size_t)bytes + 1);
    }
    if (text && mw_file_read(descriptor, text, (size_t)bytes, 0, path, &diagnostic) != MW_OK) {
        free(text);
        text = NULL;
    }
    if (text) {
        text[bytes] = '\0';
    }
    close(descriptor);
    return text;
}

enum mw_status mw_sites_take(struct mw_merged_sites *sites, uint32_t spot, char *answer)
{
    char *function = NULL;
    unsigned long line = strtoul(answer, &function, 10);
    char *file = *function == '\t' ? strchr(function + 1, '\t') : NULL;

    if (!file) {
        return MW_ERROR_FORMAT;
    }
    *file++ = '\0';
    function++;
    if (line == 0 || line > UINT32_MAX || !*file) {
        file = "";
        line = 0;
    }
    if (!*function && !*file) {
        return MW_ERROR_FORMAT;
    }
    return mw_merged_sites_put(sites, spot, file, (uint32_t)line, function) ? MW_OK
                                                                             : MW_ERROR_MEMORY;
}

char *mw_sites_ask(const char *questions, size_t bytes, const struct mw_sites_resolver *resolver,
                   const char *scratch)
{
    static char *const words[] = {
        [MW_PATHS_FULL] = "full", [MW_PATHS_RELATIVE] = "relative", [MW_PATHS_BASE] = "base"};
    const char *debug_directory = resolver->debug_directory;
    char asked[4096];
    char answers[4096];
    char program[4096];
    char directory[4096];
    char *const arguments[] = {program, asked, answers, words[resolver->paths],
                               debug_directory ? directory : NULL, NULL};
    struct mw_diagnostic diagnostic;
    char *text = NULL;

    if (!resolver->program || mw_path_join(asked, scratch, QUESTIONS, &diagnostic) != MW_OK ||
        mw_path_join(answers, scratch, ANSWERS, &diagnostic) != MW_OK ||
        strlen(resolver->program) >= sizeof program ||
        (debug_directory && strlen(debug_directory) >= sizeof directory)) {
        return NULL;
    }
    snprintf(directory, sizeof directory, "%s", debug_directory ? debug_directory : "");
    memcpy(program, resolver->program, strlen(resolver->program) + 1);
    if (write_questions(questions, bytes, asked, &diagnostic) == MW_OK) {
        (void)!mw_child_run(arguments, MW_RESOLVER_SECONDS, &diagnostic);
        text = read_answers(answers); /* what it could answer before it failed counts, too */
    }
    (void)unlink(asked);
    (void)unlink(answers);
    return text;
}

enum mw_status mw_sites_finish(struct mw_merged_sites *sites, struct mw_diagnostic *diagnostic)
{
    bool enough = true;

    for (uint32_t i = 0; enough && i < sites->spot_count; i++) {
        enough = sites->spots[i].function || put_address(sites, i);
    }
    return enough && mw_merged_sites_place(sites)
               ? MW_OK
               : mw_no_memory(diagnostic, NULL, "for the places of calls");
}

char *mw_sites_next_answer(char **answers)
{
    char *answer = *answers;
    char *end = answer ? strchr(answer, '\n') : NULL;

    if (!end) {
        *answers = NULL;
        return NULL;
    }
    *end = '\0';
    *answers = end + 1;
    return answer;
}

enum mw_status mw_sites_resolve(struct mw_merged_sites *sites,
                                const struct mw_sites_resolver *resolver, const char *scratch,
                                struct mw_diagnostic *diagnostic)
{
    uint32_t *order = mw_sites_by_file(sites);
    struct mw_buffer questions = {0};
    enum mw_status status = order ? MW_OK : MW_ERROR_MEMORY;
    char *answers = NULL;
    char *answer;
    char *next;

    for (uint32_t i = 0; order && i < sites->spot_count; i++) {
        (void)mw_sites_question(sites, order[i], &questions);
    }
    if (questions.bytes > 0 && !questions.failed) {
        answers = mw_sites_ask(questions.data, questions.bytes, resolver, scratch);
    }
    mw_buffer_fini(&questions);
    next = answers;
    for (uint32_t i = 0; status != MW_ERROR_MEMORY && i < sites->spot_count &&
                         (answer = mw_sites_next_answer(&next));
         i++) {
        status = mw_sites_take(sites, order[i], answer);
    }
    free(answers);
    free(order);
    return status == MW_ERROR_MEMORY ? mw_no_memory(diagnostic, NULL, "for the places of calls")
                                     : mw_sites_finish(sites, diagnostic);
}

bool mw_resolver_find(char *own, const char *installed, char *path, size_t size)
{
    return mw_nearby_program(own, installed, MW_RESOLVER_NAME, path, size);
}
