#include "test/unit/formats/maker.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "formats/base/scratch.h"

void maker_init(struct maker *maker)
{
    snprintf(maker->path, sizeof maker->path, "/tmp/mwtest-XXXXXX");
    cr_assert_not_null(mkdtemp(maker->path));
}

void maker_fini(struct maker *maker)
{
    mw_remove_tree(maker->path);
}

const char *maker_path(const struct maker *maker, const char *name)
{
    static char paths[4][512];
    static unsigned next;
    char *path = paths[next++ % 4];

    snprintf(path, sizeof paths[0], "%s/%s", maker->path, name);
    return path;
}

int maker_run(struct maker *maker, const char *command)
{
    char line[2048];
    FILE *output;
    size_t got;
    int status;

    snprintf(line, sizeof line, "cd %s && { %s; } 2>&1", maker->path, command);
    output = popen(line, "r");
    cr_assert_not_null(output);
    got = fread(maker->text, 1, sizeof maker->text - 1, output);
    maker->text[got] = '\0';
    status = pclose(output);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void make_rank_directory(const struct maker *maker, uint32_t rank, char *path,
                                size_t room)
{
    snprintf(path, room, "%s/r%u", maker->path, rank);
    mkdir(path, 0700);
}

void maker_define(struct mw_definition_writer *writer, const struct mw_definition *definition)
{
    struct mw_diagnostic diagnostic;

    cr_assert_eq(mw_definition_write(writer, definition, &diagnostic), MW_OK);
}

struct mw_definition_writer *maker_definitions(const struct maker *maker, uint32_t rank,
                                               uint32_t size)
{
    struct mw_definition process = {
        .kind = MW_DEFINE_PROCESS,
        .of.process = {.rank = rank,
                       .size = size,
                       .pid = 100 + rank,
                       .time_ticks = 1000,
                       .time_realtime = 1700000000000000000u,
                       .time_resolution = 1000000000u,
                       .thread_level = 3,
                       .host_name = "node\xff" "1",
                       .program = "/bin/app",
                       .arguments = "app 'a \"b\"'",
                       .working_directory = "/",
                       .mpi_library = "an MPI",
                       .recorder = "mpiwatch 0.1.0"},
    };
    struct mw_definition_writer *writer;
    struct mw_diagnostic diagnostic;
    char path[400];

    make_rank_directory(maker, rank, path, sizeof path - 20);
    strcat(path, "/definitions");
    cr_assert_eq(mw_definition_writer_create(path, NONCE, rank, &writer, &diagnostic), MW_OK);
    maker_define(writer, &process);
    return writer;
}

void maker_spool(const struct maker *maker, uint32_t rank, uint32_t thread,
                 struct mw_spool *spool)
{
    struct mw_spool_identity identity = {.nonce = NONCE, .rank = rank, .thread = thread};
    struct mw_diagnostic diagnostic;
    char directory[400];
    char path[512];

    make_rank_directory(maker, rank, directory, sizeof directory);
    snprintf(path, sizeof path, "%s/%u.events", directory, thread);
    cr_assert_eq(mw_spool_init(spool, path, &identity, 0, &diagnostic), MW_OK);
}

void maker_call(struct mw_spool *spool, unsigned call, uint64_t enter, uint64_t leave)
{
    struct mw_call_record *record = mw_spool_begin(spool, call, enter);

    cr_assert_not_null(record);
    mw_spool_end(spool, record, leave);
}

void *maker_member(struct mw_spool *spool, enum mw_record_type type, size_t bytes,
                   uint32_t comm)
{
    void *member = mw_spool_member(spool, type, bytes, comm);

    cr_assert_not_null(member);
    return member;
}

void maker_end(struct mw_definition_writer *writer, uint64_t time)
{
    struct mw_definition end = {.kind = MW_DEFINE_END, .of.end.time = time};

    maker_define(writer, &end);
    mw_definition_writer_destroy(writer);
}

void maker_rank(const struct maker *maker, uint32_t rank, uint32_t size)
{
    struct mw_spool spool;
    struct mw_definition_writer *writer = maker_definitions(maker, rank, size);

    maker_spool(maker, rank, 0, &spool);
    maker_call(&spool, MW_CALL_MPI_Init, 1000, 2000);
    struct mw_call_record *call = mw_spool_begin(&spool, MW_CALL_MPI_Send, 3000);
    struct mw_message_member *send =
        maker_member(&spool, MW_MEMBER_SEND, sizeof *send, MW_COMM_WORLD);

    send->peer = 0;
    send->tag = 42;
    send->bytes = 800;
    mw_spool_commit(send);
    mw_spool_end(&spool, call, 3500);
    maker_call(&spool, MW_CALL_MPI_Finalize, 4000, 5000);
    mw_spool_fini(&spool);
    maker_end(writer, 5000);
}

struct mw_archive_job maker_job(const struct maker *maker, uint32_t count, const char *name)
{
    static char spools[8][512];
    static const char *list[8];
    static char scratch[512];
    static char output[512];

    cr_assert_leq(count, 8u);
    for (uint32_t i = 0; i < count; i++) {
        snprintf(spools[i], sizeof spools[i], "%s/r%u", maker->path, i);
        list[i] = spools[i];
    }
    snprintf(scratch, sizeof scratch, "%s/scratch", maker->path);
    mkdir(scratch, 0700);
    snprintf(output, sizeof output, "%s/%s", maker->path, name);
    return (struct mw_archive_job){.spools = list,
                                   .spool_count = count,
                                   .scratch = scratch,
                                   .output = output,
                                   .level = 1,
                                   .nonce = NONCE};
}

enum mw_status maker_write(const struct mw_archive_job *job, struct mw_archive_result *result,
                           struct mw_diagnostic *diagnostic)
{
    struct mw_transport transport;
    enum mw_status status;

    cr_assert_eq(mw_transport_serial_init(&transport, diagnostic), MW_OK);
    status = mw_archive_write(job, &transport, result, diagnostic);
    mw_transport_serial_fini(&transport);
    return status;
}

const char *maker_print(struct maker *maker, const char *arguments, const char *name)
{
    char command[512];
    int status;

    snprintf(command, sizeof command, "otf2-print %s %s/traces.otf2 2>words", arguments, name);
    status = maker_run(maker, command);
    cr_assert_eq(status, 0, "%s", maker->text);
    snprintf(command, sizeof command, "test ! -s words || cat words");
    char *printed = strdup(maker->text);

    cr_assert_eq(maker_run(maker, command), 0);
    cr_assert_str_empty(maker->text, "otf2-print complains: %s", maker->text);
    strcpy(maker->text, printed);
    free(printed);
    return maker->text;
}

unsigned count_of(const char *text, const char *word)
{
    unsigned count = 0;

    while ((text = strstr(text, word))) {
        text += strlen(word);
        count++;
    }
    return count;
}
