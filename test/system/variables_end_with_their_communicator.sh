# A variable of a communicator has its last sample before the communicator is destroyed,
# and none afterwards, also when handles are reused at once.
. "$TOP_SRCDIR/test/system/lib.sh"
need_mpi openmpi # Debian's MPICH has no variables of communicators

run_openmpi 2 "$record" -q -o comms.otf2.zip --pvars='pml_ob1_*@comm=all' --pvar-interval=0 \
    "$(example many_comms openmpi)" >/dev/null
"$analyze" dump --json --rank=0 comms.otf2.zip >events
cat >check.py <<'PYTHON'
import json
ended, destroyed, with_samples = set(), set(), set()
for line in open("events"):
    event = json.loads(line)
    comm = event.get("comm_id")
    if event["event"] == "metric":
        assert comm not in destroyed, f"a sample of {comm} after its end"
        with_samples.add(comm)
        if event["flags"] & 4:
            ended.add(comm)
    elif event["event"] == "comm_destroy":
        assert comm not in with_samples or comm in ended, f"{comm} has no last sample"
        destroyed.add(comm)
print(len(destroyed & with_samples))
PYTHON
[ "$("$python" check.py)" -ge 10 ] || fail "few communicators had variables"
