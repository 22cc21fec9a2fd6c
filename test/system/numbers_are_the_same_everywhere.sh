# A number is the same on the screen, on the page, as JSON and in a table of export --csv: of
# archives made by hand, lossy and unfinished ones among them, of a recorded run, of one that was
# killed and recovered, and of another tool's. What commands say as JSON fits their schema.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"
recover=$TOP_BUILDDIR/mpiwatch-recover
commands="report info calls sites ranks messages comms imbalance pop critical-path waits counters
    watermarks timeline"

"$analyze" schema >schemas.json || fail "schema"
for command in $commands compare check validate dump; do
    "$analyze" schema "$command" >"schema.$command.json" || fail "schema $command"
done

# compare ARCHIVE
compare() {
    rm -rf tables
    for command in $commands; do
        "$analyze" -q "$command" --json "$1" >"$command.json" || [ $? = 4 ] || fail "$1: $command"
        "$analyze" -q "$command" "$1" >"$command.txt" || [ $? = 4 ] || fail "$1: $command"
    done
    "$analyze" -q timeline --comms --json "$1" >comm_timeline.json || [ $? = 4 ] || fail "$1: lives"
    "$analyze" -q report --force --html=page.html "$1" || [ $? = 4 ] || fail "$1: page"
    "$analyze" -q export --csv=tables "$1" || [ $? = 4 ] || fail "$1: tables"
    "$analyze" -q compare --json "$1" "$1" >compare.json || [ $? = 4 ] || fail "$1: compare"
    "$analyze" -q compare --csv "$1" "$1" >compare.csv || [ $? = 4 ] || fail "$1: compare --csv"
    "$analyze" -q check --max=ranks.ranks.0.calls=5 --min=pop.load_balance=0.5 --json "$1" \
        >check.json || [ $? = 4 ] || [ $? = 1 ] || fail "$1: check"
    "$analyze" -q validate --json "$1" >validate.json 2>err || [ $? -ge 3 ] || fail "$1: validate"
    "$analyze" -q dump --json "$1" >dump.json || [ $? = 4 ] || fail "$1: dump"
    "$python" "$TOP_SRCDIR/test/system/same_numbers.py" "$1" $commands || fail "$1"
}

archives=0
for what in ring threads cancelled paused waits_losses waits_messages waits_collective nested \
    callback comm_lives comm_objects names onesided_locks uneven open \
    clocks requests; do
    "$TOP_BUILDDIR/test/data/make_archive" $what $what
    compare $what/traces.otf2
    archives=$((archives + 1))
done

mpi=$(built_mpis | head -1)
run_mpi "$mpi" 2 "$record" -o halo.otf2.zip "$(example halo "$mpi")" >out 2>err ||
    fail "halo: $(cat err)"
compare halo.otf2.zip
run_mpi "$mpi" 2 "$record" -o killed.otf2.zip "$TOP_BUILDDIR/test/system/dies-$mpi" SIGKILL 1 2000 \
    >out 2>err || :
assert_equal 4 "$(status_of "$recover" killed.otf2.zip.run -o killed.otf2.zip)" "recover"
compare killed.otf2.zip
if [ "$mpi" = openmpi ] && command -v eztrace >/dev/null; then
    run_openmpi 2 eztrace -t openmpi -o "$PWD/traces" "$(example late_sender openmpi)" >out 2>err ||
        fail "eztrace: $(tail -5 err)"
    compare "$(find traces -name '*.otf2' | head -1)"
fi
[ "$archives" -ge 12 ] || fail "only $archives archives were compared"
