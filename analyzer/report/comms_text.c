#include "analyzer/report/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/analysis/comms/comm_label.h"
#include "analyzer/analysis/comms/comm_tree.h"
#include "analyzer/model/ranges.h"
#include "analyzer/table/clean.h"
#include "analyzer/table/layout.h"
#include "analyzer/table/units.h"

#define SIBLINGS_MAX    10u /* of one parent and call */
#define MEMBERS_COLUMNS 12
#define NOTE            "      " /* before what is said of the communicator above */
#define INDENT_MAX      20u
#define NAMES_MAX       8u /* registered ones */

static const char *life_text(bool known, int64_t ns, const char *otherwise, char *text)
{
    if (known) {
        return mwa_moment_text(ns, text);
    }
    snprintf(text, MWA_UNITS_BYTES, "%s", otherwise);
    return text;
}

static const char *lifetime_text(const struct mwa_comm_row *row, char *text)
{
    bool known = row->has_created && row->has_freed && row->freed_ns >= row->created_ns;

    return life_text(known, known ? row->freed_ns - row->created_ns : 0, "-", text);
}

static void put_name(const struct mwa_trace *trace, uint32_t index, uint32_t depth, FILE *out)
{
    const struct mwa_comm *comm = &trace->comms[index];
    const char *making = mwa_comm_making(trace, comm);
    bool has_name = !comm->default_name || strcmp(comm->name, comm->default_name) != 0;

    fprintf(out, "%*s", 2 * (int)(depth < INDENT_MAX ? depth : INDENT_MAX), "");
    if (has_name || !making) {
        mwa_put_clean(comm->name[0] ? comm->name : "(no name)", out);
    }
    if (making) {
        fputs(has_name ? " (" : "", out);
        mwa_put_clean(making, out);
        fputs(has_name ? ")" : "", out);
    } else if (comm->created_by && !comm->predefined) {
        fputs(" (", out);
        mwa_put_clean(comm->created_by, out);
        putc(')', out);
    }
    putc('\n', out);
}

/* Pads by characters: ranges may end with a sign of several bytes. */
static void put_members(const struct mwa_trace *trace, uint32_t comm, FILE *out)
{
    char *ranges = mwa_ranges_of_comm(trace, comm, MEMBERS_COLUMNS - 1);
    int columns = 0;

    for (const char *at = ranges ? ranges : ""; *at; at++) {
        columns += ((unsigned char)*at & 0xc0) != 0x80;
    }
    fprintf(out, "%s%*s", ranges ? ranges : "", MEMBERS_COLUMNS - columns, "");
    free(ranges);
}

static void put_row(const struct mwa_trace *trace, const struct mwa_comm_row *row,
                    uint32_t depth, uint64_t mpi_ns, FILE *out)
{
    bool predefined = !row->has_created && !row->has_freed;
    char text[8][MWA_UNITS_BYTES];

    fprintf(out, MWA_ROW_CELL "%6" PRIu64 " " MWA_ROW_CELL,
            mwa_trace_comm_total(trace, row->comm));
    put_members(trace, row->comm, out);
    fprintf(out,
            MWA_ROW_CELL " %7s" MWA_ROW_CELL " %7s" MWA_ROW_CELL " %8s" MWA_ROW_CELL " %8s"
            MWA_ROW_CELL " %8s" MWA_ROW_CELL " %6s" MWA_ROW_CELL " %8s" MWA_ROW_CELL " %6s"
            MWA_ROW_CELL "  ",
            life_text(row->has_created, row->created_ns, "-", text[0]),
            life_text(row->has_freed, row->freed_ns, predefined ? "-" : "never", text[1]),
            lifetime_text(row, text[2]), mwa_count_text(row->messages, text[3]),
            mwa_bytes_text(row->bytes, text[4]), mwa_count_text(row->collectives, text[5]),
            mwa_time_text(row->time_ns, text[6]), mwa_share_text(row->time_ns, mpi_ns, text[7]));
    put_name(trace, row->comm, depth, out);
}

/* Names that MPI_Comm_set_name gave, when there is more to say than the name itself. */
static void put_names(const struct mwa_trace *trace, uint32_t index, FILE *out)
{
    const struct mwa_comm *comm = &trace->comms[index];
    char text[MWA_UNITS_BYTES];
    uint64_t given = 0;

    for (uint64_t i = 0; i < comm->name_count; i++) {
        given += comm->names[i].source == MW_NAME_MPI;
    }
    for (uint64_t i = 0; i < comm->name_count; i++) {
        const struct mwa_comm_name *name = &comm->names[i];

        if (name->source != MW_NAME_MPI || (given == 1 && strcmp(name->text, comm->name) == 0)) {
            continue;
        }
        fprintf(out, NOTE "named \"");
        mwa_put_clean(name->text, out);
        fputs("\"", out);
        if (name->time != UINT64_MAX) {
            fprintf(out, " at %s", mwa_moment_text(mwa_trace_since_begin(trace, name->time), text));
        }
        if (name->rank != MWA_NONE) {
            fprintf(out, " by rank %" PRIu32, name->rank);
        }
        putc('\n', out);
    }
}

/* One name's intervals that have an end, or those that don't, and the ranks that had it. */
struct registered_group {
    uint32_t *ranks;
    uint64_t rank_count;
    int64_t from_ns;     /* of the first */
    int64_t first_to_ns; /* where the first ends, and the last */
    int64_t last_to_ns;
};

static void add_registration(struct registered_group *group, const struct mwa_registration *each)
{
    if (group->rank_count == 0 || each->from_ns < group->from_ns) {
        group->from_ns = each->from_ns;
    }
    if (group->rank_count == 0 || each->to_ns < group->first_to_ns) {
        group->first_to_ns = each->to_ns;
    }
    if (group->rank_count == 0 || each->to_ns > group->last_to_ns) {
        group->last_to_ns = each->to_ns;
    }
    if (group->rank_count == 0 || group->ranks[group->rank_count - 1] != each->rank) {
        group->ranks[group->rank_count++] = each->rank;
    }
}

static void put_group(const char *name, bool has_end, const struct registered_group *group,
                      FILE *out)
{
    char *ranges = mwa_ranges(group->ranks, group->rank_count, 40);
    char text[3][MWA_UNITS_BYTES];

    mwa_moment_text(group->first_to_ns, text[1]);
    mwa_moment_text(group->last_to_ns, text[2]);
    fprintf(out, NOTE "registered \"");
    mwa_put_clean(name, out);
    fprintf(out, "\" from %s to %s", mwa_moment_text(group->from_ns, text[0]),
            has_end ? text[2] : "the end");
    if (has_end && strcmp(text[1], text[2]) != 0) {
        fprintf(out, ", the first to %s,", text[1]);
    }
    fprintf(out, " on ranks %s\n", ranges ? ranges : "?");
    free(ranges);
}

/* The intervals of the name at first: those that end, then those that last to the end. */
static void put_registered_name(const struct mwa_registration *list, uint64_t count,
                                uint64_t first, FILE *out)
{
    uint32_t *ranks = calloc(count + 1, sizeof *ranks);

    for (unsigned without_end = 0; ranks && without_end < 2; without_end++) {
        struct registered_group group = { .ranks = ranks };

        for (uint64_t i = first; i < count; i++) {
            if (list[i].has_end != without_end && strcmp(list[i].name, list[first].name) == 0) {
                add_registration(&group, &list[i]);
            }
        }
        if (group.rank_count > 0) {
            put_group(list[first].name, !without_end, &group, out);
        }
    }
    free(ranks);
}

/* A predefined communicator by its own name, to the end: the recorder has it so of each run, and
 * nobody asked for that. */
static bool is_as_ever(const struct mwa_comm *comm, const struct mwa_registration *list,
                       uint64_t count)
{
    bool is = comm->predefined;

    for (uint64_t i = 0; i < count && is; i++) {
        is = !list[i].has_end && strcmp(list[i].name, comm->name) == 0;
    }
    return is;
}

static void put_registered(const struct mwa_results *results, const struct mwa_comm_row *row,
                           FILE *out)
{
    const struct mwa_registration *list = &results->comms.registrations[row->first_registration];
    uint64_t shown = 0;

    if (is_as_ever(&results->trace->comms[row->comm], list, row->registration_count)) {
        return;
    }
    for (uint64_t i = 0; i < row->registration_count && shown <= NAMES_MAX; i++) {
        bool is_first = true;

        for (uint64_t k = 0; k < i && is_first; k++) {
            is_first = strcmp(list[k].name, list[i].name) != 0;
        }
        if (is_first && shown++ < NAMES_MAX) {
            put_registered_name(list, row->registration_count, i, out);
        } else if (is_first) {
            fprintf(out, NOTE "and more names\n");
        }
    }
}

static void put_filtered(const struct mwa_comm_row *row, FILE *out)
{
    char text[2][MWA_UNITS_BYTES];

    if (row->filtered_calls > 0) {
        fprintf(out, NOTE "only counted: %s calls, %s sent\n",
                mwa_count_text(row->filtered_calls, text[0]),
                mwa_bytes_text(row->filtered_bytes, text[1]));
    }
}

/* What stands below a family of which not all are shown. */
static void put_rest(const struct mwa_trace *trace, const struct mwa_comm_node *node, FILE *out)
{
    const struct mwa_comm *comm = &trace->comms[node->row->comm];

    if (node->place == SIBLINGS_MAX && node->siblings > SIBLINGS_MAX) {
        fprintf(out, NOTE "%*sand %" PRIu64 " more by ",
                2 * (int)(node->depth < INDENT_MAX ? node->depth : INDENT_MAX),
                "", node->siblings - SIBLINGS_MAX);
        mwa_put_clean(comm->created_by ? comm->created_by : "no call that is known", out);
        putc('\n', out);
    }
}

static void put_node(const struct mwa_results *results, const struct mwa_comm_node *node,
                     FILE *out)
{
    uint32_t comm = node->row->comm;

    put_row(results->trace, node->row, results->selected_comms ? 0 : node->depth,
            results->comms.mpi_ns, out);
    put_names(results->trace, comm, out);
    put_registered(results, node->row, out);
    put_filtered(node->row, out);
}

/* Of large families only the first are shown, and what they are parents of. */
static void put_tree(const struct mwa_results *results, const struct mwa_comm_tree *tree,
                     FILE *out)
{
    uint32_t hidden = MWA_NONE; /* depth of what isn't shown, with all below it */

    for (uint64_t i = 0; i < tree->count; i++) {
        const struct mwa_comm_node *node = &tree->nodes[i];

        if (results->selected_comms) {
            if (results->selected_comms[node->row->comm]) {
                put_node(results, node, out);
            }
            continue;
        }
        if (hidden != MWA_NONE && node->depth > hidden) {
            continue;
        }
        hidden = node->place >= SIBLINGS_MAX ? node->depth : MWA_NONE;
        if (hidden == MWA_NONE) {
            put_node(results, node, out);
        } else {
            put_rest(results->trace, node, out);
        }
    }
}

static void put_findings(const struct mwa_results *results, FILE *out)
{
    const struct mwa_comm_findings *findings = &results->comm_findings;
    char text[MWA_COMM_FINDING_BYTES];

    for (uint32_t i = 0; i < findings->count; i++) {
        fputs("finding: ", out);
        mwa_put_clean(mwa_comm_finding_text(results->trace, &findings->list[i], text), out);
        putc('\n', out);
    }
}

void mwa_text_comms(const struct mwa_results *results, const struct mwa_screen *screen,
                    FILE *out)
{
    const struct mwa_comms *comms = &results->comms;
    struct mwa_comm_tree tree;
    char text[2][MWA_UNITS_BYTES];

    if (comms->count == 0) {
        fprintf(out, "no communicators are defined in this archive\n");
        return;
    }
    fprintf(out,
            MWA_CELL "0%6s " MWA_CELL "B%-*s" MWA_CELL "0 %7s" MWA_CELL "0 %7s" MWA_CELL "6 %8s"
            MWA_CELL "4 %8s" MWA_CELL "3 %8s" MWA_CELL "5 %6s" MWA_CELL "0 %8s" MWA_CELL "0 %6s"
            MWA_CELL "A  %s\n",
            "size", MEMBERS_COLUMNS,
            "members", "created", "freed", "lifetime", "messages", "bytes", "coll.", "mpi time",
            "share", "communicator");
    if (mwa_comm_tree_make(results->trace, comms, &tree) == MW_OK) {
        put_tree(results, &tree, out);
    }
    mwa_comm_tree_fini(&tree);
    if (!results->selected_comms && comms->none_ns > 0) {
        fprintf(out,
                MWA_ROW_CELL "%6s " MWA_ROW_CELL "%*s" MWA_ROW_CELL " %7s" MWA_ROW_CELL " %7s"
                MWA_ROW_CELL " %8s" MWA_ROW_CELL " %8s" MWA_ROW_CELL " %8s" MWA_ROW_CELL " %6s"
                MWA_ROW_CELL " %8s" MWA_ROW_CELL " %6s" MWA_ROW_CELL
                "  none\n",
                "", MEMBERS_COLUMNS, "", "", "", "", "", "", "",
                mwa_time_text(comms->none_ns, text[0]),
                mwa_share_text(comms->none_ns, comms->mpi_ns, text[1]));
    }
    fprintf(out, "%" PRIu64 " alive at once at the most, predefined ones not counted\n",
            comms->alive_max);
    if (comms->filtered_calls > 0) {
        fprintf(out, "%s calls with %s sent on communicators that were not selected (--comms) were "
                     "only counted\n",
                mwa_count_text(comms->filtered_calls, text[0]),
                mwa_bytes_text(comms->filtered_bytes, text[1]));
    }
    put_findings(results, out);
    fprintf(out, "created and freed are since the run's beginning; mpi time is of all members "
                 "together, share of all MPI calls'\n");
    if (!results->selected_comms && comms->none_ns > 0) {
        fprintf(out, "none: calls of which no communicator is told\n");
    }
}
