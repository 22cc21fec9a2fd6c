# mpiwatch-analyze on archives whose contents were worked out on paper (test/data): every
# command prints what its manual says, in all formats, and exits as it says.
. "$TOP_SRCDIR/test/system/lib.sh"

make_archive=$TOP_BUILDDIR/test/data/make_archive

# expect STATUS COMMAND...: runs it, its output in out and err.
expect() {
    local wanted=$1 status=0
    shift
    "$@" >out 2>err </dev/null || status=$?
    [ "$status" = "$wanted" ] || fail "exit $status, not $wanted: $*: $(cat err)"
}

# --- what is printed -------------------------------------------------------------

"$make_archive" plain plain
expect 0 "$analyze" plain
cat >wanted <<'TEXT'
verdict   MPI takes 13.2% of the ranks' run, 60% of it in MPI_Recv
time      useful 86.8%, mpi 13.2% (waiting 2.6%) of 1.90 us, the run of all ranks together
useful    min 800 ns (rank 0), avg 825 ns, max 850 ns (rank 1)
POP       parallel 0.82 = balance 0.97 x communication 0.85 (serialisation 0.94 x transfer 0.90)
TEXT
sed -n 2,5p out | diff wanted - || fail "the report of plain"
expect 0 "$analyze" info plain
grep -q '^complete  *yes, by its definitions; its events were not read$' out || fail "$(cat out)"
expect 0 "$analyze" info --full plain
grep -q '^complete  *yes$' out || fail "complete: $(cat out)"
expect 0 "$analyze" calls --csv plain
cat >wanted <<'TEXT'
name,group,count,time_ns,min_ns,max_ns,bytes_sent,bytes_received,rank_min_ns,rank_max_ns,rank_max
MPI_Finalize,env,2,200,100,100,0,0,100,100,0
MPI_Init,env,2,200,100,100,0,0,100,100,0
MPI_Recv,p2p,1,150,150,150,0,1000,0,150,1
MPI_Send,p2p,1,50,50,50,1000,0,0,50,0
MPI_Test,p2p,10,50,5,5,0,0,0,50,0
TEXT
cut -d, -f 1-11 out | diff wanted - || fail "the calls of plain"
# Shares are of the time between MPI_Init and MPI_Finalize: of 150 + 50 + 50 ns, and not of 650.
expect 0 "$analyze" calls plain
grep -q '^MPI_Recv .* 60\.0% ' out && grep -q '^MPI_Init .* - ' out || fail "shares: $(cat out)"
tr '\n' ' ' <"$TOP_SRCDIR/analyzer/man/mpiwatch-analyze.1.in" | grep -qF "share is a part of the \
time in all calls but MPI_Init, MPI_Init_thread and MPI_Finalize" || fail "shares in the manual"
expect 0 "$analyze" messages --csv plain
printf 'from,to,count,bytes\n0,1,1,1000\n' | diff - out || fail "the messages of plain"
expect 0 "$analyze" dump --rank=1 plain
[ "$(wc -l <out)" = 7 ] || fail "rank 1 has 7 events: $(cat out)"
grep -q ' 200 *1 recv .* peer=0 tag=7 bytes=1000' out || fail "the receive: $(cat out)"
"$make_archive" comms comms
expect 0 "$analyze" comms --json -o comms.json comms
"$python" - <<'PYTHON' || fail "the communicators of comms: $(cat comms.json)"
import json
half = json.load(open("comms.json"))["communicators"][2]
assert half["name"] == "half" and half["members"] == [2, 0] and half["size"] == 2
assert (half["created_ns"], half["freed_ns"]) == (100, 700)
assert (half["messages"], half["bytes"], half["collectives"], half["time_ns"]) == (1, 64, 1, 310)
assert half["parent"] == "otf2:0" and half["inter"] is False
PYTHON

# Waits as test/data/archives_waits.c works them out: late senders 600, late receivers 700 of
# runs of 3 x 4900 ns, 8.8% together.
"$make_archive" waits_messages waits
expect 0 "$analyze" waits waits
sed -n 1p out | grep -q '^waiting takes 1.30 us, 8.8% of the ranks. run$' ||
    fail "waits: $(cat out)"
expect 0 "$analyze" waits --csv waits
cat >wanted <<'TEXT'
name,rank,wait_ns,caused_ns
late_sender,0,0,300
late_sender,1,500,0
late_sender,2,100,300
late_receiver,0,700,0
late_receiver,2,0,700
TEXT
diff wanted out || fail "the table of waits"
expect 0 "$analyze" waits --json waits
"$python" - <<'PYTHON' || fail "the waits: $(cat out)"
import json
found = json.load(open("out"))
late = {each["name"]: each for each in found["patterns"]}["late_sender"]
assert (late["total_ns"], late["instances"], late["per_rank_ns"]) == (600, 4, [0, 500, 100]), late
assert abs(late["share"] - 600 / 14700) < 1e-12, late
first = late["worst"][0]
assert {key: first[key] for key in ("t_ns", "rank", "cause_rank", "wait_ns", "call", "comm")} == {
    "t_ns": 100, "rank": 1, "cause_rank": 0, "wait_ns": 200, "call": "MPI_Recv",
    "comm": "MPI_COMM_WORLD"}, first
PYTHON
expect 0 "$analyze" waits --rank=1 --from=250ns --to=750ns waits
sed -n 1p out | grep -q '^waiting takes 200 ns,' || fail "the window: $(cat out)"
expect 0 "$analyze" report waits
grep -Eq "^ late receiver +700 ns +4.8% +0 +700 ns  MPI_" out || fail "the report: $(cat out)"

# --- every archive, every command, every format ------------------------------------

mkdir json # COMMAND of ARCHIVE
for name in $("$make_archive" 2>&1 | sed 1d); do
    [ -d "$name" ] || "$make_archive" "$name" "$name"
    case $name in
    comm_mistakes | outside) continue ;; # sound for all but validate
    backwards) status=3 ;;
    open | empty) status=4 ;;
    *) status=0 ;;
    esac
    for columns in 80 200; do
        lines=$((columns < 100 ? 30 : 24))
        expect $status "$analyze" --width=$columns "$name"
        [ "$(wc -l <out)" -le $lines ] || fail "$name: more than $lines lines of $columns columns"
        ! LC_ALL=C.UTF-8 grep -q '.\{101\}' out || fail "$name: more than 100 columns"
        [ $columns -ge 100 ] || ! LC_ALL=C.UTF-8 grep -v 'mpiwatch-analyze ' out |
            LC_ALL=C.UTF-8 grep -q '.\{81\}' || fail "$name: more than $columns columns"
    done
    [ $status = 3 ] && continue
    # Of some with events by the hundred thousand once is enough, without each event.
    [ "$(du -sk "$name" | cut -f 1)" -gt 1000 ] && is_large=yes || is_large=
    for command in report info calls ranks messages comms imbalance pop critical-path validate \
        dump; do
        [ $command != dump ] || [ -z "$is_large" ] || continue
        [ $command != dump ] || status=0
        expect $status "$analyze" -q $command --json "$name"
        [ ! -s err ] || fail "$command $name speaks with -q: $(cat err)"
        mv out "json/$command of $name"
        [ -z "$is_large" ] || continue
        [ $command != info ] || command="info --full"
        expect $status "$analyze" $command "$name/traces.otf2"
    done
done
"$python" - <<'PYTHON' || fail "JSON"
import json, os, sys
names = sorted(os.listdir("json"))
assert len(names) > 400, names
for name in names:
    command, text = name.split()[0], open("json/" + name).read()
    refuse = lambda word: sys.exit("%s: no number: %s" % (name, word))
    for each in text.splitlines() if command == "dump" else [text]:
        try:
            found = json.loads(each, parse_constant=refuse)
        except ValueError as reason:
            sys.exit("%s: %s: %s" % (name, reason, text))
        if command != "dump":
            assert found["schema"] == "mpiwatch-%s/1" % command, (name, found["schema"])
        if command == "report":
            assert all(found[part]["schema"] == "mpiwatch-%s/1" % part for part in (
                "info", "calls", "ranks", "messages", "comms", "imbalance", "pop")), name
PYTHON

# --- how it ends -----------------------------------------------------------------

expect 0 "$analyze" --version
expect 0 "$analyze" --help
expect 0 "$analyze" calls --help
expect 2 "$analyze"
expect 2 "$analyze" --no-such-option plain
expect 2 "$analyze" calls plain comms
expect 2 "$analyze" info --csv plain
expect 2 "$analyze" calls --csv --json plain
expect 2 "$analyze" --color=sometimes plain
expect 2 "$analyze" dump --rank=x plain
expect 2 "$analyze" waits --rank=2 plain
grep -q 'there is no rank 2: the archive has 2 ranks' err || fail "which ranks? $(cat err)"
expect 2 "$analyze" messages --from=1s plain
grep -q 'messages does not take --from' err || fail "an option of others: $(cat err)"
expect 2 "$analyze" waits --from=2s --to=1s plain
expect 0 "$analyze" waits --to=3000000000ns plain
expect 2 "$analyze" timeline --bins=0 plain
expect 2 "$analyze" callz plain
grep -q '"callz" is neither a command' err || fail "which command? $(cat err)"

# clock OFFSET LENGTH: the clock of an archive plain begins at OFFSET, of LENGTH ticks (0: unknown).
clock() {
    rm -rf later
    cp -r plain later
    "$python" - "$TOP_SRCDIR/test/system" "$@" <<'PYTHON'
import sys
sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
import otf2_bytes as otf2
data = open("later/traces.def", "rb").read()
begin, head, end = next(each for each in otf2.records(data, False, 1 << 24)
                        if data[each[0]] == otf2.CLOCK_PROPERTIES)
numbers = b"".join(otf2.number(int(word)) for word in ("1000000000", *sys.argv[2:], "0"))
with open("later/traces.def", "wb") as file:
    file.write(data[:begin] + otf2.record(otf2.CLOCK_PROPERTIES, numbers) + data[end:])
PYTHON
}
# A trace whose events come before it says that it begins: its run begins with them all the same.
# One that reaches beyond the last number ends there.
clock 5000000 0
expect 0 "$analyze" timeline later
grep -q '^from 0 ns to 1.10 us, ' out || fail "before the beginning: $(head -1 out)"
expect 0 "$analyze" timeline --comms --json later
# Nor is it behind the end where events are, whatever the definitions say of that; behind all is.
expect 0 "$analyze" dump --from=1100ns later
[ -s out ] || fail "no events behind where they are said to end"
expect 2 "$analyze" dump --from=1s later
grep -q 'there is nothing from --from on: the archive ends at ' err || fail "the end: $(cat err)"
expect 2 "$analyze" timeline --from=1s later
grep -q 'there is nothing from --from on: ' err || fail "what is wrong? $(cat err)"
expect 2 "$analyze" timeline --to=-1s later
grep -q 'there is nothing from --from to --to' err || fail "what is wrong? $(cat err)"
clock 18446744073709551615 1000
expect 0 "$analyze" timeline later
expect 0 "$analyze" timeline --to=1s later
expect 0 "$analyze" pop --csv plain
sed 1d out | grep -q '^(run),' || fail "the run's efficiencies: $(cat out)"

# No output replaces the archive that is read.
cp plain/traces.otf2 kept
for output in -o --html; do
    expect 2 "$analyze" report $output plain/traces.otf2 plain/traces.otf2
    cmp -s kept plain/traces.otf2 || fail "$output wrote over the archive"
done
expect 3 "$analyze" no-such-archive
grep -q 'no-such-archive: cannot open' err || fail "which archive? $(cat err)"
mkdir bare
expect 3 "$analyze" bare
grep -q 'no anchor file' err || fail "what is missing? $(cat err)"
echo text >text
expect 3 "$analyze" text
expect 3 "$analyze" -o no/such/directory plain
expect 4 "$analyze" open
grep -q 'incomplete' err || fail "why 4? $(cat err)"
expect 0 "$analyze" --color=always plain
grep -q "$(printf '\033')" out || fail "no colour"
expect 0 "$analyze" plain
! grep -q "$(printf '\033')" out || fail "colour in a file"
