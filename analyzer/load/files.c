/* libotf2 opens files by fopen and stat, which say nothing of whose they are: names do. */
#include "analyzer/load/files.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "analyzer/model/map.h"
#include "formats/zip/zip_writer.h"

#define PREFIX "mpiwatch-archive-"
#define LARGE  (1u << 20) /* bytes, to inflate which takes a millisecond */

struct mwa_files {
    char *path;      /* as opened */
    char *root;      /* the ZIP file, or the directory of the anchor */
    char *inside;    /* folder of the anchor in the ZIP file with a '/', or "" */
    char anchor[512];
    size_t prefix_length; /* of anchor, with the '/' */
    struct mwa_zip *zip;
    struct mwa_stream_log log;
    bool has_index; /* it has been looked for */
    unsigned char *index_bytes;
    struct mwa_block_index index; /* empty: there is none that is sound */
};

/*
 * The open sets, by the number in their prefix: fopen and stat have no argument to
 * carry a set, so that the wrappers must find it somewhere. Each thread has all archives open that
 * are read as one, by itself. Under the lock.
 */
static struct mwa_files **open_files;
static uint64_t open_files_room;
static uint64_t open_files_count;
static pthread_mutex_t open_files_lock = PTHREAD_MUTEX_INITIALIZER;

FILE *__real_fopen(const char *path, const char *mode);
static bool ends_with(const char *name, const char *suffix)
{
    size_t length = strlen(name);
    size_t end = strlen(suffix);

    return length >= end && strcmp(name + length - end, suffix) == 0;
}

/* Locations have their files in a folder. */
static enum mwa_stream_use use_of(const char *name)
{
    if (ends_with(name, ".evt")) {
        return MWA_FOR_LIBOTF2_EVENTS;
    }
    if (ends_with(name, ".def")) {
        return strchr(name, '/') ? MWA_FOR_LIBOTF2_LOCAL_DEFINITIONS
                                 : MWA_FOR_LIBOTF2_GLOBAL_DEFINITIONS;
    }
    return MWA_FOR_LIBOTF2;
}

FILE *__wrap_fopen(const char *path, const char *mode);
int __real_stat(const char *path, struct stat *found);
int __wrap_stat(const char *path, struct stat *found);

/* The set whose prefix path begins with, and the rest of path; null: an ordinary path. */
static struct mwa_files *files_of_path(const char *path, const char **name)
{
    struct mwa_files *files = NULL;
    char *end;
    unsigned long number;

    if (strncmp(path, PREFIX, sizeof PREFIX - 1) != 0) {
        return NULL;
    }
    number = strtoul(path + sizeof PREFIX - 1, &end, 10);
    if (*end != '/') {
        return NULL;
    }
    pthread_mutex_lock(&open_files_lock);
    files = number < open_files_room ? open_files[number] : NULL;
    pthread_mutex_unlock(&open_files_lock);
    *name = end + 1;
    return files;
}

/* A number that nobody has, for files; false: no memory. */
static bool enter_files(struct mwa_files *files, uint64_t *number)
{
    uint64_t free_one = 0;
    bool entered;

    pthread_mutex_lock(&open_files_lock);
    entered = mwa_grow(&open_files, &open_files_room, open_files_count + 1, sizeof *open_files);
    while (entered && open_files[free_one]) {
        free_one++;
    }
    if (entered) {
        open_files[free_one] = files;
        open_files_count++;
        *number = free_one;
    }
    pthread_mutex_unlock(&open_files_lock);
    return entered;
}

static void remove_files(const struct mwa_files *files)
{
    pthread_mutex_lock(&open_files_lock);
    for (uint64_t i = 0; i < open_files_room; i++) {
        if (open_files[i] == files) {
            open_files[i] = NULL;
            open_files_count--;
        }
    }
    if (open_files_count == 0) {
        free(open_files);
        open_files = NULL;
        open_files_room = 0;
    }
    pthread_mutex_unlock(&open_files_lock);
}

/* Writes the real path of name, or its name in the ZIP file; false when it is too long. */
static bool real_name(const struct mwa_files *files, const char *name, char *text, size_t size)
{
    int length = files->zip ? snprintf(text, size, "%s%s", files->inside, name)
                            : snprintf(text, size, "%s/%s", files->root, name);

    return length >= 0 && (size_t)length < size;
}

/* Reads the index of blocks. One that is damaged is none: validate says what is wrong with it. */
static void read_index(struct mwa_files *files)
{
    static const char name[] = MW_ZIP_INDEX_NAME;
    struct mw_diagnostic unsaid;
    struct mwa_stream_log log = { .last = "" };
    const struct mwa_zip_member *member = mwa_zip_find(files->zip, name);
    FILE *stream;

    if (!member || member->size > mwa_zip_sums(files->zip)->size) { /* blocks take more room */
        return;
    }
    stream = mwa_member_open(files->zip, member, name, MWA_FOR_US, NULL, &log);
    files->index_bytes = stream ? malloc(member->size > 0 ? member->size : 1) : NULL;
    if (files->index_bytes &&
        fread(files->index_bytes, 1, member->size, stream) == member->size &&
        mwa_block_index_parse(files->index_bytes, member->size, name, &files->index, &unsaid) ==
            MW_OK) {
        mwa_block_index_sort(&files->index);
    }
    if (stream) {
        fclose(stream);
    }
}

/* The blocks of a member, as far as the index says of it what the directory does. */
static const struct mwa_indexed_member *blocks_of(struct mwa_files *files,
                                                  const struct mwa_zip_member *member)
{
    const struct mwa_indexed_member *found;

    if (!files->has_index) {
        files->has_index = true;
        read_index(files);
    }
    found = mwa_block_index_find(&files->index, member->name);
    return found && found->crc == member->crc && found->size == member->size &&
                   found->compressed_size == member->compressed_size &&
                   member->method == MWA_ZIP_DEFLATED
               ? found
               : NULL;
}

/* The member called name, whose path or name in the ZIP file is real; null, with errno. */
static const struct mwa_zip_member *member_of(const struct mwa_files *files, const char *real)
{
    const struct mwa_zip_member *member = mwa_zip_find(files->zip, real);

    errno = member ? errno : ENOENT;
    return member;
}

/* The file called name, whose path or name in the ZIP file is real. */
static FILE *open_real(struct mwa_files *files, const char *real, enum mwa_stream_use use)
{
    const struct mwa_zip_member *member;

    if (!files->zip) {
        return mwa_plain_open(real, use, &files->log);
    }
    member = member_of(files, real);
    return member ? mwa_member_open(files->zip, member, files->root, use, NULL, &files->log)
                  : NULL;
}

static FILE *open_stream(struct mwa_files *files, const char *name, enum mwa_stream_use use)
{
    char real[4200];
    FILE *stream;

    if (!real_name(files, name, real, sizeof real)) {
        errno = ENAMETOOLONG;
        return NULL;
    }
    stream = open_real(files, real, use);
    if (!stream && errno == ENOMEM && files->log.fault.status == MW_OK) {
        (void)mw_no_memory(&files->log.fault, files->log.last, "to read it");
        errno = ENOMEM;
    }
    return stream;
}

FILE *mwa_files_stream(struct mwa_files *files, const char *name)
{
    return open_stream(files, name, MWA_FOR_US);
}

bool mwa_files_source(struct mwa_files *files, const char *name, bool is_seekable,
                      struct mwa_source *source)
{
    const struct mwa_zip_member *member;
    char real[4200];

    if (!real_name(files, name, real, sizeof real)) {
        errno = ENAMETOOLONG;
        return false;
    }
    if (!files->zip) {
        return mwa_plain_source(real, MWA_FOR_US, &files->log, source);
    }
    member = member_of(files, real);
    return member && mwa_member_source(files->zip, member, files->root, MWA_FOR_US,
                                       is_seekable ? blocks_of(files, member) : NULL, &files->log,
                                       source);
}

bool mwa_files_can_begin_late(struct mwa_files *files, const char *name)
{
    const struct mwa_zip_member *member;
    char real[4200];

    if (!files->zip || !real_name(files, name, real, sizeof real)) {
        return true;
    }
    member = mwa_zip_find(files->zip, real);
    return !member || member->method != MWA_ZIP_DEFLATED || member->size < LARGE ||
           blocks_of(files, member);
}

bool mwa_files_size(const struct mwa_files *files, const char *name, uint64_t *size)
{
    const struct mwa_zip_member *member;
    struct stat found;
    char real[4200];

    if (!real_name(files, name, real, sizeof real)) {
        return false;
    }
    if (!files->zip) {
        if (__real_stat(real, &found) != 0 || !S_ISREG(found.st_mode)) {
            return false;
        }
        *size = (uint64_t)found.st_size;
        return true;
    }
    member = mwa_zip_find(files->zip, real);
    if (member) {
        *size = member->size;
    }
    return member != NULL;
}

FILE *__wrap_fopen(const char *path, const char *mode)
{
    const char *name;
    struct mwa_files *files = files_of_path(path, &name);

    if (!files) {
        return __real_fopen(path, mode);
    }
    if (mode[0] != 'r' || strchr(mode, '+')) {
        errno = EROFS;
        return NULL;
    }
    return open_stream(files, name, use_of(name));
}

int __wrap_stat(const char *path, struct stat *found)
{
    const char *name;
    struct mwa_files *files = files_of_path(path, &name);
    uint64_t size;

    if (!files) {
        return __real_stat(path, found);
    }
    if (!mwa_files_size(files, name, &size)) {
        errno = ENOENT;
        return -1;
    }
    memset(found, 0, sizeof *found);
    found->st_mode = S_IFREG | 0444;
    found->st_size = (off_t)size;
    return 0;
}

static bool is_anchor_name(const char *name)
{
    size_t length = strlen(name);

    return length > 5 && name[0] != '.' && strcmp(name + length - 5, ".otf2") == 0;
}

static enum mw_status no_anchor(const char *path, unsigned count, struct mw_diagnostic *diagnostic)
{
    return mw_fail(diagnostic, MW_ERROR_FORMAT, path, MW_DIAGNOSTIC_OFFSET_NONE,
                   count == 0 ? "no OTF2 archive: there is no anchor file *.otf2 in it"
                              : "there are several anchor files *.otf2 in it; name one");
}

/* Finds the anchor among the members: in no folder or in one, traces.otf2 if there are several. */
static enum mw_status find_anchor_in_zip(struct mwa_files *files, char *name, size_t size,
                                         struct mw_diagnostic *diagnostic)
{
    const char *best = NULL;
    unsigned count = 0;

    for (uint64_t i = 0; i < mwa_zip_count(files->zip); i++) {
        const char *member = mwa_zip_member(files->zip, i)->name;
        const char *slash = strrchr(member, '/');
        const char *base = slash ? slash + 1 : member;

        if (!is_anchor_name(base)) {
            continue;
        }
        count++;
        if (!best || strcmp(base, "traces.otf2") == 0) {
            best = member;
        }
    }
    if (!best || (count > 1 && !strstr(best, "traces.otf2"))) {
        return no_anchor(files->path, count, diagnostic);
    }
    files->inside = strdup(best);
    if (!files->inside) {
        return mw_no_memory(diagnostic, files->path, "to open it");
    }
    char *slash = strrchr(files->inside, '/');
    snprintf(name, size, "%s", slash ? slash + 1 : best);
    files->inside[slash ? slash + 1 - files->inside : 0] = 0;
    return MW_OK;
}

static enum mw_status find_anchor_in_directory(struct mwa_files *files, char *name, size_t size,
                                               struct mw_diagnostic *diagnostic)
{
    DIR *directory = opendir(files->root);
    struct dirent *entry;
    unsigned count = 0;
    bool usual = false;

    if (!directory) {
        return mw_fail(diagnostic, MW_ERROR_SYSTEM, files->root, MW_DIAGNOSTIC_OFFSET_NONE,
                       "cannot open");
    }
    while (!usual && (entry = readdir(directory))) {
        if (is_anchor_name(entry->d_name)) {
            count++;
            usual = strcmp(entry->d_name, "traces.otf2") == 0;
            snprintf(name, size, "%s", entry->d_name);
        }
    }
    closedir(directory);
    return usual || count == 1 ? MW_OK : no_anchor(files->path, count, diagnostic);
}

/* path is an anchor file: its directory is the root. */
static enum mw_status root_of_anchor(struct mwa_files *files, char *name, size_t size,
                                     struct mw_diagnostic *diagnostic)
{
    char *slash = strrchr(files->root, '/');

    if (!is_anchor_name(slash ? slash + 1 : files->root)) {
        return mw_fail(diagnostic, MW_ERROR_FORMAT, files->path, 0,
                       "neither a ZIP file nor the anchor file *.otf2 of an OTF2 archive");
    }
    snprintf(name, size, "%s", slash ? slash + 1 : files->root);
    if (slash) {
        slash[slash == files->root] = 0;
    } else {
        memcpy(files->root, ".", 2);
    }
    return MW_OK;
}

static enum mw_status find_anchor(struct mwa_files *files, char *name, size_t size,
                                  struct mw_diagnostic *diagnostic)
{
    struct stat found;
    enum mw_status status;

    if (__real_stat(files->root, &found) != 0) {
        return mw_fail(diagnostic, MW_ERROR_SYSTEM, files->path, MW_DIAGNOSTIC_OFFSET_NONE,
                       "cannot open");
    }
    if (S_ISDIR(found.st_mode)) {
        for (size_t end = strlen(files->root); end > 1 && files->root[end - 1] == '/'; end--) {
            files->root[end - 1] = 0;
        }
        return find_anchor_in_directory(files, name, size, diagnostic);
    }
    if (is_anchor_name(files->root) && !mwa_zip_looks_like(files->root)) {
        return root_of_anchor(files, name, size, diagnostic);
    }
    status = mwa_zip_open(files->root, &files->zip, diagnostic);
    return status == MW_OK ? find_anchor_in_zip(files, name, size, diagnostic) : status;
}

enum mw_status mwa_files_open(const char *path, struct mwa_files **result,
                              struct mw_diagnostic *diagnostic)
{
    struct mwa_files *files = calloc(1, sizeof *files);
    char name[400];
    uint64_t number = 0;
    enum mw_status status;

    if (!files || !(files->path = strdup(path)) || !(files->root = malloc(strlen(path) + 2))) {
        status = mw_no_memory(diagnostic, path, "to open it");
        goto out;
    }
    memcpy(files->root, path, strlen(path) + 1);
    status = find_anchor(files, name, sizeof name, diagnostic);
    if (status != MW_OK) {
        goto out;
    }
    if (!enter_files(files, &number)) {
        status = mw_no_memory(diagnostic, path, "to open it");
        goto out;
    }
    files->prefix_length = (size_t)snprintf(files->anchor, sizeof files->anchor,
                                            PREFIX "%" PRIu64 "/", number);
    snprintf(files->anchor + files->prefix_length, sizeof files->anchor - files->prefix_length,
             "%s", name);
    *result = files;
    return MW_OK;
out:
    mwa_files_close(files);
    return status;
}

void mwa_files_close(struct mwa_files *files)
{
    if (!files) {
        return;
    }
    remove_files(files);
    mwa_zip_close(files->zip);
    mwa_block_index_fini(&files->index);
    free(files->index_bytes);
    free(files->inside);
    free(files->root);
    free(files->path);
    free(files);
}

const char *mwa_files_anchor(const struct mwa_files *files)
{
    return files->anchor;
}

const char *mwa_files_anchor_name(const struct mwa_files *files)
{
    return files->anchor + files->prefix_length;
}

const char *mwa_files_path(const struct mwa_files *files)
{
    return files->path;
}

void mwa_files_place(const struct mwa_files *files, const char *name, char *place, size_t size)
{
    bool is_top = strcmp(files->root, "/") == 0;

    snprintf(place, size, "%.*s%s%s", (int)(size / 2), files->zip ? files->path : files->root,
             files->zip ? "!" : is_top ? "" : "/", name);
}

const struct mwa_zip *mwa_files_zip(const struct mwa_files *files)
{
    return files->zip;
}

void mwa_files_local_name(const struct mwa_files *files, uint64_t location, const char *suffix,
                          char *name, size_t size)
{
    const char *anchor = mwa_files_anchor_name(files);

    /* NAME.otf2 has its locations' files in the folder NAME. */
    snprintf(name, size, "%.*s/%" PRIu64 ".%s", (int)(strlen(anchor) - strlen(".otf2")), anchor,
             location, suffix);
}

struct mwa_stream_log *mwa_files_log(struct mwa_files *files)
{
    return &files->log;
}

/* The plain files in the directory root/folder; an empty folder is the root itself. */
static void walk_folder(const struct mwa_files *files, const char *folder,
                        void (*visit)(void *user, const char *name), void *user)
{
    char path[4200], name[800];
    struct dirent *entry;
    DIR *directory;
    uint64_t size;

    if (snprintf(path, sizeof path, "%s/%s", files->root, folder) >= (int)sizeof path ||
        !(directory = opendir(path))) {
        return;
    }
    while ((entry = readdir(directory))) {
        snprintf(name, sizeof name, "%s%s%s", folder, folder[0] ? "/" : "", entry->d_name);
        if (mwa_files_size(files, name, &size)) {
            visit(user, name);
        }
    }
    closedir(directory);
}

void mwa_files_walk(const struct mwa_files *files, void (*visit)(void *user, const char *name),
                    void *user)
{
    const char *anchor = mwa_files_anchor_name(files);
    char folder[512];

    if (!files->zip) {
        snprintf(folder, sizeof folder, "%.*s", (int)(strlen(anchor) - strlen(".otf2")), anchor);
        walk_folder(files, "", visit, user);
        walk_folder(files, folder, visit, user);
    }
}
