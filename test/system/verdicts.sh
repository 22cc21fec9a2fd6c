# Reports of runs with planted faults (planted.py), for tests that have sourced lib.sh.
"$python" -c 'import otf2' 2>/dev/null || skip "no python3-otf2 here"

# report FAULT: its report as JSON, in report.json.
report() {
    rm -rf run
    "$python" "$TOP_SRCDIR/test/system/planted.py" run "$1" || fail "planted.py $1"
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
