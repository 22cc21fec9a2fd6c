# Runs with planted faults (planted.py) of which mpiwatch.json says where threads were when they
# were sampled: `functions` has the numbers that were worked out by hand, and the verdict names the
# function that ranks compute longer in, if samples tell it. Without samples it says so, and nothing
# else is different.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/verdicts.sh"

# sample: what is read goes into run.
sample() {
    "$python" "$TOP_SRCDIR/test/system/sampled.py" run || fail "sampled.py"
    "$analyze" report --json run >report.json || fail "report of what was sampled"
}
verdict() {
    json report.json 'd["verdict"]'
}
# spots: of two functions, one with two lines, and of code that has no name.
spots='[{"function": "stencil", "file": "/src/stencil.c", "line": 20},
        {"function": "solver::force<double>(int)", "file": "/src/force.c", "line": 88},
        {"function": "solver::force<double>(int)", "file": "/src/force.c", "line": 90},
        {"function": "libm.so.6+0x12", "file": "", "line": 0}]'
# ranks OUTSIDE...: of so many ranks, each with so many samples outside of MPI.
ranks() {
    local rank=0 comma="" outside
    for outside; do
        printf '%s{"rank": %d, "outside": %d, "inside": 5, "lost": %d, "refused": ""}' "$comma" \
            "$rank" "$outside" "$rank"
        rank=$((rank + 1)) comma=", "
    done
}
# rows PLACE [RANK:SPOT:COUNT]...: all on the way to one place.
rows() {
    local place=$1 comma="" each
    shift
    for each; do
        printf '%s[%s, %s, %s, %s]' "$comma" "${each%%:*}" "$place" \
            "$(cut -d: -f2 <<<"$each")" "${each##*:}"
        comma=", "
    done
}

# --- what it was without samples ------------------------------------------------------------------
report imbalance
assert_equal "rank 1 computes 2.0 times the average, mostly before MPI_Allreduce, planted.c:10: up \
to 2.00 ms of 3.01 ms" "$(verdict)" "without samples"
assert_equal false "$(json report.json '"functions" in d')" "functions in the report"
assert_equal false "$(json report.json '"computes_in" in d["causes"][0]')" "and of a cause"
assert_equal "nothing was sampled: mpiwatch-record --functions=97 does, and then this tells in \
which functions ranks compute" "$("$analyze" functions run)" "text without samples"
"$analyze" functions --json run >functions.json
assert_equal "None None []" \
    "$(json functions.json '"%(rate_hz)s %(samples_outside)s %(functions)s" % d')" \
    "JSON without samples"
"$analyze" -q report --html=page.html --force run
! grep -q 'id="functions"' page.html || fail "the page has functions without samples"

# Of a run that is long enough for samples the advice says what takes them, of others it does not.
advice() {
    json report.json 'd["advice"]'
}
hint="recorded with --functions=97, this names the function that computes"
assert_lacks "$(advice)" "$hint"
mkdir long
cp "$TOP_SRCDIR"/test/system/*.py long
sed -i 's/timer_resolution=10\*\*9/timer_resolution=10**6/' long/planted_run.py # 3.01 s
rm -r run
"$python" long/planted.py run imbalance
echo '{"schema": "mpiwatch-archive/1"}' >run/mpiwatch.json # it was mpiwatch that recorded it
"$analyze" report --json run >report.json
assert_contains "$(advice)" "rank 1 before tuning MPI; would save about 1.50 s of 3.01 s; $hint. ->"
sample <<JSON
{"rate_hz": 100, "ranks": [$(ranks 100 330 100 100)], "spots": $spots, "rows": []}
JSON
assert_lacks "$(advice)" "$hint"
report imbalance

# --- all functions --------------------------------------------------------------------------------
# All are in the stencil most, of 630 samples 390; rank 1 has 200 of the 230 in force, of which each
# has 57.5 on average, and 22.5 more than 97.5 in the stencil: of 165 that it has more 142.5 are in
# force, 86 %, with an error of sqrt(.136^2 114.4 + .864^2 84.4) / 165.
sample <<JSON
{"rate_hz": 100, "ranks": [$(ranks 100 330 100 100)], "spots": $spots,
 "rows": [$(rows '"MPI_Allreduce:10"' 0:0:90 0:1:10 1:0:120 1:1:170 1:2:30 2:0:90 2:1:10 3:0:90 \
     3:1:10), [1, null, 3, 10]]}
JSON
assert_equal "rank 1 computes 2.0 times the average, mostly before MPI_Allreduce, planted.c:10, \
mostly in solver::force, force.c:88 (86% +-5% of it): up to 2.00 ms of 3.01 ms" "$(verdict)" \
    "with samples"
assert_equal "solver::force<double>(int) /src/force.c 88 0.864 0.049" \
    "$(json report.json '"%(function)s %(file)s %(line)d %(share).3f %(share_error).3f" % (
        d["causes"][0]["computes_in"])')" "the cause in the report"
"$analyze" functions --json run >functions.json || fail "functions"
assert_equal "100 630 20 6 4 0 None" "$(json functions.json '" ".join(str(d[key]) for key in (
    "rate_hz", "samples_outside", "samples_inside", "samples_lost", "ranks_sampled",
    "ranks_refused", "refused"))')" "sums"
assert_equal "stencil /src/stencil.c 20 390 390 3900000000 1 120 1.231 MPI_Allreduce 10 390 \
0.619 0.0193
solver::force<double>(int) /src/force.c 88 200 230 2300000000 1 200 3.478 MPI_Allreduce 10 230 \
0.365 0.0192
libm.so.6+0x12 None None 10 10 100000000 1 10 4.000 None None 10 0.016 0.0050" \
    "$(json functions.json '"\n".join("%(function)s %(file)s %(line)s %(line_samples)d %(samples)d "
    "%(time_ns)d %(most_rank)d %(most_rank_samples)d %(over_average).3f " % f +
    "%(call)s %(line)s %(samples)d " % f["before"] + "%(share).3f %(share_error).4f" % f
    for f in d["functions"])')" "functions"
assert_equal true "$(json report.json 'd["functions"] == json.load(open("functions.json"))')" \
    "the report's functions"
"$analyze" functions run >functions.txt
assert_contains "$(cat functions.txt)" \
    "100 times a second of CPU time: 630 samples outside of MPI, 20 inside, of 4 ranks"
assert_matches "$(cat functions.txt)" \
    '^ +230 +37% \+-2% +2\.30 s +1 +3\.48 +solver::force +force\.c:88 +MPI_Allreduce, planted'
assert_contains "$(cat functions.txt)" "6 more samples were lost"
assert_equal "4" "$("$analyze" functions --csv run | wc -l)" "lines of CSV"
"$analyze" functions --rank=0 --json run >functions.json
assert_equal "stencil 90 0.90, solver::force<double>(int) 10 0.10" \
    "$(json functions.json '", ".join("%(function)s %(samples)d %(share).2f" % f
        for f in d["functions"])')" \
    "of rank 0"
"$analyze" -q report --html=page.html --force run
grep -q 'id="functions"' page.html || fail "the page has no functions"

# --- of whom, and where ---------------------------------------------------------------------------
# Rank 1 alone has samples: the most of them is what is told.
sample <<JSON
{"rate_hz": 100, "spots": $spots, "ranks": [
     {"rank": 0, "outside": 0, "inside": 0, "lost": 0, "refused": "Permission denied"},
     {"rank": 1, "outside": 100, "inside": 0, "lost": 0, "refused": ""},
     {"rank": 2, "outside": 0, "inside": 0, "lost": 0, "refused": "Permission denied"}],
 "rows": [$(rows '"MPI_Allreduce:10"' 1:0:80 1:1:20)]}
JSON
assert_contains "$(verdict)" "planted.c:10, mostly in stencil, stencil.c:20 (80% +-4% of it): up to"
assert_contains "$("$analyze" functions run)" \
    "2 ranks could not be sampled, the first of them rank 0: Permission denied"
# 11 and 8 of 19 are too few, and 40 and 30 of 70 may be chance.
for counts in "11 8" "40 30"; do
    sample <<JSON
{"rate_hz": 100, "spots": $spots, "ranks": [$(ranks 0 $((${counts% *} + ${counts#* })))],
 "rows": [$(rows '"MPI_Allreduce:10"' "1:0:${counts% *}" "1:1:${counts#* }")]}
JSON
    assert_equal "rank 1 computes 2.0 times the average, mostly before MPI_Allreduce, \
planted.c:10: up to 2.00 ms of 3.01 ms" "$(verdict)" "$counts samples"
done

# sampled FAULT RANKS PLACE WORDS: so many ranks of it have 10, 60, 60 and 60 samples in the stencil
# and 40, 20, 20 and 20 in force on the way to PLACE; the verdict has WORDS.
sampled() {
    report "$1"
    sample <<JSON
{"rate_hz": 100, "spots": $spots, "ranks": [$(ranks $(head -n "$2" <<<$'50\n80\n80\n80'))],
 "rows": [$(rows "$3" $(head -n $((2 * $2)) \
     <<<$'0:0:10\n0:1:40\n1:0:60\n1:1:20\n2:0:60\n2:1:20\n3:0:60\n3:1:20'))]}
JSON
    assert_contains "$(verdict)" "$4"
}
force="mostly in solver::force, force.c:88"
stencil="mostly in stencil, stencil.c:20"
# All: 190 of 290. The others than rank 0: 180 of 240. Rank 0: 40 of 50. Rank 1: 60 of 80.
sampled moving 4 '"MPI_Allreduce:20"' ", planted.c:20, $stencil (66% +-3% of it): up to"
sampled chain 4 null "MPI_Recv, planted.c:30; what they compute is $stencil (66% +-3% of it): up to"
sampled sweep 4 null "MPI_Recv, planted.c:36; what they compute is $stencil (66% +-3% of it): up to"
sampled idle 4 '"MPI_Allreduce:12"' "; what these compute is $stencil (75% +-3% of it): up to"
sampled late_sender 3 '"MPI_Send:40"' \
    "the others; what it computes before is $force (80% +-6% of it): up to"
sampled by_turns 2 null "planted.c:67; what rank 0 computes is $force (80% +-6% of it): up to"
sampled one_worker 2 null \
    "waits for what it computes, $stencil (75% +-5% of it), and computes little"
sampled late_receiver 2 '"MPI_Recv:51"' \
    "the others; what it computes before is $stencil (75% +-5% of it): up to"
sampled late_post 2 '"MPI_Irecv:54"' \
    "the others; what it computes before is $stencil (75% +-5% of it): up to"
# More than the average of three: rank 2 has 16.7 more in the stencil, and less in force.
sampled late_collective 3 '"MPI_Bcast:60"' \
    "the others in all; what it computes before is $stencil (nearly all of it): up to"
# Two of three calls are not what it is about.
report late_sender
sample <<JSON
{"rate_hz": 100, "spots": $spots, "ranks": [$(ranks 80)],
 "rows": [$(rows '"MPI_Barrier:42"' 0:0:60 0:1:20)]}
JSON
assert_contains "$(verdict)" "about as long as the others: up to"

# Instances of a template are told apart, in rows and in the verdict.
report imbalance
sample <<JSON
{"rate_hz": 100, "ranks": [$(ranks 100 330 100 100)], "spots": [
 {"function": "void put<float, 3>(int)", "file": "/src/put.h", "line": 20},
 {"function": "void put<double, 3>(int)", "file": "/src/put.h", "line": 20},
 {"function": "put(int)", "file": "/src/put.h", "line": 7}],
 "rows": [$(rows '"MPI_Allreduce:10"' 0:0:100 1:0:100 1:1:220 1:2:10 2:0:100 3:0:100)]}
JSON
assert_contains "$(verdict)" "planted.c:10, mostly in put<double>, put.h:20 ("
"$analyze" functions run >out
assert_equal "put<float> put.h:20|put<double> put.h:20|put(int) put.h:7" \
    "$(sed -n 's/.* \(put[^ ]*\) *\(put.h:[0-9]*\).*/\1 \2/p' out | paste -sd'|')" "$(cat out)"
"$analyze" functions --json run >functions.json
assert_equal "630 [400, 220, 10]" "$(json functions.json \
    '"%s %s" % (d["samples_outside"], [f["samples"] for f in d["functions"]])')" "sums"
report late_sender
sample <<JSON
{"rate_hz": 100, "spots": $spots, "ranks": [$(ranks 80)],
 "rows": [$(rows '"MPI_Barrier:42"' 0:0:60 0:1:20)]}
JSON

# --- threads that call no MPI ---------------------------------------------------------------------
report threads_without_work
"$analyze" functions run >out
# 3 x 20 and 3 x 80 samples of 100 us of two ranks.
assert_contains "$(tr -s ' \n' ' ' <out)" "6 threads of 2 ranks that call no MPI: 600 samples \
while main threads were outside of MPI: 60.0 ms of 60.0 ms, of which 48.0 ms waiting in the OpenMP \
runtime; 0 samples while these were in MPI"
"$analyze" functions --json run >functions.json
assert_equal "6 0 60000000 600 480 0 0 libgomp.so.1 480 work 120" "$(json functions.json \
    '" ".join(map(str, [v for k, v in d["other_threads"].items() if k != "functions"] +
    [v for f in d["other_threads"]["functions"] for v in (f["function"], f["samples"])]))')" others
"$analyze" -q report --html=page.html --force run
grep -q 'id="other_threads"' page.html || fail "the page has no other threads"
for change in 'ranks"][1]["threads"] = -1' 'ranks"][1]["rank"] = 0' 'rows"][0][3] = 301' \
    'ranks"] = 1' 'rows"][0][2] = 7'; do
    "$python" - "$change" <<'PYTHON'
import json
import sys
about = json.load(open("run/mpiwatch.json"))
exec('about["samples"]["others"]["' + sys.argv[1])
json.dump(about, open("run/mpiwatch.json", "w"))
PYTHON
    assert_contains "$("$analyze" functions run)" "samples are wrong, and all of them left out: "
    report threads_without_work
done
report late_sender
sample <<JSON
{"rate_hz": 100, "spots": $spots, "ranks": [$(ranks 80)],
 "rows": [$(rows '"MPI_Barrier:42"' 0:0:60 0:1:20)]}
JSON

# --- a part of it ---------------------------------------------------------------------------------
# Nothing tells which samples were in a part of the run.
"$analyze" -q export --otf2 part --from=100us run || fail "export"
assert_contains "$("$analyze" -q functions part)" "nothing was sampled"

# --- what does not fit ----------------------------------------------------------------------------
"$python" - <<'PYTHON'
import json
about = json.load(open("run/mpiwatch.json"))
about["samples"]["rows"][0][2] = 4
json.dump(about, open("run/mpiwatch.json", "w"))
PYTHON
wrong="samples.rows[0], rank 0: samples are of a function that is not listed"
assert_equal "run: mpiwatch.json: samples are wrong, and all of them left out: $wrong" \
    "$("$analyze" functions run)" "what does not fit"
assert_equal "None [] $wrong" "$("$analyze" functions --json run >functions.json
    json functions.json '"%(rate_hz)s %(functions)s %(wrong)s" % d')" "JSON of that"
assert_contains "$("$analyze" run | tr -s " \n" " ")" ", samples are wrong and left out ($wrong)"
report_of_all=$(verdict)
"$analyze" report --json run >report.json
assert_equal "$(sed 's/; what it computes.*of it)//' <<<"$report_of_all")" "$(verdict)" \
    "the verdict without them"
assert_lacks "$(advice)" "$hint"
status=0
"$analyze" validate run >out 2>err || status=$?
assert_equal 3 "$status" "exit status of validate"
assert_contains "$(cat out)" "mpiwatch.json: $wrong"
