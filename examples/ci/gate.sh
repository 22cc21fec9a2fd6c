#!/bin/sh
# Fails when a change makes a program slower, and says why:
#
#     gate.sh LAUNCH BEFORE AFTER [OPTION...]
#     gate.sh 'mpirun -n 4' 'before/solver input' 'after/solver input' --tolerance=5%
#
# Both run on this machine: another one's times are no baseline. Five runs before the change show
# how much runs differ here by themselves. One in twenty that is no slower would fail by chance, so
# a second one has to fail as well: one in four hundred. OPTIONs are those of mpiwatch-analyze
# check; archives and JUnit XML are left in ./mpiwatch. The exit status is that of check.
set -eu

launch=$1 before=$2 after=$3
shift 3
mkdir -p mpiwatch
for run in 1 2 3 4 5; do
    # shellcheck disable=SC2086 # words
    $launch mpiwatch-record --force -o mpiwatch/before-$run.otf2.zip $before
done
for attempt in 1 2; do
    # shellcheck disable=SC2086
    $launch mpiwatch-record --force -o mpiwatch/after.otf2.zip $after
    status=0
    mpiwatch-analyze check --baseline mpiwatch/before-*.otf2.zip --junit=mpiwatch/junit.xml "$@" \
        mpiwatch/after.otf2.zip >mpiwatch/check.txt || status=$?
    [ $status = 1 ] || break
    [ $attempt = 2 ] || echo "a limit is not kept: once more, lest it was by chance"
done
cat mpiwatch/check.txt
exit $status
