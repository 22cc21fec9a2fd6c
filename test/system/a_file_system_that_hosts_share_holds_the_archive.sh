# Ranks that are hosts of their own, and see the output's directory by sshfs, each through a mount
# and caches of its own: the archive is written together, small or large, and so is that of a run
# that was killed, by mpiwatch-recover under mpirun. The files come from sftp-server, without ssh.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"
need sshfs setpriv mountpoint
server=/usr/lib/openssh/sftp-server
[ -x "$server" ] || skip "no sftp-server here"
[ -c /dev/fuse ] || skip "no /dev/fuse here"
recover=$TOP_BUILDDIR/mpiwatch-recover
test_timeout=60

mkdir store shared
printf '#!/bin/sh\nexec %s\n' "$server" >instead_of_ssh
chmod +x instead_of_ssh
# The mount ends with the shell that has made it, whatever ends that.
cat >on_a_host <<'SCRIPT'
rank=${OMPI_COMM_WORLD_RANK-${PMI_RANK-0}}
exec unshare --uts --mount sh -c 'hostname "host$1" && shift || exit 1
    setpriv --pdeathsig KILL \
        sshfs -f -o ssh_command="$PWD/instead_of_ssh" "any:$PWD/store" shared </dev/null &
    for _ in $(seq 100); do
        mountpoint -q shared && break
        kill -0 $! || exit 1
        sleep 0.1
    done
    status=0
    "$@" || status=$?
    umount shared
    exit $status' sh "$rank" "$@"
SCRIPT
sh on_a_host true 2>mounted || skip "sshfs can't be mounted here: $(head -1 mounted)"
sh on_a_host sh -c 'echo seen >shared/probe'
assert_equal seen "$(cat store/probe)" "what is written through sshfs"

for mpi in $(built_mpis); do
    dies=$TOP_BUILDDIR/test/system/dies-$mpi
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
    run_mpi "$mpi" 2 sh on_a_host "$recover" -o "$PWD/shared/back.otf2.zip" \
        "$PWD/shared/run.otf2.zip.run" >out 2>err || true # 4: ranks have no end
    "$analyze" info --json store/back.otf2.zip >info.json || true # 4, for the same reason
    assert_equal 2 "$(json info.json 'd["ranks"]')" "$mpi, killed: ranks"
    rm -rf store/* "${spools:?}"/*
done
finish
