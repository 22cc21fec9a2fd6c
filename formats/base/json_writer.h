#ifndef MW_FORMATS_BASE_JSON_WRITER_H
#define MW_FORMATS_BASE_JSON_WRITER_H

#include <stdbool.h>
#include <stdint.h>

#include "formats/base/status.h"

/*
 * Writes JSON to a file as it comes, in constant memory. Commas are the writer's
 * concern; that objects and arrays are closed, and keys stand in objects only, is
 * the caller's. Errors are kept and reported by mw_json_close.
 */
struct mw_json {
    int descriptor;
    uint64_t file_bytes;
    char buffer[16384];
    uint32_t buffered;
    bool comma; /* before the next value or key */
    enum mw_status status;
    struct mw_diagnostic diagnostic;
    char path[4096];
};

/* Creates the file path. What fails is told by mw_json_close. */
void mw_json_open(struct mw_json *json, const char *path);

/* Writes out what is left and closes. \return MW_OK, MW_ERROR_SPACE, MW_ERROR_SYSTEM. */
enum mw_status mw_json_close(struct mw_json *json,
                             struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/* A null key: an element of an array, or the document itself. */
void mw_json_object(struct mw_json *json, const char *key);
void mw_json_object_end(struct mw_json *json);
void mw_json_array(struct mw_json *json, const char *key);
void mw_json_array_end(struct mw_json *json);

/* Bytes that are not UTF-8 become U+FFFD, one for each; a null text becomes null. */
void mw_json_text(struct mw_json *json, const char *key, const char *text);
void mw_json_unsigned(struct mw_json *json, const char *key, uint64_t value);
void mw_json_signed(struct mw_json *json, const char *key, int64_t value);
void mw_json_bool(struct mw_json *json, const char *key, bool value);
void mw_json_null(struct mw_json *json, const char *key);

#endif
