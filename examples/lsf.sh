#!/bin/bash
# A job of LSF's that records an MPI program and prints where its time went:
#
#     PROGRAM="./app arguments" bsub <lsf.sh
#
# Each job of an array (bsub -J "mpiwatch[1-10]") has an archive of its own, by %a. LSF ends a job
# by SIGINT, SIGTERM and SIGKILL, some seconds apart: by the first of them mpirun ends its ranks, of
# which --on-term makes an archive.
#
#BSUB -J mpiwatch
#BSUB -n 64
#BSUB -R span[ptile=32]
#BSUB -W 00:30

set -u
cd "${LS_SUBCWD:-.}" || exit
export MPIWATCH_SPOOL=${TMPDIR:-/tmp}
trap : INT TERM # they are for the launcher, which this shell outlives

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
mpiwatch-analyze "${LSB_JOBNAME:-mpiwatch}-${LSB_JOBID:-0}-${LSB_JOBINDEX:-0}.otf2.zip"
exit $status
