# What MPI_Probe and MPI_Mprobe found is shown where calls are: in dump, in call_records.csv, with
# the slices of Chrome and Perfetto, whose waits say for whom they are.
. "$TOP_SRCDIR/test/system/lib.sh"

"$TOP_BUILDDIR/test/data/make_archive" probes probes # test/data/archives_probes.c: what is in it

"$analyze" dump probes >dump
assert_equal "1 0
2 0
3 0
3 0
4 0
5 2
6 0
7 2
8 2" "$(sed -n 's/.* enter .*region=MPI_Probe.* found_comm=MPI_COMM_WORLD found_comm_id=[0-9]* '`
      `'found_source=\([0-9]*\) found_tag=\([0-9]*\)$/\2 \1/p' dump)" "dump"
assert_equal 9 "$(grep -c found_ dump)" "what others have found"
"$analyze" dump --json probes | grep '"found_comm":"MPI_COMM_WORLD"' >dump.json
assert_equal 9 "$(wc -l <dump.json)" "dump --json"

"$analyze" export --chrome probes.json --perfetto probes.pftrace --csv tables probes
cat >judge.py <<'PYTHON'
import csv, json
probes = [["0", "1"], ["0", "2"], ["0", "3"], ["0", "3"], ["0", "4"], ["2", "5"], ["0", "6"],
          ["2", "7"], ["2", "8"]]
calls = [row for row in csv.DictReader(open("tables/call_records.csv"))
         if row["name"] == "MPI_Probe"]
assert [[row["peer"], row["tag"]] for row in calls] == probes, calls
assert {row["comm"] for row in calls} == {"MPI_COMM_WORLD"}, calls
for kind in "chrome", "perfetto":
    told = sorted([str(arguments["peer"]), str(arguments["tag"])]
                  for name, arguments, count in json.load(open(kind + ".read"))["arguments"]
                  for _ in range(count) if name == "MPI_Probe"
                  and arguments["communicator"] == "MPI_COMM_WORLD")
    assert told == sorted(probes), (kind, told)
# Rank 2 never receives what rank 1 waited for last: 50.
waits = sum(int(row["wait_ns"]) for row in csv.DictReader(open("tables/message_records.csv")))
assert waits == 560, waits
for_rank = {0: 0, 2: 0}
for _, begin, end, name, arguments in json.load(open("perfetto.read"))["waits"]:
    assert name == "late sender", name
    for_rank[arguments["for rank"]] += end - begin
assert for_rank == {0: 460, 2: 150}, for_rank
PYTHON
for read in chrome:probes.json perfetto:probes.pftrace; do
    "$python" -B "$TOP_SRCDIR/test/system/exported.py" "${read%:*}" "${read#*:}" \
        >"${read%:*}.read" || fail "$read"
done
"$python" judge.py >judged 2>&1 || fail "$(cat judged)"
