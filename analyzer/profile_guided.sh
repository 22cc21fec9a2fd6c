#!/bin/sh
# profile_guided.sh PROGRAM DIRECTORY: the work by which the program is compiled, run in the build
# directory, on archives in DIRECTORY: what the program does not come to here is made small, not
# fast.

set -eu

program=$1
work=$2
shapes="grid threads servers epochs requests listeners masters probes"
export XDG_CACHE_HOME="$work/cache"

# do_work COMMAND...: on all archives, by one thread and by two.
do_work() {
    for archive in "$work"/*.otf2.zip "$work/halo"; do
        for threads in 1 2; do
            "$program" "$@" -q -j "$threads" "$archive" >"$work/out"
        done
    done
}

mkdir "$work"
test/bench/generate "$work/halo" 64 400000 >"$work/out"
test/bench/generate_box "$work/box" 64 100 >"$work/out"
for shape in $shapes; do
    test/data/make_irregular "$shape" none "$work/$shape" >"$work/out"
done
for name in halo box $shapes; do
    "$program" export -q --otf2 "$work/$name.otf2.zip" "$work/$name" >"$work/out"
done
do_work calls
do_work waits
do_work comms
do_work report
do_work report --html "$work/page"
do_work timeline
do_work validate
