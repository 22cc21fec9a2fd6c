#!/bin/bash
# A job of PBS's (or of Torque's) that records an MPI program and prints where its time went:
#
#     qsub -v PROGRAM="./app arguments" pbs.sh
#
# Each job of an array (qsub -J 1-10) has an archive of its own, by %a. A job that is deleted, or at
# its limit, gets SIGTERM some seconds before SIGKILL, of which --on-term makes an archive.
#
#PBS -N mpiwatch
#PBS -l select=2:ncpus=32:mpiprocs=32
#PBS -l walltime=00:30:00

set -u
cd "${PBS_O_WORKDIR:-.}" || exit
export MPIWATCH_SPOOL=${TMPDIR:-/tmp}
trap : TERM # it is for the launcher, which this shell outlives

# The name is that of the job, its number, and its own in an array (0 without).
${LAUNCHER:-mpirun} mpiwatch-record --on-term=finish --output '%x-%j-%a.otf2.zip' \
    ${PROGRAM:-./app} &
launcher=$!
wait $launcher
status=$?
while kill -0 $launcher 2>/dev/null; do
    wait $launcher
    status=$?
done
mpiwatch-analyze "${PBS_JOBNAME:-mpiwatch}-${PBS_JOBID%%.*}-${PBS_ARRAY_INDEX:-0}.otf2.zip"
exit $status
