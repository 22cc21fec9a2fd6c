/* Who reads a spool looks for directories with its name: one in the making has another. */
#include "recorder/finish/gathering.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "formats/base/file.h"
#include "formats/base/scratch.h"

bool mwr_gathering_name(struct mwr_gathering *gathering, const struct mw_run_file *run)
{
    int length = snprintf(gathering->path, sizeof gathering->path, "%s.%016" PRIx64 ".spools",
                          run->output, run->nonce);

    return length < (int)sizeof gathering->path - 64;
}

bool mwr_gathering_begin(const struct mwr_gathering *gathering)
{
    struct stat about;

    /* Somebody else's would be a way to hand us spools. */
    return mkdir(gathering->path, 0700) == 0 ||
           (errno == EEXIST && lstat(gathering->path, &about) == 0 && S_ISDIR(about.st_mode) &&
            about.st_uid == geteuid());
}

bool mwr_gathering_is_there(const struct mwr_gathering *gathering)
{
    return access(gathering->path, F_OK) == 0;
}

static bool copy_file(const char *from, const char *to)
{
    int source = -1;
    int target = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    struct stat about;
    bool done = target >= 0 && mw_file_open_regular(from, "the spool", &source, NULL) == MW_OK &&
                fstat(source, &about) == 0 &&
                mw_file_copy(source, 0, target, 0, (uint64_t)about.st_size, to, NULL) == MW_OK;

    if (source >= 0) {
        close(source);
    }
    return (target < 0 || close(target) == 0) && done;
}

/* All files of the directory from, copied into to. */
static bool copy_files(const char *from, const char *to)
{
    char source[PATH_MAX];
    char target[PATH_MAX];
    DIR *directory = opendir(from);
    bool done = directory != NULL;
    struct dirent *entry;
    struct stat about;

    while (done && (entry = readdir(directory))) {
        if (fstatat(dirfd(directory), entry->d_name, &about, AT_SYMLINK_NOFOLLOW) == 0 &&
            S_ISREG(about.st_mode)) {
            done = mw_path_join(source, from, entry->d_name, NULL) == MW_OK &&
                   mw_path_join(target, to, entry->d_name, NULL) == MW_OK &&
                   copy_file(source, target);
        }
    }
    if (directory) {
        closedir(directory);
    }
    return done;
}

bool mwr_gathering_add(const struct mwr_gathering *gathering, const struct mw_run_spool *spool)
{
    char name[64];
    char making[PATH_MAX];
    char whole[PATH_MAX];

    snprintf(name, sizeof name, "part-%" PRIu32, spool->rank);
    if (mw_path_join(making, gathering->path, name, NULL) != MW_OK ||
        mw_path_join(whole, gathering->path, strrchr(spool->path, '/') + 1, NULL) != MW_OK ||
        mkdir(making, 0700) != 0) {
        return false;
    }
    if (!copy_files(spool->path, making) || rename(making, whole) != 0) {
        mw_remove_tree(making);
        return false;
    }
    return true;
}

uint32_t mwr_gathering_missing(const struct mwr_gathering *gathering,
                               const struct mw_run_file *run)
{
    char copy[PATH_MAX];
    uint32_t missing = 0;

    for (uint32_t rank = 0; rank < run->ranks; rank++) {
        const char *spool = run->spools[rank];
        const char *slash = spool ? strrchr(spool, '/') : NULL;

        missing += slash && access(spool, F_OK) != 0 &&
                   (mw_path_join(copy, gathering->path, slash + 1, NULL) != MW_OK ||
                    access(copy, F_OK) != 0);
    }
    return missing;
}
