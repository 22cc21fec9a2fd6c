/*
 * Files of git are simple enough to be read, and the recorder starts no programs: none may be
 * there, and a child process in MPI_Init is harm.
 */
#include "recorder/state/checkout.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "recorder/state/cores.h"

#define PACKED_MAX (4u << 20) /* bytes of packed references that are looked through */

static void cut_line(char *text)
{
    text[strcspn(text, "\r\n")] = '\0';
}

/* directory/name; 0: too long. */
static int join(const char *directory, const char *name, char *text, size_t size)
{
    int put = snprintf(text, size, "%s/%s", directory, name);

    return put >= 0 && (size_t)put < size;
}

/* The first line of a file in a directory; "" if there is none. */
static void read_line(const char *directory, const char *name, char *text, size_t size)
{
    char path[4352];

    text[0] = '\0';
    if (join(directory, name, path, sizeof path)) {
        mwr_cores_read(path, text, size);
        cut_line(text);
    }
}

static int is_commit(const char *text)
{
    size_t length = strspn(text, "0123456789abcdef");

    return text[length] == '\0' && (length == 40 || length == 64);
}

/* path, which may be relative to directory; 0: too long. */
static int resolve(const char *directory, const char *path, char *text, size_t size)
{
    int put = path[0] == '/' ? snprintf(text, size, "%s", path)
                             : snprintf(text, size, "%s/%s", directory, path);

    return put >= 0 && (size_t)put < size;
}

/* Where the checkout that directory is the top of has its HEAD; false: it is no checkout. */
static int find_git(const char *directory, char *git, size_t size)
{
    char line[2048];
    struct stat about;

    if (!join(directory, ".git", git, size) || stat(git, &about) != 0) {
        return 0;
    }
    if (S_ISDIR(about.st_mode)) {
        return 1;
    }
    read_line(directory, ".git", line, sizeof line); /* of a worktree, or a submodule */
    return strncmp(line, "gitdir: ", 8) == 0 && resolve(directory, line + 8, git, size);
}

/* Looks for the reference among those that are packed. */
static void find_packed(const char *git, const char *reference, char *text, size_t size)
{
    const size_t length = strlen(reference);
    char path[4352];
    char *packed = join(git, "packed-refs", path, sizeof path) ? malloc(PACKED_MAX) : NULL;

    text[0] = '\0';
    if (!packed) {
        return;
    }
    mwr_cores_read(path, packed, PACKED_MAX);
    for (const char *line = packed; *line;) {
        const size_t end = strcspn(line, "\n");
        const size_t digits = strcspn(line, " \n");

        if (end == digits + 1 + length && memcmp(line + digits + 1, reference, length) == 0) {
            snprintf(text, size, "%.*s", (int)digits, line);
            break;
        }
        line += end + (line[end] == '\n');
    }
    free(packed);
}

static void read_commit(const char *git, char *text, size_t size)
{
    char head[1024];
    char common[4096];
    char line[1024];

    read_line(git, "HEAD", head, sizeof head);
    read_line(git, "commondir", line, sizeof line);
    if (!resolve(git, *line ? line : ".", common, sizeof common)) {
        return;
    }
    if (strncmp(head, "ref: ", 5) != 0) {
        snprintf(text, size, "%s", head);
    } else {
        read_line(common, head + 5, text, size);
        if (!is_commit(text)) {
            find_packed(common, head + 5, text, size);
        }
    }
    if (!is_commit(text)) {
        text[0] = '\0';
    }
}

void mwr_checkout_commit(const char *file, char *text, size_t size)
{
    char directory[2048];
    char git[4096];
    char *slash;

    text[0] = '\0';
    snprintf(directory, sizeof directory, "%s", file);
    while ((slash = strrchr(directory, '/'))) {
        *slash = '\0';
        if (find_git(directory, git, sizeof git)) {
            read_commit(git, text, size);
            return;
        }
    }
}
