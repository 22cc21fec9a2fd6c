#ifndef MWR_RECORDER_SETTING_TYPES_H
#define MWR_RECORDER_SETTING_TYPES_H

#include <stdbool.h>
#include <stddef.h>

#include "recorder/settings.h"

/*
 * The types of settings: what recorder/settings knows of the values in its table.
 * Thread-safe: nothing here keeps state.
 */

/* How a value is read into and written from its member of struct mwr_settings. */
struct mwr_setting_type {
    bool (*read)(const struct mwr_setting_type *type, const char *value, void *member);
    void (*write)(const struct mwr_setting_type *type, const void *member, char *text,
                  size_t size);
    const char *expected;     /* "VALUE is not " this */
    const char *const *words; /* of a choice: names of 0, 1, … up to a null */
};

extern const struct mwr_setting_type mwr_path_type;
extern const struct mwr_setting_type mwr_list_type;
extern const struct mwr_setting_type mwr_flag_type;
extern const struct mwr_setting_type mwr_level_type;
extern const struct mwr_setting_type mwr_size_type;
extern const struct mwr_setting_type mwr_events_type;
extern const struct mwr_setting_type mwr_format_type;
extern const struct mwr_setting_type mwr_on_full_type;
extern const struct mwr_setting_type mwr_clock_type;
extern const struct mwr_setting_type mwr_sites_type;
extern const struct mwr_setting_type mwr_paths_type;
extern const struct mwr_setting_type mwr_site_form_type;
extern const struct mwr_setting_type mwr_on_term_type;
extern const struct mwr_setting_type mwr_time_unit_type;
extern const struct mwr_setting_type mwr_hang_type;
extern const struct mwr_setting_type mwr_stuck_type;
extern const struct mwr_setting_type mwr_mpi_type;
extern const struct mwr_setting_type mwr_probe_type;
extern const struct mwr_setting_type mwr_selection_type;
extern const struct mwr_setting_type mwr_comms_type;
extern const struct mwr_setting_type mwr_schedule_type;
extern const struct mwr_setting_type mwr_classes_type;
extern const struct mwr_setting_type mwr_hints_type;
extern const struct mwr_setting_type mwr_duration_type;
extern const struct mwr_setting_type mwr_objects_type;
extern const struct mwr_setting_type mwr_rate_type;
extern const struct mwr_setting_type mwr_array_type;

#endif
