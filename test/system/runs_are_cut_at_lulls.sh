# A run in which ranks never all meet is cut where they have come to rest, nothing being under way:
# all that is said of it is the same, byte by byte, as of who follows it from the beginning to the
# end. Of what is left of a run, too, and where a chapter needs more of the one before than it
# keeps; then it is followed as a whole.
. "$TOP_SRCDIR/test/system/lib.sh"
"$python" -c 'import otf2' 2>/dev/null || skip "python3-otf2 is not installed"
export XDG_CACHE_HOME=$PWD/cache
keep=$TOP_BUILDDIR/test/data/keep_blocks
mkdir cache
# Processes look for the library of their MPI beside the program.
cp "$TOP_BUILDDIR/test/system/any_order" .
for mpi in $(mpis); do
    ln -s "$(library "$mpi")" .
done

# lulls_of ARCHIVE
lulls_of() {
    "$keep" "$1" | sed -n 's/.*quiet 0, lulls \([0-9]*\),.*/\1/p'
}

# compare ARCHIVE COMMAND CHAPTERS …
compare() {
    local archive=$1 command=$2 chapters
    shift 2
    "$analyze" $command --json -q -j 1 "$archive" >expected
    for chapters; do
        MPIWATCH_SCHEDULE=$((chapters * 3 + 1)) MPIWATCH_CHAPTERS=$chapters \
            ./any_order $command --json -q -j 2 "$archive" >found
        cmp expected found || fail "$command of $archive in $chapters chapters says something else"
    done
}

# compare_in_processes ARCHIVE COMMAND PROCESSES
compare_in_processes() {
    "$analyze" $2 --json -q -j 1 "$1" >expected
    for mpi in $(mpis); do
        run_mpi "$mpi" "$3" env MPIWATCH_SCHEDULE=4 MPIWATCH_CHAPTERS=7 \
            ./any_order $2 --json "$1" >found 2>said
        cmp expected found || fail "$2 of $1 by $3 processes of $mpi says something else"
        cat said >>all_said
    done
}

for shape in halo grid ahead; do
    for loss in none hole tail head filter; do
        "$TOP_BUILDDIR/test/data/make_irregular" "$shape" "$loss" "$shape-$loss" >/dev/null
        "$keep" "$shape-$loss" >blocks
        compare "$shape-$loss" waits 2 5 1000
        compare "$shape-$loss" info 3 1000
    done
done
[ "$(lulls_of halo-none)" -gt 30 ] || fail "$(cat blocks)"
compare halo-none messages 3
compare halo-none sites 3
compare halo-none report 3
compare grid-none critical-path 3 1000

# Where a lock is held, or one is in a call while others go on, who waits for it is not told.
for loss in none hole tail; do
    "$TOP_BUILDDIR/test/data/make_irregular" windows $loss windows-$loss >/dev/null
    [ "$(lulls_of windows-$loss)" -gt 40 ] || fail "$("$keep" windows-$loss)"
    for command in waits report watermarks critical-path; do
        compare windows-$loss $command 3 1000
    done
done

"$TOP_BUILDDIR/test/bench/generate_box" box 12 300 >told
[ "$(lulls_of box)" -ge 100 ] || fail "lulls in a box: $(lulls_of box)"
compare box waits 2 9
compare box "waits --from=1ms --to=3ms" 4
compare box "waits --comm=MPI_COMM_WORLD" 3
MPIWATCH_CHAPTERS=5 ./any_order waits --json -q -j 2 box >found
"$python" - told found <<'EOF'
import json, sys
told, found = (json.load(open(name)) for name in sys.argv[1:])
totals = {pattern["name"]: pattern["total_ns"] for pattern in found["patterns"]}
for name, ns in told["waits"].items():
    assert totals[name] == ns, (name, ns, totals[name])
EOF

lulls=0
for seed in 2 3 4 12 13 16 20 22 24 28 36 44 48; do
    "$python" "$TOP_SRCDIR/test/system/random_lulls.py" "$seed" 40 "random-$seed/traces.otf2"
    here=$(lulls_of "random-$seed/traces.otf2")
    [ -n "$here" ] || fail "all meet in random-$seed"
    lulls=$((lulls + here))
    compare "random-$seed/traces.otf2" waits 2 3 1000
    case $((seed % 3)) in
    0) compare "random-$seed/traces.otf2" "waits --from=20us --to=90us" 3 1000 ;;
    1) compare "random-$seed/traces.otf2" timeline 3 ;;
    2) compare "random-$seed/traces.otf2" messages 1000 ;;
    esac
    compare "random-$seed/traces.otf2" report 2 3 1000
    compare "random-$seed/traces.otf2" mistakes 3 1000
    compare "random-$seed/traces.otf2" info 2 1000
done
[ "$lulls" -gt 200 ] || fail "only $lulls lulls in all"

# In operations that have a root all take part, but not all wait for all.
rooted=0
for seed in 1 3 4 8 9 11; do
    "$python" "$TOP_SRCDIR/test/system/random_lulls.py" "$seed" 40 "rooted-$seed/traces.otf2" rooted
    here=$(lulls_of "rooted-$seed/traces.otf2")
    rooted=$((rooted + ${here:-0}))
    compare "rooted-$seed/traces.otf2" waits 2 1000
    compare "rooted-$seed/traces.otf2" report 3 1000
    compare "rooted-$seed/traces.otf2" comms 2
done
[ "$rooted" -gt 80 ] || fail "only $rooted lulls where not all wait for all"

# In scans ranks wait for those before them, and some for the next one.
for seed in 2 3 9; do
    "$python" "$TOP_SRCDIR/test/system/random_lulls.py" "$seed" 40 "scans-$seed/traces.otf2" scanned
    compare "scans-$seed/traces.otf2" waits 2 1000
    compare "scans-$seed/traces.otf2" report 3 1000
    [ "$("$analyze" waits --json "scans-$seed/traces.otf2" | "$python" -c 'import json, sys
print(sum(p["instances"] for p in json.load(sys.stdin)["patterns"]
          if p["name"] == "wait_for_last"))')" -gt 10 ] || fail "scans-$seed: nobody is held"
done

# The same of those with a root, and scans, that do not block: some are held until another begins.
for seed in 5 14 18; do
    "$python" "$TOP_SRCDIR/test/system/random_lulls.py" "$seed" 40 "begun-$seed/traces.otf2" begun
    [ "$(lulls_of "begun-$seed/traces.otf2")" -gt 10 ] || fail "all meet in begun-$seed"
    for command in waits report critical-path; do
        compare "begun-$seed/traces.otf2" $command 3 1000
    done
    [ "$("$analyze" waits --json "begun-$seed/traces.otf2" | "$python" -c 'import json, sys
print(sum(p["instances"] for p in json.load(sys.stdin)["patterns"]
          if p["name"] == "wait_for_last"))')" -gt 10 ] || fail "begun-$seed: nobody is held"
done

# Some requests are open all the time, receives of what is sent steps later among them, and some end
# never.
open=0
for seed in 8 25 57 60 81 96; do
    "$python" "$TOP_SRCDIR/test/system/random_lulls.py" "$seed" 40 "open-$seed/traces.otf2" open
    here=$(lulls_of "open-$seed/traces.otf2")
    open=$((open + ${here:-0}))
    for command in watermarks info report mistakes; do
        compare "open-$seed/traces.otf2" $command 3 1000
    done
done
[ "$open" -gt 60 ] || fail "only $open lulls where requests are open"

# What is waited for on the other side of a moment: by who completes a send, for its receiver; by
# that one, for who completes it; by who sends and blocks, for a receive that is posted meanwhile.
for plant in "receiver 4000 late_receiver 8000" "progress 4000 late_progress 50000" \
    "blocks 8 late_receiver 10000"; do
    read -r what bytes pattern ns <<<"$plant"
    "$python" "$TOP_SRCDIR/test/system/open_at_lulls.py" $what $bytes "plant-$what/traces.otf2"
    [ "$(lulls_of "plant-$what/traces.otf2")" -gt 100 ] ||
        fail "$("$keep" "plant-$what/traces.otf2")"
    for command in waits timeline report critical-path; do
        compare "plant-$what/traces.otf2" $command 3 15 1000
    done
    "$analyze" waits --json -q -j 1 "plant-$what/traces.otf2" >waits.json
    assert_equal "$ns" "$(json waits.json '[row["total_ns"] for row in d["patterns"]
        if row["name"] == "'"$pattern"'"][0]')" "$what: $pattern"
done

# Ranks that have no requests, or end them not equally often, are looked at at moments of the run,
# also where all meet before and behind all of that.
rests=0
for seed in 1 3 4 7 8 9 10 11 14; do
    "$python" "$TOP_SRCDIR/test/system/random_rests.py" "$seed" 40 "rests-$seed/traces.otf2"
    here=$(lulls_of "rests-$seed/traces.otf2")
    rests=$((rests + here))
    compare "rests-$seed/traces.otf2" waits 2 1000
    compare "rests-$seed/traces.otf2" report 3 1000
    compare "rests-$seed/traces.otf2" info 1000
done
[ "$rests" -gt 500 ] || fail "only $rests moments in all"

# By clocks that disagree what a rank waits for is behind a lull that its wait is before.
for seed in 14 69; do
    "$python" "$TOP_SRCDIR/test/system/random_lulls.py" "$seed" 16 "skewed-$seed/traces.otf2" skewed
    [ "$(lulls_of "skewed-$seed/traces.otf2")" -gt 5 ] || fail "all meet in skewed-$seed"
    compare "skewed-$seed/traces.otf2" waits 2 3 1000
done

# Rows of polls, functions that MPI calls at the tick at which the call begins, records that begin
# late: of 8 and 12 one rank has only MPI_Finalize, and nothing to begin a chapter behind.
more=0
for seed in 2 4 8 12 13 16 18 24; do
    "$python" "$TOP_SRCDIR/test/system/random_rests.py" "$seed" 40 "more-$seed/traces.otf2" more
    here=$(lulls_of "more-$seed/traces.otf2")
    more=$((more + ${here:-0}))
    compare "more-$seed/traces.otf2" waits 2 1000
    compare "more-$seed/traces.otf2" report 2 1000
    compare "more-$seed/traces.otf2" comms 1000
done
[ "$more" -gt 300 ] || fail "only $more moments in all"

# By processes, which tell each other what the chapters behind theirs need.
compare_in_processes box waits 2
for seed in 2 13 22 44; do
    compare_in_processes "random-$seed/traces.otf2" waits 2
    compare_in_processes "random-$seed/traces.otf2" report 2
done
compare_in_processes random-3/traces.otf2 waits 3
compare_in_processes rests-4/traces.otf2 report 2
compare_in_processes more-24/traces.otf2 report 2
compare_in_processes random-2/traces.otf2 messages 2
compare_in_processes begun-5/traces.otf2 report 2
grep -v "received before it was sent" all_said >unsaid || true
[ ! -s unsaid ] || fail "$(cat unsaid)"

# More ranks wait for each other than a rank remembers.
"$python" "$TOP_SRCDIR/test/system/random_lulls.py" partners 4 partners/traces.otf2
[ "$(lulls_of partners/traces.otf2)" -ge 4 ] || fail "$("$keep" partners/traces.otf2)"
compare partners/traces.otf2 waits 2 1000
