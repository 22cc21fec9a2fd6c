# compare says first in a sentence how much longer a run takes and why, then warns of what is
# different in the runs; of runs with different ranks it has a table of how the program scales,
# and the factor that falls first. Times as timed_run.py puts them together.
. "$TOP_SRCDIR/test/system/lib.sh"
"$python" -c 'import otf2' 2>/dev/null || skip "no python3-otf2 here"

# run DIRECTORY TIME...
run() {
    "$python" "$TOP_SRCDIR/test/system/timed_run.py" "$@" || fail "run $*"
}
# verdict ARCHIVE...: of the comparison, as it is in JSON, where no line is broken.
verdict() {
    "$analyze" compare --json "$@" >compared.json || fail "compare $*"
    json compared.json '" | ".join(d["sentences"])'
}

# 101 us; rank 3 computes 20 us longer, for which three of four wait: 15 us per rank.
run even 100 100 100 100
run late 100 100 100 120
assert_equal "B takes 20% longer than A (121 us, 101 us): MPI_Barrier waits 15.0 us longer per \
rank; rank 3 computes 20.0 us longer" "$(verdict even late)" "a late rank"
assert_equal "B takes 17% less time than A (101 us, 121 us): MPI_Barrier waits 15.0 us less per \
rank; rank 3 computes 20.0 us less" "$(verdict late even)" "the other way"
# All compute 12 us longer: nobody waits. 113 / 101 = 1.119.
run slow 112 112 112 112
assert_equal "B takes 12% longer than A (113 us, 101 us): the ranks compute 12.0 us longer on \
average" "$(verdict even slow)" "all are slower"
# Rank 0 waits 95 us of the 96 that it is in there, the others nothing: on average 23.75.
run first 5 100 100 100
assert_equal "B takes as long as A within 1% (101 us, 101 us)" "$(verdict even first)" "one waits"
run twice 250 250 250 250
assert_equal "B takes 2.5 times as long as A (251 us, 101 us): the ranks compute 150 us longer \
on average | C takes 12% longer than A (113 us, 101 us): the ranks compute 12.0 us longer on \
average" "$(verdict even twice slow)" "a sentence for each"
# Two of four compute nothing: they wait 120, and per rank that is 30 more than in even.
run idle 160 160 100 100
assert_matches "$(verdict even idle)" 'waits 30\.0 us longer per rank, most on rank 2 \(60\.0 us\)'

# Barriers of 100 us after 10 us of work, three of them and then six: 330 us and 660.
run some --inside=100 --rounds=3 10 10
run more --inside=100 --rounds=6 10 10
assert_equal "B takes 2.0 times as long as A (660 us, 330 us): MPI_Barrier takes 300 us longer per \
rank in 2.0 times as many calls" "$(verdict some more)" "more calls"
assert_equal "B takes 50% less time than A (330 us, 660 us): MPI_Barrier takes 300 us less per \
rank in 50% of the calls" "$(verdict more some)" "fewer calls"
# 50 barriers of each of two ranks, and one. 50 times fewer are told as numbers, 25 as a share.
run fifty --inside=100 --rounds=50 10 10
run one --inside=100 --rounds=1 10 10
run two --inside=100 --rounds=2 10 10
assert_equal "B takes 98% less time than A (110 us, 5.50 ms): MPI_Barrier takes 4.90 ms less per \
rank in 2 calls instead of 100" "$(verdict fifty one)" "hardly any calls are left"
assert_equal "B takes 96% less time than A (220 us, 5.50 ms): MPI_Barrier takes 4.80 ms less per \
rank in 4% of the calls" "$(verdict fifty two)" "a share of them is left"
assert_contains "$(verdict one fifty)" "4.90 ms longer per rank in 50 times as many calls"

# 100 us longer in 10 rounds, of which 60 in one line and 40 in another; or all of it in one.
for lines in two_lines two_lines_not; do
    "$python" "$TOP_SRCDIR/test/system/planted.py" $lines $lines || fail "planted.py $lines"
done
assert_contains "$(verdict two_lines_not two_lines)" "MPI_Allreduce takes 1.00 ms longer per rank, \
mostly at planted.c:160"
"$python" "$TOP_SRCDIR/test/system/planted.py" allreduce allreduce || fail "planted.py allreduce"
"$python" "$TOP_SRCDIR/test/system/planted.py" none allreduce_not || fail "planted.py allreduce_not"
assert_contains "$(verdict none allreduce)" "MPI_Allreduce takes 480 us longer per rank at \
planted.c:101"
# The same, where lines have moved meanwhile: it is told of the run in which it takes long.
moved="import sys; sys.path.insert(0, '$TOP_SRCDIR/test/system'); sys.dont_write_bytecode = True
import planted_operations, planted_run
meet = planted_run.Rank.meet
planted_run.Rank.meet = lambda rank, line, *how, **more: meet(rank, line + 7, *how, **more)
planted_operations.allreduce(False).write('moved')"
"$python" -c "$moved" || fail "a line that has moved"
assert_contains "$(verdict moved allreduce)" "480 us longer per rank at planted.c:101"
assert_contains "$(verdict allreduce moved)" "480 us less per rank at planted.c:101"

# As text: the sentence first, what changed in percent.
"$analyze" compare even late >text || fail "compare"
assert_equal "verdict   B takes 20% longer than A (121 us, 101 us): MPI_Barrier waits 15.0 us \
longer per rank;" "$(head -1 text)" "the first line"
assert_matches "$(cat text)" '^run +101 us +121 us +\+20%$'
assert_matches "$(cat text)" '^useful, all ranks +400 us +420 us +\+5\.0%$'
assert_matches "$(cat text)" '^  MPI_Barrier +1\.00 us +16\.0 us +\+1500%$'
assert_matches "$(cat text)" '^  wait at barrier +0 ns +15\.0 us +new$'
assert_lacks "$(cat text)" warning

# --- what is different ----------------------------------------------------------------------
run elsewhere --host=two 100 100 100 100
"$analyze" compare even elsewhere >text || fail "compare"
assert_contains "$(cat text)" 'warning   the machines differ: A "one", B "two"'
assert_equal '[]' "$("$analyze" compare --json even late >compared.json
    json compared.json 'd["differences"]')" "nothing is different"
"$TOP_BUILDDIR/test/data/make_archive" plain plain
"$analyze" compare even plain >text || fail "compare"
assert_contains "$(cat text)" 'warning   the ranks differ: A has 4, B has 2'

# What was lost of a run would look like a shorter one: compare and check say that it was.
cp -r even partial
echo '{"schema":"mpiwatch-archive/1","ranks":[{"rank":1,"lost":{"space":5}},
{"rank":2,"lost":{"space":2}}]}' >partial/mpiwatch.json
assert_equal 4 "$(status_of "$analyze" compare --json late partial)" "compare with losses"
cp stdout compared.json
lossy="the record of B is incomplete (7 calls lost): times are of what was kept"
assert_equal "$lossy" "$(json compared.json '" | ".join(d["differences"])')" "with losses"
assert_equal 4 "$(status_of "$analyze" check --baseline late partial)" "check with losses"
assert_contains "$(cat stdout)" "warning   ${lossy/of B/of the run}"

# Recorded programs: a copy is another one, and the same may have other arguments.
mpi=$(mpis | head -1)
hello=$(example hello "$mpi")
cp "$hello" ./other
told() { # ARCHIVE PROGRAM...
    local archive=$1
    shift
    # It exits with 5. What else runs here is of no interest.
    MPIWATCH_CPU=off run_mpi "$mpi" 1 "$record" -o "$archive" "$@" >out 2>err || true
    assert_file "$archive"
}
told hello.otf2.zip "$hello" 0 a
told arguments.otf2.zip "$hello" 0 b
told other.otf2.zip ./other 0 a
"$analyze" compare hello.otf2.zip arguments.otf2.zip >text || fail "compare"
assert_matches "$(cat text)" "^warning   the arguments differ: A \"hello-$mpi 0 a\", B \".* 0 b\"\$"
assert_equal 1 "$(grep -c '^warning' text)" "warnings"
"$analyze" compare hello.otf2.zip other.otf2.zip >text || fail "compare"
assert_contains "$(cat text)" "warning   the programs differ: A \"hello-$mpi\", B \"other\""
assert_equal 1 "$(grep -c '^warning' text)" "warnings"

# --- scaling ---------------------------------------------------------------------------------
# Strong: 400 us of work. On 4 ranks 101 us, on 8 ranks 51, on 16 one has 55 and is late: 56.
run eight 50 50 50 50 50 50 50 50
run sixteen 25 25 25 25 25 25 25 25 25 25 25 25 25 25 25 55
"$analyze" compare --json even eight sixteen >study.json || fail "a study"
near() { # EXPRESSION VALUE
    assert_equal true "$(json study.json "abs(($1) - ($2)) < 1e-9")" "$1"
}
near 'd["runs"][1]["speedup"]' '101 / 51'
near 'd["runs"][1]["efficiency"]' '101 / 51 / 2'
near 'd["runs"][2]["efficiency"]' '101 / 56 / 4'
near 'd["runs"][2]["change"]' '56 / 101 - 1'
# Load balance on 16: (15 * 25 + 55) / 16 / 55 = 430 / 880. Transfer: 55 / 56 of 100 / 101.
assert_equal '["load balance", 16, true]' \
    "$(json study.json '[d["falls_first"][key] for key in ("factor", "ranks", "has_fallen")]')" \
    "what falls"
near 'd["falls_first"]["value"]' '430 / 880'
assert_equal "B with 8 ranks takes 0.50 times as long as A with 4: speed-up 1.98 of 2.00, \
efficiency 0.99" "$(json study.json 'd["sentences"][0]')" "the sentence of a study"
"$analyze" compare sixteen even eight >text || fail "a study in another order"
assert_equal "B C A" "$(sed -n '/^strong scaling/,$p' text | grep -o '^[A-C] ' | tr -d '\n' |
    sed 's/ $//')" "by ranks"
"$analyze" compare even eight sixteen >text || fail "a study"
assert_matches "$(cat text)" '^B +8 +51\.0 us +1\.98 +0\.99 +- +1\.00 '
assert_contains "$(cat text)" "load balance falls first: 0.49 with 16 ranks, 49% of what it is in A"
# 8 alone: nothing falls; transfer is 50 / 51 of 100 / 101, the least.
"$analyze" compare even eight >text || fail "a study of two"
assert_contains "$(cat text)" \
    "no factor falls below 80% of what it is in A; lowest is transfer with 0.98, 99%, at 8 ranks"
# Weak: the same work for each rank; 8 ranks take 102 us of 101, and 16 126.
run weak8 101 100 100 100 100 100 100 100
run weak16 125 125 125 125 125 125 125 125 125 125 125 125 125 125 125 125
"$analyze" compare --weak --json even weak8 weak16 >study.json || fail "a weak study"
near 'd["runs"][1]["efficiency"]' '101 / 102'
near 'd["runs"][2]["speedup"]' '101 / 126 * 4'
near 'd["falls_first"]["value"]' '400 / 2000 * 4'
assert_equal '["computation scaling", 16, false]' \
    "$(json study.json '[d["falls_first"][key] for key in ("factor", "ranks", "has_fallen")]')" \
    "0.8 has not fallen below it"

# Without a run there is nothing to compare: of an archive without events.
"$TOP_BUILDDIR/test/data/make_archive" empty empty
assert_equal 4 "$(status_of "$analyze" compare even empty)" "an empty one"
assert_contains "$(cat stdout)" "verdict   B has no run to compare"
# Many runs have names, and what was printed is known again.
"$analyze" compare $(yes even | head -30) >text || fail "thirty"
assert_matches "$(cat text)" '^AD +even$'
"$analyze" compare -o text even late || fail "a comparison replaces one"
