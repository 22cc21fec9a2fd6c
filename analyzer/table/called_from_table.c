/* Whoever reads JSON is told the program's line apart from the library's or the wrapper's place,
 * which stands in the keys that it always had. */
#include "analyzer/analysis/results.h"
#include "analyzer/model/places.h"
#include "analyzer/table/tables.h"

static const struct mwa_site *site_of(const struct mwa_cell *cell)
{
    return &cell->results->trace->sites[*(const uint32_t *)cell->row];
}

static struct mwa_led_by main_one(const struct mwa_cell *cell, uint32_t site)
{
    const struct mwa_trace *trace = cell->results->trace;

    return mwa_led_by(trace, &cell->results->sites, trace->sites[site].place);
}

bool mwa_is_called_from(const struct mwa_cell *cell, uint32_t site)
{
    return site != MWA_NONE && cell->results->trace->sites[site].led_by != NULL;
}

bool mwa_is_mostly_called_from(const struct mwa_cell *cell, uint32_t site)
{
    return site != MWA_NONE && main_one(cell, site).frame != NULL;
}

bool mwa_is_all_called_from(const struct mwa_cell *cell, uint32_t site)
{
    const struct mwa_trace *trace = cell->results->trace;

    return site != MWA_NONE && trace->sites[trace->sites[site].place].all_led_by != NULL;
}

static struct mwa_value file_of(const struct mwa_stack_frame *frame)
{
    return mwa_text(*frame->file ? frame->file : NULL);
}

static struct mwa_value line_of(const struct mwa_stack_frame *frame)
{
    return mwa_number_if(frame->line > 0, frame->line);
}

static struct mwa_led_by main_of(const struct mwa_cell *cell)
{
    return main_one(cell, *(const uint32_t *)cell->row);
}

MWA_VALUE(function, mwa_text(site_of(cell)->led_by->function))
MWA_VALUE(file, file_of(site_of(cell)->led_by))
MWA_VALUE(line, line_of(site_of(cell)->led_by))
MWA_VALUE(library, mwa_text(mwa_site_is_by_library(site_of(cell)) ? site_of(cell)->library : NULL))
MWA_VALUE(main_function, mwa_text(main_of(cell).frame->function))
MWA_VALUE(main_file, file_of(main_of(cell).frame))
MWA_VALUE(main_line, line_of(main_of(cell).frame))
MWA_VALUE(others, mwa_number(main_of(cell).others))

const struct mwa_column mwa_called_from[4] = {
    { "function", MWA_BY(MWA_TEXT, function) },
    { "file", MWA_BY(MWA_TEXT, file), .unknown = MWA_NOT_SAID },
    { "line", MWA_BY(MWA_NUMBER, line), .unknown = MWA_NOT_SAID },
    { "library", MWA_BY(MWA_TEXT, library), .unknown = "a wrapper makes the call" },
};

const struct mwa_column mwa_mostly_called_from[5] = {
    { "function", MWA_BY(MWA_TEXT, main_function) },
    { "file", MWA_BY(MWA_TEXT, main_file), .unknown = MWA_NOT_SAID },
    { "line", MWA_BY(MWA_NUMBER, main_line), .unknown = MWA_NOT_SAID },
    { "library", MWA_BY(MWA_TEXT, library), .unknown = "a wrapper makes the call" },
    { "others", .unit = MWA_COUNT, MWA_BY(MWA_NUMBER, others) },
};
