#ifndef MWR_OUTPUT_PATTERN_H
#define MWR_OUTPUT_PATTERN_H

#include <stddef.h>

/*
 * What a % and a letter stand for in --output, so that the runs of a batch job get names of their
 * own. The letters are those of Slurm's sbatch(1); other batch systems' variables serve as well:
 *
 *     %x  the name of the job; without one, program
 *     %j  the job's number (of PBS without the server); %A that of a job array, %a the one of this
 *         job in it
 *     %s  the number of the step
 *     %h  this host's name, up to the first dot; %p the number of this process
 *     %%  a %
 *
 * A number that there is not is 0; a slash in a value becomes '_'. Any other letter stays as it
 * is with its %.
 *
 * Writes at most size bytes to text, terminated; what does not fit is cut. Thread-safe as long as
 * nobody changes the environment.
 */
void mwr_output_expand(const char *pattern, const char *program, char *text, size_t size);

#endif
