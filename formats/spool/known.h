#ifndef MW_FORMATS_SPOOL_KNOWN_H
#define MW_FORMATS_SPOOL_KNOWN_H

#include <stdbool.h>
#include <stdint.h>

#include "formats/base/index_table.h"
#include "formats/spool/definition.h"
#include "formats/spool/record.h"
#include "formats/spool/spool_reader.h"

/*
 * What the definitions of a process make known by its own numbers, and with it what its records
 * can be of. Whoever replays the records and whoever merges the definitions of all processes
 * takes the same definitions in and leaves the same ones out, so that no event is of something
 * that the archive does not define. In a spool that is not damaged nothing is left out.
 */

struct mw_known_comm {
    struct mw_uid uid;
    bool is_defined;
    bool is_created; /* a record of its creation was seen */
};

struct mw_known_objects {
    bool *is_defined;
    uint32_t count;
};

struct mw_known {
    struct mw_known_comm *comms; /* with MPI_COMM_WORLD and MPI_COMM_SELF */
    uint32_t comm_count;         /* of which not all need be defined */
    uint32_t comm_definitions;
    struct mw_index_table by_uid; /* of comms */
    struct mw_known_objects objects[MW_OBJECT_KIND_COUNT];
    uint8_t *metric_values; /* of a sample, by number of the metric */
    uint32_t metric_count;
    uint32_t *source_comms; /* by number of the set */
    uint32_t source_count;
    uint32_t region_count; /* of the program's own */
    uint32_t text_count;
    uint32_t module_count;
    uint16_t *site_calls; /* by number of the site */
    uint32_t site_count;
    uint32_t frame_count;
};

/* \return false: no memory; mw_known_fini is due in either case. */
bool mw_known_init(struct mw_known *known) MW_MUST_CHECK;
void mw_known_fini(struct mw_known *known);

/*
 * Takes in a definition. *is_taken: it makes something known, or is of no number; if not, it
 * contradicts those before it, or itself, and counts as if it had been lost.
 *
 * \return false: no memory.
 */
bool mw_known_add(struct mw_known *known, const struct mw_definition *definition,
                  bool *is_taken) MW_MUST_CHECK;

bool mw_known_has_comm(const struct mw_known *known, uint32_t comm);

/*
 * Leaves out of the call the members that no event can be told of, and adds their number to *count:
 * of what is not known, with more or fewer values than the definition says, or, of a
 * communicator's creation, not the first one. An unknown communicator is no reason for it, since
 * OTF2 has a word for that. A call that is told by its site gets its enum mw_call and its site,
 * MW_CALL_COUNT if that is not known (it counts, too). Nothing is copied where all can be told;
 * else *room, the caller's to free, has the members from then on.
 *
 * \return false: no memory.
 */
bool mw_known_sift(const struct mw_known *known, struct mw_spool_call *call, char **room,
                   uint64_t *count) MW_MUST_CHECK;

/* Whether the set of sources is known and of this communicator. */
bool mw_known_has_sources(const struct mw_known *known, uint32_t sources, uint32_t comm);

#endif
