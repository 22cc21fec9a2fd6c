# What will go wrong at the end is said at the start, once for all ranks, and what is said to be
# next works: hosts that don't share the output's directory, disks without room, a command that
# none of the ranks can run.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"
recover=$TOP_BUILDDIR/mpiwatch-recover
test_timeout=60

# said FRAGMENT: how many lines of err have it.
said() {
    grep -cF -- "$1" err || true
}

# Each rank is a host of its own, whose output directory and disk no other one sees.
cat >place <<'SCRIPT'
rank=${OMPI_COMM_WORLD_RANK-${PMI_RANK-}}
exec unshare --uts --mount sh -c 'hostname "host$1" && mount --bind "disk$1" "$MPIWATCH_SPOOL" &&
    mount -t tmpfs none private && cd private && shift && exec "$@"' sh "$rank" "$@"
SCRIPT

hosts_of_their_own() {
    mkdir -p private disk0 disk1
    run_mpi "$mpi" 2 sh place "$record" -o run.otf2.zip "$dies" finalize -1 100 >out 2>err || true
    assert_equal 1 "$(said 'run.otf2.zip.run: not all ranks see the file')" "$mpi: at the start"
    assert_lacks "$(sed 's/.*; next: //' err)" "run.otf2.zip.run '"
    next=$(sed -n "s/^mpiwatch: no archive .*; next: under mpirun on its hosts, mpiwatch-recover \
-o FILE-THAT-ALL-SHARE '\(.*\)'\$/\1/p" err)
    run_mpi "$mpi" 2 sh place "$recover" -o "$PWD/back.otf2.zip" "$next" >out 2>err ||
        wrong "$mpi: $next: $(cat err)"
    reported info back
    assert_equal "2 2 true" "$(json info.json '"%d %d %s" % (d["ranks"], d["hosts"],
        json.dumps(d["lost_events"] == 0))')" "$mpi: what was recovered"
    rm -rf back.otf2.zip disk0 disk1
}

# A disk of 2 MB for spools and archive; then for spools that the user limits. One that no spool
# fits on is said to be that, once, and by each rank where it is the user's limit.
on_a_small_disk() {
    mkdir -p small
    cat >in_small <<SCRIPT
mount -t tmpfs -o size=2m none small
. "$TOP_SRCDIR/test/system/lib.sh"
export MPIWATCH_SPOOL="$PWD/small"
run_mpi "$mpi" 2 "$record" -o "$PWD/small/run.otf2.zip" "$dies" finalize -1 100 2>"$PWD/err" || true
run_mpi "$mpi" 2 "$record" --max-spool=512K -o "$PWD/run.otf2.zip" "$dies" finalize -1 100 \
    2>"$PWD/err.limited" || true
mount -t tmpfs -o size=200k none "$PWD/small"
run_mpi "$mpi" 2 "$record" -o "$PWD/run.otf2.zip" "$dies" finalize -1 100 2>"$PWD/err.tiny" || true
run_mpi "$mpi" 2 "$record" --max-spool=100K -o "$PWD/run.otf2.zip" --force "$dies" finalize -1 100 \
    2>"$PWD/err.tiny_limit" || true
SCRIPT
    unshare --mount bash in_small >out 2>&1 || true
    assert_equal 1 \
        "$(grep -cE 'rank [01] has room for [0-9.]+ kB in .*, some [0-9]+000 calls: later' err)" \
        "$mpi: room for calls: $(cat err)"
    assert_equal 1 "$(grep -cE 'small has room for [0-9.]+ MB, some [0-9]+000 calls of each' err)" \
        "$mpi: room for the archive: $(cat err)"
    assert_lacks "$(cat err.limited)" "has room for"
    assert_contains "$(cat err.limited)" "lost 0"
    assert_equal 1 "$(grep -cE 'rank [01] has room for .* kB in .*, and a spool takes 204.8 kB' \
        err.tiny)" "$mpi: no room for a spool: $(cat err.tiny)"
    assert_lacks "$(cat err.tiny)" "a thread"
    assert_contains "$(cat err.tiny)" "LOST; next:"
    assert_lacks "$(cat err.tiny_limit)" "has room for"
    assert_equal 2 "$(grep -c 'the calls of a thread are not recorded: .* at most 102400' \
        err.tiny_limit)" "$mpi: the user's limit: $(cat err.tiny_limit)"
    rm -f run.otf2.zip
}

for mpi in $(built_mpis); do
    dies=$TOP_BUILDDIR/test/system/dies-$mpi
    status=0
    run_mpi "$mpi" 2 "$record" --misteak "$dies" finalize -1 100 >out 2>err || status=$?
    assert_equal "125 1" "$status $(said 'there is no option --misteak')" "$mpi: a mistake"
    can_mount && unshare --uts true 2>/dev/null || {
        echo "no file systems and host names of one's own here: not tried without room"
        continue
    }
    hosts_of_their_own
    on_a_small_disk
done
finish
