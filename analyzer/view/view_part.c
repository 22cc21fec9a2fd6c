/*
 * A child does the work, so that it can be ended at any moment, takes no memory of the view's, and
 * says the same as on the command line. It is looked after when the page asks: no thread waits.
 */
#include "analyzer/view/view_part.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "analyzer/view/view_scratch.h"
#include "analyzer/view/view_tether.h"
#include "formats/base/nearby.h"
#include "formats/base/printable.h"
#include "formats/base/shell_word.h"

#define ANALYZE       "mpiwatch-analyze"
#define INCOMPLETE    4 /* its status of an archive without an end, which a part may well be */
#define TETHER        3 /* a number that children have for it */
#define LIST_BYTES    32000u
#define SENTENCE_BYTES 1000u

extern char **environ;

enum stage { NONE, CUTTING, REPORTING, DONE, FAILED };

/* The job that there is, of the whole program: it is one at a time whoever asks. */
static struct {
    pthread_mutex_t lock;
    uint64_t number;
    enum stage stage;
    pid_t child; /* 0: none runs */
    struct mwa_view_tether tether; /* of it */
    struct mwa_view_scratch scratch;
    char part[4096], said[4096], report_path[4096]; /* in it */
    char why[SENTENCE_BYTES];
    char *command;
    json_t *report;
} job = { .lock = PTHREAD_MUTEX_INITIALIZER, .tether = { -1, -1 } };

/* --- what is typed ---------------------------------------------------------------------------- */

bool mwa_view_part_is_list(const char *ranks)
{
    return *ranks && strlen(ranks) < LIST_BYTES &&
           ranks[strspn(ranks, "0123456789,-")] == '\0';
}

/* A name that begins with a dash is no option. */
static char *name_of(const char *archive)
{
    char *name = NULL;

    return asprintf(&name, "%s%s", *archive == '-' ? "./" : "", archive) < 0 ? NULL : name;
}

char *mwa_view_part_command(const char *archive, int64_t from_ns, int64_t to_ns,
                            const char *ranks)
{
    char *name = name_of(archive), *text = NULL;
    char word[4400];

    if (!name ||
        asprintf(&text,
                 ANALYZE " export --otf2=part.otf2.zip --from=%" PRId64 "ns --to=%" PRId64
                         "ns%s%s %s; " ANALYZE " part.otf2.zip",
                 from_ns, to_ns, ranks ? " --ranks=" : "", ranks ?: "",
                 mw_shell_word(name, "", word, sizeof word)) < 0) {
        text = NULL;
    }
    free(name);
    return text;
}

/* --- children ------------------------------------------------------------------------------- */

/* The job's lock is held, here and below. */
static void fail(const char *sentence)
{
    job.stage = FAILED;
    mw_printable(sentence, job.why, sizeof job.why);
    mwa_view_scratch_remove(&job.scratch);
}

/* The child's temporary files go with the directory, also when it is ended: to be freed. */
static char **surroundings(char *temporary)
{
    size_t count = 0, kept = 0;
    char **list;

    while (environ[count]) {
        count++;
    }
    list = calloc(count + 2, sizeof *list);
    for (size_t i = 0; list && i < count; i++) {
        if (strncmp(environ[i], "TMPDIR=", strlen("TMPDIR=")) != 0) {
            list[kept++] = environ[i];
        }
    }
    if (list) {
        list[kept] = temporary;
    }
    return list;
}

static void spawn(char *const *arguments)
{
    char temporary[sizeof job.scratch.directory.path + sizeof "TMPDIR="];
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    struct mw_diagnostic diagnostic;
    char path[PATH_MAX];
    char **variables;
    sigset_t none;
    int error;

    snprintf(temporary, sizeof temporary, "TMPDIR=%s", job.scratch.directory.path);
    if (!mw_nearby_command(BINDIR, ANALYZE, path, sizeof path)) {
        fail(ANALYZE " is neither beside mpiwatch-view nor where it was installed");
        return;
    }
    if (mwa_view_tether_make(&job.tether, &diagnostic) != MW_OK) {
        mw_diagnostic_text(&diagnostic, path, sizeof path);
        fail(path);
        return;
    }
    sigemptyset(&none);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, job.report_path,
                                     O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, job.said,
                                     O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_adddup2(&actions, job.tether.given, TETHER);
    posix_spawnattr_init(&attributes);
    /* Ctrl-C is for us; what we block is not blocked there. */
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
    posix_spawnattr_setsigmask(&attributes, &none);
    variables = surroundings(temporary);
    error = variables ? posix_spawn(&job.child, path, &actions, &attributes, arguments, variables)
                      : ENOMEM;
    free(variables);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    if (error == 0) {
        mwa_view_tether_tie(&job.tether, job.child);
    } else {
        job.child = 0;
        mwa_view_tether_cut(&job.tether);
        fail(ANALYZE " could not be run");
    }
}

static void cut(const char *archive, int64_t from_ns, int64_t to_ns, const char *ranks)
{
    char from[40], to[40];
    char *part = NULL, *list = NULL, *name = name_of(archive);

    snprintf(from, sizeof from, "--from=%" PRId64 "ns", from_ns);
    snprintf(to, sizeof to, "--to=%" PRId64 "ns", to_ns);
    part = asprintf(&part, "--otf2=%s", job.part) < 0 ? NULL : part;
    list = !ranks || asprintf(&list, "--ranks=%s", ranks) < 0 ? NULL : list;
    if (!part || !name || (ranks && !list)) {
        fail("There is no memory for this.");
    } else {
        char *const arguments[] = { ANALYZE, "export", "--quiet", "--mpi=off", part, from,
                                    to,      name,     list,      NULL };

        job.stage = CUTTING;
        spawn(arguments);
    }
    free(part);
    free(list);
    free(name);
}

static void report(void)
{
    char *const arguments[] = { ANALYZE,  "report", "--quiet", "--mpi=off",
                                "--json", job.part, NULL };

    job.stage = REPORTING;
    spawn(arguments);
}

/* --- what became of them ---------------------------------------------------------------------- */

/* What the child has said, as a sentence; else how it ended. */
static void tell_failure(int status)
{
    static const char name[] = ANALYZE ": ";
    char text[SENTENCE_BYTES] = "";
    FILE *file = fopen(job.said, "re");
    char *line = file ? fgets(text, sizeof text, file) : NULL;

    if (file) {
        fclose(file);
    }
    if (line && *line != '\n') {
        line[strcspn(line, "\n")] = '\0';
        line += strncmp(line, name, sizeof name - 1) == 0 ? sizeof name - 1 : 0;
    } else {
        snprintf(text, sizeof text, WIFSIGNALED(status) ? ANALYZE " was ended by signal %d"
                                                        : ANALYZE " ended with status %d",
                 WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
        line = text;
    }
    fail(line);
}

static void take_report(int status)
{
    json_t *all = json_load_file(job.report_path, JSON_REJECT_DUPLICATES, NULL);

    job.report = all ? mwa_view_part_report(all) : NULL;
    json_decref(all);
    if (!job.report) {
        tell_failure(status);
        return;
    }
    job.stage = DONE;
    mwa_view_scratch_remove(&job.scratch);
}

/* Goes on where the child has ended. */
static void look(void)
{
    int status;

    if (job.child == 0 || waitpid(job.child, &status, WNOHANG) != job.child) {
        return;
    }
    job.child = 0;
    mwa_view_tether_cut(&job.tether);
    if (!WIFEXITED(status) ||
        (WEXITSTATUS(status) != 0 && WEXITSTATUS(status) != INCOMPLETE)) {
        tell_failure(status);
    } else if (job.stage == CUTTING) {
        report();
    } else {
        take_report(status);
    }
}

static void end(void)
{
    if (job.child > 0) {
        kill(job.child, SIGKILL);
        while (waitpid(job.child, NULL, 0) < 0 && errno == EINTR) {
        }
    }
    job.child = 0;
    mwa_view_tether_cut(&job.tether);
    job.stage = NONE;
    job.why[0] = '\0';
    mwa_view_scratch_remove(&job.scratch);
    free(job.command);
    job.command = NULL;
    json_decref(job.report);
    job.report = NULL;
}

/* --- the job ------------------------------------------------------------ */

static json_t *tell(void)
{
    static const char *const stages[] = { [NONE] = "ended", [CUTTING] = "cutting",
                                          [REPORTING] = "reporting", [DONE] = "done",
                                          [FAILED] = "failed" };

    return json_pack("{s:I,s:s,s:s?,s:s?,s:O?}", "job", (json_int_t)job.number, "stage",
                     stages[job.stage], "why", job.stage == FAILED ? job.why : NULL, "command",
                     job.command, "report", job.report);
}

json_t *mwa_view_part_begin(const char *archive, int64_t from_ns, int64_t to_ns,
                            const char *ranks)
{
    struct mw_diagnostic diagnostic;
    char text[SENTENCE_BYTES];
    json_t *told;

    pthread_mutex_lock(&job.lock);
    end();
    job.number++;
    job.command = mwa_view_part_command(archive, from_ns, to_ns, ranks);
    if (mwa_view_scratch_create(&job.scratch, mwa_view_temporary(), &diagnostic) != MW_OK ||
        mw_path_join(job.part, job.scratch.directory.path, "part.otf2.zip", &diagnostic) != MW_OK ||
        mw_path_join(job.said, job.scratch.directory.path, "said", &diagnostic) != MW_OK ||
        mw_path_join(job.report_path, job.scratch.directory.path, "report", &diagnostic) != MW_OK) {
        mw_diagnostic_text(&diagnostic, text, sizeof text);
        fail(text);
    } else {
        cut(archive, from_ns, to_ns, ranks);
    }
    told = tell();
    pthread_mutex_unlock(&job.lock);
    return told;
}

json_t *mwa_view_part_ask(uint64_t number)
{
    json_t *told;

    pthread_mutex_lock(&job.lock);
    if (number == job.number) {
        look();
        told = tell();
    } else {
        told = json_pack("{s:I,s:s}", "job", (json_int_t)number, "stage", "ended");
    }
    pthread_mutex_unlock(&job.lock);
    return told;
}

void mwa_view_part_end(uint64_t number)
{
    pthread_mutex_lock(&job.lock);
    if (number == UINT64_MAX || number == job.number) {
        end();
    }
    pthread_mutex_unlock(&job.lock);
}

/* --- what of a report is shown ------------------------------------------------------------ */

/* Copies the keys that are there; without keys: all that are no lists and no objects. */
static void copy(json_t *to, json_t *from, const char *const *keys)
{
    const char *key;
    json_t *value;

    json_object_foreach(from, key, value) {
        bool is_wanted = !keys && !json_is_array(value) && !json_is_object(value);

        for (size_t i = 0; keys && keys[i]; i++) {
            is_wanted |= strcmp(keys[i], key) == 0;
        }
        if (is_wanted) {
            json_object_set(to, key, value);
        }
    }
}

static json_t *first_of(json_t *list, const char *const *keys)
{
    json_t *result = json_array();

    for (size_t i = 0; i < json_array_size(list) && i < MWA_VIEW_PART_MOST; i++) {
        json_t *row = json_object();

        copy(row, json_array_get(list, i), keys);
        json_array_append_new(result, row);
    }
    return result;
}

json_t *mwa_view_part_report(json_t *report)
{
    static const char *const heads[] = { "verdict", "advice", "doubt", NULL };
    static const char *const parts[] = { "info", "pop", "waits", "messages" };
    static const struct {
        const char *part, *list;
    } lists[] = { { "calls", "calls" }, { "waits", "patterns" }, { "messages", "pairs" },
                  { "ranks", "ranks" } };
    json_t *result = json_object();

    copy(result, report, heads);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        json_t *part = json_object();

        copy(part, json_object_get(report, parts[i]), NULL);
        json_object_set_new(result, parts[i], part);
    }
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        json_t *list = json_object_get(json_object_get(report, lists[i].part), lists[i].list);
        json_t *part = json_object_get(result, lists[i].part);

        if (!part) {
            part = json_object();
            json_object_set_new(result, lists[i].part, part);
        }
        json_object_set_new(part, lists[i].list, first_of(list, NULL));
        json_object_set_new(part, "all", json_integer((json_int_t)json_array_size(list)));
    }
    return result;
}
