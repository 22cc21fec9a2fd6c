/*
 * A sandboxed browser (snap, flatpak) may not read the file: its name is said, so that the user can
 * open it with another one.
 */
#include "analyzer/view/view_door.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "formats/base/file.h"

extern char **environ;

/* $XDG_RUNTIME_DIR as it has to be: the user's, and closed to all others. Null: there is none. */
static const char *runtime_directory(void)
{
    const char *path = getenv("XDG_RUNTIME_DIR");
    struct stat about;

    return path && *path == '/' && stat(path, &about) == 0 && S_ISDIR(about.st_mode) &&
                   about.st_uid == geteuid() && (about.st_mode & 0077) == 0
               ? path
               : NULL;
}

static enum mw_status write_page(int file, const char *path, const char *url,
                                 struct mw_diagnostic *diagnostic)
{
    char text[1024];
    const int bytes = snprintf(text, sizeof text,
                               "<!DOCTYPE html>\n<meta charset=\"utf-8\">\n"
                               "<meta name=\"referrer\" content=\"no-referrer\">\n"
                               "<meta http-equiv=\"refresh\" content=\"0;url=%s\">\n"
                               "<title>mpiwatch-view</title>\n",
                               url);

    return mw_file_write(file, text, (size_t)bytes, 0, path, diagnostic);
}

enum mw_status mwa_view_door_open(struct mwa_view_door *door, const char *url,
                                  struct mw_diagnostic *diagnostic)
{
    const char *directory = runtime_directory();
    enum mw_status status = MW_OK;
    int file;

    *door = (struct mwa_view_door){ .path = "" };
    if (!directory) {
        status = mwa_view_scratch_create(&door->scratch, getenv("TMPDIR") ?: "/tmp", diagnostic);
        directory = door->scratch.directory.path;
    }
    if (status != MW_OK) {
        return status;
    }
    snprintf(door->path, sizeof door->path, "%s/mpiwatch-view-XXXXXX.html", directory);
    file = mkostemps(door->path, 5, O_CLOEXEC); /* 0600, and new */
    if (file < 0) {
        door->path[0] = '\0';
        return mw_fail(diagnostic, mw_file_write_error(), directory, MW_DIAGNOSTIC_OFFSET_NONE,
                       "can't make the file that leads to the view");
    }
    status = write_page(file, door->path, url, diagnostic);
    close(file);
    return status;
}

void mwa_view_door_close(struct mwa_view_door *door)
{
    if (door->path[0]) {
        unlink(door->path);
    }
    mwa_view_scratch_remove(&door->scratch);
    *door = (struct mwa_view_door){ .path = "" };
}

bool mwa_view_is_remote(void)
{
    return getenv("SSH_CONNECTION") || getenv("SSH_TTY");
}

bool mwa_view_door_show(const struct mwa_view_door *door)
{
    const char *browser = getenv("BROWSER");
    char *const arguments[] = { (char *)(browser && *browser ? browser : "xdg-open"),
                                (char *)door->path, NULL };
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none;
    pid_t child;
    int error;

    if (!(browser && *browser) && !getenv("DISPLAY") && !getenv("WAYLAND_DISPLAY")) {
        return false;
    }
    sigemptyset(&none);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawnattr_init(&attributes);
    /* Ctrl-C is for us; what we block is not blocked there. */
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
    posix_spawnattr_setsigmask(&attributes, &none);
    error = posix_spawnp(&child, arguments[0], &actions, &attributes, arguments, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return error == 0;
}
