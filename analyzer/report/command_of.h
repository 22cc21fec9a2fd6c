#ifndef MWA_REPORT_COMMAND_OF_H
#define MWA_REPORT_COMMAND_OF_H

/*
 * The command line that tells more of an archive, to be copied as it is: "mpiwatch-analyze waits
 * FILE" with the file as it was typed, in quotes where a shell needs them; without it for null. To
 * be freed; null without memory.
 */
char *mwa_command_of(const char *command, const char *path);

#endif
