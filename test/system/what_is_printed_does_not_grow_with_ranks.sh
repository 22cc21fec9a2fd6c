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

few=$("$analyze" -q check --keys 128.otf2.zip | wc -l)
many=$("$analyze" -q check --keys 512.otf2.zip | wc -l)
[ "$few" -ge 100 ] || fail "$few keys"
[ "$many" -le $((few + slack)) ] || fail "$few lines tell the keys of 128 ranks, $many of 512"
few=$(lines 128 compare 128.otf2.zip) many=$(lines 512 compare 512.otf2.zip)
[ "$many" -le $((few + slack)) ] || fail "compare: $few lines of 128 ranks, $many of 512"

# Each location has faults of its own. Text has forty of each severity, JSON the first thousand.
damaged() {
    mkdir "damaged$1"
    (cd "damaged$1" && unzip -q "../$1.otf2.zip" && truncate -s 200 traces/*.evt)
    "$analyze" -q validate "damaged$1" >validated || true
    "$analyze" -q validate --json "damaged$1" >validated.json || true
    assert_equal "$(json validated.json 'len(d["findings"]) - sum(
            min(40, [f["severity"] for f in d["findings"]].count(severity))
            for severity in set(f["severity"] for f in d["findings"]))')" \
        "$(sed -nE "s/^and ([0-9]+) more: --json has all$/\1/p
            s/^and [0-9]+ more: --json has ([0-9]+) of them$/\1/p" validated)" \
        "more findings of $1 ranks in JSON"
    [ "$1" != 128 ] || grep -q '^and [0-9]* more: --json has all$' validated ||
        fail "validate: $(tail -3 validated)"
    wc -l <validated
}
few=$(damaged 128) many=$(damaged 512)
[ "$many" -le $((few + slack)) ] || fail "validate: $few lines of 128 ranks, $many of 512"

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

# Of the 512 ranks each 16th probes, and four of 16 poll; a host has eight.
cat >groups.py <<'PYTHON'
import csv, json, re

document = json.load(open("json"))
ranks, hosts, clusters = document["ranks"], document["hosts"], document["clusters"]
states = {row["rank"]: row for row in json.load(open("states"))["ranks"]}


def listed(text):
    parts = [part.split("-") for part in text.split(",")]
    return [rank for part in parts for rank in range(int(part[0]), int(part[-1]) + 1)]


assert [listed(host["ranks"]) for host in hosts] == [
    list(range(first, first + 8)) for first in range(0, 512, 8)], hosts[:2]
for host in hosts:
    of = [ranks[rank] for rank in listed(host["ranks"])]
    assert {row["host"] for row in of} == {host["host"]} and host["rank_count"] == 8, host
    assert host["run_ns"] == sum(row["run_ns"] for row in of), host
    for key in "useful", "mpi":
        times = [row[key + "_ns"] for row in of]
        assert (host[key + "_total_ns"], host[key + "_average_ns"]) == (
            sum(times), sum(times) // 8), host
        assert (host[key + "_min_ns"], host[key + "_max_ns"]) == (min(times), max(times)), host
        assert host[key + "_rank_min"] == of[times.index(min(times))]["rank"], host
        assert host[key + "_rank_max"] == of[times.index(max(times))]["rank"], host

kinds = (lambda place: place == 0, lambda place: 0 < place < 12, lambda place: place >= 12)
assert [listed(cluster["ranks"]) for cluster in clusters] == [
    [rank for rank in range(512) if is_of(rank % 16)] for is_of in kinds], clusters
calls = json.load(open("calls"))["calls"]
for call in calls: # each is counted in one cluster
    assert call["count"] == sum(each["count"] for cluster in clusters
                                for each in cluster["called"] if each["name"] == call["name"]), call
for cluster, probes, polls in zip(clusters, (1, 0, 0), (0, 0, 20)):
    count = cluster["rank_count"]
    called = {each["name"]: each["count"] for each in cluster["called"]}
    assert called.get("MPI_Probe", 0) == 6 * probes * count, cluster
    assert called["MPI_Iprobe"] == (6 * polls + 6) * count, cluster # one by the other thread
    of = listed(cluster["ranks"])
    mean = lambda time: sum(time(rank) / ranks[rank]["run_ns"] for rank in of) / count
    assert abs(cluster["useful_share"] - mean(lambda rank: ranks[rank]["useful_ns"])) < 1e-9
    assert abs(sum(value for key, value in cluster.items() if key.endswith("_share")) - 1) < 1e-5
    for key in "p2p", "collective", "io": # waiting is taken out of these there
        least = mean(lambda rank: sum(states[rank][key + "_ns"]))
        most = mean(lambda rank: sum(states[rank][key + "_ns"]) + sum(states[rank]["waiting_ns"]))
        assert least - 1e-6 <= cluster[key + "_share"] <= most + 1e-6, (key, cluster)

extreme = set()
for value in (lambda host: host["useful_average_ns"],
              lambda host: host["mpi_total_ns"] / host["run_ns"]):
    for sign in 1, -1:
        extreme |= {host["host"] for host in sorted(hosts, key=lambda host: sign * value(host))[:3]}
for path, wanted in ("text", extreme), ("all", {host["host"] for host in hosts}):
    text = open(path).read()
    text = text[:re.search("^ *rank +host", text, re.M).start()]
    shown = re.findall(r"^(node\d+) ", text, re.M)
    assert len(shown) == len(set(shown)) and set(shown) == wanted, (path, shown)
    said = re.search(r"^and (\d+) more: .*--all-ranks has all$", text, re.M)
    assert (int(said[1]) if said else 0) == 64 - len(wanted), text
    assert re.findall(r"^ +(\d) +(\d+)  ", text, re.M)[:3] == [("2", "352"), ("3", "128"),
                                                             ("1", "32")], text
assert [row["ranks"] for row in csv.DictReader(open("tables/clusters.csv"))] == [
    cluster["ranks"] for cluster in clusters]
assert [row["useful_rank_max"] for row in csv.DictReader(open("tables/hosts.csv"))] == [
    str(host["useful_rank_max"]) for host in hosts]
PYTHON
"$analyze" -q ranks --json 512.otf2.zip >json
"$analyze" -q calls --json 512.otf2.zip >calls
"$analyze" -q timeline --json 512.otf2.zip >states
"$analyze" -q ranks 512.otf2.zip >text
"$analyze" -q ranks --all-ranks 512.otf2.zip >all
"$analyze" -q export --max-rows=0 --csv tables 512.otf2.zip
"$python" groups.py || fail "hosts and clusters"
"$analyze" -q ranks --json --comm=MPI_COMM_WORLD 512.otf2.zip >selected
assert_equal "null 64" "$(json selected '"%s %d" % (json.dumps(d["clusters"]), len(d["hosts"]))')" \
    "clusters where communicators are selected"
assert_matches "$("$analyze" -q report 512.otf2.zip)" \
    '^alike +3 clusters of ranks, useful: 352 \(1-11,17-27…\) [0-9.]+%, 128 '
