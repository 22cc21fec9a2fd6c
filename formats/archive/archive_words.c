/*
 * Writer and readers share these words, so that a name in an archive can't be
 * spelled in two ways. Ids of attributes differ between archives, names don't.
 */
#include "formats/archive/archive_words.h"

#include <string.h>

const char *const mw_attribute_names[MW_ATTRIBUTE_COUNT] = {
    [MW_ATTRIBUTE_REPEAT] = "mpiwatch.repeat",
    [MW_ATTRIBUTE_INSIDE] = "mpiwatch.inside",
    [MW_ATTRIBUTE_OPEN] = "mpiwatch.open",
    [MW_ATTRIBUTE_ERROR] = "mpiwatch.error",
    [MW_ATTRIBUTE_COMM] = "mpiwatch.comm",
    [MW_ATTRIBUTE_FLAGS] = "mpiwatch.flags",
    [MW_ATTRIBUTE_OFFSET] = "mpiwatch.offset",
    [MW_ATTRIBUTE_WINDOW] = "mpiwatch.window",
    [MW_ATTRIBUTE_FILE] = "mpiwatch.file",
    [MW_ATTRIBUTE_NEIGHBORS] = "mpiwatch.neighbors",
    [MW_ATTRIBUTE_SOURCES] = "mpiwatch.sources",
    [MW_ATTRIBUTE_WILDCARDS] = "mpiwatch.wildcards",
    [MW_ATTRIBUTE_METRIC] = "mpiwatch.metric",
    [MW_ATTRIBUTE_HELD] = "mpiwatch.held",
    [MW_ATTRIBUTE_MEAN_LOWER] = "mpiwatch.mean_lower",
    [MW_ATTRIBUTE_MEAN_UPPER] = "mpiwatch.mean_upper",
    [MW_ATTRIBUTE_LOW] = "mpiwatch.low",
    [MW_ATTRIBUTE_HIGH] = "mpiwatch.high",
    [MW_ATTRIBUTE_UNSEEN] = "mpiwatch.unseen",
    [MW_ATTRIBUTE_TERMS] = "mpiwatch.terms",
    [MW_ATTRIBUTE_PENDING] = "mpiwatch.pending",
    [MW_ATTRIBUTE_PEER] = "mpiwatch.peer",
    [MW_ATTRIBUTE_TAG] = "mpiwatch.tag",
    [MW_ATTRIBUTE_BYTES] = "mpiwatch.bytes",
    [MW_ATTRIBUTE_SOURCE] = "mpiwatch.source",
    [MW_ATTRIBUTE_SOURCE_TAG] = "mpiwatch.source_tag",
    [MW_ATTRIBUTE_REQUESTS] = "mpiwatch.requests",
    [MW_ATTRIBUTE_SITE] = "mpiwatch.site",
    [MW_ATTRIBUTE_FOUND_COMM] = "mpiwatch.found_comm",
    [MW_ATTRIBUTE_FOUND_SOURCE] = "mpiwatch.found_source",
    [MW_ATTRIBUTE_FOUND_TAG] = "mpiwatch.found_tag",
    [MW_ATTRIBUTE_LANE] = "mpiwatch.lane",
    [MW_ATTRIBUTE_UNREADY] = "mpiwatch.unready",
    [MW_ATTRIBUTE_UNREADY_WHICH] = "mpiwatch.unready_which",
};

const char *const mw_parameter_names[MW_PARAMETER_COUNT] = {
    [MW_PARAMETER_MARKER] = "mpiwatch.marker",
    [MW_PARAMETER_REGISTERED] = "mpiwatch.registered",
    [MW_PARAMETER_UNREGISTERED] = "mpiwatch.unregistered",
    [MW_PARAMETER_DISCONTINUITY] = "mpiwatch.discontinuity",
};

const char *const mw_running_names[MW_RUNNING_VALUES] = {
    [MW_RUNNING_STRETCH] = MW_RUNNING_METRIC ".stretch",
    [MW_RUNNING_OUTSIDE] = MW_RUNNING_METRIC ".outside",
    [MW_RUNNING_OUTSIDE_NO_CORE] = MW_RUNNING_METRIC ".outside_no_core",
    [MW_RUNNING_INSIDE] = MW_RUNNING_METRIC ".inside",
    [MW_RUNNING_INSIDE_NO_CORE] = MW_RUNNING_METRIC ".inside_no_core",
    [MW_RUNNING_VOLUNTARY] = MW_RUNNING_METRIC ".voluntary_switches",
    [MW_RUNNING_INVOLUNTARY] = MW_RUNNING_METRIC ".involuntary_switches",
    [MW_RUNNING_MINOR_FAULTS] = MW_RUNNING_METRIC ".minor_faults",
    [MW_RUNNING_MAJOR_FAULTS] = MW_RUNNING_METRIC ".major_faults",
    [MW_RUNNING_RESIDENT] = MW_RUNNING_METRIC ".resident",
    [MW_RUNNING_THREADS] = MW_RUNNING_METRIC ".other_threads",
    [MW_RUNNING_WRITTEN] = MW_RUNNING_METRIC ".written",
    [MW_RUNNING_WRITING] = MW_RUNNING_METRIC ".writing",
    [MW_RUNNING_CHARS] = MW_RUNNING_METRIC ".write_bytes",
    [MW_RUNNING_WRITES] = MW_RUNNING_METRIC ".write_calls",
    [MW_RUNNING_SYSTEM] = MW_RUNNING_METRIC ".system",
    [MW_RUNNING_READ] = MW_RUNNING_METRIC ".read",
    [MW_RUNNING_READING] = MW_RUNNING_METRIC ".reading",
};

const char *const mw_running_units[MW_RUNNING_VALUES] = {
    [MW_RUNNING_STRETCH] = "ns",         [MW_RUNNING_OUTSIDE] = "ns",
    [MW_RUNNING_OUTSIDE_NO_CORE] = "ns", [MW_RUNNING_INSIDE] = "ns",
    [MW_RUNNING_INSIDE_NO_CORE] = "ns",  [MW_RUNNING_VOLUNTARY] = "#",
    [MW_RUNNING_INVOLUNTARY] = "#",      [MW_RUNNING_MINOR_FAULTS] = "#",
    [MW_RUNNING_MAJOR_FAULTS] = "#",     [MW_RUNNING_RESIDENT] = "bytes",
    [MW_RUNNING_THREADS] = "ns",         [MW_RUNNING_WRITTEN] = "bytes",
    [MW_RUNNING_WRITING] = "ns",         [MW_RUNNING_CHARS] = "bytes",
    [MW_RUNNING_WRITES] = "#",           [MW_RUNNING_SYSTEM] = "ns",
    [MW_RUNNING_READ] = "bytes",         [MW_RUNNING_READING] = "ns",
};

static const char *const classes[MW_CLASS_COUNT] = {
    "STATE",        "LEVEL",   "SIZE",      "PERCENTAGE", "HIGHWATERMARK",
    "LOWWATERMARK", "COUNTER", "AGGREGATE", "TIMER",      "GENERIC",
    "EVENT"};

static const char *const sources[MW_NAME_SOURCES] = {"mpi", "registered", "unregistered"};

const char *mw_class_name(uint32_t class)
{
    return class < MW_CLASS_COUNT ? classes[class] : "?";
}

uint32_t mw_class_of(const char *word, size_t length)
{
    uint32_t class = 0;

    while (class < MW_CLASS_COUNT && (strlen(classes[class]) != length ||
                                      strncmp(classes[class], word, length) != 0)) {
        class++;
    }
    return class;
}

const char *mw_name_source_word(uint32_t source)
{
    return source < MW_NAME_SOURCES ? sources[source] : NULL;
}

enum mw_name_source mw_name_source_of(const char *word)
{
    for (unsigned i = 0; i < MW_NAME_SOURCES; i++) {
        if (strcmp(sources[i], word) == 0) {
            return (enum mw_name_source)i;
        }
    }
    return MW_NAME_MPI;
}

const char *mw_end_word(uint32_t how)
{
    static const char *const words[] = { [MW_ENDED_FINALIZE] = "MPI_Finalize",
                                         [MW_ENDED_ABORT] = "MPI_Abort",
                                         [MW_ENDED_EXIT] = "exit",
                                         [MW_ENDED_ERROR] = "MPI error" };

    return how < sizeof words / sizeof words[0] ? words[how] : NULL;
}
