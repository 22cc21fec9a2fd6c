/*
 * scale_definitions RANKS COMMS DIRECTORY: rank 0's definitions of so many ranks, merged one by one
 * from spools as test/bench/scale has them, and what is written of them: DIRECTORY/otf2/traces.def
 * with its anchor, which otf2-print -G reads, and DIRECTORY/mpiwatch.json. For numbers of ranks
 * that no machine has at once. Prints the seconds of merging and of writing, the peak of memory
 * in MiB after each, and the files' bytes.
 */
#include "test/bench/scale.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "formats/archive/archive_json.h"
#include "formats/archive/global_definitions.h"
#include "formats/base/file.h"
#include "formats/archive/resolve_sites.h"
#include "formats/base/scratch.h"

static struct mw_diagnostic diagnostic;
static double merging; /* s */

static void stop_unless(enum mw_status status)
{
    char text[2048];

    if (status != MW_OK) {
        fprintf(stderr, "scale_definitions: %s\n",
                mw_diagnostic_text(&diagnostic, text, sizeof text));
        exit(1);
    }
}

static double seconds(void)
{
    struct timespec time;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* Merges the rank whose spool is in folder, with a location that has as many events. */
static void merge_rank(struct mw_merged *merged, uint32_t rank, const char *folder)
{
    struct mw_location_stats stats = { .rank = rank,
                                       .events = 28,
                                       .calls = 10,
                                       .first = 1000,
                                       .last = 2000000,
                                       .open_call = MW_CALL_COUNT };
    struct mw_merge_part part = {
        .rank = rank, .where = "definitions", .locations = &stats, .location_count = 1
    };
    char path[4300];
    int descriptor;
    double begin;

    snprintf(path, sizeof path, "%s/definitions", folder);
    stop_unless(mw_file_open_regular(path, "the definitions", &descriptor, &diagnostic));
    part.image_bytes = mw_file_bytes_without_hole(descriptor);
    part.image = malloc(part.image_bytes);
    stop_unless(part.image ? mw_file_read(descriptor, part.image, part.image_bytes, 0, path,
                                          &diagnostic)
                           : MW_ERROR_MEMORY);
    close(descriptor);
    begin = seconds();
    stop_unless(mw_merge_add(merged, &part, &diagnostic));
    merging += seconds() - begin;
    free(part.image);
}

static enum mw_status take_nothing(void *context, const void *chunk, size_t bytes, bool is_last,
                                   struct mw_diagnostic *ignored)
{
    return MW_OK;
}

static uint64_t bytes_of(const char *directory, const char *name)
{
    char path[4200];
    struct stat about = { 0 };

    snprintf(path, sizeof path, "%s/%s", directory, name);
    return stat(path, &about) == 0 ? (uint64_t)about.st_size : 0;
}

static void write_all(const struct mw_merged *merged, const char *directory)
{
    const struct mw_archive_about about = {
        .nonce = SCALE_NONCE, .ended = "finalized", .complete = true
    };
    struct mw_otf2_output output;
    char path[4200];

    snprintf(path, sizeof path, "%s/otf2", directory);
    stop_unless(mw_otf2_init(&output, path, MW_DEFINITION_CHUNK_BYTES_MIN, take_nothing, NULL,
                             &diagnostic));
    stop_unless(mw_otf2_check(&output, OTF2_Archive_OpenDefFiles(output.definitions),
                              "open definition files", &diagnostic));
    stop_unless(mw_otf2_check(&output, OTF2_Archive_CloseDefFiles(output.definitions),
                              "close definition files", &diagnostic));
    stop_unless(mw_global_definitions_write(&output, merged, &diagnostic));
    stop_unless(mw_otf2_close(&output, &diagnostic));
    snprintf(path, sizeof path, "%s/mpiwatch.json", directory);
    stop_unless(mw_archive_json_write(path, merged, &about, &diagnostic));
}

int main(int argc, char **argv)
{
    uint32_t count = argc == 4 ? (uint32_t)strtoul(argv[1], NULL, 10) : 0;
    uint32_t comms = count ? (uint32_t)strtoul(argv[2], NULL, 10) : 0;
    struct scale_memory memory = { 0 };
    struct mw_merged merged;
    char folder[4200];
    double begin;

    if (count < 2) {
        fprintf(stderr, "usage: scale_definitions RANKS COMMS DIRECTORY\n");
        return 2;
    }
    scale_memory_count(&memory);
    stop_unless(mw_merged_init(&merged, count, &diagnostic));
    mw_call_set_add(&merged.used, MW_CALL_MPI_Send);
    for (uint32_t rank = 0; rank < count; rank++) {
        snprintf(folder, sizeof folder, "%s/mpiwatch-%016x-%u", argv[3], SCALE_NONCE, rank);
        scale_make_rank(argv[3], rank, count, comms);
        merge_rank(&merged, rank, folder);
        mw_remove_tree(folder);
    }
    begin = seconds();
    stop_unless(mw_merge_finish(&merged, &diagnostic));
    stop_unless(mw_sites_finish(&merged.sites, &diagnostic));
    merging += seconds() - begin;
    printf("merge %.2f s, %" PRId64 " MiB\n", merging, memory.peak >> 20);
    begin = seconds();
    write_all(&merged, argv[3]);
    printf("write %.2f s, %" PRId64 " MiB\n", seconds() - begin, memory.peak >> 20);
    printf("traces.def %" PRIu64 "\nmpiwatch.json %" PRIu64 "\n",
           bytes_of(argv[3], "otf2/traces.def"), bytes_of(argv[3], "mpiwatch.json"));
    mw_merged_fini(&merged);
    return 0;
}
