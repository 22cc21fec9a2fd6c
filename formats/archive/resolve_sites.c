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

#define QUESTIONS "sites"
#define ANSWERS "places"
#define ANSWERS_BYTES_MAX (256u << 20)

static const char *base_of(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

/* "ring+0x11d3": what is always known. */
static bool put_address(struct mw_merged_sites *sites, uint32_t spot)
{
    const struct mw_merged_spot *of = &sites->spots[spot];
    char text[512];

    snprintf(text, sizeof text, "%.400s+0x%" PRIx64, base_of(sites->modules[of->module].path),
             of->address);
    return mw_merged_sites_put(sites, spot, "", 0, text);
}

/* A line for each spot: address, build-id, path. */
static enum mw_status write_questions(const struct mw_merged_sites *sites, const char *path,
                                      struct mw_diagnostic *diagnostic)
{
    struct mw_buffer lines = {0};
    enum mw_status status = MW_ERROR_SYSTEM;
    char text[64];
    int descriptor = -1;

    for (uint32_t i = 0; i < sites->spot_count; i++) {
        const struct mw_merged_spot *spot = &sites->spots[i];
        const struct mw_merged_module *module = &sites->modules[spot->module];
        int length = snprintf(text, sizeof text, "%" PRIx64 " ", spot->address);

        mw_buffer_append(&lines, text, (size_t)length);
        mw_buffer_append(&lines, module->build_id, strlen(module->build_id));
        mw_buffer_append(&lines, " ", 1);
        if (!strchr(module->path, '\n')) {
            mw_buffer_append(&lines, module->path, strlen(module->path));
        }
        mw_buffer_append(&lines, "\n", 1);
    }
    if (!lines.failed) {
        descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    }
    if (descriptor >= 0) {
        status = mw_file_write(descriptor, lines.data, lines.bytes, 0, path, diagnostic);
        close(descriptor);
    }
    mw_buffer_fini(&lines);
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

/*
 * Takes the answer for a spot, "LINE\tFUNCTION\tFILE", which may end early. False without memory.
 */
static bool take_answer(struct mw_merged_sites *sites, uint32_t spot, char *answer)
{
    char *function = NULL;
    unsigned long line = strtoul(answer, &function, 10);
    char *file = *function == '\t' ? strchr(function + 1, '\t') : NULL;

    if (!file) {
        return put_address(sites, spot);
    }
    *file++ = '\0';
    function++;
    if (line == 0 || line > UINT32_MAX || !*file) {
        file = "";
        line = 0;
    }
    if (!*function && !*file) {
        return put_address(sites, spot);
    }
    return mw_merged_sites_put(sites, spot, file, (uint32_t)line, function);
}

/* Asks the resolver. Null: it can't say, and why is not worth more than places without lines. */
static char *ask(const struct mw_merged_sites *sites, const char *resolver,
                 const char *debug_directory, enum mw_source_paths paths, const char *scratch)
{
    static char *const words[] = {
        [MW_PATHS_FULL] = "full", [MW_PATHS_RELATIVE] = "relative", [MW_PATHS_BASE] = "base"};
    char questions[4096];
    char answers[4096];
    char program[4096];
    char directory[4096];
    char *const arguments[] = {
        program, questions, answers, words[paths], debug_directory ? directory : NULL, NULL};
    struct mw_diagnostic diagnostic;
    char *text = NULL;

    if (mw_path_join(questions, scratch, QUESTIONS, &diagnostic) != MW_OK ||
        mw_path_join(answers, scratch, ANSWERS, &diagnostic) != MW_OK ||
        strlen(resolver) >= sizeof program ||
        (debug_directory && strlen(debug_directory) >= sizeof directory)) {
        return NULL;
    }
    snprintf(directory, sizeof directory, "%s", debug_directory ? debug_directory : "");
    memcpy(program, resolver, strlen(resolver) + 1);
    if (write_questions(sites, questions, &diagnostic) == MW_OK) {
        if (mw_child_run(arguments, MW_RESOLVER_SECONDS, &diagnostic) == MW_OK || !text) {
            text = read_answers(answers); /* what it could answer before it failed counts, too */
        }
    }
    (void)unlink(questions);
    (void)unlink(answers);
    return text;
}

enum mw_status mw_sites_resolve(struct mw_merged_sites *sites, const char *resolver,
                                const char *debug_directory, enum mw_source_paths paths,
                                const char *scratch, struct mw_diagnostic *diagnostic)
{
    char *answers = resolver && sites->spot_count > 0
                        ? ask(sites, resolver, debug_directory, paths, scratch)
                        : NULL;
    char *next = answers;
    bool enough = true;

    for (uint32_t i = 0; enough && i < sites->spot_count; i++) {
        char *end = next ? strchr(next, '\n') : NULL;

        if (!end) {
            next = NULL;
            enough = put_address(sites, i);
            continue;
        }
        *end = '\0';
        enough = take_answer(sites, i, next);
        next = end + 1;
    }
    free(answers);
    enough = enough && mw_merged_sites_place(sites);
    return enough ? MW_OK : mw_no_memory(diagnostic, NULL, "for the places of calls");
}

bool mw_resolver_find(char *own, const char *installed, char *path, size_t size)
{
    static const char *const places[] = {"", "/..", "/../lib/mpiwatch"};
    char *slash = strrchr(own, '/');

    if (slash) {
        *slash = '\0';
    }
    for (size_t i = 0; slash && i < sizeof places / sizeof places[0]; i++) {
        if (mw_nearby_take(own, places[i], MW_RESOLVER_NAME, path, size)) {
            return true;
        }
    }
    return mw_nearby_take(installed, "", MW_RESOLVER_NAME, path, size);
}
