#ifndef MW_FORMATS_TABLE_REGION_ROLE_H
#define MW_FORMATS_TABLE_REGION_ROLE_H

#include <otf2/otf2.h>

/* The role of an MPI call's region: what kind of communication it is. */
OTF2_RegionRole mw_region_role(unsigned call);

#endif
