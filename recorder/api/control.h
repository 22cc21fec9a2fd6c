#ifndef MWR_API_CONTROL_H
#define MWR_API_CONTROL_H

/* Pause, resume, snapshot: the functions of mpiwatch.h, which say what they return. */
int mwr_control_pause(void);
int mwr_control_resume(void);
int mwr_control_snapshot(void);
int mwr_control_is_recording(void);

#endif
