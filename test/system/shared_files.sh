# Functions of the tests in which ranks are hosts of their own that share a directory by a file
# system of FUSE. A test sources lib.sh, recordings.sh and this file, and writes the script
# mount_shared, which mounts the directory `store` on `shared` and stays in the foreground.
need setpriv mountpoint
[ -c /dev/fuse ] || skip "no /dev/fuse here"

mkdir store shared
# The mount ends with the shell that has made it, whatever ends that.
cat >on_a_host <<'SCRIPT'
rank=${OMPI_COMM_WORLD_RANK-${PMI_RANK-0}}
exec unshare --uts --mount sh -c 'hostname "host$1" && shift || exit 1
    setpriv --pdeathsig KILL sh mount_shared </dev/null &
    for _ in $(seq 100); do
        mountpoint -q shared && break
        kill -0 $! || exit 1
        sleep 0.1
    done
    mountpoint -q shared || exit 1
    status=0
    "$@" || status=$?
    umount shared
    exit $status' sh "$rank" "$@"
SCRIPT

# need_shared NAME: skips the test when mount_shared, of the file system NAME, does not work here.
need_shared() {
    timeout 30 sh on_a_host true 2>mounted || skip "$1 can't be mounted here: $(head -1 mounted)"
    timeout 30 sh on_a_host sh -c 'echo seen >shared/probe'
    assert_equal seen "$(cat store/probe)" "what is written through $1"
    rm store/probe
}

# shared_holds_archives MPI: of two hosts, small and large; and what is recovered of a killed run.
shared_holds_archives() {
    local mpi=$1 calls status dies=$TOP_BUILDDIR/test/system/dies-$1
    "$(mpicc_of "$mpi")" -o "calls-$mpi" "$TOP_SRCDIR/test/system/local_calls.c"
    for calls in 100 50000; do # written by all together, and by each rank
        status=0
        run_mpi "$mpi" 2 sh on_a_host "$record" -e all -z 0 -o shared/run.otf2.zip \
            "./calls-$mpi" $calls >out 2>err || status=$?
        assert_equal 0 "$status" "$mpi, $calls: status: $(head -5 err)"
        assert_contains "$(cat err)" "lost 0"
        "$analyze" validate store/run.otf2.zip >valid || wrong "$mpi, $calls: $(cat valid)"
        "$analyze" info --json store/run.otf2.zip >info.json
        assert_equal "2 2" "$(json info.json '"%d %d" % (d["ranks"], d["hosts"])')" "$mpi: hosts"
        assert_lacks "$(ls store)" ".partial"
        rm store/run.otf2.zip
    done

    run_mpi "$mpi" 2 sh on_a_host "$record" -o shared/run.otf2.zip "$dies" SIGKILL 1 100 \
        >out 2>err || true
    ranks_have_ended
    assert_file store/run.otf2.zip.run
    run_mpi "$mpi" 2 sh on_a_host "$TOP_BUILDDIR/mpiwatch-recover" -o "$PWD/shared/back.otf2.zip" \
        "$PWD/shared/run.otf2.zip.run" >out 2>err || true # 4: ranks have no end
    "$analyze" info --json store/back.otf2.zip >info.json 2>err || true # 4, for the same reason
    assert_equal 2 "$(json info.json 'd["ranks"]')" "$mpi, killed: ranks"
    rm -rf store/* "${spools:?}"/*
}
