/*
 * What the recorder shows to libmpiwatch.a: its functions, in the one object that programs
 * find by name (library/interface.h).
 */
#include "recorder/library/interface.h"

#include "recorder/api/control.h"
#include "recorder/api/registration.h"
#include "recorder/api/user.h"

extern const struct mpiwatch_interface mpiwatch_interface_1
    __attribute__((visibility("default")));

const struct mpiwatch_interface mpiwatch_interface_1 = {
    .bytes = sizeof mpiwatch_interface_1,
    .region_begin = mwr_region_begin,
    .region_end = mwr_region_end,
    .marker = mwr_marker,
    .counter_set = mwr_counter_set,
    .counter_set_double = mwr_counter_set_double,
    .counter_add = mwr_counter_add,
    .pause = mwr_control_pause,
    .resume = mwr_control_resume,
    .snapshot = mwr_control_snapshot,
    .is_recording = mwr_control_is_recording,
    .comm_register = mwr_comm_register,
    .comm_unregister = mwr_comm_unregister,
    .comm_is_registered = mwr_comm_is_registered,
};
