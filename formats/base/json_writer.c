/*
 * Written by hand, since the recorder brings no JSON library into the programs
 * that it records. Texts come from these programs and from the MPI: not even UTF-8
 * is taken for granted.
 */
#include "formats/base/json_writer.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "formats/base/file.h"
#include "formats/base/utf8.h"

void mw_json_open(struct mw_json *json, const char *path)
{
    memset(json, 0, sizeof *json);
    snprintf(json->path, sizeof json->path, "%s", path);
    json->descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (json->descriptor < 0) {
        json->status = mw_fail(&json->diagnostic, mw_file_write_error(), path,
                               MW_DIAGNOSTIC_OFFSET_NONE, "can't create a scratch file");
    }
}

static void flush(struct mw_json *json)
{
    if (json->status == MW_OK) {
        json->status = mw_file_write(json->descriptor, json->buffer, json->buffered,
                                     json->file_bytes, json->path, &json->diagnostic);
    }
    json->file_bytes += json->buffered;
    json->buffered = 0;
}

enum mw_status mw_json_close(struct mw_json *json, struct mw_diagnostic *diagnostic)
{
    flush(json);
    if (json->descriptor >= 0 && close(json->descriptor) != 0 && json->status == MW_OK) {
        json->status = mw_fail(&json->diagnostic, mw_file_write_error(), json->path,
                               MW_DIAGNOSTIC_OFFSET_NONE, "can't close a scratch file");
    }
    if (json->status != MW_OK && diagnostic) {
        *diagnostic = json->diagnostic;
    }
    return json->status;
}

static void put(struct mw_json *json, const char *bytes, size_t count)
{
    while (count > 0) {
        size_t room = sizeof json->buffer - json->buffered;
        size_t part = count < room ? count : room;

        memcpy(json->buffer + json->buffered, bytes, part);
        json->buffered += (uint32_t)part;
        bytes += part;
        count -= part;
        if (json->buffered == sizeof json->buffer) {
            flush(json);
        }
    }
}

static void put_character(struct mw_json *json, const char *text, size_t length)
{
    unsigned char first = (unsigned char)text[0];
    char escaped[8];

    if (length == 0) {
        put(json, MW_UTF8_REPLACEMENT, 3);
    } else if (first == '"' || first == '\\') {
        put(json, (char[]){'\\', text[0]}, 2);
    } else if (first < 0x20 || first == 0x7f) {
        snprintf(escaped, sizeof escaped, "\\u%04x", first);
        put(json, escaped, 6);
    } else {
        put(json, text, length);
    }
}

static void put_text(struct mw_json *json, const char *text)
{
    put(json, "\"", 1);
    while (*text) {
        size_t length = mw_utf8_sequence(text);

        put_character(json, text, length);
        text += length > 0 ? length : 1;
    }
    put(json, "\"", 1);
}

/* Comma and key, as far as they are due before a value. */
static void begin_value(struct mw_json *json, const char *key)
{
    if (json->comma) {
        put(json, ",\n", 2);
    }
    if (key) {
        put_text(json, key);
        put(json, ":", 1);
    }
    json->comma = true;
}

static void put_value(struct mw_json *json, const char *key, const char *value)
{
    begin_value(json, key);
    put(json, value, strlen(value));
}

void mw_json_object(struct mw_json *json, const char *key)
{
    put_value(json, key, "{");
    json->comma = false;
}

void mw_json_object_end(struct mw_json *json)
{
    put(json, "}", 1);
    json->comma = true;
}

void mw_json_array(struct mw_json *json, const char *key)
{
    put_value(json, key, "[");
    json->comma = false;
}

void mw_json_array_end(struct mw_json *json)
{
    put(json, "]", 1);
    json->comma = true;
}

void mw_json_text(struct mw_json *json, const char *key, const char *text)
{
    if (!text) {
        mw_json_null(json, key);
        return;
    }
    begin_value(json, key);
    put_text(json, text);
}

void mw_json_unsigned(struct mw_json *json, const char *key, uint64_t value)
{
    char text[24];

    /* Readers have signed numbers; what is beyond them was not counted, but damaged. */
    snprintf(text, sizeof text, "%" PRIu64, value < INT64_MAX ? value : (uint64_t)INT64_MAX);
    put_value(json, key, text);
}

void mw_json_signed(struct mw_json *json, const char *key, int64_t value)
{
    char text[24];

    snprintf(text, sizeof text, "%" PRId64, value);
    put_value(json, key, text);
}

void mw_json_bool(struct mw_json *json, const char *key, bool value)
{
    put_value(json, key, value ? "true" : "false");
}

void mw_json_null(struct mw_json *json, const char *key)
{
    put_value(json, key, "null");
}
