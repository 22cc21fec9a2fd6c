# Whatever kills a run, mpiwatch-recover makes an archive of it that any OTF2 reader takes,
# with every call that had returned, and says how the run ended. The programs count their
# calls themselves.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"
need otf2-print
recover=$TOP_BUILDDIR/mpiwatch-recover
kill_at_once
test_timeout=${TEST_TIMEOUT-60}

# died MPI RANKS WAY RANK: records a run that dies. (Ranks write what they say themselves, since
# MPICH's mpiexec may end without passing on what was said last.)
died() {
    rm -rf "${spools:?}"/* run.otf2.zip* count.* err
    status=0
    run_mpi "$1" "$2" sh -c 'exec "$@" 2>>err' rank "$record" -o run.otf2.zip \
        "$TOP_BUILDDIR/test/system/dies-$1" "$3" "$4" 2000 >out 2>err.launcher || status=$?
    wait_for_ranks
}

# After MPI_Abort, MPICH 4.2's launcher may end before the ranks that it kills. They left their
# process ids in the files of their counts.
wait_for_ranks() {
    local file deadline=$((SECONDS + 20))
    for file in count.*; do
        while kill -0 "$(od -An -td8 -N8 "$file" | tr -d ' ')" 2>/dev/null &&
            [ "$SECONDS" -lt "$deadline" ]; do
            sleep 0.05
        done
    done
}

# ended_by OPTION: what info says of it, on one line.
ended_by() {
    "$analyze" -q info $1 back.otf2.zip | sed -n '/^ended/,/^ranks/p' | tr -s ' \n' ' '
}

# recovered WAY RANKS STATUS ENDING [MISSING...]: holds what is made of it against the counts.
recovered() {
    local way=$1 ranks=$2 expected=$3 ending=$4
    shift 4
    assert_equal "$expected" "$(status_of "$recover" run.otf2.zip.run -o "back.otf2.zip" --force)" \
        "$way: status of mpiwatch-recover: $(cat stderr)"
    assert_contains "$(cat stdout)" "$ending"
    "$python" "$TOP_SRCDIR/test/system/check_recovered.py" "$way" back.otf2.zip "$ranks" "$@" ||
        wrong "$way"
    assert_equal 4 "$(status_of "$analyze" info --json back.otf2.zip)" "$way: status of the report"
    assert_equal false "$(json stdout 'd["complete"]')" "$way: complete"
    "$analyze" back.otf2.zip 2>/dev/null >screen || [ $? = 4 ]
    sed -n '/^ended/,/^settings/p' screen | tr -s ' \n' ' ' >ended
    grep -qF "$ending" ended || wrong "$way: the first screen does not say how it ended"
    assert_matches "$(cat ended)" '; the last record is of [0-9.]+ [mun]?s: '
    # Whoever says how it ended says, too, up to when it is known.
    since=$(grep -o '; the last record is of .*: what was done after it is not known' ended)
    ended_by --full >said
    grep -qF "$ending" said && grep -qF "$since" said || wrong "$way: info --full: $(cat said)"
    ended_by "" >said
    grep -qF "$ending" said && grep -qF "; what was done after the last record is not known" said ||
        wrong "$way: info: $(cat said)"
    "$analyze" -q report --force --html=page.html back.otf2.zip || [ $? = 4 ] || wrong "$way: page"
    grep -F "How it ended: $ending" page.html | grep -qF "$since" || wrong "$way: the page"
}

# knows_its_end WAY TIME NS: rank 1 told its end: its run goes on until then, so long or longer in
# what has TIME for a key.
knows_its_end() {
    "$analyze" -q ranks --json back.otf2.zip >ranks.json || [ $? = 4 ]
    "$python" -c 'import json, sys
assert json.load(open("ranks.json"))["ranks"][1][sys.argv[1]] >= int(sys.argv[2])' "$2" "$3" ||
        wrong "$1: the run of rank 1 is not known to its end: $(cat ranks.json)"
    ! grep -q "the run is short" screen || wrong "$1: a run that was cut short is called short"
}

silent="killed, or ended without a word"
at=$(grep -n 'strcmp(way, "MPI_Abort")' "$TOP_SRCDIR/test/system/dies.c" | cut -d: -f1)
at=$((at + 1))
for mpi in $(built_mpis); do
    ranks=$(if [ "$mpi" = mpich ]; then echo 2; else echo 3; fi)
    for way in SIGKILL SIGSEGV SIGTERM abort _exit; do
        died "$mpi" "$ranks" $way 1
        # MPICH 4.2's may end with 0 nevertheless, on a busy machine.
        [ "$status" -ne 0 ] || { [ "$mpi" = mpich ] && ! mpich_is_4_0; } ||
            wrong "$mpi, $way: the launcher did not notice"
        recovered "$mpi, $way" "$ranks" 4 "$silent: ranks 0-$((ranks - 1))"
    done
    died "$mpi" "$ranks" SIGKILL -1
    recovered "$mpi, SIGKILL of all" "$ranks" 4 "$silent: ranks 0-$((ranks - 1))"

    died "$mpi" "$ranks" MPI_Abort 1
    assert_contains "$(cat err)" "rank 1 called MPI_Abort with code 3"
    assert_contains "$(cat err)" "next: mpiwatch-recover $scratch/run.otf2.zip.run"
    recovered "$mpi, MPI_Abort" "$ranks" 4 "MPI_Abort with code 3: rank 1; $silent: rank"
    knows_its_end "$mpi, MPI_Abort" outside_ns 200000000
    COLUMNS=500 "$analyze" -q hang back.otf2.zip >said || [ $? = 4 ]
    grep -Eq "in MPI_Barrier .* for rank 1, which has called MPI_Abort at dies.c:$at" said ||
        wrong "$mpi, MPI_Abort: nobody waits for who called it: $(cat said)"
    assert_matches "$(head -1 said)" "^rank 1 called MPI_Abort with code 3 at dies.c:$at\$"

    # The handler comes while rank 1 waits in MPI_Recv.
    died "$mpi" "$ranks" handler 1
    assert_contains "$(cat err)" "rank 1 called MPI_Abort with code 3"
    recovered "$mpi, MPI_Abort in a handler" "$ranks" 4 "MPI_Abort with code 3: rank 1; "
    knows_its_end "$mpi, MPI_Abort in a handler" mpi_ns 900000000
    COLUMNS=500 "$analyze" -q hang back.otf2.zip >said || [ $? = 4 ]
    assert_contains "$(sed 1d said)" "rank 1 called MPI_Abort with code 3" # why it waited: before

    died "$mpi" "$ranks" exit 1
    assert_contains "$(cat err)" "rank 1 ended without MPI_Finalize, with status 5"
    assert_contains "$(cat err)" "next: mpiwatch-recover $scratch/run.otf2.zip.run"
    recovered "$mpi, exit" "$ranks" 4 "exit without MPI_Finalize, with status 5: rank 1"
    COLUMNS=500 "$analyze" -q hang back.otf2.zip >said || [ $? = 4 ]
    assert_matches "$(head -1 said)" \
        "^rank 1 exited with status 5 without MPI_Finalize \(last call MPI_[A-Z]"
    "$analyze" -q back.otf2.zip >screen || [ $? = 4 ]
    assert_matches "$(cat screen)" "^error +rank 1 exited with status 5"
    knows_its_end "$mpi, exit" outside_ns 200000000
done
finish
