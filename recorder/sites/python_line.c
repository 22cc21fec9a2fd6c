/*
 * Where things lie in CPython's memory is not promised: a table says it for the versions that are
 * known, and nothing is believed before it was seen that there are objects of the types that should
 * be there. Up to then, and for all that is read once for each line, the kernel reads, which does
 * not fault; afterwards the same few loads are done at each call.
 */
#include "recorder/sites/python_line.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "formats/base/status.h"

#define LINE_TABLE_BYTES_MAX (16u << 20)
#define TEXT_TABLE_BYTES 65536u /* of it, looked at to know a place again, of "<string>" … */
#define FILE_TABLE_BYTES 64u    /* … and of files */
#define SHIMS_MAX 4u /* frames in a row that are not of Python code */
#define IMPORTING_MAX 64u /* frames of an import */
#define IMPORTING "<frozen importlib." /* how their files begin */
#define TYPE_OFFSET 8u /* of PyObject */
#define SIZE_OFFSET 16u /* of PyVarObject, and of a text its length */
#define STATE_OFFSET 32u /* of a text */
#define CONTENT_OFFSET 32u /* of PyBytesObject */

/* Offsets (Include/cpython/pystate.h, code.h, unicodeobject.h, Include/internal/pycore_frame.h). */
struct layout {
    char version[6]; /* of Py_GetVersion(), its beginning */
    uint16_t context;     /* thread state: its _PyCFrame; 0: it has the frame itself … */
    uint16_t frame;       /* … where in that the innermost frame is */
    uint16_t code;        /* frame: the code object */
    uint16_t instruction; /* frame: the instruction */
    uint16_t previous;    /* frame: the frame around it */
    uint16_t first_line;  /* code object … */
    uint16_t filename;
    uint16_t name;
    uint16_t line_table;
    uint16_t instructions;
    uint16_t ascii; /* text: its characters, where all are ASCII … */
    uint16_t other; /* … and otherwise */
};

static const struct layout layouts[] = {
    {"3.11.", 56, 8, 32, 56, 48, 72, 112, 128, 136, 184, 48, 72},
    {"3.12.", 56, 0, 0, 56, 8, 68, 112, 128, 136, 192, 40, 56},
    {"3.13.", 0, 72, 0, 56, 8, 68, 112, 128, 136, 200, 40, 56},
};

enum state { UNKNOWN, BELIEVED, SEEN, REFUSED };

/* Written by any thread, all alike, before state says so, which is atomic. */
static struct {
    const struct layout *layout;
    void *(*own_state)(void);
    uintptr_t code_type;
    uintptr_t text_type;
    uintptr_t bytes_type;
} python;

/* enum state; atomic. */
static int state;

/* --- reading ------------------------------------------------------------------------------ */

static bool read_safely(uintptr_t from, void *to, size_t bytes)
{
    struct iovec ours = {to, bytes};
    struct iovec theirs = {(void *)from, bytes};

    return process_vm_readv(getpid(), &ours, 1, &theirs, 1, 0) == (ssize_t)bytes;
}

static bool read_word(bool is_seen, uintptr_t from, uintptr_t *to)
{
    if (is_seen) {
        memcpy(to, (const void *)from, sizeof *to);
        return true;
    }
    return read_safely(from, to, sizeof *to);
}

static bool has_type(uintptr_t object, uintptr_t type)
{
    uintptr_t found;

    return read_safely(object + TYPE_OFFSET, &found, sizeof found) && found == type;
}

/* --- what Python this is --------------------------------------------------------------------- */

static void *find_symbol(const char *name)
{
    void *address = dlsym(RTLD_DEFAULT, name);

    if (!address) {
        (void)dlerror(); /* it is no message to the program */
    }
    return address;
}

/* Finds the layout. Several threads may do so at once: they find the same. */
static int begin(void)
{
    const char *(*tell_version)(void) = (const char *(*)(void))find_symbol("Py_GetVersion");
    const char *version = tell_version ? tell_version() : "";

    if (!tell_version) {
        return UNKNOWN;
    }
    python.own_state = (void *(*)(void))find_symbol("PyGILState_GetThisThreadState");
    python.code_type = (uintptr_t)find_symbol("PyCode_Type");
    python.text_type = (uintptr_t)find_symbol("PyUnicode_Type");
    python.bytes_type = (uintptr_t)find_symbol("PyBytes_Type");
    for (size_t i = 0; i < sizeof layouts / sizeof layouts[0]; i++) {
        if (strncmp(version, layouts[i].version, strlen(layouts[i].version)) == 0 &&
            !strstr(version, "free-threading")) {
            python.layout = &layouts[i];
        }
    }
    return sizeof(void *) == 8 && python.layout && python.own_state && python.code_type &&
                   python.text_type && python.bytes_type
               ? BELIEVED
               : REFUSED;
}

bool mwr_loaded_is_mpi4py(const struct mwr_loaded *loaded)
{
    const char *slash = strrchr(loaded->path, '/');

    return slash && slash - loaded->path >= 7 && strncmp(slash - 7, "/mpi4py", 7) == 0 &&
           strncmp(slash, "/MPI.", 5) == 0;
}

/* --- where the thread is ---------------------------------------------------------------------- */

MW_INLINE uint64_t mix(uint64_t mixed, uint64_t word)
{
    mixed = (mixed ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    return mixed ^ mixed >> 29;
}

/*
 * Mixes in the table of lines: that of a text which is compiled has come to the place of another
 * one's, with equal names. Of a file its beginning and its end will do.
 */
static bool mix_table(bool is_seen, const struct mwr_python_spot *spot, uint64_t *mixed)
{
    uintptr_t content = spot->line_table + CONTENT_OFFSET;
    uintptr_t word = 0;
    uintptr_t bytes;
    uintptr_t mixed_bytes;

    if (!read_word(is_seen, spot->filename + python.layout->ascii, &word) ||
        !read_word(is_seen, spot->line_table + SIZE_OFFSET, &bytes)) {
        return false;
    }
    mixed_bytes = (word & 0xff) == '<' ? TEXT_TABLE_BYTES : FILE_TABLE_BYTES;
    mixed_bytes = bytes < mixed_bytes ? bytes : mixed_bytes;
    *mixed = mix(*mixed, bytes);
    for (uintptr_t at = 0; at + sizeof word <= mixed_bytes; at += sizeof word) {
        if (!read_word(is_seen, content + at, &word)) {
            return false;
        }
        *mixed = mix(*mixed, word);
    }
    /* What is behind a short one is not its own. */
    if (!read_word(is_seen, content + (bytes < sizeof word ? 0 : bytes - sizeof word), &word)) {
        return false;
    }
    *mixed = mix(*mixed, bytes < sizeof word ? word & ((UINT64_C(1) << 8 * bytes) - 1) : word);
    return true;
}

/* Mixes all that there is; 47 bits of it, behind the one that addresses do not have. */
static bool identify(bool is_seen, struct mwr_python_spot *spot)
{
    uint64_t mixed = mix(0, spot->code);

    mixed = mix(mixed, spot->instruction);
    mixed = mix(mixed, spot->filename);
    mixed = mix(mixed, spot->name);
    mixed = mix(mixed, spot->line_table);
    mixed = mix(mixed, (uint64_t)spot->first_line);
    if (!mix_table(is_seen, spot, &mixed)) {
        return false;
    }
    spot->identity = mixed >> 17 | MWR_PYTHON_IDENTITY;
    return true;
}

static bool find_innermost(bool is_seen, uintptr_t *frame)
{
    const struct layout *layout = python.layout;
    uintptr_t at = (uintptr_t)python.own_state();

    return at &&
           (!layout->context || (read_word(is_seen, at + layout->context, &at) && at)) &&
           read_word(is_seen, at + layout->frame, frame);
}

/* From a frame outwards to one of Python code, and its code. */
static bool find_python(bool is_seen, uintptr_t *frame, uintptr_t *code)
{
    uintptr_t type;

    for (unsigned i = 0; i < SHIMS_MAX && *frame; i++) {
        if (!read_word(is_seen, *frame + python.layout->code, code) || *code == 0 ||
            !read_word(is_seen, *code + TYPE_OFFSET, &type)) {
            return false;
        }
        if (type == python.code_type) {
            return true;
        }
        if (!read_word(is_seen, *frame + python.layout->previous, frame)) {
            return false;
        }
    }
    return false;
}

/* Fills in what is of the frame, or of the one of Python code around it. */
static bool describe(bool is_seen, struct mwr_python_spot *spot)
{
    uintptr_t first_line;

    if (!find_python(is_seen, &spot->frame, &spot->code) ||
        !read_word(is_seen, spot->frame + python.layout->instruction, &spot->instruction) ||
        !read_word(is_seen, spot->code + python.layout->filename, &spot->filename) ||
        !read_word(is_seen, spot->code + python.layout->name, &spot->name) ||
        !read_word(is_seen, spot->code + python.layout->line_table, &spot->line_table) ||
        !read_word(is_seen, spot->code + python.layout->first_line, &first_line)) {
        return false;
    }
    memcpy(&spot->first_line, &first_line, sizeof spot->first_line);
    return identify(is_seen, spot);
}

static int state_by_now(void)
{
    int now = __atomic_load_n(&state, __ATOMIC_ACQUIRE);

    if (now == UNKNOWN) {
        now = begin();
        if (now != UNKNOWN) {
            __atomic_store_n(&state, now, __ATOMIC_RELEASE);
        }
    }
    return now;
}

bool mwr_python_is_there(void)
{
    int now = __atomic_load_n(&state, __ATOMIC_ACQUIRE);

    now = now == UNKNOWN && mwr_loaded_has_python() ? state_by_now() : now;
    return now == BELIEVED || now == SEEN;
}

bool mwr_python_look(struct mwr_python_spot *spot)
{
    const int now = state_by_now();

    return (now == BELIEVED || now == SEEN) && find_innermost(now == SEEN, &spot->frame) &&
           describe(now == SEEN, spot);
}

bool mwr_python_look_around(struct mwr_python_spot *spot)
{
    const bool is_seen = __atomic_load_n(&state, __ATOMIC_ACQUIRE) == SEEN;

    return read_word(is_seen, spot->frame + python.layout->previous, &spot->frame) &&
           spot->frame && describe(is_seen, spot);
}

uint64_t mwr_python_join(uint64_t identity, uint64_t caller)
{
    return mix(identity, caller) >> 17 | MWR_PYTHON_IDENTITY;
}

/* --- what is there -------------------------------------------------------------------------- */

/* Puts a character behind the so many bytes, as UTF-8; false: there is no room. */
static bool put_character(char *text, size_t room, size_t *used, uint32_t character)
{
    static const unsigned char leads[] = {0, 0, 0xc0, 0xe0, 0xf0};
    size_t bytes = character < 0x80 ? 1 : character < 0x800 ? 2 : character < 0x10000 ? 3 : 4;

    if (*used + bytes >= room) {
        return false;
    }
    if (character < 0x20 || character == 0x7f || character > 0x10ffff ||
        (character >= 0xd800 && character < 0xe000)) {
        text[(*used)++] = '?';
        return true;
    }
    for (size_t i = bytes; i-- > 1; character >>= 6) {
        text[*used + i] = (char)(0x80 | (character & 0x3f));
    }
    text[*used] = (char)(leads[bytes == 1 ? 0 : bytes] | character);
    *used += bytes;
    return true;
}

/* Reads a str, as much of it as there is room for; false: it is none. */
static bool read_text(uintptr_t object, char *text, size_t room)
{
    unsigned char characters[4096];
    uint32_t bits;
    uint64_t length;
    uint32_t kind;
    size_t used = 0;

    if (!has_type(object, python.text_type) ||
        !read_safely(object + SIZE_OFFSET, &length, sizeof length) ||
        !read_safely(object + STATE_OFFSET, &bits, sizeof bits)) {
        return false;
    }
    kind = bits >> 2 & 7;
    if (!(bits & 0x20) || (kind != 1 && kind != 2 && kind != 4)) {
        return false; /* not in one piece */
    }
    length = length < sizeof characters / kind ? length : sizeof characters / kind;
    object += bits & 0x40 ? python.layout->ascii : python.layout->other;
    if (!read_safely(object, characters, length * kind)) {
        return false;
    }
    for (size_t i = 0; i < length; i++) {
        uint32_t character = 0;

        memcpy(&character, characters + i * kind, kind);
        if (!put_character(text, room, &used, character)) {
            break;
        }
    }
    text[used] = '\0';
    return used > 0;
}

/* A number of six bits a byte, least first (Objects/locations.md). */
static uint32_t take_number(const unsigned char **next, const unsigned char *end)
{
    uint32_t value = 0;
    unsigned shift = 0;
    unsigned char byte = 0x40;

    while (*next < end && (byte & 0x40)) {
        byte = *(*next)++;
        value |= shift < 32 ? (uint32_t)(byte & 0x3f) << shift : 0;
        shift += 6;
    }
    return value;
}

/* The line of the instruction of this number; 0: it has none. */
static uint32_t find_line(const unsigned char *table, size_t bytes, int64_t line, uint64_t number)
{
    const unsigned char *end = table + bytes;
    uint64_t begin = 0;

    while (table < end) {
        unsigned code = *table >> 3 & 0xf;
        unsigned length = (*table & 7u) + 1;
        uint32_t moved;

        table++;
        if (code == 13 || code == 14) {
            moved = take_number(&table, end);
            line += moved & 1 ? -(int64_t)(moved >> 1) : (int64_t)(moved >> 1);
        } else if (code >= 10 && code <= 12) {
            line += code - 10;
        }
        begin += length;
        if (number < begin) {
            return code != 15 && line > 0 && line <= INT32_MAX ? (uint32_t)line : 0;
        }
        while (table < end && !(*table & 0x80)) {
            table++; /* columns; each entry begins with this bit */
        }
    }
    return 0;
}

static uint32_t read_line(const struct mwr_python_spot *spot)
{
    uintptr_t first = spot->code + python.layout->instructions;
    unsigned char *table;
    uint32_t line = 0;
    uint64_t bytes;

    if (spot->instruction < first || !has_type(spot->line_table, python.bytes_type) ||
        !read_safely(spot->line_table + SIZE_OFFSET, &bytes, sizeof bytes) || bytes == 0 ||
        bytes > LINE_TABLE_BYTES_MAX) {
        return 0;
    }
    table = malloc(bytes);
    if (table && read_safely(spot->line_table + CONTENT_OFFSET, table, bytes)) {
        line = find_line(table, bytes, spot->first_line, (spot->instruction - first) / 2);
    }
    free(table);
    return line;
}

static bool is_importing(const struct mwr_python_place *place)
{
    return strncmp(place->file, IMPORTING, strlen(IMPORTING)) == 0;
}

static bool read_file(const struct mwr_python_spot *spot, struct mwr_python_place *place)
{
    return has_type(spot->code, python.code_type) &&
           read_text(spot->filename, place->file, sizeof place->file);
}

static bool read_function(const struct mwr_python_spot *spot, struct mwr_python_place *place)
{
    return read_text(spot->name, place->function, sizeof place->function);
}

bool mwr_python_read_names(const struct mwr_python_spot *spot, struct mwr_python_place *place)
{
    return read_file(spot, place) && read_function(spot, place);
}

/* Reads the file; while that is one by which Python imports, of the frame around it. */
static bool read_importer(struct mwr_python_spot *spot, struct mwr_python_place *place)
{
    for (unsigned i = 0; i < IMPORTING_MAX; i++) {
        if (!read_file(spot, place)) {
            return false;
        }
        if (!is_importing(place)) {
            return true;
        }
        if (!read_word(false, spot->frame + python.layout->previous, &spot->frame) ||
            !spot->frame || !describe(false, spot)) {
            return false;
        }
    }
    return false;
}

bool mwr_python_read_frame(const struct mwr_python_spot *spot, struct mwr_python_place *place)
{
    bool is_read = read_file(spot, place) && !is_importing(place) && read_function(spot, place);

    place->line = is_read ? read_line(spot) : 0;
    return place->line > 0;
}

bool mwr_python_read(const struct mwr_python_spot *spot, struct mwr_python_place *place)
{
    struct mwr_python_spot outer = *spot;

    place->line = 0;
    (void)(read_importer(&outer, place) && mwr_python_read_frame(&outer, place));
    if (place->line > 0) {
        __atomic_store_n(&state, SEEN, __ATOMIC_RELEASE);
    } else if (__atomic_load_n(&state, __ATOMIC_ACQUIRE) != SEEN) {
        __atomic_store_n(&state, REFUSED, __ATOMIC_RELEASE);
    }
    return place->line > 0;
}
