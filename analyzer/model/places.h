#ifndef MWA_MODEL_PLACES_H
#define MWA_MODEL_PLACES_H

#include "analyzer/model/trace.h"

/* Of a file's path the name, if it is that of a library: "libhdf5.so.103"; else "". */
const char *mwa_library_name(const char *module);

/*
 * A place is a line of the program with a call of MPI: one site, or several that differ in who
 * called its function; of a wrapper those of one caller, whose place it is. Finds the place of each
 * site; and, where a library makes the call at a place of which no line is known, and stacks are
 * told, the program's frame that led there: the innermost one that has a line, or is in the
 * program's own file. Without a line that has to say more than the library's function does. A
 * library whose lines are known is taken for a part of the program.
 * Likewise where a wrapper makes the call (analyzer/model/wrappers.h): the innermost frame that is
 * none, with a line or a name. False without memory.
 */
bool mwa_trace_find_places(struct mwa_trace *trace);

/* Of a site the program's frame that led there, as above, by its library, function, file, line and
 * frame, which is an index into frames; null: nothing to say. Call: the name of what it calls. */
const struct mwa_stack_frame *mwa_site_leader(const struct mwa_stack_frame *frames,
                                              const struct mwa_site *site, const char *call);

/* Whether it is a library that makes the call, where mwa_site_leader has a frame, or a wrapper. */
bool mwa_site_is_by_library(const struct mwa_site *site);

/* Where a call is made, by the program's frame that led to it if there is one. Texts are the
 * trace's, never null; "" and 0: not known. */
struct mwa_spot {
    const char *file;
    const char *function;
    uint32_t line;
};
struct mwa_spot mwa_site_spot(const struct mwa_site *site);

/* Whether that is so of any site. */
bool mwa_trace_has_leaders(const struct mwa_trace *trace);

#define MWA_STACK_FRAMES 64u /* more are cut, the outermost ones */

/*
 * The frames above a site's call (an index), the outermost first: indices into frames, of which
 * there is room for MWA_STACK_FRAMES. \return how many; 0: not told. *is_cut: there are more, or
 * the recorder told that.
 */
uint32_t mwa_trace_stack(const struct mwa_trace *trace, uint32_t site, uint32_t *frames,
                         bool *is_cut);

#endif
