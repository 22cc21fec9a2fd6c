/* Found by analyzer/analysis/beginnings_read.c, and kept by the input that it is of. */
#include "analyzer/model/beginnings.h"

void mwa_beginnings_fini(struct mwa_beginnings *beginnings)
{
    mwa_map_fini(&beginnings->sends);
    mwa_map_fini(&beginnings->receives);
    mwa_map_fini(&beginnings->numbers);
}
