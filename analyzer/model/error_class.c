/* The standard leaves the numbers to the MPI, and the archive has them as they were returned. */
#include "analyzer/model/error_class.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const struct {
    const char *name;
    uint32_t openmpi;
    uint32_t mpich;
} classes[] = {
#define ERROR_CLASS(name, openmpi, mpich) { #name, openmpi, mpich },
#include "analyzer/model/error_classes.def"
};

const char *mwa_error_class_name(const struct mwa_trace *trace, uint32_t error_class)
{
    const char *library = trace->mpi_library ? trace->mpi_library : "";
    const bool is_openmpi = strstr(library, "Open MPI") != NULL;

    if (error_class == 0 || strstr(library, "MPI ABI") || /* which has numbers of its own */
        (!is_openmpi && !strstr(library, "MPICH"))) {
        return NULL;
    }
    for (size_t i = 0; i < sizeof classes / sizeof classes[0]; i++) {
        if (error_class == (is_openmpi ? classes[i].openmpi : classes[i].mpich)) {
            return classes[i].name;
        }
    }
    return NULL;
}

const char *mwa_error_class_text(const struct mwa_trace *trace, uint32_t error_class,
                                 char text[MWA_ERROR_CLASS_BYTES])
{
    const char *name = mwa_error_class_name(trace, error_class);

    if (name) {
        snprintf(text, MWA_ERROR_CLASS_BYTES, "%s", name);
    } else {
        snprintf(text, MWA_ERROR_CLASS_BYTES, "an error of class %" PRIu32, error_class);
    }
    return text;
}
