/*
 * scale RANKS COMMS DIRECTORY: what the end of a run of so many ranks takes, on rank 0 and on the
 * worst of the others. Spools and the archive are made below DIRECTORY, which must be empty. A line
 * a step: its name, then for rank 0 and for the worst other ns of processor time, bytes of memory
 * at most, bytes taken and given, and ns of all ranks. The last line: "archive" and its
 * bytes.
 */
#include "test/bench/scale.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "formats/archive/archive_steps.h"

static const char *directory;

/* Writes the archive as the rank of the transport. */
static enum mw_status write_archive(const struct mw_transport *transport, void *context)
{
    char spool[4200];
    char scratch[4200];
    char output[4200];
    const char *spools[] = { spool };
    struct mw_archive_result result;
    struct mw_diagnostic diagnostic;
    char text[2048];
    struct mw_archive_job job = {
        .spools = spools,
        .spool_count = 1,
        .scratch = scratch,
        .output = output,
        .format = MW_ARCHIVE_ZIP,
        .level = 1,
        .nonce = SCALE_NONCE,
    };
    enum mw_status status;

    snprintf(spool, sizeof spool, "%s/spools/mpiwatch-%016x-%u", directory, SCALE_NONCE,
             transport->rank);
    snprintf(scratch, sizeof scratch, "%s/scratch", directory);
    snprintf(output, sizeof output, "%s/archive.otf2.zip", directory);
    status = mw_archive_write(&job, transport, &result, &diagnostic);
    if (status != MW_OK) {
        fprintf(stderr, "scale: %s\n", mw_diagnostic_text(&diagnostic, text, sizeof text));
    } else if (transport->rank == 0) {
        *(uint64_t *)context = result.bytes;
    }
    return status;
}

static void print_cost(const struct scale_cost *cost)
{
    printf(" %" PRIu64 " %" PRId64 " %" PRIu64 " %" PRIu64, cost->ns, cost->peak, cost->taken,
           cost->given);
}

/* Each rank has files open. */
static void allow_files(void)
{
    struct rlimit limit;

    if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
        limit.rlim_cur = limit.rlim_max;
        (void)setrlimit(RLIMIT_NOFILE, &limit);
    }
}

static void make_directory(const char *name)
{
    char path[4200];

    snprintf(path, sizeof path, "%s/%s", directory, name);
    if (mkdir(path, 0700) != 0) {
        perror(path);
        exit(1);
    }
}

int main(int argc, char **argv)
{
    static struct scale_step steps[SCALE_STEPS_MAX];
    uint32_t count = argc == 4 ? (uint32_t)strtoul(argv[1], NULL, 10) : 0;
    uint32_t step_count;
    uint64_t bytes = 0;
    char path[4200];

    if (count < 2) {
        fprintf(stderr, "usage: scale RANKS COMMS DIRECTORY\n");
        return 2;
    }
    directory = argv[3];
    make_directory("spools");
    make_directory("scratch");
    allow_files();
    snprintf(path, sizeof path, "%s/spools", directory);
    scale_make_spools(path, count, (uint32_t)strtoul(argv[2], NULL, 10));
    scale_run(count, write_archive, &bytes, steps, &step_count);
    for (uint32_t i = 0; i < step_count; i++) {
        printf("%s", mw_archive_step_name(i));
        print_cost(&steps[i].first);
        print_cost(&steps[i].others);
        printf(" %" PRIu64 "\n", steps[i].all_ns);
    }
    printf("archive %" PRIu64 "\n", bytes);
    return 0;
}
