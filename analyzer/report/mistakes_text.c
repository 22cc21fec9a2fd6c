/* What is never received or complete, collectives that ranks do not agree on, sends that need each
 * other, and errors that calls returned or that ended the program: a line each. */
#include <inttypes.h>
#include <string.h>

#include "analyzer/analysis/summary.h"
#include "analyzer/model/error_class.h"
#include "analyzer/report/text.h"
#include "analyzer/table/clean.h"
#include "analyzer/table/units.h"

#define SHOWN 20u

/* "MPI_Send at a.c:31" */
static void put_call(const struct mwa_trace *trace, uint32_t index, FILE *out)
{
    char place[MWA_AT_PLACE_BYTES];

    if (index == MWA_NONE) {
        fputs("a call", out);
        return;
    }
    mwa_put_clean(trace->regions[trace->sites[index].region].name, out);
    mwa_put_clean(mwa_at_place(trace, index, place), out);
}

static void put_comm(const struct mwa_trace *trace, uint32_t comm, FILE *out)
{
    mwa_put_clean(comm == MWA_NONE ? "a communicator" : trace->comms[comm].name, out);
}

/* "rank 0 in MPI_Bcast at a.c:31, rank 1 in MPI_Barrier at a.c:33" */
static void put_sides(const struct mwa_trace *trace, const struct mwa_mistake *mistake, FILE *out)
{
    fprintf(out, "rank %" PRIu32 " in ", mistake->rank);
    put_call(trace, mistake->site, out);
    if (mistake->other != MWA_NONE) {
        fprintf(out, ", rank %" PRIu32 " in ", mistake->other);
        put_call(trace, mistake->other_site, out);
    }
}

static void put_types(const struct mwa_mistake *mistake, FILE *out)
{
    if (mistake->other == MWA_NONE) {
        fputs(": the types of what it sends and receives differ", out);
    } else {
        fprintf(out, ": the types differ (%s, %s)", mwa_mistake_term(mistake, false),
                mwa_mistake_term(mistake, true));
    }
}

/* " (97 times, of up to 4 B)": how often, and how large what the MPI has to keep was. */
static void put_extent(const struct mwa_mistake *mistake, FILE *out)
{
    const bool has_size = mistake->kind == MWA_MISTAKE_CIRCLE && mistake->bytes != UINT64_MAX;
    char text[MWA_UNITS_BYTES];

    if (mistake->count <= 1 && !has_size) {
        return;
    }
    fputs(" (", out);
    if (mistake->count > 1) {
        fputs(mwa_times_text(mistake->count, text), out);
    }
    if (has_size) {
        fprintf(out, "%sof up to %s", mistake->count > 1 ? ", " : "",
                mwa_bytes_text(mistake->bytes, text));
    }
    putc(')', out);
}

void mwa_text_mistake(const struct mwa_trace *trace, const struct mwa_mistake *mistake, FILE *out)
{
    fputs(mistake->is_sure ? "" : "possible: ", out);
    switch (mistake->kind) {
    case MWA_MISTAKE_ORDER:
    case MWA_MISTAKE_ROOT:
        put_sides(trace, mistake, out);
        fputs(" on ", out);
        put_comm(trace, mistake->comm, out);
        fputs(mistake->kind == MWA_MISTAKE_ORDER ? ": the order of collectives differs"
                                                 : ": the roots differ",
              out);
        break;
    case MWA_MISTAKE_REDUCTION:
        put_sides(trace, mistake, out);
        fputs(" on ", out);
        put_comm(trace, mistake->comm, out);
        fprintf(out, ": the operations differ (%s, %s)", mwa_mistake_term(mistake, false),
                mwa_mistake_term(mistake, true));
        break;
    case MWA_MISTAKE_TYPE:
        put_sides(trace, mistake, out);
        fputs(" on ", out);
        put_comm(trace, mistake->comm, out);
        put_types(mistake, out);
        break;
    case MWA_MISTAKE_COUNT:
        put_sides(trace, mistake, out);
        fputs(" on ", out);
        put_comm(trace, mistake->comm, out);
        fprintf(out, ": the counts differ (%" PRIu64 " bytes sent, %" PRIu64 " received in all)",
                mistake->bytes, mistake->other_bytes);
        break;
    case MWA_MISTAKE_CIRCLE:
        put_sides(trace, mistake, out);
        fputs(" on ", out);
        put_comm(trace, mistake->comm, out);
        fputs(": each sends before it receives, which hangs where the MPI does not keep messages",
              out);
        break;
    case MWA_MISTAKE_UNRECEIVED:
        fprintf(out, "sent by rank %" PRIu32 " to rank %" PRIu32 " (tag %" PRIu32 ", ",
                mistake->rank, mistake->other, mistake->tag);
        put_comm(trace, mistake->comm, out);
        fputs(") in ", out);
        put_call(trace, mistake->site, out);
        fputs(", and never received", out);
        break;
    default:
        fprintf(out, "begun by rank %" PRIu32 " in ", mistake->rank);
        put_call(trace, mistake->site, out);
        fputs(mistake->kind == MWA_MISTAKE_UNMATCHED
                  ? ": a receive that never was complete (MPI_Cancel alone completes none), or "
                    "was freed before"
                  : ": never complete, or freed before it was",
              out);
        break;
    }
    put_extent(mistake, out);
    putc('\n', out);
}

void mwa_text_call_error(const struct mwa_trace *trace, const struct mwa_call_error *error,
                         FILE *out)
{
    char place[MWA_AT_PLACE_BYTES];
    char class[MWA_ERROR_CLASS_BYTES];
    char text[MWA_UNITS_BYTES];

    mwa_put_clean(trace->regions[trace->sites[error->place].region].name, out);
    mwa_put_clean(mwa_at_place_of_all(trace, error->place, place), out);
    fprintf(out, error->is_fatal ? " ended the program by %s %s" : " returned %s %s",
            mwa_error_class_text(trace, error->error_class, class),
            mwa_times_text(error->count, text));
    if (error->ranks > 1) {
        fprintf(out, " on %" PRIu32 " ranks", error->ranks);
    }
    fputs(error->count > 1 ? ", first" : ",", out);
    if (error->rank != MWA_NONE) {
        fprintf(out, " on rank %" PRIu32, error->rank);
    }
    fprintf(out, " at %s\n", mwa_moment_text(mwa_trace_since_begin(trace, error->first), text));
}

/* Whether all was recorded that a mistake can be in. */
static bool is_whole(const struct mwa_trace *trace)
{
    const uint32_t groups = 1u << MW_GROUP_P2P | 1u << MW_GROUP_COLL;

    return !mwa_trace_has_gaps(trace) && trace->filtered_count == 0 &&
           (mwa_trace_left_out(trace) & groups) == 0;
}

void mwa_text_mistakes(const struct mwa_results *results, const struct mwa_screen *screen,
                       FILE *out)
{
    const struct mwa_mistakes *mistakes = &results->mistakes;
    const struct mwa_call_errors *errors = &results->call_errors;
    const uint64_t shown = screen->top > 0 ? screen->top : SHOWN;

    if (mistakes->count == 0 && !is_whole(results->trace)) {
        fputs("none in what was recorded, which is not all that the program did\n", out);
    } else if (mistakes->count == 0) {
        fputs("none: all that was sent was received, requests are complete, and ranks agree on "
              "their collectives\n",
              out);
    }
    for (uint64_t i = 0; i < mistakes->count && i < shown; i++) {
        mwa_text_mistake(results->trace, &mistakes->list[i], out);
    }
    if (mistakes->count > shown) {
        fprintf(out, "and %" PRIu64 " more: --top=N, --json\n", mistakes->count - shown);
    }
    for (uint64_t i = 0; i < errors->count && i < shown; i++) {
        mwa_text_call_error(results->trace, &errors->list[i], out);
    }
    if (errors->count > shown) {
        fprintf(out, "and %" PRIu64 " more errors: --top=N, --json\n", errors->count - shown);
    }
}
