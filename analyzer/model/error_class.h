#ifndef MWA_MODEL_ERROR_CLASS_H
#define MWA_MODEL_ERROR_CLASS_H

#include "analyzer/model/trace.h"

/* The name of a class of errors ("MPI_ERR_RANK"), whose numbers are those of the MPI that the
 * archive was recorded with; null: they are not known, or it is a class that a program has added.
 * Static storage. Any thread. */
const char *mwa_error_class_name(const struct mwa_trace *trace, uint32_t error_class);

/* For sentences: its name, or "an error of class 17". Returns text. Any thread. */
#define MWA_ERROR_CLASS_BYTES 64
const char *mwa_error_class_text(const struct mwa_trace *trace, uint32_t error_class,
                                 char text[MWA_ERROR_CLASS_BYTES]);

#endif
