#ifndef MW_FORMATS_BASE_STATUS_H
#define MW_FORMATS_BASE_STATUS_H

#include <stdint.h>

/*
 * The one error idiom of mpiwatch.
 *
 * A function that can fail returns enum mw_status and is marked MW_MUST_CHECK.
 * The lowest layer that knows what went wrong fills a struct mw_diagnostic; the
 * layers above hand both upwards unchanged; main (or the recorder's one line on
 * stderr) prints it once. A null diagnostic is allowed everywhere.
 */

enum mw_status {
    MW_OK = 0,
    MW_END,            /* not an error: nothing more to read */
    MW_ERROR_USAGE,    /* the caller's or the user's words are off */
    MW_ERROR_MEMORY,   /* an allocation failed or a memory limit was reached */
    MW_ERROR_SYSTEM,   /* a system call failed; error_number says how */
    MW_ERROR_SPACE,    /* no space left, or a file size limit was reached */
    MW_ERROR_FORMAT,   /* a file is not what it should be: corrupt or foreign */
    MW_ERROR_VERSION,  /* a file of another version or byte order */
    MW_ERROR_OTF2,     /* libotf2 refused */
    MW_ERROR_MPI,      /* an MPI call of the recorder failed */
    MW_ERROR_EXISTS,   /* the output is there already */
    MW_ERROR_PEER      /* another rank failed; its own diagnostic says how */
};

#define MW_MUST_CHECK __attribute__((warn_unused_result))
#define MW_PRINTF(template, first) __attribute__((format(printf, template, first)))
/* For what stands in the way of every call, in files too large for the compiler's own choice. */
#define MW_INLINE static inline __attribute__((always_inline))
/* For what is seldom called, where its part of the stack would stand in the way of every call. */
#define MW_APART static __attribute__((noinline))
#define MW_LIKELY(condition) __builtin_expect(!!(condition), 1)
#define MW_UNLIKELY(condition) __builtin_expect(!!(condition), 0)

#define MW_DIAGNOSTIC_OFFSET_NONE UINT64_MAX

/* What went wrong, where, and what to do. Plain data; no ownership. */
struct mw_diagnostic {
    enum mw_status status;
    int error_number;   /* errno of MW_ERROR_SYSTEM and MW_ERROR_SPACE, else 0 */
    int rank;           /* -1 when no rank is meant */
    uint64_t offset;    /* bytes from the start of where, or .._OFFSET_NONE */
    char where[1024];   /* a path, or path!/member; "" when no file is meant */
    char what[512];     /* a sentence without a full stop */
};

/*
 * Fills diagnostic (if not null) with status and a printf-formatted sentence and
 * sets error_number from errno when status is MW_ERROR_SYSTEM or MW_ERROR_SPACE.
 * where and offset may be null / MW_DIAGNOSTIC_OFFSET_NONE. Texts are cut, never
 * overflowed. Thread-safe on distinct diagnostics.
 *
 * \return status, so that `return mw_fail(...)` reads well.
 */
enum mw_status mw_fail(struct mw_diagnostic *diagnostic, enum mw_status status, const char *where,
                       uint64_t offset, const char *format, ...) MW_PRINTF(5, 6);

/* The same for MW_ERROR_MEMORY without an offset: "no memory " and what for, as "to read it". */
enum mw_status mw_no_memory(struct mw_diagnostic *diagnostic, const char *where,
                            const char *format, ...) MW_PRINTF(3, 4);

/*
 * Writes "where: offset N: what: strerror" (the parts that are there) to text.
 *
 * \return text.
 */
const char *mw_diagnostic_text(const struct mw_diagnostic *diagnostic, char *text, uint64_t size);

/* A short English name of status, static storage; never null. */
const char *mw_status_name(enum mw_status status);

#endif
