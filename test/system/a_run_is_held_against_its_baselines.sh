# check --baseline holds a run against others: a tolerance, or as much as the baselines' spread
# explains; percentages are of the baselines' mean; a call that nobody made counts as 0. It is told
# as text, JSON, JUnit XML and annotations of GitHub. Times as timed_run.py puts them together.
. "$TOP_SRCDIR/test/system/lib.sh"
"$python" -c 'import otf2' 2>/dev/null || skip "no python3-otf2 here"

# run DIRECTORY TIME...
run() {
    "$python" "$TOP_SRCDIR/test/system/timed_run.py" "$@" || fail "run $*"
}
# ends STATUS ARGUMENT...: of check; its output is in stdout and stderr.
ends() {
    local wanted=$1
    shift
    assert_equal "$wanted" "$(status_of "$analyze" check "$@")" "check $*: $(cat stdout stderr)"
}
# says LINE: a line of the output.
says() {
    grep -qxF -- "$1" stdout || fail "\"$1\" is not a line of: $(cat stdout)"
}

# --- one baseline, and a tolerance --------------------------------------------------------------
run old 100 100 100 100 # 101 us
run new 104 104 104 104 # 105 us: 3.96% more
ends 0 --baseline old new
says "ok        pop.runtime_ns 105 us (+4.0%), at most 106 us: 5% above the baseline's 101 us"
ends 1 --baseline old --tolerance 3% new
says "verdict   2 of 3 limits are not kept: the run takes 4.0% longer than the baseline (105 us, \
101 us): the ranks compute 4.00 us longer on average"
says "BREACH    pop.runtime_ns 105 us (+4.0%), at most 104 us: 3% above the baseline's 101 us"
ends 0 --baseline old --max pop.runtime_ns=105% new
says "ok        pop.runtime_ns 105 us (+4.0%), at most 106 us: 105% of the baseline's 101 us"
ends 1 --baseline old --max pop.runtime_ns=103.9% new # what looks the same: digits
says "BREACH    pop.runtime_ns 105000 ns (+4.0%), at most 104939 ns: 103.9% of the baseline's \
101 us"
ends 1 --baseline old --max pop.runtime_ns=100% new
ends 0 --baseline old --min pop.runtime_ns=103% new
ends 0 --baseline old --max pop.runtime_ns=105us new
# A share stays a share of 1, and can be held against the baseline as well.
run uneven 100 100 100 130 # load balance 430 / 4 / 130 = 0.8269, waiting 90 / (4 * 131) = 17.18%
ends 1 --baseline old --max waits.share=10% --min pop.load_balance uneven
says "BREACH    waits.share 17.18%, at most 10%"
says "BREACH    pop.load_balance 0.8269 (-17%), at least 0.95: 5% below the baseline's 1"

# --- several: their spread is the noise ---------------------------------------------------------
# 100, 110 and 120 us: s is 10 us, t of 2 degrees of freedom 2.920, so that one more run like them
# has at most 110 + 2.920 * 10 * sqrt(4/3) = 143.7 us. 5% are less.
for time in 99 109 119; do
    run noisy$time $time $time $time $time
done
run like 142 142 142 142
run slow 144 144 144 144
ends 0 --max pop.runtime_ns --baseline noisy* like
says "ok        pop.runtime_ns 143 us (+30%), at most 144 us: what a run like the 3 baselines may \
have (mean 110 us, standard deviation 10.0 us)"
ends 1 --max pop.runtime_ns --baseline noisy99 --baseline noisy109 --baseline=noisy119 slow
says "verdict   1 of 1 limit is not kept: the run takes 32% longer than the median baseline (145 \
us, 110 us): the ranks compute 35.0 us longer on average"
ends 1 --json --max pop.runtime_ns --baseline noisy* slow
assert_equal '[110000.0, 10000.0, 33717, 143717, 145000, "ns", false]' "$(json stdout \
    '[[c["baseline_mean"], c["baseline_deviation"], int(c["baseline_noise"]),
        int(c["limit"]), c["value"], c["unit"], c["passed"]] for c in d["checks"]][0]')" "JSON"
assert_equal '["noisy109", "noisy119", "noisy99"]' "$(json stdout 'sorted(d["baselines"])')" "which"
# At least: 110 - 33.7 = 76.3 us.
run fast 70 70 70 70
ends 1 --min pop.runtime_ns --baseline noisy* fast
# Baselines that are alike have no noise, and the tolerance is what is left.
ends 0 --max pop.runtime_ns --baseline old old old -- new
ends 1 --max pop.runtime_ns --tolerance=1% --baseline old old old new

# --- calls that nobody made ---------------------------------------------------------------------
run reduces --barrier=MPI_Allreduce 100 100 100 100
ends 0 --max calls.calls.MPI_Alltoall.count=0 --max calls.calls.MPI_Allreduce.time_ns=0 old
says "ok        calls.calls.MPI_Alltoall.count 0, at most 0"
ends 1 --max calls.calls.MPI_Allreduce.time_ns --baseline old reduces
says "BREACH    calls.calls.MPI_Allreduce.time_ns 4.00 us, at most 0 ns: 5% above the baseline's \
0 ns"
ends 0 --max calls.calls.MPI_Barrier.time_ns --baseline old reduces
says "ok        calls.calls.MPI_Barrier.time_ns 0 ns (-100%), at most 4.20 us: 5% above the \
baseline's 4.00 us"
ends 1 --min calls.calls.MPI_Alltoall.rank_max=0 old # which rank has most in it?
assert_contains "$(cat stdout)" "calls.calls.MPI_Alltoall.rank_max is not known"
ends 2 --max calls.calls.MPI_Alltoal.count=0 old # no call of MPI

# --- a file of limits ---------------------------------------------------------------------------
cat >limits <<'LIMITS'
# what may not get worse
max pop.runtime_ns = 110%   # of the baseline

	min  pop.load_balance=0.9
max calls.calls.MPI_Barrier.time_ns
LIMITS
ends 0 --limits limits --baseline old new
says "verdict   all limits are kept (3): the run takes 4.0% longer than the baseline (105 us, \
101 us): the ranks compute 4.00 us longer on average"
ends 1 --limits limits --max pop.runtime_ns=104us --baseline old new
assert_contains "$(cat stdout)" "1 of 4 limits is not kept"
printf 'max pop.runtime_ns=1s\nmost pop.runtime_ns=1s\n' >wrong
ends 2 --limits wrong old
assert_contains "$(cat stderr)" 'wrong, line 2: a line is "max KEY=NUMBER" or "min KEY=NUMBER"'
printf 'max pop.runtime_ns=1 fortnight' >wrong
ends 2 --limits wrong old
assert_contains "$(cat stderr)" "wrong, line 1: "
echo '# nothing' >wrong
ends 2 --limits wrong old
ends 3 --limits no-such-file old
ends 3 --limits . old
assert_contains "$(cat stderr)" ".: cannot read"
ends 3 --max-memory=64M --limits /dev/zero old # a line that no memory holds is no end

# --- what is refused, in words ------------------------------------------------------------------
ends 2 --max pop.runtime_ns=110% new
assert_contains "$(cat stderr)" '"pop.runtime_ns=110%" is a part of what a baseline has'
ends 2 --max pop.runtime_ns new
assert_contains "$(cat stderr)" 'is held against a baseline'
ends 2 --max pop.load_balance=10s new
assert_contains "$(cat stderr)" '"pop.load_balance" is a ratio, and can'"'"'t be limited by 10s'
assert_lacks "$(cat stderr)" "the keys of this archive"
ends 2 --max messages.bytes=10s new
ends 0 --max messages.bytes=10kB new
ends 2 new --baseline old old # which is it?
assert_contains "$(cat stderr)" "the archive that is checked comes last"
ends 0 new --baseline old --max pop.runtime_ns
for wrong in 5 five -5% %; do
    ends 2 --baseline old --tolerance=$wrong new
    assert_contains "$(cat stderr)" "a percentage such as 5%"
done
ends 2 --max=pop.no_such_number --baseline old new
ends 3 --baseline no-such-archive new
assert_contains "$(cat stderr)" "no-such-archive: cannot open"
ends 2 --tolerance 5% --max pop.runtime_ns=1s new
assert_contains "$(cat stderr)" "--tolerance is of a --baseline"

# --- other runs ---------------------------------------------------------------------------------
run elsewhere --host=two 100 100 100 100
ends 0 --baseline old elsewhere
says 'warning   the machines differ: the baseline "one", the run "two"'
ends 0 --baseline old elsewhere old
says 'warning   the machines differ: a baseline "two", the run "one"'
"$TOP_BUILDDIR/test/data/make_archive" open open
ends 4 --baseline open --max info.ranks=1000000 old # the baseline is incomplete
assert_contains "$(cat stderr)" "open: the archive is incomplete"

# --- for machines -------------------------------------------------------------------------------
name='a<b>&"c"'
cp -r uneven "$name"
ends 1 --baseline old --junit out.xml --github "$name"
grep '^::' stdout >annotations
assert_equal "::error title=mpiwatch%3A pop.runtime_ns::pop.runtime_ns 131 us (+30%25), at most \
106 us: 5%25 above the baseline's 101 us" "$(head -1 annotations)" "an annotation"
assert_equal 3 "$(grep -c '^::error ' annotations)" "two limits, and why"
ends 0 --baseline old --github elsewhere
assert_equal '::warning title=mpiwatch::the machines differ: the baseline "one", the run "two"' \
    "$(grep '^::' stdout)" "a warning"
"$python" - "$name" <<'PYTHON' || fail "JUnit XML: $(cat out.xml)"
import sys
import xml.etree.ElementTree as tree
suites = tree.parse("out.xml").getroot()
suite, = suites
assert (suites.tag, suite.tag, suite.get("name")) == ("testsuites", "testsuite", sys.argv[1])
assert [suites.get(key) for key in ("tests", "failures", "errors")] == ["3", "2", "0"]
cases = suite.findall("testcase")
assert [case.get("name") for case in cases] == ["max pop.runtime_ns", "max pop.useful_total_ns",
                                                "max messages.bytes"]
assert [len(case.findall("failure")) for case in cases] == [1, 1, 0]
failure = cases[0].find("failure")
assert failure.get("message") == ("pop.runtime_ns 131 us (+30%), at most 106 us: 5% above the "
                                  "baseline's 101 us")
assert "rank 3 computes 30.0 us longer" in failure.text
PYTHON
if command -v xmllint >/dev/null; then
    xmllint --noout --schema "$TOP_SRCDIR/test/system/junit.xsd" out.xml 2>err ||
        fail "the schema: $(cat err)"
fi
ends 1 --baseline old --junit out.xml uneven # a former output is replaced
echo mine >mine.xml
ends 2 --baseline old --junit mine.xml uneven
assert_equal mine "$(cat mine.xml)" "what is not ours"
ends 2 --baseline old --junit old/traces.otf2 uneven # a baseline is not written over
cp -r old kept
ends 2 --baseline kept/traces.otf2 --force --junit kept/traces.otf2 uneven
cmp -s old/traces.otf2 kept/traces.otf2 || fail "--junit wrote over a baseline"
"$analyze" schema check >schema.json
ends 1 --json --baseline old uneven
"$python" -c 'import json, jsonschema
schema = json.load(open("schema.json"))
jsonschema.Draft202012Validator(schema).validate(json.load(open("stdout")))' ||
    fail "the schema of check"
# Names of calls come from archives: none begins a line, where it would be a command for GitHub.
run named '--barrier=MPI_x
::error::y' 100 100 100 100
run nasty '--barrier=MPI_x
::error::y' 100 100 100 200
ends 1 --baseline named --github nasty
assert_equal 3 "$(grep -c '^ *::' stdout)" "commands"
