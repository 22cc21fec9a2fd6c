# mpiwatch-recover on what there may be: a run that still runs, ranks killed in their loop
# or with their launcher, missing ranks, spools collected by hand, several runs, damage,
# spools of another kind of machine, nothing at all.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"
need otf2-print
need_mpi openmpi # spools are the same under MPICH, whose deaths a_run_that_dies_… has
recover=$TOP_BUILDDIR/mpiwatch-recover
dies=$TOP_BUILDDIR/test/system/dies-openmpi
checked() {
    "$python" "$TOP_SRCDIR/test/system/check_recovered.py" "$@" || wrong "$1"
}

# checksums ARCHIVE: of its members, but of the anchor, which has a random number of OTF2's.
checksums() {
    unzip -lv "$1" | grep -E 'traces/|traces.def|mpiwatch.json' | awk '{ print $7, $8 }' | sort
}

# same ARCHIVE ARCHIVE: whether their members are the same, at least 6 for 2 ranks.
same() {
    [ "$(checksums "$1" | wc -l)" -ge 6 ] && [ "$(checksums "$1")" = "$(checksums "$2")" ]
}

# pid_of RANK, calls_of RANK: what a rank has said of itself.
pid_of() { od -An -t u8 -j 0 -N 8 "count.$1" | tr -d ' '; }
calls_of() { od -An -t u8 -j 8 -N 8 "count.$1" | tr -d ' '; }

# loop: starts 2 ranks that loop; returns when each has made 3000 calls. $launcher is mpirun.
loop() {
    rm -rf "${spools:?}"/* run.otf2.zip* count.*
    "$MPIRUN_OPENMPI" -n 2 "$record" -o run.otf2.zip "$dies" loop 0 100 \
        </dev/null >out 2>err &
    launcher=$!
    for _ in $(seq 600); do
        sleep 0.1
        if [ -s count.0 ] && [ -s count.1 ] && [ "$(calls_of 0)" -gt 3000 ] &&
            [ "$(calls_of 1)" -gt 3000 ]; then
            return
        fi
    done
    fail "the loop does not start: $(cat err)"
}

# --- while it runs, and killed in its loop -------------------------------------------
loop
assert_equal 4 "$(status_of "$recover" run.otf2.zip.run -o alive.otf2.zip --remove)" "still running"
assert_contains "$(cat stdout)" "still running: ranks 0-1"
assert_contains "$(cat stderr)" "nothing was removed"
assert_equal 2 "$(ls "$spools" | wc -l)" "spools of a run that runs"
kill -KILL "$(pid_of 1)"
wait "$launcher" 2>/dev/null || true
assert_equal 4 "$(status_of "$recover" run.otf2.zip.run -o killed.otf2.zip)" "killed"
assert_contains "$(cat stdout)" "killed, or ended without a word: ranks 0-1"
checked "SIGKILL in the loop" killed.otf2.zip 2

# --- the launcher killed -----------------------------------------------------------------
loop
kill -KILL "$launcher"
wait "$launcher" 2>/dev/null || true
sleep 1 # the ranks may end by themselves
for rank in 0 1; do
    kill -KILL "$(pid_of $rank)" 2>/dev/null || true
    for _ in $(seq 100); do
        kill -0 "$(pid_of $rank)" 2>/dev/null || break
        sleep 0.1
    done
done
assert_equal 4 "$(status_of "$recover" run.otf2.zip.run -o orphans.otf2.zip)" "launcher killed"
# Open MPI may end them, by a code of PMIx: that is no error of the program's.
assert_matches "$(cat stdout)" "(without a word|whose launcher was gone): rank"
assert_lacks "$(cat stdout)" "MPI error"
checked "SIGKILL of mpirun" orphans.otf2.zip 2

# --- the same spools, otherwise -------------------------------------------------------------
assert_equal 4 "$(status_of "$recover" "$spools"/mpiwatch-* -o by_hand.otf2.zip)" "directories"
same orphans.otf2.zip by_hand.otf2.zip || wrong "NAME.run and its directories differ"
mkdir one_host other_host
cp -r "$spools"/mpiwatch-*-0 one_host
cp -r "$spools"/mpiwatch-*-1 other_host
assert_equal 4 "$(status_of "$recover" one_host other_host -o collected.otf2.zip)" "collected"
same orphans.otf2.zip collected.otf2.zip || wrong "spools collected by hand differ"

# Under mpirun each process takes what lies on its host's disk, and a spool that several
# see is taken once.
for mpi in $(mpis); do
    assert_equal 4 "$(status_of run_mpi "$mpi" 2 sh -c "disk=one_host
        [ \${OMPI_COMM_WORLD_RANK:-\$PMI_RANK} = 0 ] || disk=other_host
        exec '$recover' \$disk -o together-$mpi.otf2.zip")" "under $mpi: $(cat stderr)"
    assert_contains "$(cat stdout)" "of 2 of 2 ranks"
    same orphans.otf2.zip "together-$mpi.otf2.zip" || wrong "under $mpi: the archive differs"
    assert_equal 4 "$(status_of run_mpi "$mpi" 2 "$recover" one_host other_host \
        -o seen-$mpi.otf2.zip)" "under $mpi, seen twice: $(cat stderr)"
    same orphans.otf2.zip "seen-$mpi.otf2.zip" || wrong "under $mpi, seen twice: it differs"
    assert_equal 3 "$(status_of run_mpi "$mpi" 2 "$recover" nowhere)" "under $mpi, nothing"
done

assert_equal 4 "$(status_of "$recover" other_host -o part.otf2.zip)" "a missing rank"
assert_contains "$(cat stdout)" "of 1 of 2 ranks, lost 0 and all calls of 1 rank; INCOMPLETE: "
assert_contains "$(cat stdout)" "no spool: rank 0"
checked "rank 0 is missing" part.otf2.zip 2 0
assert_equal 4 "$(status_of "$analyze" ranks part.otf2.zip)" "report on a missing rank"

assert_equal 4 "$(status_of "$recover" one_host other_host --format directory -o plain.otf2)" \
    "a directory"
otf2-print plain.otf2/traces.otf2 >/dev/null 2>complaints || wrong "a directory: otf2-print fails"
assert_empty complaints

# --- damage -----------------------------------------------------------------------------------
cp -r one_host damaged
events=$(echo damaged/mpiwatch-*-0/0.events)
head -c 64 /dev/zero | tr '\0' '\377' | dd of="$events" bs=1 seek=140000 conv=notrunc 2>/dev/null
assert_equal 4 "$(status_of "$recover" damaged other_host -o mended.otf2.zip)" "damage"
assert_matches "$(cat stdout)" "INCOMPLETE: .*spools of 1 rank are damaged, and .* is lost; next"
unzip -p mended.otf2.zip mpiwatch.json >about.json
damaged_calls=$(json about.json 'd["ranks"][0]["calls"]')
[ "$damaged_calls" -gt 100 ] && [ "$damaged_calls" -lt 700 ] ||
    wrong "damage at byte 140000: $damaged_calls calls before it"
assert_equal true "$(json about.json 'd["ranks"][0]["threads"][0]["damaged"]')" "damaged"

for field in 12 8; do # byte order, version
    rm -rf foreign
    cp -r one_host foreign
    definitions=$(echo foreign/mpiwatch-*-0/definitions)
    printf '\001\002\003\004' | dd of="$definitions" bs=1 seek=$field conv=notrunc 2>/dev/null
    assert_equal 3 "$(status_of "$recover" foreign -o foreign.otf2.zip)" "foreign, byte $field"
    assert_matches "$(cat stderr)" 'another byte order|definitions of version'
done
rm -rf linked && mkdir linked
ln -s "$(realpath one_host/mpiwatch-*-0)" linked/
assert_equal 3 "$(status_of "$recover" linked -o linked.otf2.zip)" "symbolic links are followed"

# --- several runs, none, and words that make no sense ------------------------------
cp -r one_host two_runs
rm -rf "${spools:?}"/* run.otf2.zip*
status_of run_openmpi 2 "$record" -o run.otf2.zip "$dies" SIGKILL 0 10 >/dev/null
cp -r "$spools"/* two_runs
assert_equal 2 "$(status_of "$recover" two_runs -o two.otf2.zip)" "two runs"
assert_contains "$(cat stderr)" "2 runs"
assert_equal 0 "$(status_of env MPIWATCH_SPOOL=two_runs "$recover")" "list"
assert_equal 2 "$(grep -c 'next: mpiwatch-recover' stdout)" "runs listed"
assert_contains "$(cat stdout)" "spools of 1 of 2 ranks"
assert_contains "$(cat stdout)" "spools of 2 of 2 ranks"
mkdir empty
assert_equal 3 "$(status_of env MPIWATCH_SPOOL=empty "$recover")" "an empty list"
assert_equal 3 "$(status_of "$recover" empty -o nothing.otf2.zip)" "nothing"
assert_equal 3 "$(status_of "$recover" "$dies" -o nothing.otf2.zip)" "something else"
assert_equal 3 "$(status_of "$recover" not_there -o nothing.otf2.zip)" "not there"
assert_equal 2 "$(status_of "$recover" --format tar one_host)" "a wrong option"
assert_equal 3 "$(status_of "$recover" one_host -o nowhere/x.otf2.zip)" "no output directory"

# --- a rank that never leaves MPI_Init: there is nothing to record yet, and it is said ------------
rm -rf "${spools:?}"/* run.otf2.zip*
test_timeout=6
status_of run_openmpi 2 "$record" -o run.otf2.zip "$dies" init 1 10 >/dev/null
[ -z "$(ls "$spools")" ] || wrong "spools of a run that never left MPI_Init"
assert_equal 3 "$(status_of "$recover" "$spools")" "a run that never left MPI_Init"
assert_contains "$(cat stderr)" "there are no spools in it"
finish
