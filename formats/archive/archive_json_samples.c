/*
 * Addresses of one line are one spot, or of one function without lines, and each is told once: a
 * rank has hundreds of samples at a few lines.
 */
#include "formats/archive/archive_json_samples.h"

#include <stdlib.h>
#include <string.h>

#include "formats/base/order.h"

/* What is told of a sample. */
struct row {
    uint32_t rank;
    uint32_t place; /* index; UINT32_MAX: none */
    uint32_t spot;  /* as it is numbered here */
    uint64_t count;
};

/* Bytes of the function's name: where no line is known, without how far into it the spot is. */
static size_t name_bytes(const struct mw_merged_spot *spot)
{
    const char *offset = spot->file[0] ? NULL : strrchr(spot->function, '+');

    return offset && offset > spot->function && strncmp(offset, "+0x", 3) == 0
               ? (size_t)(offset - spot->function)
               : strlen(spot->function);
}

/* By what they are in the source. */
static int by_line(const void *left, const void *right)
{
    const struct mw_merged_spot *a = *(const struct mw_merged_spot *const *)left;
    const struct mw_merged_spot *b = *(const struct mw_merged_spot *const *)right;
    const size_t bytes = name_bytes(a);
    const size_t others = name_bytes(b);

    return strcmp(a->file, b->file) ?: mw_order(a->line, b->line) ?:
           strncmp(a->function, b->function, bytes < others ? bytes : others) ?:
           mw_order(bytes, others);
}

static void write_spot(struct mw_json *json, const struct mw_merged_spot *spot)
{
    char *name = strndup(spot->function, name_bytes(spot));

    mw_json_object(json, NULL);
    mw_json_text(json, "function", name ? name : spot->function);
    mw_json_text(json, "file", spot->file);
    mw_json_unsigned(json, "line", spot->line);
    mw_json_object_end(json);
    free(name);
}

static int by_row(const void *left, const void *right)
{
    const struct row *a = left;
    const struct row *b = right;

    return mw_order(a->rank, b->rank) ?: mw_order(a->place, b->place) ?: mw_order(a->spot,
                                                                                  b->spot);
}

/* How many of the samples that follow are of the rank, and of its threads that call MPI or of
 * others: they are in the order of ranks. */
static uint64_t count_of(const struct mw_merged_samples *samples, uint32_t rank, bool is_others,
                         uint32_t *next)
{
    uint64_t count = 0;

    for (; *next < samples->count && samples->list[*next].rank == rank; (*next)++) {
        count += samples->list[*next].is_others == is_others ? samples->list[*next].count : 0;
    }
    return count;
}

/* Samples in all. A process that was killed, or whose threads still run, may have told more of
 * places than that: it is as many. */
static void write_counts(struct mw_json *json, uint64_t outside, uint64_t at_places,
                         uint64_t inside, uint64_t lost)
{
    mw_json_unsigned(json, "outside", outside > at_places ? outside : at_places);
    mw_json_unsigned(json, "inside", inside);
    mw_json_unsigned(json, "lost", lost);
}

static void write_ranks(struct mw_json *json, const struct mw_merged *merged)
{
    uint32_t next = 0;

    mw_json_array(json, "ranks");
    for (uint32_t rank = 0; rank < merged->rank_count; rank++) {
        const struct mw_define_samples *of = &merged->ranks[rank].samples;
        const uint64_t count = count_of(&merged->samples, rank, false, &next);

        if (of->rate > 0) {
            mw_json_object(json, NULL);
            mw_json_unsigned(json, "rank", rank);
            write_counts(json, of->outside, count, of->inside, of->lost);
            mw_json_text(json, "refused", of->refused);
            mw_json_object_end(json);
        }
    }
    mw_json_array_end(json);
}

/* Of threads that call no MPI; ranks without such are left out. */
static void write_crews(struct mw_json *json, const struct mw_merged *merged)
{
    uint32_t next = 0;

    mw_json_array(json, "ranks");
    for (uint32_t rank = 0; rank < merged->rank_count; rank++) {
        const struct mw_define_crew *of = &merged->ranks[rank].crew;
        const uint64_t count = count_of(&merged->samples, rank, true, &next);

        if (of->threads > 0 || of->refused > 0) {
            mw_json_object(json, NULL);
            mw_json_unsigned(json, "rank", rank);
            mw_json_unsigned(json, "threads", of->threads);
            mw_json_unsigned(json, "refused", of->refused);
            mw_json_unsigned(json, "there_ns", of->there);
            write_counts(json, of->outside, count, of->inside, of->lost);
            mw_json_object_end(json);
        }
    }
    mw_json_array_end(json);
}

/* Writes the lines, and numbers in numbers what spots are of them. */
static void write_spots(struct mw_json *json, const struct mw_merged *merged,
                        const struct mw_merged_spot **spots, uint32_t *numbers)
{
    const struct mw_merged_samples *samples = &merged->samples;
    uint32_t number = 0;

    for (uint32_t i = 0; i < samples->count; i++) {
        spots[i] = &merged->sites.spots[samples->list[i].spot];
    }
    qsort(spots, samples->count, sizeof *spots, by_line);
    mw_json_array(json, "spots");
    for (uint32_t i = 0; i < samples->count; i++) {
        if (i == 0 || by_line(&spots[i - 1], &spots[i]) != 0) {
            number += i > 0;
            write_spot(json, spots[i]);
        }
        numbers[spots[i] - merged->sites.spots] = number;
    }
    mw_json_array_end(json);
}

static void write_row(struct mw_json *json, const struct row *row, uint32_t first_region)
{
    mw_json_array(json, NULL);
    mw_json_unsigned(json, NULL, row->rank);
    if (row->place == UINT32_MAX) {
        mw_json_null(json, NULL);
    } else {
        mw_json_unsigned(json, NULL, first_region + row->place);
    }
    mw_json_unsigned(json, NULL, row->spot);
    mw_json_unsigned(json, NULL, row->count);
    mw_json_array_end(json);
}

static void write_rows(struct mw_json *json, const struct mw_merged *merged, bool of_others,
                       struct row *rows, const uint32_t *numbers, uint32_t first_region)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < merged->samples.count; i++) {
        const struct mw_merged_sample *sample = &merged->samples.list[i];

        if (sample->is_others == of_others) {
            rows[count++] = (struct row){.rank = sample->rank,
                                         .place = sample->site == MW_SITE_NONE
                                                      ? UINT32_MAX
                                                      : merged->sites.sites[sample->site].place,
                                         .spot = numbers[sample->spot],
                                         .count = sample->count};
        }
    }
    if (count > 0) {
        qsort(rows, count, sizeof *rows, by_row);
    }
    mw_json_array(json, "rows");
    for (uint32_t i = 0; i < count; i++) {
        if (i + 1 < count && by_row(&rows[i], &rows[i + 1]) == 0) {
            rows[i + 1].count += rows[i].count;
        } else {
            write_row(json, &rows[i], first_region);
        }
    }
    mw_json_array_end(json);
}

static bool has_crews(const struct mw_merged *merged)
{
    for (uint32_t rank = 0; rank < merged->rank_count; rank++) {
        if (merged->ranks[rank].crew.threads > 0 || merged->ranks[rank].crew.refused > 0) {
            return true;
        }
    }
    return false;
}

static uint32_t rate_of(const struct mw_merged *merged)
{
    uint32_t rate = 0;

    for (uint32_t rank = 0; rank < merged->rank_count && rate == 0; rank++) {
        rate = merged->ranks[rank].samples.rate;
    }
    return rate;
}

void mw_json_samples(struct mw_json *json, const struct mw_merged *merged, uint32_t first_region)
{
    const uint32_t rate = rate_of(merged);
    const uint32_t count = merged->samples.count;
    const struct mw_merged_spot **spots = malloc((count + 1) * sizeof *spots);
    uint32_t *numbers = malloc((merged->sites.spot_count + 1) * sizeof *numbers);
    struct row *rows = malloc((count + 1) * sizeof *rows);

    if (rate > 0 && spots && numbers && rows) {
        mw_json_object(json, "samples");
        mw_json_unsigned(json, "rate_hz", rate);
        write_ranks(json, merged);
        write_spots(json, merged, spots, numbers);
        write_rows(json, merged, false, rows, numbers, first_region);
        if (has_crews(merged)) {
            mw_json_object(json, "others");
            write_crews(json, merged);
            write_rows(json, merged, true, rows, numbers, first_region);
            mw_json_object_end(json);
        }
        mw_json_object_end(json);
    }
    free(rows);
    free(numbers);
    free(spots);
}
