# Of four times as many ranks no command prints more, but for what is asked for: the same number of
# lines, or a few more where those that are extreme are others. What is shown of variables is what
# goes furthest, as the JSON has it, and with --all-ranks there are all.
. "$TOP_SRCDIR/test/system/lib.sh"

export COLUMNS=80
slack=10 # lines

# crowd RANKS: an archive of ranks that have some of everything.
crowd() {
    mkdir "spools$1"
    "$TOP_BUILDDIR/test/bench/shapes" crowd "$1" "spools$1"
    "$TOP_BUILDDIR/mpiwatch-recover" -q -o "$1.otf2.zip" "spools$1"
    rm -r "spools$1"
}

# lines RANKS WORD...: how many a command prints.
lines() {
    local archive=$1.otf2.zip
    shift
    "$analyze" -q "$@" "$archive" | wc -l
}

# bounded WORD...
bounded() {
    local few many
    few=$(lines 128 "$@") || fail "$*: of 128 ranks"
    many=$(lines 512 "$@") || fail "$*: of 512 ranks"
    [ "$many" -le $((few + slack)) ] || fail "$*: $few lines of 128 ranks, $many of 512"
}

crowd 128
crowd 512
for command in $("$analyze" --help | sed -n '/^Commands/,/^Exit/s/^  \([a-z-]*\)  .*/\1/p'); do
    case $command in
    dump | export | schema | help) ;; # they are asked for all there is
    check) bounded check --max calls.calls.MPI_Isend.count=1000000000 ;;
    compare) ;; # of runs of the same ranks, below
    *) bounded "$command" ;;
    esac
done
for words in "calls --sites" "sites --stacks" "timeline --comms" "info --full" "info --sizes"; do
    bounded $words
done

few=$("$analyze" -q check --max none=1 128.otf2.zip 2>&1 | wc -l)
many=$("$analyze" -q check --max none=1 512.otf2.zip 2>&1 | wc -l)
[ "$many" -le $((few + slack)) ] || fail "$few lines tell the keys of 128 ranks, $many of 512"
few=$(lines 128 compare 128.otf2.zip) many=$(lines 512 compare 512.otf2.zip)
[ "$many" -le $((few + slack)) ] || fail "compare: $few lines of 128 ranks, $many of 512"

"$analyze" -q report --html 128.html 128.otf2.zip
"$analyze" -q report --html 512.html 512.otf2.zip
few=$(wc -c <128.html) many=$(wc -c <512.html)
[ "$many" -le $((few * 3 / 2)) ] || fail "the page has $few bytes of 128 ranks, $many of 512"

cat >check.py <<'PYTHON'
import json, re, sys

rows = json.load(open("json"))[sys.argv[1]]
least, most = {"pvars": (lambda row: row["min"], lambda row: row["max"]),
               "watermarks": (lambda row: row["low"]["value"],
                              lambda row: row["high"]["value"])}[sys.argv[1]]
expected = set()
for name in {row["name"] for row in rows}:
    of = [row for row in rows if row["name"] == name]
    for row in max(of, key=most), min(of, key=least): # the first of equal ones
        expected.add((name, row["rank"], row["comm"]))
everything = {(row["name"], row["rank"], row["comm"]) for row in rows}
pattern = {"pvars": r"^(.+?) +(\d+) +(\S+) +LEVEL ",
           "watermarks": r"^(\S.*) rank (\d+)  (\S*) $"}[sys.argv[1]]
for path, wanted in ("text", expected), ("all", everything):
    text = open(path).read()
    shown = [(name.strip(), int(rank), None if comm in ("-", "") else comm)
             for name, rank, comm in re.findall(pattern, text, re.M)]
    assert len(shown) == len(set(shown)) and set(shown) == wanted, (path, shown[:9], wanted)
    said = re.search(r"^and (\d+) more: .*--all-ranks has all$", text, re.M)
    assert (int(said[1]) if said else 0) == len(everything) - len(wanted), text[-2000:]
PYTHON
export COLUMNS=300
for command in counters watermarks; do
    "$analyze" -q $command --json 512.otf2.zip >json
    "$analyze" -q $command 512.otf2.zip >text
    "$analyze" -q $command --all-ranks 512.otf2.zip | sed '/^All ranks/,$d' >all
    key=watermarks
    [ $command = watermarks ] || key=pvars
    sed -i '/^All ranks/,$d' text
    "$python" check.py $key || fail "$command"
    assert_equal "$("$analyze" -q $command --rank=3 512.otf2.zip)" \
        "$("$analyze" -q $command --all-ranks --rank=3 512.otf2.zip)" "$command of one rank"
done
assert_equal 512 "$("$analyze" -q timeline --all-ranks --locations=main 512.otf2.zip |
    grep -c '^ *[0-9]* |')" "lines of the timeline"
