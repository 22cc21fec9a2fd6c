#include "analyzer/export/export_selection.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A number at *text, which is moved behind it. */
static bool take_number(const char **text, uint64_t *number)
{
    char *end;

    if (**text < '0' || **text > '9') {
        return false;
    }
    errno = 0;
    *number = strtoull(*text, &end, 10);
    *text = end;
    return errno == 0;
}

/* "0-3,8" */
static bool take_ranks(struct mwa_selection *selection, const char *list)
{
    const char *at = list;
    uint64_t first, last;

    for (;;) {
        if (!take_number(&at, &first)) {
            return false;
        }
        last = first;
        if (*at == '-') {
            at++;
            if (!take_number(&at, &last)) {
                return false;
            }
        }
        if (first > last || last >= selection->rank_count) {
            return false;
        }
        memset(selection->ranks + first, 1, last - first + 1);
        if (*at == 0) {
            return true;
        }
        if (*at++ != ',') {
            return false;
        }
    }
}

enum mw_status mwa_selection_init(struct mwa_selection *selection, const struct mwa_trace *trace,
                                  int64_t from_ns, int64_t to_ns, const char *ranks,
                                  struct mw_diagnostic *diagnostic)
{
    *selection = (struct mwa_selection){
        .from = mwa_trace_first_at(trace, from_ns),
        .to = mwa_trace_last_at(trace, to_ns),
        .rank_count = trace->rank_count
    };
    if (selection->from > selection->to) {
        return mw_fail(diagnostic, MW_ERROR_USAGE, "", MW_DIAGNOSTIC_OFFSET_NONE,
                       "--from is not before --to");
    }
    if (!ranks) {
        return MW_OK;
    }
    selection->ranks = calloc(trace->rank_count + 1, 1);
    if (!selection->ranks) {
        return mw_no_memory(diagnostic, NULL, "for the list of ranks");
    }
    return take_ranks(selection, ranks)
               ? MW_OK
               : mw_fail(diagnostic, MW_ERROR_USAGE, "", MW_DIAGNOSTIC_OFFSET_NONE,
                         "--ranks is a list such as 0-3,8 of ranks below %llu, not \"%.80s\"",
                         (unsigned long long)trace->rank_count, ranks);
}

void mwa_selection_fini(struct mwa_selection *selection)
{
    free(selection->ranks);
    *selection = (struct mwa_selection){ 0 };
}

bool mwa_selection_is_all(const struct mwa_selection *selection)
{
    return selection->from == 0 && selection->to == UINT64_MAX && !selection->ranks;
}

bool mwa_selection_has_rank(const struct mwa_selection *selection, uint32_t rank)
{
    return !selection->ranks || (rank < selection->rank_count && selection->ranks[rank]);
}
