#ifndef MWR_VARIABLES_HANDLES_H
#define MWR_VARIABLES_HANDLES_H

#include <stdbool.h>
#include <stdint.h>

#include "formats/spool/record.h"
#include "recorder/dispatch/mpi_header.h"
#include "recorder/state/thread.h"
#include "recorder/variables/bound.h"
#include "recorder/variables/followed.h"
#include "recorder/variables/pvars.h"
#include "recorder/variables/schedule.h"

/* Since when what is read at now can have changed, in ticks. */
struct mwr_since {
    uint64_t changed;
    uint64_t lost;  /* or, if this is before found, from when … */
    uint64_t found; /* … to when it can have been anything: nobody read after the calls made then */
};

/* When a variable is read, in ticks. */
struct mwr_reading {
    uint64_t now;
    struct mwr_since look;  /* of those that are read after each call … */
    struct mwr_since round; /* … and of those that are read in rounds */
};

/*
 * A performance variable bound to be read, on an object or on none, with what was read
 * last and what was written last. Not thread-safe.
 */
struct mwr_handle {
    MPI_T_pvar_handle handle;
    struct mwr_bound object; /* the address of its handle was given to MPI, which may keep it */
    int index;            /* of the variable */
    uint32_t elements;
    uint32_t element_bytes;
    uint32_t type;   /* enum mw_metric_type */
    uint32_t form;   /* enum mw_metric_form */
    uint32_t metric; /* of the first values; a long list's following ones are the next numbers */
    uint32_t values; /* of a sample, in all its metrics */
    bool is_sum;
    bool is_level;    /* extremes are worth a sample of their own */
    bool is_state;    /* every change is */
    bool is_drained;  /* reading sets it back: the greatest since it was written counts */
    bool is_unwritten; /* current was read and not written yet */
    bool is_written;  /* there is a sample of it */
    bool is_still;    /* nobody has started it, and there is nothing to read */
    bool counts_own_calls; /* what others send does not change it */
    bool stops_for_all; /* once it is stopped in one session, it stands still in all */
    bool has_failed;  /* it can't be read any more */
    bool is_pending;  /* read last was something that is not written */
    bool is_changed;  /* current is not written */
    bool is_followed; /* it is read after each call */
    struct mwr_followed followed;
    char *place; /* of its members that are found after a kill, or null */
    uint8_t flags;    /* enum mw_metric_flags of the next sample */
    double low;       /* of the sum over elements, as far as written */
    double high;
    double greatest;  /* of one element */
    size_t bytes;     /* of all elements */
    char *memory;     /* of these three: */
    char *current;    /* as MPI gave them last */
    char *written;
    char *fresh;      /* room to read into */
    uint64_t *baseline; /* of sums, each element's bits; else null: what is written is that much
                           less than what was read. Changes where a sum goes on over a reset or
                           a wrap of the variable */
    uint64_t *rebased;  /* the baseline of current, which becomes that when current is written */
    uint32_t steps;     /* enum mw_metric_steps of current */
};

/*
 * Binds pvar to object in session, and defines its metrics; form says what is written of several
 * elements. If it stands still until it is started, that is done if starts says so; then it is
 * read once. One that stands still is not read: it has a first sample without
 * values, which says that it is stopped, and a last one.
 *
 * \return a handle to be freed with mwr_handle_destroy; null when MPI refuses, when the
 * first read fails, or without memory.
 */
struct mwr_handle *mwr_handle_create(MPI_T_pvar_session session, const struct mwr_pvar *pvar,
                                     const struct mwr_bound *object, struct mwr_array form,
                                     bool starts);

/*
 * Its sums begin with what was read; or, if is_anew, with what is read now, and what came meanwhile
 * is in doubt: it may be the recorder's or the program's, unless only the process's own calls
 * change it. Before anything of it is written.
 */
void mwr_handle_begin(MPI_T_pvar_session session, struct mwr_handle *handle, bool is_anew);
void mwr_handle_destroy(MPI_T_pvar_session session, struct mwr_handle *handle);

/* What the application did to the variable in a session of its own: a flag of samples. */
void mwr_handle_note_foreign(struct mwr_handle *handle, uint8_t flag);

/*
 * The application has read these values of the variable: where reading sets it back, that counts as
 * a reading of the recorder's, who would never see them. (Bound to nothing: else nobody knows to
 * what the application's handle was.)
 */
void mwr_handle_was_drained(struct mwr_handle *handle, const void *values,
                            const struct mwr_reading *reading);

/* Reads it into current, unless it stands still. \return whether there is something to write. */
bool mwr_handle_read(MPI_T_pvar_session session, struct mwr_handle *handle,
                     const struct mwr_reading *reading);

/* How many values a sample of it has. */
static inline uint32_t mwr_handle_values(const struct mwr_handle *handle)
{
    return handle->values;
}

/* Whether current goes beyond all that is written. */
bool mwr_handle_is_extreme(const struct mwr_handle *handle);

/*
 * Adds current to the open call of stream, as members of type MW_MEMBER_METRIC or
 * MW_MEMBER_METRIC_ENTER, with flags besides its own, as a sample of now.
 */
void mwr_handle_write(struct mwr_handle *handle, struct mwr_stream *stream,
                      enum mw_record_type type, uint8_t flags, uint64_t now);

/*
 * Makes members of it from to on, at most until end, that are written over with
 * mwr_handle_store: values of current that are found after a kill. \return where they end; null:
 * there is no room for them.
 */
char *mwr_handle_place(struct mwr_handle *handle, char *to, const char *end);
void mwr_handle_store(struct mwr_handle *handle);

/* It is read after each call from now on, or no longer. */
void mwr_handle_follow(struct mwr_handle *handle, bool is_followed);

#endif
