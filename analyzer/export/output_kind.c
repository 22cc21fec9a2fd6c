/* By contents: users give outputs any name, and files of theirs may have one of ours. */
#include "analyzer/export/output_kind.h"

#include <fcntl.h>
#include <fnmatch.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyzer/export/folded.h"
#include "analyzer/load/anchor.h"
#include "analyzer/load/files.h"
#include "analyzer/model/text_stream.h"
#include "analyzer/table/layout.h"
#include "analyzer/table/records.h"
#include "analyzer/table/tables.h"

#define HEAD_BYTES  4096u
#define WORDS_LEAST 4u /* of titles that tell a table */

/*
 * How the first two lines of outputs begin, as for fnmatch. A text has no mark of its own, since
 * people read it: it is known by its first sentence, or by the head of its table.
 */
static const struct sign {
    enum mwa_output_kind kind;
    const char *pattern;
} signs[] = {
    { MWA_OUTPUT_TEXT, "mpiwatch [0-9]*\nverdict   *" },
    { MWA_OUTPUT_TEXT, "archive              *\n[a-zM]*" },
    { MWA_OUTPUT_TEXT, "[0-9]* messages, *, median *" },
    { MWA_OUTPUT_TEXT, "no point-to-point messages in *" },
    { MWA_OUTPUT_TEXT, "*size *created *communicator\n*" },
    { MWA_OUTPUT_TEXT, "no communicators are defined in *" },
    { MWA_OUTPUT_TEXT, " *[0-9] *[0-9-] [a-z_]* location=[0-9]*" }, /* dump */
    { MWA_OUTPUT_TEXT, "[0-9]* rank*, run *, useful on average *" },
    { MWA_OUTPUT_TEXT, "nothing to judge: no rank *" },
    { MWA_OUTPUT_TEXT, "[0-9]* to the end of rank [0-9]*, [0-9]* hop*" },
    { MWA_OUTPUT_TEXT, "no critical path: no rank *" },
    { MWA_OUTPUT_TEXT, "from [-0-9]* to [-0-9]*, [0-9]* each\n*" },
    { MWA_OUTPUT_TEXT, "communicators from [-0-9]* to [-0-9]*, [0-9]* bins of *" },
    { MWA_OUTPUT_TEXT, "no rank has events\n*" },
    { MWA_OUTPUT_TEXT, "waiting takes *of the ranks' run*" },
    { MWA_OUTPUT_TEXT, "VARIABLE *RANK *TOTAL/LAST*" },
    { MWA_OUTPUT_TEXT, " *[0-9]  *[0-9]  *[0-9] [a-zA-Z]*" }, /* counters --series */
    { MWA_OUTPUT_TEXT, "* rank [0-9]*\n  high *" },            /* watermarks */
    { MWA_OUTPUT_TEXT, "verdict   *limit* kept*\n*" },
    { MWA_OUTPUT_TEXT, "verdict   B * A *\n*" },
    { MWA_OUTPUT_TEXT, "verdict   [AB] has no run to compare\n*" },
    { MWA_OUTPUT_TEXT, "*: * locations, [0-9]* events, [0-9]* messages matched\n*" },
    { MWA_OUTPUT_TEXT, "corrupt     *" },
    { MWA_OUTPUT_TEXT, "incomplete  *" },
    { MWA_OUTPUT_TEXT, "note        *" },

    { MWA_OUTPUT_JSON, "{\n \"schema\": \"mpiwatch-*" },
    { MWA_OUTPUT_JSON, "{\n \"$comment\": \"JSON of " MWA_OUTPUT_WRITER "\",*" },
    { MWA_OUTPUT_JSON, "{\"time_ns\":*,\"rank\":*,\"location\":*" },

    { MWA_OUTPUT_LIVE_PAGE, "<!DOCTYPE html>\n" MWA_OUTPUT_LIVE_MARK "\n*" },

    { MWA_OUTPUT_METRICS, "# TYPE mpiwatch_ranks gauge\n*" },

    { MWA_OUTPUT_JUNIT, "<?xml *\n<testsuites name=\"" MWA_OUTPUT_WRITER " check\"*" },

    { MWA_OUTPUT_SVG, "<?xml *\n" MWA_OUTPUT_SVG_MARK "\n" },

    { MWA_OUTPUT_TABLE, "archive,program,ranks,runtime_ns,*" },

    { MWA_OUTPUT_FOLDED, MWA_FOLDED_TIME ";*MPI*\n*" },
    { MWA_OUTPUT_FOLDED, MWA_FOLDED_WAITS ";*MPI*\n*" },

    { MWA_OUTPUT_PARAVER_ROWS, "LEVEL TASK SIZE [0-9]*\nrank 0 *" },

    { MWA_OUTPUT_CHROME, "{\"otherData\":{\"creator\":\"" MWA_OUTPUT_WRITER "\"},*" },
};

const char *mwa_output_kind_name(enum mwa_output_kind kind)
{
#define NAME(constant, name) name,
    static const char *const names[] = { MWA_OUTPUT_KINDS(NAME) };

    return names[kind];
}

/* Reads the beginning of the file, with a zero behind. */
static size_t read_head(const char *path, char *head)
{
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    ssize_t got = descriptor >= 0 ? read(descriptor, head, HEAD_BYTES) : -1;

    if (descriptor >= 0) {
        close(descriptor);
    }
    head[got > 0 ? got : 0] = 0;
    return got > 0 ? (size_t)got : 0;
}

/* Takes out of a text what --color and --comm put before it, and what follows its second line. */
static char *cut_lines(char *text)
{
    char *colour;
    char *end;

    while ((colour = strstr(text, "\033[")) && (end = strchr(colour, 'm'))) {
        memmove(colour, end + 1, strlen(end));
    }
    if (strncmp(text, "only on ", 8) == 0 && (end = strchr(text, '\n'))) {
        text = end + 1;
    }
    end = strchr(text, '\n');
    end = end ? strchr(end + 1, '\n') : NULL;
    if (end) {
        end[1] = 0;
    }
    return text;
}

/* Whether the first line of a file is the titles of a text: as many as the screen had room for, but
 * at least WORDS_LEAST words, in their order; they may be cut. */
static bool has_titles(const char *head, const char *titles)
{
    const char *at = titles;
    unsigned words = 0;

    for (head += strspn(head, " "); *head && *head != '\n'; head += strspn(head, " ")) {
        const size_t length = strcspn(head, " \n");
        const size_t whole = strcspn(head, " \n\xe2"); /* an ellipsis */

        do {
            at += strspn(at, " \n");
            if (!*at) {
                return false;
            }
            titles = at;
            at += strcspn(at, " \n");
        } while (strncmp(titles, head, whole) != 0 ||
                 (whole == length && (size_t)(at - titles) != length));
        head += length;
        words++;
    }
    return *head && words >= WORDS_LEAST;
}

/* The titles as a screen without an end shows them. */
static void put_titles(const struct mwa_table *table, FILE *out)
{
    char *marked = NULL;
    size_t size = 0;
    FILE *titles = mwa_open_text(&marked, &size);

    if (titles) {
        mwa_table_text_header(table, titles);
        if (fclose(titles) == 0) {
            mwa_lay_out(marked, size, UINT_MAX, out);
        }
    }
    free(marked);
}

/* Whether a file begins with the header of one of these tables, or says that it has no rows. */
static bool has_header(const char *head, enum mwa_output_kind kind,
                       const struct mwa_named_table *tables)
{
    bool has = false;

    for (size_t i = 0; tables[i].name && !has; i++) {
        const struct mwa_table *table = tables[i].rows;
        char *header = NULL;
        size_t size = 0;
        FILE *out = mwa_open_text(&header, &size);

        if (out && kind == MWA_OUTPUT_TABLE) {
            mwa_table_csv_header(table, out);
        } else if (out) {
            put_titles(table, out);
        }
        if (out) {
            fclose(out);
        }
        has = (kind == MWA_OUTPUT_TABLE && size > 1 && strncmp(head, header, size) == 0) ||
              (kind == MWA_OUTPUT_TEXT && size > 1 && has_titles(head, header)) ||
              (kind == MWA_OUTPUT_TEXT && table->none &&
               strncmp(head, table->none, strlen(table->none)) == 0);
        free(header);
    }
    return has;
}

/* Whether a file begins with one of the signs of its kind. */
static bool has_sign(char *head, enum mwa_output_kind kind)
{
    const char *lines = cut_lines(head);

    for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++) {
        if (signs[i].kind == kind && fnmatch(signs[i].pattern, lines, 0) == 0) {
            return true;
        }
    }
    return (kind == MWA_OUTPUT_TABLE &&
            (has_header(lines, kind, mwa_tables) || has_header(lines, kind, mwa_record_tables))) ||
           (kind == MWA_OUTPUT_TEXT && has_header(lines, kind, mwa_tables));
}

static bool has_bytes(const char *head, size_t size, const void *bytes, size_t count)
{
    return memmem(head, size, bytes, count) != NULL;
}

/* PNG's signature and, in a chunk of text, who made it. */
static bool is_picture(const char *head, size_t size)
{
    static const char text[] = "tEXtSoftware\0" MWA_OUTPUT_WRITER;

    return size > 8 && memcmp(head, "\x89PNG\r\n\x1a\n", 8) == 0 &&
           has_bytes(head, size, text, sizeof text - 1);
}

/* The first packet begins with names of our own. */
static bool is_perfetto(const char *head, size_t size)
{
    static const char names[] = "\x12\x10recording paused";

    return head[0] == '\n' && has_bytes(head, size < 128 ? size : 128, names, sizeof names - 1);
}

/* The type of events that only we have. */
static bool is_paraver_labels(const char *head, size_t size)
{
    static const char type[] = "\nEVENT_TYPE\n0    " MWA_PARAVER_TYPE "    MPI call\n";

    return has_bytes(head, size, type, sizeof type - 1);
}

/* A trace for Paraver is anybody's but for the labels beside it. */
static bool is_paraver(const char *path, const char *head)
{
    const size_t length = strlen(path);
    char labels[HEAD_BYTES], text[HEAD_BYTES + 1];

    if (strncmp(head, "#Paraver (", 10) != 0 || length < 4 || length >= sizeof labels) {
        return false;
    }
    snprintf(labels, sizeof labels, "%.*s.pcf", (int)(length - 4), path);
    return is_paraver_labels(text, read_head(labels, text));
}

static bool is_page(const char *head)
{
    return strncmp(head, "<!DOCTYPE html>\n", 16) == 0 &&
           strstr(head, "\n<meta name=\"generator\" content=\"" MWA_OUTPUT_WRITER "\">\n");
}

static bool is_exported(const char *path, bool in_zip)
{
    struct mwa_files *files;
    bool exported;

    if (mwa_files_open(path, &files, NULL) != MW_OK) {
        return false;
    }
    exported = in_zip == (mwa_files_zip(files) != NULL) &&
               mwa_anchor_has_property(files, MWA_EXPORT_PROPERTY);
    mwa_files_close(files);
    return exported;
}

bool mwa_output_is_ours(const char *path, enum mwa_output_kind kind)
{
    char head[HEAD_BYTES + 1];
    size_t size;

    if (kind == MWA_OUTPUT_ARCHIVE || kind == MWA_OUTPUT_DIRECTORY) {
        return is_exported(path, kind == MWA_OUTPUT_ARCHIVE);
    }
    size = read_head(path, head);
    return kind == MWA_OUTPUT_PICTURE    ? is_picture(head, size)
           : kind == MWA_OUTPUT_PERFETTO ? is_perfetto(head, size)
           : kind == MWA_OUTPUT_PARAVER  ? is_paraver(path, head)
           : kind == MWA_OUTPUT_PARAVER_LABELS ? is_paraver_labels(head, size)
           : kind == MWA_OUTPUT_PAGE     ? is_page(head)
                                         : has_sign(head, kind);
}
