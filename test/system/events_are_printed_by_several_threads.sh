# dump prints the same events in the same order, however many threads print them: as text and as
# JSON, of all ranks and of one, of a span, of what can be read of a damaged archive. A line of text
# says what the object of JSON does.
. "$TOP_SRCDIR/test/system/lib.sh"

"$TOP_BUILDDIR/test/bench/generate" wide 2 160000 >/dev/null
for how in "" "--json" "--rank=1" "--from=1ms --to=400ms" "--json --from=2ms"; do
    "$analyze" dump -q -j 1 $how wide >one
    for threads in 2 5; do
        "$analyze" dump -q -j "$threads" $how wide >several
        cmp one several || fail "with -j $threads $how"
    done
    [ "$(wc -l <one)" -gt 1000 ] || fail "$how prints $(wc -l <one) events"
done
"$analyze" dump -q -j 2 wide >text
[ "$(wc -l <text)" -gt 100000 ] || fail "$(wc -l <text) events"

# What is printed of an archive that is damaged in the middle, before that is said.
events=$(ls -S wide/traces/*.evt | head -1)
size=$(stat -c %s "$events")
head -c 300 /dev/zero | tr '\0' '\356' |
    dd of="$events" bs=1 seek=$((size / 2)) conv=notrunc status=none
for threads in 1 4; do
    "$analyze" dump -q -j "$threads" wide >"damaged-$threads" 2>err && fail "damage is read"
    grep -q "^mpiwatch-analyze: wide" err || fail "$(cat err)"
    mv err "err-$threads"
done
cmp damaged-1 damaged-4 || fail "of a damaged archive not the same is printed"
cmp err-1 err-4 || fail "$(cat err-4)"
[ -s damaged-4 ] && ! cmp -s damaged-4 text || fail "$(wc -l <damaged-4) events before the damage"

# A full disk is told, with its status.
status=0
"$analyze" dump -q -j 4 --rank=0 wide >/dev/full 2>err || status=$?
[ "$status" = 3 ] && grep -q "cannot write the events" err || fail "$status: $(cat err)"

# The line and the object.
for kind in $("$TOP_BUILDDIR/test/data/make_archive" 2>&1 | tail -n +2); do
    [ "$kind" != names ] || continue # a line has other marks for what it must not show
    "$TOP_BUILDDIR/test/data/make_archive" "$kind" "made-$kind"
    "$analyze" dump -q "made-$kind" >line 2>/dev/null || continue # some are damaged
    "$analyze" dump -q --json "made-$kind" | "$python" "$TOP_SRCDIR/test/system/dumped.py" >object
    cmp line object || fail "of $kind: $(diff line object | head -2)"
    rm -r "made-$kind"
done

# Also of numbers that most readers of JSON have not: a request of 2^63 + 5, of 2^63 bytes.
"$python" -c 'import otf2' 2>/dev/null || skip "python3-otf2 is not installed"
PYTHONPATH=$TOP_SRCDIR/test/system "$python" -B - numbers <<'EOF'
import sys

import otf2
from ranks_of_mpi import define_ranks

with otf2.writer.open(sys.argv[1], timer_resolution=10**9) as archive:
    node = archive.definitions.system_tree_node("one", class_name="node")
    _, threads, world = define_ranks(archive.definitions, node, 2)
    call = archive.definitions.region("MPI_Isend", paradigm=otf2.Paradigm.MPI)
    writer = archive.event_writer_from_location(threads[0])
    writer.enter(11, call)
    writer.mpi_isend(12, 1, world, 7, 2**63, 2**63 + 5)
    writer.leave(13, call)
EOF
"$analyze" dump -q numbers/traces.otf2 >line
"$analyze" dump -q --json numbers/traces.otf2 |
    "$python" "$TOP_SRCDIR/test/system/dumped.py" >object
cmp line object || fail "of large numbers: $(diff line object | head -2)"
grep -q " bytes=9223372036854775807 request=9223372036854775807$" line || fail "$(cat line)"
