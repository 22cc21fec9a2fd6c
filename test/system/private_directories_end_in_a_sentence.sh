# Ranks whose working directories are their own: on a file system that all share, the
# archive lies in rank 0's; on private file systems there is a sentence, no hang, and the
# program's own output and exit status.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"

rank='${OMPI_COMM_WORLD_RANK:-${PMI_RANK:-0}}'

own_directories() {
    local mpi=$1
    status=0
    run_mpi "$mpi" 2 sh -c "mkdir -p own-$mpi/$rank && cd own-$mpi/$rank &&
        exec '$record' -o run.otf2.zip '$(example ring "$mpi")'" >ring.out 2>ring.err || status=$?
    assert_equal 0 "$status" "own directories, $mpi: status: $(cat ring.err)"
    assert_equal "own-$mpi/0/run.otf2.zip" "$(find "own-$mpi" -type f)" \
        "own directories, $mpi: the files there"
    cp "own-$mpi/0/run.otf2.zip" ring.otf2.zip
    as_expected "$mpi" 2 ring.c
}

private_file_systems() {
    local mpi=$1
    mkdir -p private
    status=0
    run_mpi "$mpi" 2 unshare --mount sh -c "mount -t tmpfs none private && cd private &&
        exec '$record' -o run.otf2.zip '$(example ring "$mpi")'" >ring.out 2>ring.err || status=$?
    assert_equal 0 "$status" "private file systems, $mpi: status: $(cat ring.err)"
    assert_equal "visits = 20" "$(cat ring.out)" "private file systems, $mpi: stdout"
    assert_matches "$(cat ring.err)" '^mpiwatch.*(shared|see)'
    rm -rf "${spools:?}"/* # kept, since there is no archive
}

test_timeout=30
for mpi in $(built_mpis); do
    own_directories "$mpi"
    if can_mount; then
        private_file_systems "$mpi"
    else
        echo "skipped: private file systems, since unshare and mount are not permitted"
    fi
done
finish
