# The examples for CI do what they say, here and as they stand: gate.sh lets a change pass that
# sends no more than before, and stops one that is slower, with the reason; the tests of pytest
# pass, and fail when the program does something else. The files of GitHub and GitLab are YAML, and
# what they run is there.
. "$TOP_SRCDIR/test/system/lib.sh"
need_mpi openmpi
"$python" -c 'import mpi4py' 2>/dev/null || skip "no python3-mpi4py here"

cp -r "$TOP_SRCDIR/examples/ci" ci
chmod -R u+w ci
cd ci
mkdir ../bin
ln -s "$MPIRUN_OPENMPI" ../bin/mpirun
ln -s "$python" ../bin/python3
for program in mpiwatch-record mpiwatch-analyze; do
    ln -s "$TOP_BUILDDIR/$program" ../bin/
done
PATH=$scratch/bin:$PATH
# What is limited here does not depend on how busy the machine is.
cat >counted.txt <<'LIMITS'
max messages.bytes=100%
max calls.calls.MPI_Sendrecv.count
max calls.calls.MPI_Alltoall.count=0
LIMITS

# gate AFTER...: 20 steps of 50 cells, and the change.
gate() {
    ./gate.sh "timeout $test_timeout mpirun -n 2" 'python3 diffusion.py 20 50' "$@" \
        >../out 2>../err </dev/null
}
gate 'python3 diffusion.py 20 50' --limits=counted.txt ||
    fail "nothing changed: $(cat ../out ../err)"
assert_contains "$(cat ../out)" "verdict   all limits are kept (3): "
assert_equal 6 "$(ls mpiwatch/*.otf2.zip | wc -l)" "archives"
# Ten steps more are 20 messages of 8 bytes more, in both attempts.
status=0
gate 'python3 diffusion.py 30 50' --limits=counted.txt --github || status=$?
assert_equal 1 $status "half as many steps again"
assert_contains "$(cat ../out)" "BREACH    messages.bytes 480 B (+50%), at most 320 B: 100% of the \
baselines' 320 B"
assert_contains "$(cat ../out)" "once more, lest it was by chance"
assert_equal 3 "$(grep -c '^::error ' ../out)" "annotations of the last attempt only"
"$python" -c 'import xml.etree.ElementTree as tree
assert tree.parse("mpiwatch/junit.xml").getroot().get("failures") == "2"' || fail "JUnit XML"
# A rank that has two hundred times the work is slower however busy the machine is.
status=0
gate 'python3 diffusion.py 100 50 20000' --max=pop.useful_total_ns || status=$?
assert_equal 1 $status "more work: $(cat ../out ../err)"
# Where the ranks have no core each, they wait longer for each other than rank 1 computes.
assert_matches "$(tr '\n' ' ' <../out)" \
    'takes [0-9.]+ times as long .*(rank 1 computes|MPI_Sendrecv (takes|waits)) .* longer'
# A program that fails is no run that is fast.
status=0
gate 'python3 no-such-program.py' --limits=counted.txt || status=$?
[ $status -gt 1 ] || fail "a program that is not there: $status"

# --- pytest -----------------------------------------------------------------------------------
if "$python" -c 'import pytest' 2>/dev/null; then
    export PYTHONDONTWRITEBYTECODE=1
    "$python" -m pytest -q -p no:cacheprovider test_diffusion.py >../out 2>&1 </dev/null ||
        fail "pytest: $(cat ../out)"
    assert_matches "$(tail -1 ../out)" '^4 passed, 1 skipped'
    # 101 steps for 100, and a rank with two hundred and fifty times the work.
    PERFORMANCE_PROGRAM="diffusion.py 101 200 50000" "$python" -m pytest -q -p no:cacheprovider \
        test_diffusion.py >../out 2>&1 </dev/null && fail "pytest passes what is wrong"
    assert_matches "$(cat ../out)" '^BREACH +messages.messages 202, at most 200$'
    assert_matches "$(cat ../out)" '^BREACH +pop.load_balance 0\.[0-9]+, at least 0.6$'
    assert_matches "$(tail -1 ../out)" '^2 failed, 2 passed, 1 skipped'
    mkdir before
    cp mpiwatch/before-*.zip before # of 20 steps: 100 of 2,000 cells take longer
    PERFORMANCE_BASELINE=before PERFORMANCE_PROGRAM="diffusion.py 200 10000" "$python" -m pytest \
        -q -p no:cacheprovider test_diffusion.py -k as_fast >../out 2>&1 </dev/null &&
        fail "as fast as before"
    assert_matches "$(cat ../out)" 'the run takes [0-9.]+ times as long as the median baseline'
fi

# --- GitHub, GitLab, the container --------------------------------------------------------------
"$python" -c 'import yaml' 2>/dev/null || skip "no python3-yaml here"
"$python" - <<'PYTHON' >scripts || fail "YAML"
import yaml
github = yaml.safe_load(open("github-actions.yml"))
job, = github["jobs"].values()
assert job["runs-on"] and job["container"] and github[True] == "pull_request" # "on" is true
for step in job["steps"]:
    assert ("run" in step) != ("uses" in step), step
    print(step.get("run", "").replace("after/", ""))
gitlab = yaml.safe_load(open("gitlab-ci.yml"))
job, = gitlab.values()
assert job["image"] and job["artifacts"]["reports"]["junit"] == "mpiwatch/*.xml"
print("\n".join(job["script"]))
PYTHON
bash -n scripts || fail "what is run is no script: $(cat scripts)"
for file in gate.sh test_diffusion.py limits.txt diffusion.py; do
    assert_equal 2 "$(grep -o "[^ ]*$file" scripts | sed 's,^before/.*,,; s,.*/,,; s,^--limits=,,' |
        grep -cx "$file")" "uses of $file"
    assert_file "$file"
done
for option in $(grep -o -- '--[a-z]*' scripts | grep -v -- '--detach\|--junit\|--xml' | sort -u); do
    "$analyze" check --help | grep -q -- " $option" || fail "check has no option $option"
done
assert_matches "$(grep -v '^#' Containerfile)" '^FROM debian:12$'
[ -z "$(grep -vE '^(#|FROM|COPY|WORKDIR|RUN|ENV|    |$)' Containerfile)" ] || fail "Containerfile"
