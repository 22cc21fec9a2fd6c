/*
 * What helps against the time in MPI-IO depends on the call. Larger pieces are for those that
 * write or read; the others manage the file, and take as long as the file system does for what is
 * on the disk or in memory already.
 */
#include "analyzer/report/cause_files.h"

#include <stdio.h>

#include "analyzer/analysis/causes/causes.h"
#include "analyzer/analysis/time/tally.h"

#define FEWER_FILES "fewer files, and each by those ranks alone that use it"

static const struct {
    unsigned call;
    const char *advice;
} managing[] = {
    { MW_CALL_MPI_File_open,
      "open a file once, and not in each step; " FEWER_FILES },
    { MW_CALL_MPI_File_close,
      "write less, or less often: what is not on the disk yet may be written there by then; of an "
      "old file that was cut to nothing before, write over it, or into a new one" },
    { MW_CALL_MPI_File_set_size,
      "cut no old file to nothing, which frees all that it has: write over it, and set its size "
      "at the end, or write into a new one" },
    { MW_CALL_MPI_File_preallocate,
      "MPIs preallocate by writing to the whole file: MPI_File_set_size does not, and a file "
      "grows by itself as it is written" },
    { MW_CALL_MPI_File_delete,
      "delete no old file, which frees all that it has: write over it, and set its size at "
      "the end" },
    { MW_CALL_MPI_File_set_view,
      "set each view once, and not in each step, by a type of fewer and larger blocks" },
};

/* Which function the cause names; MW_CALL_COUNT: none. */
static unsigned call_of(const struct mwa_trace *trace, const struct mwa_cause *cause)
{
    return cause->site == MWA_NONE ? MW_CALL_COUNT
                                   : trace->regions[trace->sites[cause->site].region].call;
}

/* Whether data moves in calls of a function; of one that is not known it is taken to. */
static bool does_move(unsigned call)
{
    const enum mw_call_kind kind = mw_call_kind(call);

    return call >= MW_CALL_COUNT || kind == MW_KIND_FILE_TRANSFER ||
           kind == MW_KIND_FILE_ITRANSFER || kind == MW_KIND_FILE_SPLIT ||
           kind == MW_KIND_FILE_SPLIT_END;
}

/* Putting ranks' pieces together is copying, which within a host may take as long as it saves. */
static const char *of_pieces(const struct mwa_results *results, const struct mwa_cause *cause)
{
    if (cause->rule == MWA_RULE_FILE_COLLECTIVE) {
        return "less often, in larger pieces, and with hints that fit the file system (cb_nodes, "
               "striping_factor)";
    }
    return results->trace->host_count == 1
               ? "write and read in larger pieces; on several hosts also together (the _all forms)"
               : "write and read in larger pieces, and together (the _all forms)";
}

/* Whether each rank calls there once at most: who does so in no loop is not told to leave one. */
static bool is_called_once(const struct mwa_results *results, uint32_t site)
{
    const struct mwa_file_times *times = &results->file_times;
    struct mwa_tally calls = { 0 };
    bool is_once = times->count > 0;

    for (uint64_t i = 0; i < times->count && is_once; i++) {
        const struct mwa_file_time *row = &times->rows[i];

        if (row->site == site) {
            is_once = row->rank != MWA_NONE && mwa_tally_add(&calls, row->rank, row->count) &&
                      mwa_tally_get(&calls, row->rank) <= 1;
        }
    }
    mwa_tally_fini(&calls);
    return is_once;
}

static const char *advice_of(const struct mwa_results *results, const struct mwa_cause *cause)
{
    const unsigned call = call_of(results->trace, cause);

    if (does_move(call)) {
        return of_pieces(results, cause);
    }
    if (call == MW_CALL_MPI_File_open && is_called_once(results, cause->site)) {
        return FEWER_FILES;
    }
    for (size_t i = 0; i < sizeof managing / sizeof managing[0]; i++) {
        if (managing[i].call == call) {
            return managing[i].advice;
        }
    }
    return "call it less often: it moves nothing";
}

void mwa_cause_file_advice(const struct mwa_results *results, const struct mwa_cause *cause,
                           char *text, size_t room)
{
    snprintf(text, room, "%s", advice_of(results, cause));
}
