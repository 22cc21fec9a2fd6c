/*
 * What finalize costs: makes the spool of a rank that exchanges halos (2 Irecv, 2
 * Isend, Waitall) and writes its archive, without MPI. Prints seconds per million
 * calls, bytes per call and the growth of the process.
 *
 *   replay_bench [CALLS [LEVEL [DIRECTORY]]]
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "formats/archive/archive.h"
#include "formats/spool/definition_writer.h"
#include "formats/spool/spool_writer.h"
#include "formats/table/calls.h"

#define NONCE 7u

static void stop_unless(enum mw_status status, const struct mw_diagnostic *diagnostic)
{
    char text[2048];

    if (status != MW_OK) {
        fprintf(stderr, "%s\n", mw_diagnostic_text(diagnostic, text, sizeof text));
        exit(1);
    }
}

static double seconds(clockid_t clock)
{
    struct timespec now;

    clock_gettime(clock, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* A clock with the jitter of real calls, so that times deflate as real ones do. */
static uint64_t tick(uint64_t *time, uint64_t least)
{
    static uint64_t state = 88172645463325252u;

    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    *time += least + state % (least * 2);
    return *time;
}

static void add_isend(struct mw_spool *spool, uint64_t *time, int peer, uint64_t request)
{
    struct mw_call_record *call =
        mw_spool_begin(spool, MW_CALL_MPI_Isend, tick(time, 40));
    struct mw_request_message_member *send =
        mw_spool_member(spool, MW_MEMBER_ISEND, sizeof *send, MW_COMM_WORLD);

    send->message.peer = peer;
    send->message.tag = 1;
    send->message.bytes = 8192;
    send->request = request;
    mw_spool_commit(send);
    mw_spool_end(spool, call, tick(time, 300));
}

static void add_irecv(struct mw_spool *spool, uint64_t *time, uint64_t request)
{
    struct mw_call_record *call =
        mw_spool_begin(spool, MW_CALL_MPI_Irecv, tick(time, 40));
    struct mw_request_member *post =
        mw_spool_member(spool, MW_MEMBER_IRECV_POST, sizeof *post, MW_COMM_WORLD);

    post->request = request;
    mw_spool_commit(post);
    mw_spool_end(spool, call, tick(time, 100));
}

static void add_waitall(struct mw_spool *spool, uint64_t *time, uint64_t first)
{
    struct mw_call_record *call =
        mw_spool_begin(spool, MW_CALL_MPI_Waitall, tick(time, 40));

    for (unsigned i = 0; i < 2; i++) {
        struct mw_request_message_member *receive =
            mw_spool_member(spool, MW_MEMBER_RECV_COMPLETE, sizeof *receive, MW_COMM_WORLD);

        receive->message.peer = (int32_t)i;
        receive->message.tag = 1;
        receive->message.bytes = 8192;
        receive->request = first + i;
        mw_spool_commit(receive);
    }
    for (unsigned i = 2; i < 4; i++) {
        struct mw_request_member *sent =
            mw_spool_member(spool, MW_MEMBER_SEND_COMPLETE, sizeof *sent, MW_COMM_WORLD);

        sent->request = first + i;
        mw_spool_commit(sent);
    }
    mw_spool_end(spool, call, tick(time, 2000));
}

static void make_events(const char *directory, uint64_t calls)
{
    struct mw_spool_identity identity = {.nonce = NONCE};
    struct mw_diagnostic diagnostic;
    struct mw_spool spool;
    char path[4096];
    uint64_t time = 1000000000000u;

    snprintf(path, sizeof path, "%s/0.events", directory);
    stop_unless(mw_spool_init(&spool, path, &identity, 0, &diagnostic), &diagnostic);
    for (uint64_t request = 1; request / 4 * 5 < calls; request += 4) {
        add_irecv(&spool, &time, request);
        add_irecv(&spool, &time, request + 1);
        add_isend(&spool, &time, 0, request + 2);
        add_isend(&spool, &time, 1, request + 3);
        add_waitall(&spool, &time, request);
        tick(&time, 10000);
    }
    mw_spool_fini(&spool);
}

static void make_definitions(const char *directory)
{
    struct mw_definition process = {
        .kind = MW_DEFINE_PROCESS,
        .of.process = {.size = 1,
                       .time_resolution = 1000000000u,
                       .host_name = "host",
                       .program = "replay_bench",
                       .recorder = "mpiwatch"},
    };
    struct mw_definition_writer *writer;
    struct mw_diagnostic diagnostic;
    char path[4096];

    snprintf(path, sizeof path, "%s/definitions", directory);
    stop_unless(mw_definition_writer_create(path, NONCE, 0, &writer, &diagnostic),
                &diagnostic);
    stop_unless(mw_definition_write(writer, &process, &diagnostic), &diagnostic);
    mw_definition_writer_destroy(writer);
}

static uint64_t peak_kib(void)
{
    struct rusage usage;

    getrusage(RUSAGE_SELF, &usage);
    return (uint64_t)usage.ru_maxrss;
}

static uint64_t file_bytes(const char *directory, const char *name)
{
    char path[4096];
    struct stat about;

    snprintf(path, sizeof path, "%s/%s", directory, name);
    return stat(path, &about) == 0 ? (uint64_t)about.st_size : 0;
}

static void report(const char *directory, const struct mw_archive_result *result, double wall,
                   double cpu, uint64_t growth_kib)
{
    double millions = (double)result->calls / 1e6;

    printf("calls %" PRIu64 ", events %" PRIu64 ", spool %.1f MB, archive %.1f MB\n",
           result->calls, result->events,
           (double)file_bytes(directory, "0.events") / 1e6, (double)result->bytes / 1e6);
    printf("finalize per million calls: %.3f s wall, %.3f s CPU\n", wall / millions,
           cpu / millions);
    printf("archive per call: %.2f bytes\n", (double)result->bytes / (double)result->calls);
    printf("growth of the process: %" PRIu64 " KiB\n", growth_kib);
}

int main(int argc, char **argv)
{
    uint64_t calls = argc > 1 ? strtoull(argv[1], NULL, 10) : 1000000;
    int level = argc > 2 ? atoi(argv[2]) : 1;
    const char *parent = argc > 3 ? argv[3] : "/tmp";
    char directory[4000];
    char output[4096];
    struct mw_transport transport;
    struct mw_archive_result result;
    struct mw_diagnostic diagnostic;

    snprintf(directory, sizeof directory, "%s/replay_bench-XXXXXX", parent);
    if (!mkdtemp(directory)) {
        perror(directory);
        return 1;
    }
    make_events(directory, calls);
    make_definitions(directory);
    snprintf(output, sizeof output, "%s/bench.otf2.zip", directory);
    stop_unless(mw_transport_serial_init(&transport, &diagnostic), &diagnostic);

    const char *spools[] = {directory};
    struct mw_archive_job job = {.spools = spools,
                                 .spool_count = 1,
                                 .scratch = directory,
                                 .output = output,
                                 .level = level,
                                 .nonce = NONCE};
    uint64_t before = peak_kib();
    double wall = seconds(CLOCK_MONOTONIC);
    double cpu = seconds(CLOCK_PROCESS_CPUTIME_ID);

    stop_unless(mw_archive_write(&job, &transport, &result, &diagnostic), &diagnostic);
    report(directory, &result, seconds(CLOCK_MONOTONIC) - wall,
           seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu, peak_kib() - before);
    printf("%s\n", result.path);
    mw_transport_serial_fini(&transport);
    return 0;
}
