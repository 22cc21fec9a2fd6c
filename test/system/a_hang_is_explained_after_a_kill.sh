# Programs that hang, each in its own way (examples/hangs.c), are killed and recovered:
# mpiwatch-analyze hang says why, and while they hang mpiwatch-top --why says the same. A rank is
# killed when its spool, as the decoder of ARCHIVE.md reads it, ends in the open call; one that
# computes when it has said that it begins to.
. "$TOP_SRCDIR/test/system/lib.sh"
gently
recover=$TOP_BUILDDIR/mpiwatch-recover
export COLUMNS=500 # sentences are looked for on one line
export PYTHONPATH=$TOP_SRCDIR/test/system PYTHONDONTWRITEBYTECODE=1

# kill_inside CASE RANKS UNTOLD TOP: kills the run's ranks when all of them are where they hang: in
# calls, but for the one that computes, of which is told what they wait for, but for UNTOLD.
cat >kill_inside.py <<'PYTHON'
import glob, json, os, signal, subprocess, sys, time
import spool_file

ranks, untold = map(int, sys.argv[2:4])
computing = sys.argv[1] == "computes"
for _ in range(600):
    time.sleep(0.1)
    arrived = len(glob.glob("inside.*"))  # first: calls that are open then are where they hang
    spools = [spool_file.plain(open(name, "rb").read())
              for name in glob.glob(os.environ["TMPDIR"] + "/mpiwatch-*/0.events")]
    within = sum(spool_file.open_call(spool) is not None for spool in spools)
    told = sum(spool_file.now(spool) is not None for spool in spools)
    if arrived == ranks and within >= ranks - computing and told >= ranks - untold:
        break
else:
    print("%d ranks arrived, %d are in calls, %d tell of them" % (arrived, within, told))
subprocess.run([sys.argv[4], "--why", "run.otf2.zip.run"], stdout=open("live", "w"))
for line in open("run.otf2.zip.run"):
    pid = json.loads(line).get("pid")
    if pid:
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            pass  # the launcher was quicker
PYTHON

# hang MPI CASE RANKS UNTOLD: what is said of it, in the file said.
hang() {
    rm -rf inside.* run.otf2.zip* back.otf2.zip "${TMPDIR:?}"/*
    run_mpi "$1" "$3" "$record" -o run.otf2.zip "$(example hangs "$1")" "$2" >out 2>err &
    "$python" ../kill_inside.py "$2" "$3" "$4" "$TOP_BUILDDIR/mpiwatch-top" >never
    [ ! -s never ] || fail "$1, $2: they never hang: $(cat never)"
    wait $! || true
    "$recover" run.otf2.zip.run -o back.otf2.zip >recovered 2>&1 || true
    "$analyze" hang back.otf2.zip >said 2>/dev/null || true
}

# What comes before the table.
sentences() {
    sed '/^$/,$d'
}

# expect MPI CASE PATTERN [UNTOLD]: a line of what is said matches.
expect() {
    hang "$1" "$2" 3 "${4-0}"
    grep -Eq -- "$3" said || fail "$1, $2: nothing matches /$3/: $(cat said)"
    sed -E 's/ for [0-9.]+ s//g' live >live.timeless
    grep -Eq -- "$3" live.timeless ||
        fail "$1, $2: while it hangs, nothing matches /$3/: $(cat live)"
    sentences <live.timeless >live.sentences
    sentences <said | sed 's/, or died there, as the launcher then says$//' |
        cmp -s - live.sentences ||
        fail "$1, $2: while it hangs other things are said: $(cat live.sentences said)"
    ! grep -Eq ' for [0-9.]+ s' said || fail "$1, $2: for how long is said of what is over"
}

at='( at hangs\.c:[0-9]+)'
explained() {
    local mpi=$1 case
    expect "$mpi" recv_ring "^deadlock: rank 0 in MPI_Recv from 1 \(tag 7, ring\)$at <- rank 1\
 in MPI_Recv from 2 \(tag 7, ring\)$at <- rank 2 in MPI_Recv from 0 \(tag 7, ring\)$at\$"
    [ "$("$analyze" report --json -o report.json back.otf2.zip 2>/dev/null
        json report.json 'd["hang"]')" = "$(head -1 said)" ] ||
        fail "$mpi: the report says another thing: $(json report.json 'd["hang"]')"
    "$analyze" back.otf2.zip >screen 2>/dev/null || true
    assert_matches "$(cat screen)" '^hang +deadlock: rank 0 in MPI_Recv'
    assert_lacks "$(cat screen)" "record a longer run" # which has hung all the time
    # Nor is it told what would make waits shorter.
    assert_matches "$(cat screen)" '^advice +find out first why these ranks wait for each other'
    # While it hangs it is said for how long.
    assert_matches "$(cat live)" "^deadlock: rank 0 in MPI_Recv from 1 \(tag 7, ring\)$at for\
 [0-9.]+ s <- rank 1 in MPI_Recv from 2 \(tag 7, ring\)$at for [0-9.]+ s <- "
    # The same with a part that was not recorded, in which there may have been a message.
    expect "$mpi" paused_ring "^possible deadlock: rank 0 in MPI_Recv from 1 \(tag 7, ring\)"
    expect "$mpi" send_ring "^deadlock: rank 0 in MPI_Send to 1 \(tag 1, 2000000 bytes,\
 ring\)$at <- rank 1 .* <- rank 2 in MPI_Send to 0 "
    assert_contains "$(cat said)" "a send of 2000000 bytes from rank 0 to rank 1 (tag 1, ring),\
 which has posted no receive for it"
    expect "$mpi" ssend_ring "^deadlock: rank 0 in MPI_Ssend to 1 \(tag 1, 4 bytes, ring\)$at\
 <- rank 1 "
    expect "$mpi" taken "^possible deadlock: rank 1 in MPI_Ssend to 2 \(tag 1, 4 bytes, ring\)$at\
 <- rank 2 in MPI_Ssend to 1"
    assert_contains "$(cat said)" "a send of 4 bytes from rank 1 to rank 2 (tag 1, ring),\
 which has posted no receive for it but those that messages sent before it may have"
    expect "$mpi" wrong_tag "^a message of tag 8 from rank 0 waits at rank 1, which wants tag 7\
 \(ring\)"
    expect "$mpi" wait_all "^deadlock: rank 0 in MPI_Waitall$at for 2 requests: a receive from\
 1 \(tag 3, ring\)$at, a receive from 1 \(tag 4, ring\)$at <- rank 1 "
    expect "$mpi" any_source "^deadlock: rank 0 in MPI_Recv from any rank \(any tag, ring\)$at\
 <- rank 1 "
    expect "$mpi" wait_any "^deadlock: rank 0 in MPI_Waitany$at for 2 requests: a receive from\
 1 \(tag 3, ring\)"
    expect "$mpi" computes "^ranks 0, 2 in MPI_Allreduce on ring$at for rank 1, which is\
 outside of MPI \(last call MPI_Barrier$at\)(, or died there, as the launcher then says)?\$" 1
    # Of who is gone it is not known whether it died before the others, and made them wait.
    assert_contains "$(cat said)" ", or died there, as the launcher then says"
    assert_lacks "$(cat live)" "died"
    "$analyze" back.otf2.zip >screen 2>/dev/null || true
    assert_matches "$(cat screen)" '^at end +ranks 0, 2 in MPI_Allreduce'
    assert_lacks "$(sentences <said)" deadlock
    # Nor is any of the ranks in one: the column says so, and nothing of who is dead.
    assert_matches "$(cat said)" '^ *rank +where +deadlock +since '
    assert_equal 3 "$(grep -cE '^ *[0-2] +(in|out)side +no ' said)" "$mpi: ranks in no deadlock"
    expect "$mpi" order "^deadlock: ranks 0, 2 in MPI_Bcast on ring with root 1$at, rank 1 in\
 MPI_Barrier on ring$at: the order of collectives differs\$"
    expect "$mpi" roots "^deadlock: rank 0 in MPI_Bcast on ring with root 1$at, ranks 1-2 in\
 MPI_Bcast on ring with root 0$at: the roots differ\$"
    expect "$mpi" barrier_and_recv "^deadlock: rank 0 in MPI_Barrier on ring$at <- rank 1 in\
 MPI_Recv from 0 \(tag 5, ring\)$at\$"
    # A wait for an operation that does not block, by what its members need.
    expect "$mpi" ibarrier "^deadlock: rank 0 in MPI_Wait$at for 1 request: MPI_Ibarrier on\
 ring$at <- rank 1 in MPI_Recv from 0 \(tag 11, ring\)$at\$"
    "$analyze" hang --json back.otf2.zip >hang.json 2>/dev/null || true
    assert_equal '[["come", true, [1]]]' "$(json hang.json '[
        (each["to"], each["proved"], each["any_of"]) for each in d["ranks"][0]["waits_for"]]')" \
        "$mpi: whom rank 0 waits for"
    expect "$mpi" ibarrier_third "^deadlock: rank 0 in MPI_Wait$at for 1 request: MPI_Ibarrier on\
 ring$at <- rank 1 in MPI_Recv from 0 \(tag 12, ring\)$at\$"
    expect "$mpi" iallreduce "^deadlock: rank 0 in MPI_Waitall$at for 2 requests: MPI_Iallreduce on\
 ring$at, a receive from 1 \(tag 13, ring\)$at <- rank 1 in MPI_Recv from 0 \(tag 13, ring\)$at\$"
    expect "$mpi" ibarrier_any "^deadlock: rank 0 in MPI_Waitany$at for 2 requests: MPI_Ibarrier on\
 ring$at, a receive from 2 \(tag 14, ring\)$at <- rank 1 in MPI_Recv from 0 \(tag 14, ring\)$at\$"
    expect "$mpi" ibcast "^deadlock: rank 0 in MPI_Wait$at for 1 request: MPI_Ibcast on\
 ring$at <- rank 1 in MPI_Recv from 0 \(tag 15, ring\)$at\$"
    expect "$mpi" igather "^deadlock: rank 0 in MPI_Wait$at for 1 request: MPI_Igather on\
 ring$at <- rank 1 in MPI_Recv from 0 \(tag 17, ring\)$at\$" 1
    expect "$mpi" igatherv "^possible deadlock: rank 0 in MPI_Wait$at for 1 request: MPI_Igatherv\
 on ring$at <- rank 1 in MPI_Recv from 0 \(tag 18, ring\)$at\$" 1
    [ "$mpi" != mpich ] ||
        expect "$mpi" started "^possible deadlock: rank 0 in MPI_Wait$at for 1 request: a\
 collective on ring$at <- rank 1 in MPI_Recv from 0 \(tag 16, ring\)$at\$"
    expect "$mpi" comm_dup "^deadlock: rank 0 in MPI_Comm_dup on ring$at <- rank 1 in MPI_Recv\
 from 0 \(tag 6, ring\)$at\$"
    expect "$mpi" finalize "^deadlock: rank 0 in MPI_Finalize$at <- rank 1 in MPI_Recv from 0\
 \(tag 9, ring\)$at\$" 2
    expect "$mpi" sendrecv "^deadlock: rank 0 in MPI_Sendrecv to 1 \(tag 1, 1000000 bytes,\
 ring\) from 2 \(tag 2, ring\)$at <- rank "
    expect "$mpi" win_wait "^deadlock: rank 0 in MPI_Win_wait for rank 1$at <- rank 1 in\
 MPI_Recv from 0 \(tag 3, ring\)$at\$" 1
    for case in win_post win_start; do
        expect "$mpi" $case "^possible deadlock: rank 0 in MPI_Recv from 1 \(tag 4, ring\)$at <-\
 rank 1 in MPI_Win_(start( for rank 0)?|complete for rank 0)$at\$" 1
    done
    for case in win_lock win_share win_lock_shared win_lock_all; do
        expect "$mpi" $case "^possible deadlock: rank 0 in MPI_Recv from 1 \(tag 2, ring\)$at <-\
 rank 1 in MPI_Win_((lock|unlock|flush) of rank 0|(lock|unlock|flush)_all)$at\$" 1
    done
    expect "$mpi" probe "^deadlock: rank 0 in MPI_Probe from 1 \(tag 4, ring\)$at <- rank 1 "
}
beside explained $(mpis)

# How long ranks had been in a call that they never left is not known, nor that they computed: here
# the runs are 900 and 200 ns, of which 10 are in MPI_Send.
"$TOP_BUILDDIR/test/data/make_archive" open open
"$analyze" report --json -o report.json open 2>/dev/null || assert_equal 4 $? "never left"
assert_equal "MPI takes 0.9% of the ranks' run, beside calls that were never left; the record \
of the run is incomplete" "$(json report.json 'd["verdict"]')" "never left"
