"""old_keys.py ANALYZE KEYS MAKE_ARCHIVE: whether a reader of version 0.1.0's JSON still finds its
way: every key that 0.1.0 had in what it said of these archives is there, with a value of one of the
types that it had. KEYS has a line for each: the command, the path, the types. With --list for KEYS
they are printed, as they were of 0.1.0. Parts of the report are what the commands say.

Not among them is `counters --series`, which has a schema of its own since (mpiwatch-series/1)."""
import json
import subprocess
import sys

ARCHIVES = ["plain", "comms", "chain", "ring", "allreduce", "rooted", "region", "uneven",
            "waits_messages", "waits_collective", "nested", "threads", "cancelled", "paused",
            "open", "callback", "comm_lives", "names", "onesided_locks", "late_post",
            "comm_mistakes"]
COMMANDS = ["report", "info", "calls", "ranks", "messages", "comms", "imbalance", "pop",
            "critical-path", "waits", "counters", "watermarks", "timeline", "timeline --comms",
            "validate", "dump", "compare", "check --max=pop.load_balance=0.9"]
MAPS = ("settings",)
TYPES = {type(None): "null", bool: "flag", int: "integer", float: "real", str: "text"}
analyze, keys, make_archive = sys.argv[1:]


def collect(value, path, found):
    """The types of values by their paths; of lists those of all elements together."""
    if isinstance(value, dict):
        found.setdefault(path, set()).add("object")
        for key, inner in value.items():
            collect(inner, path + "." + ("*" if path.endswith(MAPS) else key), found)
    elif isinstance(value, list):
        found.setdefault(path, set()).add("list")
        for inner in value:
            collect(inner, path + "[]", found)
    else:
        found.setdefault(path, set()).add(TYPES[type(value)])


def said_of(archives):
    found = {}
    for command in COMMANDS:
        for archive in archives:
            words = [*command.split(), "--json", archive, *[archive] * (command == "compare")]
            done = subprocess.run([analyze, "-q", *words], stdout=subprocess.PIPE,
                                  stderr=subprocess.DEVNULL, text=True)
            for line in done.stdout.splitlines() if command == "dump" else [done.stdout]:
                if line.strip():
                    collect(json.loads(line), command, found)
    return found


there = []
for name in ARCHIVES:
    if subprocess.run([make_archive, name, name], stderr=subprocess.DEVNULL).returncode == 0:
        there.append(name)
found = said_of(there)
if keys == "--list":
    for path, types in sorted(found.items()):
        if path.count(".") > 1 and path.startswith("report.") and ".markers" not in path:
            continue
        print("%s\t%s" % (path, " ".join(sorted(types))))
    sys.exit()
count = 0
for line in open(keys):
    path, types = line.rstrip("\n").split("\t")
    # A ratio may happen to be whole. What is not known is null, where nulls.py finds a reason.
    allowed = set(types.split()) | ({"integer"} if "real" in types else set())
    allowed |= {"null"} if allowed & {"integer", "real", "text"} else set()
    if path not in found:
        sys.exit("%s: is gone" % path)
    if not found[path] <= allowed:
        sys.exit("%s: was %s, and is %s" % (path, types, " ".join(sorted(found[path]))))
    count += 1
print("%d keys" % count)
