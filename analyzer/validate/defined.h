#ifndef MWA_VALIDATE_DEFINED_H
#define MWA_VALIDATE_DEFINED_H

#include "analyzer/load/input.h"
#include "analyzer/model/map.h"
#include "analyzer/validate/findings.h"

/* Which ids the global definitions of an archive define, by kind. */

enum mwa_definition {
    MWA_DEFINED_STRING,
    MWA_DEFINED_ATTRIBUTE,
    MWA_DEFINED_NODE,           /* of the system tree */
    MWA_DEFINED_LOCATION_GROUP,
    MWA_DEFINED_LOCATION,
    MWA_DEFINED_REGION,
    MWA_DEFINED_GROUP,
    MWA_DEFINED_COMM,           /* and InterComm */
    MWA_DEFINED_METRIC_MEMBER,
    MWA_DEFINED_METRIC,         /* class and instance; its value: how many members */
    MWA_DEFINED_PARAMETER,
    MWA_DEFINED_WINDOW,
    MWA_DEFINED_IO_FILE,
    MWA_DEFINED_IO_HANDLE,
    MWA_DEFINITIONS
};

struct mwa_defined {
    struct mwa_map ids[MWA_DEFINITIONS];
};

bool mwa_is_defined(const struct mwa_defined *defined, enum mwa_definition kind, uint64_t id);

/* "Region" and so on; static storage. */
const char *mwa_definition_name(enum mwa_definition kind);

/*
 * Reads the global definitions of input once more: every id once, every reference to
 * something that is defined, members of communicators among the ranks, and as
 * many definitions and locations as the anchor file says.
 *
 * defined is to be freed with mwa_defined_fini in any case.
 *
 * \return MW_OK, whatever was found. MW_ERROR_MEMORY, MW_ERROR_FORMAT.
 */
enum mw_status mwa_check_definitions(struct mwa_input *input, struct mwa_defined *defined,
                                     struct mwa_findings *findings,
                                     struct mw_diagnostic *diagnostic) MW_MUST_CHECK;
void mwa_defined_fini(struct mwa_defined *defined);

/*
 * The same for who wants no list: what would be found first is a failure.
 *
 * \return MW_OK. MW_ERROR_FORMAT, MW_ERROR_MEMORY.
 */
enum mw_status mwa_require_definitions(struct mwa_input *input,
                                       struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

#endif
