# Reports of runs with planted faults (planted.py), for tests that have sourced lib.sh.
"$python" -c 'import otf2' 2>/dev/null || skip "no python3-otf2 here"

# plant: runs with all faults and without, for tests that look at most of them: one by one each
# takes five times as long.
plant() {
    "$python" "$TOP_SRCDIR/test/system/planted.py" planted || fail "planted.py"
}
# report FAULT: its report as JSON, in report.json; its run in run.
report() {
    rm -rf run
    if [ -d "planted/$1" ]; then
        cp -r "planted/$1" run
    else
        "$python" "$TOP_SRCDIR/test/system/planted.py" run "$1" || fail "planted.py $1"
    fi
    "$analyze" report --json run >report.json || fail "report of $1"
}
# says FAULT ID SENTENCE: the gravest cause of FAULT, which FAULT_not does not have.
says() {
    report "$1"
    assert_equal "$2 $3" "$(json report.json 'd["causes"][0]["id"] + " " + d["verdict"]')" "$1"
    assert_equal "$3" "$(json report.json 'd["causes"][0]["sentence"]')" "$1, in the list"
    report "$1_not"
    assert_equal "" "$(json report.json '" ".join(c["id"] for c in d["causes"]
        if c["id"] == "'"$2"'")')" "$1_not"
}
