#include "analyzer/analysis/counters/watermarks.h"

#include <criterion/criterion.h>

#include "analyzer/analysis/counters/mark_pairs.h"
#include "analyzer/analysis/counters/sums.h"

/*
 * A queue that is 0, 3, 5 (at 15, which no sample sees), 1, 4 and 0 long, and the library's
 * high mark of it.
 */
struct scene {
    struct mwa_metric_member members[2];
    struct mwa_metric metrics[2];
    struct mwa_rank rank;
    struct mwa_trace trace;
    struct mwa_sample samples[2][5];
    struct mwa_track tracks[2];
    struct mwa_tracks list;
    struct mwa_counters counters;
    struct mwa_watermarks watermarks;
};

static uint32_t first[] = { 0 };
static uint32_t second[] = { 1 };

static void set_samples(struct scene *scene, unsigned which, const double values[5])
{
    for (unsigned i = 0; i < 5; i++) {
        scene->samples[which][i] = (struct mwa_sample){
            .time = 10u * i, .value = values[i], .bits = (uint64_t)values[i], .call = MWA_NONE
        };
    }
}

static struct scene *make_scene(void)
{
    static struct scene scene;

    scene = (struct scene){
        .members = { { .name = "queue_length", .unit = "#" },
                     { .name = "queue_length_max", .unit = "#" } },
        .metrics = { { .count = 1, .members = first, .bits = 32, .bind = "NO_OBJECT",
                       .declared = MW_CLASS_LEVEL, .effective = MW_CLASS_LEVEL },
                     { .count = 1, .members = second, .bits = 32, .bind = "NO_OBJECT",
                       .declared = MW_CLASS_HIGHWATERMARK, .effective = MW_CLASS_HIGHWATERMARK } },
        .tracks = { { .name = "queue_length", .metric = 0 },
                    { .name = "queue_length_max", .metric = 1 } },
    };
    set_samples(&scene, 0, (const double[5]){ 0, 3, 1, 4, 0 });
    set_samples(&scene, 1, (const double[5]){ 0, 3, 5, 5, 5 });
    for (unsigned i = 0; i < 2; i++) {
        scene.tracks[i].comm = scene.tracks[i].object = MWA_NONE;
        scene.tracks[i].samples = scene.samples[i];
        scene.tracks[i].count = 5;
    }
    scene.trace = (struct mwa_trace){ .clock_resolution = 1000000000,
                                      .ranks = &scene.rank,
                                      .rank_count = 1,
                                      .metrics = { .members = scene.members,
                                                   .member_count = 2,
                                                   .list = scene.metrics,
                                                   .count = 2 } };
    scene.list = (struct mwa_tracks){ .list = scene.tracks, .count = 2, .last = 40 };
    return &scene;
}

/* The watermarks of a window: of the level, and of the mark. */
static void look(struct scene *scene, uint64_t from, uint64_t to)
{
    cr_assert_eq(mwa_sums_rebuild(&scene->trace, &scene->list), MW_OK);
    cr_assert_eq(mwa_counters_make(&scene->trace, &scene->list, &scene->counters), MW_OK);
    cr_assert_eq(mwa_watermarks_make(&scene->trace, &scene->list, &scene->counters, from, to,
                                     &scene->watermarks),
                 MW_OK);
    cr_assert_eq(scene->watermarks.count, 2);
}

static void end(struct scene *scene)
{
    mwa_watermarks_fini(&scene->watermarks);
    mwa_counters_fini(&scene->counters);
}

static void assert_between(const struct mwa_mark *mark, double lower, double upper)
{
    cr_assert(mark->has_lower && mark->has_upper);
    cr_assert_float_eq(mark->lower, lower, 0);
    cr_assert_float_eq(mark->upper, upper, 0);
    cr_assert_eq(mark->exact, lower == upper);
}

/* How many sums there are of two tracks of the level, of ranks 0 and rank. */
static uint64_t sums_with(uint32_t rank)
{
    struct scene *scene = make_scene();
    uint64_t sums;

    scene->tracks[1].metric = 0;
    scene->tracks[1].rank = rank;
    scene->tracks[1].location = 1;
    look(scene, 0, 40);
    sums = scene->watermarks.sum_count;
    cr_assert(sums == 0 || scene->watermarks.sums[0].ranks == 2);
    end(scene);
    return sums;
}

Test(watermarks, are_added_up_over_ranks_and_not_over_what_threads_of_one_read)
{
    cr_assert_eq(sums_with(1), 1);
    cr_assert_eq(sums_with(0), 0);
}

Test(watermarks, of_a_level_are_exact_where_its_mark_rose)
{
    struct scene *scene = make_scene();

    look(scene, 0, 40);
    assert_between(&scene->watermarks.rows[0].high, 5, 5);
    cr_assert_float_eq(scene->watermarks.rows[0].high.value, 5, 0);
    cr_assert_eq(scene->watermarks.rows[0].high.time, 20);
    assert_between(&scene->watermarks.rows[1].high, 5, 5);
    end(scene);
}

Test(watermarks, of_a_level_lie_between_its_samples_and_a_mark_that_was_set_before)
{
    struct scene *scene = make_scene();

    look(scene, 25, 40);
    assert_between(&scene->watermarks.rows[0].high, 4, 5);
    assert_between(&scene->watermarks.rows[1].high, 4, 5);
    end(scene);
}

Test(watermarks, of_a_level_are_not_above_what_the_mark_is_next_after_the_window)
{
    struct scene *scene = make_scene();

    look(scene, 5, 15);
    assert_between(&scene->watermarks.rows[0].high, 3, 5);
    end(scene);
}

Test(watermarks, of_a_level_are_bounds_where_the_application_has_reset_the_mark)
{
    struct scene *scene = make_scene();

    scene->samples[1][2].flags = MW_SAMPLE_FOREIGN;
    look(scene, 0, 40);
    cr_assert_not(scene->watermarks.rows[0].high.has_upper);
    cr_assert_float_eq(scene->watermarks.rows[0].high.lower, 4, 0);
    end(scene);
}

Test(watermarks, do_not_trust_marks_of_open_mpi_which_it_looks_at_when_they_are_read)
{
    struct scene *scene = make_scene();

    scene->trace.mpi_library = "Open MPI v4.1.4";
    look(scene, 0, 40);
    cr_assert_not(scene->watermarks.rows[0].high.has_upper);
    cr_assert_not(scene->watermarks.rows[1].high.has_upper);
    end(scene);
}

Test(watermarks, are_of_a_mark_that_reading_sets_back_what_all_its_samples_say)
{
    struct scene *scene = make_scene();

    set_samples(scene, 1, (const double[5]){ 0, 3, 5, 4, 4 });
    scene->metrics[1].read_resets = true;
    look(scene, 0, 40);
    assert_between(&scene->watermarks.rows[0].high, 5, 5);
    cr_assert_eq(scene->watermarks.rows[0].high.time, 20);
    end(scene);
}

Test(watermarks, keep_apart_what_only_has_a_like_name)
{
    struct scene *scene = make_scene();

    set_samples(scene, 1, (const double[5]){ 0, 2, 2, 2, 2 }); /* the level was higher */
    look(scene, 0, 40);
    cr_assert_not(scene->watermarks.rows[0].high.has_upper);
    assert_between(&scene->watermarks.rows[1].high, 2, 2);
    end(scene);
}

Test(watermarks, take_a_low_mark_that_rises_for_a_level)
{
    struct scene *scene = make_scene();

    scene->metrics[1].declared = scene->metrics[1].effective = MW_CLASS_LOWWATERMARK;
    look(scene, 0, 40);
    cr_assert_eq(scene->counters.rows[1].effective, MW_CLASS_LEVEL);
    cr_assert(scene->counters.rows[1].reclassified);
    end(scene);
}

Test(mark_pairs, leave_out_of_names_what_tells_marks_from_levels)
{
    static const char *const alike[][2] = {
        { "queue_length", "queue_length_max" },
        { "spc_OMPI_SPC_UNEXPECTED_IN_QUEUE", "spc_OMPI_SPC_MAX_UNEXPECTED_IN_QUEUE" },
        { "buffer_level.sum", "BUFFER_HIGH_WATERMARK.sum" },
    };
    char one[64];
    char other[64];

    for (unsigned i = 0; i < sizeof alike / sizeof alike[0]; i++) {
        cr_assert_str_eq(mwa_mark_pairs_name(alike[i][0], one, sizeof one),
                         mwa_mark_pairs_name(alike[i][1], other, sizeof other));
    }
    cr_assert_str_neq(mwa_mark_pairs_name("queue.sum", one, sizeof one),
                      mwa_mark_pairs_name("queue.max", other, sizeof other));
}
