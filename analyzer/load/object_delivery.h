#ifndef MWA_LOAD_OBJECT_DELIVERY_H
#define MWA_LOAD_OBJECT_DELIVERY_H

#include "analyzer/load/event_delivery.h"

/* As mwa_delivery_take, for records of windows and files. */
bool mwa_delivery_take_object(struct mwa_delivery *delivery, const struct mwa_record *record);

#endif
