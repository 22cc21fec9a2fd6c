# All archives of test/data, those of other tools, and random ones with records of all kinds, sound
# and damaged, are the same to the reader of events and to libotf2: every field of every event, and
# what neither can read. At length: RANDOM_EVENTS="SEED COUNT".
. "$TOP_SRCDIR/test/system/lib.sh"

both_ways=$TOP_BUILDDIR/test/data/read_both_ways
printf 'leak:%s\n' OTF2_ otf2_ >leaks # libotf2 loses memory of its own when it meets damage
export LSAN_OPTIONS=suppressions=$PWD/leaks:print_suppressions=0

# same LEAST ARCHIVE...: there are so many events at least, and nothing is refused.
same() {
    local least=$1
    shift
    "$both_ways" "$@" >out || fail "$(tail -n 4 out)"
    assert_matches "$(tail -n 1 out)" '^[0-9]+ events, 0 locations refused$'
    [ "$(tail -n 1 out | cut -d ' ' -f 1)" -ge "$least" ] || fail "$(tail -n 1 out)"
}

mkdir made hostile foreign sound random
for kind in $("$TOP_BUILDDIR/test/data/make_archive" 2>&1 | tail -n +2); do
    "$TOP_BUILDDIR/test/data/make_archive" "$kind" "made/$kind"
done
for kind in $("$TOP_BUILDDIR/test/data/make_hostile"); do
    "$TOP_BUILDDIR/test/data/make_hostile" "$kind" "hostile/$kind"
done
same 100000 made/* hostile/*

if "$python" -c 'import otf2' 2>/dev/null; then
    for kind in onesided streams clocks odd metrics communicators regions locations pauses; do
        "$python" "$TOP_SRCDIR/test/system/foreign.py" "$kind" "foreign/$kind"
    done
    same 100 foreign/*
fi

"$python" "$TOP_SRCDIR/test/system/random_events.py" \
    "$TOP_SRCDIR/analyzer/load/event_records.def" made/plain ${RANDOM_EVENTS-20261123 60} random
"$both_ways" random/* >out || fail "$(tail -n 4 out)"
assert_matches "$(tail -n 1 out)" '^[0-9]{4,} events, [0-9]+ locations refused$'
mv random/*[02468] sound
same 1000 sound/*
