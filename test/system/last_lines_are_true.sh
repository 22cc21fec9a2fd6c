# What the recorder says in the end can be followed: NAME.run is named where there is one, the
# spools where they lie and not where there are none, and names of any characters are shown, not
# obeyed by the terminal, and can be pasted.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"
recover=$TOP_BUILDDIR/mpiwatch-recover
test_timeout=60

# follow: runs what the last line says to do next, in bash, without the directory it was said in.
follow() {
    local next
    next=$(sed -n 's/^mpiwatch: .*; next: mpiwatch-recover //p' err | tail -1)
    [ -n "$next" ] || { wrong "$mpi, $1: nothing to do next: $(cat err)" && return; }
    assert_equal 4 "$(status_of bash -c "'$recover' $next -o '$PWD/followed.otf2.zip'")" \
        "$mpi, $1: $next: $(cat stderr)"
    rm -rf followed.otf2.zip "${spools:?}"/*
}

# As soon as MPI_Init is over, with rank 0 still in it or not.
aborts_at_once() {
    for _ in 1 2 3 4 5 6 7 8; do
        run_mpi "$mpi" 2 "$record" -o run.otf2.zip "./abort-$mpi" >out 2>err || true
        assert_file run.otf2.zip.run
        assert_equal 2 "$(grep -c '"spool"' run.otf2.zip.run)" "$mpi: ranks in NAME.run"
        if grep -q '^mpiwatch: ' err; then
            follow "an abort at once"
        fi
        rm -rf run.otf2.zip.run "${spools:?}"/*
    done
}

# The output's device has no room for NAME.run, nor for the archive. (Ranks write what they say
# themselves, since MPICH's mpiexec may end without passing on what was said last.)
full_output() {
    local way
    cat >in_full <<SCRIPT
mount -t tmpfs -o size=4k none full && head -c 4096 /dev/zero >full/rest
"$launcher" -n 2 sh -c 'exec "\$@" 2>>said' rank \
    "$record" -o full/run.otf2.zip "$TOP_BUILDDIR/test/system/dies-$mpi" \$1 1 10
ls full >listed
SCRIPT
    mkdir -p full
    for way in MPI_Abort exit finalize; do
        rm -f said
        timeout 60 unshare --mount bash in_full $way >out 2>&1 || true
        mv said err
        assert_equal "rest" "$(cat listed)" "$mpi, full, $way: what is in the directory"
        assert_contains "$(cat err)" "run.otf2.zip.run: can't write it: No space left on device"
        assert_lacks "$(cat err)" "mpiwatch-recover $PWD/full/run.otf2.zip.run"
        if [ $way != finalize ]; then
            follow "full, $way"
        else
            assert_contains "$(cat err)" "no archive was written"
            assert_contains "$(cat err)" "the spools stay in $spools"
            next=$(sed -n 's/^mpiwatch: .*; next: mpiwatch-recover //p' err)
            assert_equal 0 "$(status_of bash -c "'$recover' $next -o '$PWD/f.otf2.zip'")" \
                "$mpi, full: $next: $(cat stderr)"
            rm -rf f.otf2.zip "${spools:?}"/*
        fi
    done
}

# The output's device has room for NAME.run, and not for the archive: the MPI's writing fails, of
# which Open MPI gives no reason, and MPICH one of its own. Of a small archive, written by all
# together, and of one whose parts each rank writes.
no_room_for_the_archive() {
    local size
    mkdir -p full
    for size in 16k:1000 1m:50000; do
        cat >in_full <<SCRIPT
mount -t tmpfs -o size=${size%:*} none full
"$launcher" -n 2 sh -c 'exec "\$@" 2>>said' rank \
    "$record" -e all -z 0 -o full/run.otf2.zip "./calls-$mpi" ${size#*:}
ls full >listed
SCRIPT
        rm -f said
        timeout 60 unshare --mount bash in_full >out 2>&1 || true
        assert_equal "run.otf2.zip.run" "$(cat listed)" "$mpi, $size: what is left"
        assert_contains "$(grep 'no archive was written' said)" "No space left on device"
        rm -rf "${spools:?}"/*
    done
}

# No rank has a spool.
no_spools() {
    status=0
    run_mpi "$mpi" 2 env MPIWATCH_SPOOL="$PWD/nowhere" LD_PRELOAD="$(library "$mpi")" \
        MPIWATCH_OUTPUT="$PWD/run.otf2.zip" "$TOP_BUILDDIR/test/system/dies-$mpi" finalize 1 10 \
        >out 2>err || status=$?
    assert_equal 0 "$status" "$mpi, no spools: status"
    assert_contains "$(cat err)" "mpiwatch: 2 of 2 ranks record nothing; of rank 0: $PWD/nowhere"
    assert_equal 1 "$(grep -cx 'mpiwatch: no archive was written: no rank has a spool' err)" \
        "$mpi, no spools: the last line: $(cat err)"
    assert_lacks "$(cat err)" "the spools stay"
    assert_lacks "$(cat err)" "mpiwatch-recover"
    [ ! -e run.otf2.zip.run ] || wrong "$mpi, no spools: NAME.run is left, which knows of none"
}

# Of spools that somebody has removed nothing is kept, and there is nothing to do next.
removed_spools() {
    run_mpi "$mpi" 2 "$record" -o run.otf2.zip "./abort-$mpi" "rm -rf '${spools:?}'/mpiwatch-*" \
        >out 2>err || true
    assert_lacks "$(cat err)" "what was recorded is kept"
    if [ "$mpi" = openmpi ]; then # whose launcher lets all lines through
        assert_matches "$(cat err)" "MPI_Abort with code 3; its spool in .* is gone, and all that"
    fi
    rm -f run.otf2.zip.run
}

# shown WHAT FILE...: no byte in them that a terminal obeys, but ends of lines.
shown() {
    local what=$1
    shift
    cat "$@" >all_words
    ! LC_ALL=C grep -qaP '[\x00-\x09\x0b-\x1f\x7f]|\xc2[\x80-\x9f]' all_words ||
        wrong "$mpi, $what: control characters: $(cat -v all_words)"
}

names_of_all_kinds() {
    local place=$'it\'s \033]0;x\007\nand \302\233 \\' here=$PWD
    local program=$'./prog\033[31m'
    mkdir "$place"
    cp "$TOP_BUILDDIR/test/system/dies-$mpi" "$place/$program"
    cd "$place"
    run_mpi "$mpi" 2 "$record" -o $'a\033.otf2.zip' "$program" MPI_Abort 1 10 >out 2>err || true
    shown "MPI_Abort" err
    if [ "$mpi" = openmpi ]; then # whose launcher lets all lines through
        next=$(sed -n 's/^mpiwatch: .*; next: mpiwatch-recover //p' err)
        assert_equal "$PWD/"$'a\033.otf2.zip.run' "$(eval "printf %s $next")" "what can be pasted"
    fi
    assert_equal 0 "$(status_of "$recover")" "$mpi: the list: $(cat stderr)"
    shown "the list" stdout stderr
    assert_equal 4 "$(status_of "$recover" $'a\033.otf2.zip.run' --remove)" "$mpi: recovered"
    shown "recovered" stdout stderr
    next=$(sed -n 's/.*; next: mpiwatch-analyze //p' stdout)
    assert_equal "$PWD/"$'a\033.otf2.zip' "$(eval "printf %s $next")" "$mpi: what can be pasted"
    assert_equal 3 "$(status_of "$recover" $'b\033.otf2.zip.run')" "$mpi: one that isn't there"
    shown "one that isn't there" stdout stderr
    run_mpi "$mpi" 2 "$record" -o $'a\033.otf2.zip' "$program" finalize 1 10 >out 2>err || true
    assert_contains "$(cat err)" "next: mpiwatch-analyze"
    shown "MPI_Finalize" err
    assert_equal 0 "$(status_of "$record" --dry-run -o $'c\033.otf2.zip' "$program" $'\033')" \
        "$mpi: --dry-run: $(cat stderr)"
    shown "--dry-run" stdout stderr
    assert_equal 127 "$(status_of "$record" --mpi "$mpi" $'./no\033[31m')" "$mpi: no such program"
    shown "no such program" stdout stderr
    cd "$here"
}

cat >abort.c <<'C'
#include <mpi.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1) {
        if (argc > 1 && system(argv[1]) != 0) {
            return 1;
        }
        MPI_Abort(MPI_COMM_WORLD, 3);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
C
can_mount || echo "skipped: full devices, since unshare and mount are not permitted"
for mpi in $(built_mpis); do
    mkdir "$mpi"
    cd "$mpi"
    launcher=$MPIRUN_OPENMPI
    [ "$mpi" = openmpi ] || launcher=$MPIRUN_MPICH
    "$(mpicc_of "$mpi")" -o "abort-$mpi" ../abort.c
    "$(mpicc_of "$mpi")" -o "calls-$mpi" "$TOP_SRCDIR/test/system/local_calls.c"
    aborts_at_once
    if can_mount; then
        full_output
        no_room_for_the_archive
    fi
    no_spools
    removed_spools
    names_of_all_kinds
    cd ..
done
finish
