# What happened in a span of time, calls cut to it, what is exported of it and who waits in it, is
# the same whether archives are read from their beginnings or, by what the cache has of them, from
# the block before, or from a place before it where nothing is under way: of all archives of
# test/data and of other tools, in a directory, in our ZIP files and in those of others.
. "$TOP_SRCDIR/test/system/lib.sh"

export XDG_CACHE_HOME=$PWD/cache
keep=$TOP_BUILDDIR/test/data/keep_blocks
middle() { "$python" "$TOP_SRCDIR/test/system/middle.py" "$@"; }
layout=$TOP_SRCDIR/analyzer/load/event_records.def

mkdir cache made blocked
for kind in $("$TOP_BUILDDIR/test/data/make_archive" 2>&1 | tail -n +2); do
    "$TOP_BUILDDIR/test/data/make_archive" "$kind" "made/$kind"
done
if "$python" -c 'import otf2' 2>/dev/null; then
    for kind in onesided streams clocks odd metrics communicators; do
        "$python" "$TOP_SRCDIR/test/system/foreign.py" "$kind" "made/foreign-$kind"
    done
    for seed in 3 13; do # they never all meet
        "$python" "$TOP_SRCDIR/test/system/random_lulls.py" $seed 15 "made/lulls-$seed"
        "$python" "$TOP_SRCDIR/test/system/random_rests.py" $seed 15 "made/rests-$seed"
    done
fi
for kind in "threads hole" "windows head" "workers filter" "phases none" "phases hole" \
    "epochs none" "epochs tail" "shares none" "requests none"; do
    "$TOP_BUILDDIR/test/data/make_irregular" $kind "made/${kind/ /-}" >/dev/null
done
rm -r $(du -sk made/* | awk '$1 > 400 { print $2 }') # the test is to be short
middle reblock "$layout" blocked 7 made/*
"$keep" blocked/* >out
! grep -v -e "^blocked/backwards: .*time goes backwards" -e ": [0-9]*$" out || fail "$(cat out)"
rm -r blocked/backwards
[ "$(awk '{ blocks += $NF } END { print blocks }' out)" -gt 1000 ] || fail "$(cat out)"
middle spans "$analyze" 1 2 blocked/*
for kind in phases-none phases-hole epochs-none epochs-tail shares-none requests-none \
    waits_collective names; do
    grep -q "^blocked/$kind: quiet .*[1-9].*, chapters" out || fail "$kind: $(grep "/$kind:" out)"
done
grep -q "^blocked/workers-filter: quiet 0, lulls 0," out || fail "$(grep workers out)"
for archive in blocked/{lulls,rests}-*; do
    [ ! -e "$archive" ] || grep -q "^$archive: quiet 0, lulls [1-9]" out ||
        fail "$(grep "$archive" out)"
done
middle cuts "$analyze" 2 1 blocked/*
middle exports "$analyze" 5 1 blocked/*
shopt -s nullglob
middle exports "$analyze" 6 2 blocked/{phases,epochs,shares,requests,lulls,rests}-*
middle stops "$analyze" "$TOP_BUILDDIR/test/system/any_order" 7 4 \
    blocked/{phases,epochs,shares,requests,lulls,rests}-* \
    blocked/{names,waits_collective,waits_neighbors,clock_collectives}

# Of others' ZIP files, and ours, which can be inflated from the middle.
"$TOP_BUILDDIR/test/bench/generate" wide 2 160000 >/dev/null
middle zip wide stored.zip 0
middle zip wide deflated.zip 8
"$analyze" export -q --otf2 ours.zip wide
"$keep" wide stored.zip deflated.zip ours.zip >out
[ "$(grep -c ': [1-9][0-9]*$' out)" = 4 ] || fail "$(cat out)"
middle spans "$analyze" 2 4 wide stored.zip deflated.zip ours.zip
middle cuts "$analyze" 3 2 wide stored.zip deflated.zip ours.zip
middle exports "$analyze" 8 1 wide stored.zip deflated.zip ours.zip

# What comes before is not read: damage there is nobody's. Where it is asked for, it is found.
end=$("$analyze" info --json ours.zip | "$python" -c \
    'import json, sys; print(int(json.load(sys.stdin)["duration_ns"]))')
late() {
    "$analyze" dump -q ours.zip --from="$((end * 9 / 10))ns"
    "$analyze" timeline -q ours.zip --from="$((end * 9 / 10))ns" --json
    rm -f chrome
    "$analyze" export -q ours.zip --from="$((end * 9 / 10))ns" --chrome chrome && cat chrome
}
late >sound
"$python" - <<'END'
import zipfile
member = zipfile.ZipFile("ours.zip").getinfo("traces/0.evt")
with open("ours.zip", "r+b") as file:
    file.seek(member.header_offset + 3000)
    file.write(bytes(100))
END
late >found
cmp sound found
"$analyze" ranks -q ours.zip --from="$((end * 9 / 10))ns" >/dev/null
for options in "--from=$((end * 9 / 10))ns --no-cache" --from=1ns; do
    ! "$analyze" dump -q ours.zip $options >found 2>err || fail "damage is not found: $options"
    assert_matches "$(cat err)" '^mpiwatch-analyze: ours.zip!traces/0.evt: offset'
done

# Timelines end early, and say what they say of archives that are read to the end: what comes behind
# is damaged here.
for shape in halo tree threads windows; do
    "$TOP_BUILDDIR/test/data/make_irregular" $shape none "$shape" >/dev/null
done
middle stops "$analyze" "$TOP_BUILDDIR/test/system/any_order" 4 3 halo tree threads windows wide
window="--from=$((end / 20))ns --to=$((end / 10))ns"
"$analyze" timeline --json -q wide $window >sound
"$python" - <<'END'
import os
with open("wide/traces/0.evt", "r+b") as file:
    file.seek(os.path.getsize("wide/traces/0.evt") * 9 // 10)
    file.write(b"\xff" * 100)
END
for jobs in 1 3; do
    "$analyze" timeline --json -q wide $window --jobs=$jobs >found
    cmp sound found
done
! "$analyze" timeline --json -q wide >found 2>err || fail "damage is not found"

# A thread computes only before the span, in an archive of another tool: it is idle in all of it.
# Its rank's main thread goes on to the end, and all meet in between.
if "$python" -c 'import otf2' 2>/dev/null; then
    PYTHONPATH=$TOP_SRCDIR/test/system "$python" -B - <<'END'
import otf2
from otf2.enums import CollectiveOp, LocationType, Paradigm
from ranks_of_mpi import define_ranks

with otf2.writer.open("early", timer_resolution=10**9) as trace:
    define = trace.definitions
    node = define.system_tree_node("one", class_name="node")
    groups, mains, world = define_ranks(define, node, 2)
    work = define.region("work", paradigm=Paradigm.OPENMP)
    barrier = define.region("MPI_Barrier", paradigm=Paradigm.MPI)
    for rank, main in enumerate(mains):
        writer = trace.event_writer_from_location(main)
        for step in range(20):
            writer.enter(1000 + 100 * step, barrier)
            writer.mpi_collective_begin(1000 + 100 * step)
            writer.mpi_collective_end(1010 + 100 * step, CollectiveOp.BARRIER, world, 2**32 - 1,
                                      0, 0)
            writer.leave(1010 + 100 * step, barrier)
        thread = define.location("thread", group=groups[rank], type=LocationType.CPU_THREAD)
        writer = trace.event_writer_from_location(thread)
        writer.enter(1100, work)
        writer.leave(1300, work)
END
    "$keep" early/traces.otf2 >out
    grep -q "quiet [1-9]" out || fail "$(cat out)"
    for options in "" --no-cache; do
        "$analyze" timeline --json -q early --from=1us --bins=2 $options >found
        assert_equal "[455, 455]" "$(json found 'd["locations"][1]["idle_ns"]')" "idle: '$options'"
    done
fi

# Nobody's sidecar leads out of the archive, and damage to what is read is found by it.
rm -r cache/mpiwatch
"$keep" stored.zip >/dev/null
cp -r cache/mpiwatch kept
for seed in {1..12}; do
    rm -r cache/mpiwatch
    cp -r kept cache/mpiwatch
    middle forge cache/mpiwatch/*-blocks "$seed"
    for command in dump calls ranks timeline "export --force --chrome chrome"; do
        "$analyze" $command -q stored.zip --from="$((end * 9 / 10))ns" >/dev/null 2>err ||
            [ $? -lt 5 ] || fail "$(cat err)"
    done
done
rm -r cache/mpiwatch
cp -r kept cache/mpiwatch
"$analyze" dump -q --no-cache stored.zip --from="$((end * 9 / 10))ns" >sound
middle later cache/mpiwatch/*-blocks
"$analyze" dump -q stored.zip --from="$((end * 9 / 10))ns" >found ||
    fail "the archive is at fault for what its sidecar says"
cmp sound found
