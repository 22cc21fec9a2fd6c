#ifndef MWA_PAGE_SECTIONS_H
#define MWA_PAGE_SECTIONS_H

#include <stdint.h>
#include <stdio.h>

#include "analyzer/analysis/results.h"
#include "analyzer/analysis/summary.h"
#include "analyzer/table/axis.h"
#include "analyzer/table/table.h"
#include "formats/base/status.h"

/* What goes into the page's placeholders, a function each. For analyzer/page only. */

struct mwa_comparison;

struct mwa_page {
    const struct mwa_results *results;       /* of a report; of a comparison all zero */
    const struct mwa_comparison *comparison; /* else null */
    FILE *out;
    int64_t from_ns; /* the run of all ranks together */
    int64_t to_ns;
    struct mwa_run_summary run;
    enum mw_status status; /* MW_ERROR_MEMORY once there was none */
};

/* What stands for {{name}} in the template. */
struct mwa_placeholder {
    const char *name;
    void (*put)(struct mwa_page *page);
};

/* Prints the template with what count of placeholders stand for, besides style and script. */
void mwa_page_expand(struct mwa_page *page, const struct mwa_placeholder *placeholders,
                     size_t count);

/* Prints object, which is freed, as the data of the page; null: there is no memory. */
struct json_t;
void mwa_page_put_json(struct mwa_page *page, struct json_t *object);

/* A section: a row of analyzer/analysis/analyses.def. */
struct mwa_section {
    const char *name; /* by which it is linked to */
    const char *menu;
    const char *heading;
    void (*put)(struct mwa_page *page); /* what it shows; null: a table, */
    const struct mwa_table *table;
    const char *of; /* where its list is in the JSON report; null: not there */
    bool (*is_there)(const struct mwa_results *results); /* null: always */
};

/* The links to sections of a page, and these. */
void mwa_page_put_menu(struct mwa_page *page, const struct mwa_section *list, size_t count);
void mwa_page_put_sections(struct mwa_page *page, const struct mwa_section *list, size_t count);

/* Charts over time are so wide, in units of their own, whatever the time. */
#define MWA_PLOT_WIDTH 10000.0

/* Where a time lies in a chart over time: 0 to MWA_PLOT_WIDTH, or also before it and behind. */
double mwa_plot_x(const struct mwa_page *page, int64_t ns);
double mwa_plot_x_of_ticks(const struct mwa_page *page, uint64_t ticks);
double mwa_plot_x_anywhere(const struct mwa_page *page, int64_t ns);

/*
 * The opening tag of a chart's graphics, height units high, which the script can zoom;
 * label says in words what it shows. More attributes may be given, or "".
 */
void mwa_plot_open(const struct mwa_page *page, double height, const char *label,
                   const char *attributes);

/* The labels below a chart over time; fixed: below one that the script doesn't zoom. */
void mwa_plot_time_axis(const struct mwa_page *page);
void mwa_plot_fixed_time_axis(const struct mwa_page *page);

void mwa_section_header(struct mwa_page *page);
void mwa_section_title(struct mwa_page *page);
void mwa_section_footer(struct mwa_page *page);
void mwa_section_verdict(struct mwa_page *page);
void mwa_section_pop(struct mwa_page *page);
void mwa_section_timeline(struct mwa_page *page);
void mwa_section_ranks(struct mwa_page *page);
void mwa_section_waits(struct mwa_page *page);
void mwa_section_flame(struct mwa_page *page);
void mwa_section_mistakes(struct mwa_page *page);
bool mwa_section_has_mistakes(const struct mwa_results *results);
bool mwa_section_has_functions(const struct mwa_results *results);
bool mwa_section_has_other_threads(const struct mwa_results *results);
void mwa_section_messages(struct mwa_page *page);
void mwa_section_comms(struct mwa_page *page);
void mwa_section_counters(struct mwa_page *page);
void mwa_section_settings(struct mwa_page *page);
void mwa_section_formulas(struct mwa_page *page);
void mwa_section_data(struct mwa_page *page);

/*
 * Markers as labels above the heat map, as lines over its rows, each so high, and as a table below
 * it.
 */
void mwa_markers_label(const struct mwa_page *page);
void mwa_markers_draw(const struct mwa_page *page, uint32_t ranks_per_row, uint32_t row_height);
void mwa_markers_list(struct mwa_page *page);

/* A row for each region of the program below the heat map of ranks: when ranks are in it. */
void mwa_regions_draw(struct mwa_page *page);

/* What was around the longest waits, call by call. */
void mwa_closeups_draw(struct mwa_page *page);

/* The rows of threads and streams, and how long these are idle, where there are some. */
void mwa_locations_draw(struct mwa_page *page);

#endif
