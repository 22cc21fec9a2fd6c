#include "analyzer/load/metadata_json.h"

#include <string.h>
#include <sys/resource.h>

#include "analyzer/model/shortage.h"

#define FILE_NAME   "mpiwatch.json"
#define TEXT_MAX    (UINT64_C(1) << 30)
#define PIECE_BYTES 16384u

/*
 * What jansson 2.14 takes of glibc's malloc on a machine of 64 bits, all of it rounded up. An
 * array doubles its room, with the old one beside; so do an object's buckets. Depth needs no limit
 * of ours: jansson has one, of 2048.
 */
enum {
    ARRAY_BYTES = 48 + 80,
    OBJECT_BYTES = 80 + 144,
    ELEMENT_BYTES = 8 + 16, /* of an array, or more of an object: */
    PAIR_BYTES = 32 + 24,   /* with what its key has as a string */
    STRING_BYTES = 48 + 24,
    NUMBER_BYTES = 32,
    CHARACTER_BYTES = 3, /* of a string, with the buffer that it is read to */
    BUFFER_BYTES = 16    /* of that buffer, whatever is read */
};

/*
 * A number, or a name such as true. jansson reads either to its end before it looks at it, and
 * what has no end fills the buffer, which is the same for all of them.
 */
static unsigned cost_of_word(struct mwa_json_cost *cost, char character, uint64_t before)
{
    bool starts_number = (character >= '0' && character <= '9') || character == '-';
    unsigned bytes = before == 0 && starts_number ? NUMBER_BYTES : 0;

    cost->word = before + 1;
    if (cost->word > cost->longest_word) {
        cost->longest_word = cost->word;
        bytes += cost->word > BUFFER_BYTES ? CHARACTER_BYTES : 0;
    }
    return bytes;
}

/* How many bytes a character adds. */
static unsigned cost_of(struct mwa_json_cost *cost, char character)
{
    uint64_t word = cost->word;

    if (cost->in_string) {
        cost->in_string = cost->escaped || character != '"';
        cost->escaped = !cost->escaped && character == '\\';
        return CHARACTER_BYTES;
    }
    cost->word = 0;
    switch (character) {
    case '"':
        cost->in_string = true;
        return STRING_BYTES;
    case '[':
        return ARRAY_BYTES + ELEMENT_BYTES;
    case '{':
        return OBJECT_BYTES;
    case ',':
        return ELEMENT_BYTES;
    case ':':
        return PAIR_BYTES;
    case ' ':
    case '\t':
    case '\n':
    case '\r':
    case ']':
    case '}':
        return 0;
    default:
        return cost_of_word(cost, character, word);
    }
}

uint64_t mwa_json_cost_add(struct mwa_json_cost *cost, const char *text, uint64_t size,
                           uint64_t limit)
{
    for (uint64_t i = 0; i < size; i++) {
        cost->bytes += cost_of(cost, text[i]);
        if (cost->bytes > limit) {
            return i;
        }
    }
    return size;
}

static uint64_t memory_for_tree(void)
{
    struct rlimit limit;

    return getrlimit(RLIMIT_DATA, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY
               ? (uint64_t)limit.rlim_cur / MWA_JSON_MEMORY_SHARE
               : UINT64_MAX;
}

/* Reads all of it once, and goes back to its beginning. */
static enum mw_status check_cost(FILE *stream, const struct mwa_stream_log *log,
                                 struct mw_diagnostic *diagnostic)
{
    const uint64_t limit = memory_for_tree();
    struct mwa_json_cost cost = { 0 };
    char piece[PIECE_BYTES];
    uint64_t offset = 0, fits;
    size_t got;

    while ((got = fread(piece, 1, sizeof piece, stream)) > 0) {
        fits = mwa_json_cost_add(&cost, piece, got, limit);
        offset += fits;
        if (fits < got) {
            return mw_fail(diagnostic, MW_ERROR_MEMORY, log->last, offset,
                           "its contents need more than %llu MiB, 1/%u of the memory there is",
                           (unsigned long long)(limit >> 20), MWA_JSON_MEMORY_SHARE);
        }
    }
    if (log->fault.status == MW_OK && fseek(stream, 0, SEEK_SET) != 0) {
        return mw_fail(diagnostic, MW_ERROR_SYSTEM, log->last, 0, "cannot read it again");
    }
    return MW_OK;
}

static size_t read_stream(void *buffer, size_t size, void *stream)
{
    return fread(buffer, 1, size, stream);
}

static enum mw_status parse(FILE *stream, const struct mwa_stream_log *log, json_t **root,
                            struct mw_diagnostic *diagnostic)
{
    const uint64_t before = mwa_shortage_count();
    json_error_t error;
    enum mw_status status = check_cost(stream, log, diagnostic);

    if (status == MW_OK && log->fault.status == MW_OK) {
        *root = json_load_callback(read_stream, stream, 0, &error);
    }
    if (status != MW_OK || log->fault.status != MW_OK) {
        json_decref(*root);
        *root = NULL;
        if (status == MW_OK) {
            *diagnostic = log->fault;
        }
        return diagnostic->status;
    }
    if (*root && mwa_shortage_count() == before) {
        return MW_OK;
    }
    /* When it has no memory, jansson has none for a text either; or it has lost a byte. */
    json_decref(*root);
    *root = NULL;
    return mwa_shortage_count() > before || error.text[0] == 0 ||
                   json_error_code(&error) == json_error_out_of_memory
               ? mw_fail(diagnostic, MW_ERROR_MEMORY, log->last, log->last_offset,
                         "no memory for its contents")
               : mw_fail(diagnostic, MW_ERROR_FORMAT, log->last,
                         error.position < 0 ? 0 : (uint64_t)error.position, "%s", error.text);
}

enum mw_status mwa_metadata_json(struct mwa_files *files, json_t **root,
                                 struct mw_diagnostic *diagnostic)
{
    struct mwa_stream_log *log = mwa_files_log(files);
    struct mw_diagnostic local;
    enum mw_status status;
    uint64_t size = 0;
    FILE *stream;

    *root = NULL;
    diagnostic = diagnostic ? diagnostic : &local;
    if (!mwa_files_size(files, FILE_NAME, &size)) {
        return MW_OK;
    }
    if (size > TEXT_MAX) {
        return mw_fail(diagnostic, MW_ERROR_FORMAT, mwa_files_path(files),
                       MW_DIAGNOSTIC_OFFSET_NONE, FILE_NAME " has more than 1 GiB");
    }
    stream = mwa_files_stream(files, FILE_NAME);
    if (!stream) {
        *diagnostic = log->fault;
        return log->fault.status;
    }
    status = parse(stream, log, root, diagnostic);
    fclose(stream);
    return status;
}
