#!/usr/bin/python3
"""For archives that are read from somewhere in the middle.

    middle.py reblock LAYOUT FOLDER SEED SOURCE...
    middle.py spans ANALYZE SEED COUNT ARCHIVE...
    middle.py cuts ANALYZE SEED COUNT ARCHIVE...
    middle.py exports ANALYZE SEED COUNT ARCHIVE...
    middle.py stops ANALYZE ANY_ORDER SEED COUNT ARCHIVE...
    middle.py forge SIDECAR SEED
    middle.py later SIDECAR
    middle.py zip DIRECTORY FILE.zip METHOD

reblock writes archives in directories to FOLDER with their events in more blocks, each of few
events by the layout event_records.def, some of which have no time of their own at their beginning.
spans asks for the events of COUNT random spans of time, with the cache and without, and holds them
against those of them that the whole archive has. cuts asks for the calls and the ranks of such
spans likewise, which are to be the same with the cache and without, and holds them against the
events, by a sum of its own. exports holds what is exported of such spans with the cache against
what is without. stops holds timelines that begin late and end early against those of a program that
reads everything before it looks whether that is enough. forge changes numbers in a sidecar and
makes its sums right again; later says of each block that events before it are behind its
beginning. zip packs an archive as others do, METHOD 0 (stored) or 8 (deflated).
"""
import json
import os
import random
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import zipfile
import zlib

TIME, ATTRIBUTES = 5, 6
HEAD = 18
TIME_OF_IT = re.compile(r'"time_ns": ?(-?[0-9]+)')


def over(data, at, form, fields):
    """Where the record of that form ends whose fields begin at at."""
    if form != "ALONE":
        length, at = data[at], at + 1
        if length == 255:
            length, at = int.from_bytes(data[at:at + 8], "little"), at + 8
        return at + length
    for _ in fields:
        at += 1 + (data[at] if data[at] != 255 else 0)
    return at


def events_of(data, rows, chunk_bytes):
    """The bytes of each event, with its time and attributes."""
    for chunk in range(0, len(data), chunk_bytes):
        at = begin = chunk + HEAD
        while data[at] not in (0, 2):
            kind = data[at]
            if kind == TIME:
                at += 9
                continue
            at = over(data, at + 1, *rows.get(kind, ("LENGTH", "")))
            if kind != ATTRIBUTES:
                yield data[begin:at]
                begin = at


def blocked(data, rows, chunk_bytes):
    events = list(events_of(data, rows, chunk_bytes))
    cuts = sorted(random.sample(range(len(events) + 1), min(20, len(events))))
    blocks = [b"".join(events[a:b]) for a, b in zip([0, *cuts], [*cuts, len(events)])]
    assert all(len(block) < chunk_bytes - HEAD for block in blocks)
    return b"".join((data[:HEAD] + block + b"\0").ljust(chunk_bytes, b"\0")
                    for block in blocks[:-1]) + data[:HEAD] + blocks[-1] + b"\2"


def reblock(layout, target_folder, seed, *sources):
    with open(layout) as file:
        rows = {int(number): (form, fields) for number, form, fields in re.findall(
            r'^MWA_RECORD\((\d+), \w+, \w+, (\w+), "(\w*)"\)$', file.read(), re.M)}
    for source in sources:
        random.seed(seed)
        target = os.path.join(target_folder, os.path.basename(source))
        shutil.copytree(source, target)
        with open(os.path.join(source, "traces.otf2"), "rb") as file:
            chunk_bytes = struct.unpack_from("<Q", file.read(), 12)[0]
        folder = os.path.join(target, "traces")
        for name in os.listdir(folder):
            path = os.path.join(folder, name)
            if name.endswith(".evt") and os.path.getsize(path) > HEAD:
                with open(path, "rb") as file:
                    data = blocked(file.read(), rows, chunk_bytes)
                with open(path, "wb") as file:
                    file.write(data)


def dump(analyze, archive, *options):
    done = subprocess.run([analyze, "dump", "--json", "-q", archive, *options],
                          capture_output=True, text=True, check=False)
    assert done.returncode in (0, 4), (archive, options, done.stderr)
    return done.stdout.splitlines()


def time_of(line):
    """Of an event, which is not read for the rest of it: there are many."""
    return int(TIME_OF_IT.search(line)[1])


def near(times):
    """Two moments at events or beside them, the first of which is not behind the last event: that
    is refused."""
    first, last = sorted(max(random.choice(times) + random.randint(-1, 1), min(times))
                         for _ in "ft")
    return min(first, max(times)), last


def spans(analyze, seed, count, *archives):
    random.seed(seed)
    for archive in archives:
        lines = [(time_of(line), line) for line in dump(analyze, archive)]
        times = [time for time, _ in lines] or [0]
        for _ in range(int(count)):
            first, last = near(times)
            last = random.choice((last, first, first + 100))
            if max(abs(first), abs(last)) > 1 << 52:
                continue  # what a number with a unit can't tell to the ns
            window = f"--from={first}ns", f"--to={last}ns"
            wanted = [line for time, line in lines if first <= time <= last]
            for cache in (), ("--no-cache",):
                found = dump(analyze, archive, *window, *cache)
                assert found == wanted, (archive, window, cache, len(found), len(wanted))


def ask(analyze, command, archive, *options):
    done = subprocess.run([analyze, command, "--json", "-q", archive, *options],
                          capture_output=True, text=True, check=False)
    assert done.returncode in (0, 4) or "there is nothing from" in done.stderr, \
        (command, archive, options, done.stderr)
    return done.stdout, done.returncode


def share(amount, enter, leave, first, last):
    """Of what is spread evenly from enter to leave."""
    if amount == leave - enter:
        return last - first
    return (amount * (last - enter) // (leave - enter) -
            amount * (first - enter) // (leave - enter))


def close(call, leave, first, last):
    """Calls, and time inside of them without MPI calls in them, of one that is left; the time of
    it that its caller has to take off."""
    begin, end = max(call["enter"], first), min(leave, last)
    if end < begin:
        return 0, 0, 0
    whole, count, inside = leave - call["enter"], call["repeat"], call["inside"]
    time = end - begin
    if inside is not None and time < whole:
        time = share(min(inside, whole), call["enter"], leave, begin, end)
        count = max(share(count, call["enter"], leave, begin, end), 1)
    elif inside is not None:
        time = min(inside, time)
    return count, max(time - call["of_mpi"], 0), time


def sum_up(events, names, first, last):
    """By name of MPI calls: how many there are in the span, and ns inside of them."""
    sums, stacks, times = {}, {}, {}

    def leave(stack, time):
        call = stack.pop()
        count, own, all_of_it = close(call, time, first, last)
        if call["name"] in names and count:
            had = sums.get(call["name"], (0, 0))
            sums[call["name"]] = had[0] + count, had[1] + own
        if stack:
            stack[-1]["of_mpi"] += all_of_it if call["name"] in names else call["of_mpi"]

    for event in events:
        stack = stacks.setdefault(event["location"], [])
        times[event["location"]] = event["time_ns"]
        if event["event"] == "enter":
            stack.append({"name": event["region"], "enter": event["time_ns"], "of_mpi": 0,
                          "repeat": event.get("repeat", 1), "inside": event.get("inside_ns")})
        elif event["event"] == "leave" and event["region"] in [call["name"] for call in stack]:
            while stack[-1]["name"] != event["region"]:
                leave(stack, event["time_ns"])
            leave(stack, event["time_ns"])
    for location, stack in stacks.items():
        while stack:
            leave(stack, times[location])
    return sums


def cuts(analyze, seed, count, *archives):
    random.seed(seed)
    lines = events = None
    for archive in archives:
        lines, before = dump(analyze, archive), lines
        if lines != before:  # the same run may be packed in several ways
            events = [json.loads(line) for line in lines]
        info = json.loads(ask(analyze, "info", archive)[0])
        names = {row["name"] for row in json.loads(ask(analyze, "calls", archive)[0])["calls"]}
        times = [event["time_ns"] for event in events] or [0]
        for _ in range(int(count)):
            first, last = near(times)
            last = random.choice((last, last, first, first + 100))
            if max(abs(first), abs(last)) > 1 << 52:
                continue
            window = f"--from={first}ns", f"--to={last}ns"
            for command in "calls", "ranks":
                kept = ask(analyze, command, archive, *window, "--jobs=2")
                read = ask(analyze, command, archive, *window, "--no-cache")
                assert kept == read, (command, archive, window)
                if kept[1] == 2:
                    continue  # the archive's ticks are longer than that
                if command == "calls" and info["timestamps_per_second"] == 10**9:
                    found = {row["name"]: (row["count"], row["time_ns"])
                             for row in json.loads(kept[0])["calls"]}
                    assert found == sum_up(events, names, first, last), (archive, window, found)
                elif command == "ranks":
                    for row in json.loads(kept[0])["ranks"]:
                        assert row["run_ns"] <= last - first, (archive, window, row)
                        assert row["useful_ns"] + row["mpi_ns"] == row["run_ns"], (archive, row)


def files_of(analyze, archive, *options):
    """What is exported, by the name of the file; but for the archive's number, which is random."""
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([analyze, "export", "-q", archive, *options,
                               *(f"--{kind}={folder}/{kind}"
                                 for kind in ("perfetto", "chrome", "otf2")),
                               f"--paraver={folder}/paraver.prv"],
                              capture_output=True, text=True, check=False)
        if done.returncode == 2 and "--from is not before --to" in done.stderr:
            return {}  # the archive's ticks are longer than that
        assert done.returncode in (0, 4), (archive, options, done.stderr)
        found = {}
        for place, _, names in os.walk(folder):
            for name in set(names) - {"traces.otf2", "mpiwatch.sums"}:
                with open(os.path.join(place, name), "rb") as file:
                    found[os.path.relpath(os.path.join(place, name), folder)] = file.read()
        return found


def exports(analyze, seed, count, *archives):
    random.seed(seed)
    for archive in archives:
        times = [time_of(line) for line in dump(analyze, archive)] or [0]
        for _ in range(int(count)):
            first = max(random.choice(times) + random.randint(-1, 1), min(times))
            last = first + random.choice((0, 100, 1000, max(times) // 10, max(times)))
            if max(abs(first), abs(last)) > 1 << 52:
                continue
            window = f"--from={first}ns", f"--to={last}ns"
            kept = files_of(analyze, archive, *window)
            read = files_of(analyze, archive, *window, "--no-cache")
            assert kept == read, (archive, window, [name for name in read
                                                    if read[name] != kept.get(name)])


def stops(analyze, any_order, seed, count, *archives):
    random.seed(seed)
    os.environ["MPIWATCH_SCHEDULE"] = "2"
    for archive in archives:
        length = json.loads(ask(analyze, "info", archive)[0])["duration_ns"]
        for _ in range(int(count)):
            first = random.randrange(int(length))
            last = first + int(length * random.choice((0.001, 0.01, 0.1, 0.3))) + 100
            window = f"--from={first}ns", f"--to={last}ns", "--locations=all"
            found = ask(analyze, "timeline", archive, *window,
                        random.choice(("--jobs=1", "--jobs=3")))
            assert found == ask(any_order, "timeline", archive, *window, "--jobs=1",
                                 "--no-cache"), \
                (archive, window)


def forge(sidecar, seed):
    random.seed(int(seed))
    with open(sidecar, "rb") as file:
        data = bytearray(file.read())
    table, count = struct.unpack_from("<QQ", data, 72)
    for _ in range(random.choice((1, 3, 20))):
        name, _, begin, size = struct.unpack_from(
            "<16sQQQ", data, table + 48 * random.randrange(count))
        if size > 0:
            at = begin + random.randrange(size // 4) * 4
            data[at:at + 4] = random.choice((b"\xff" * 4, bytes(4), random.randbytes(4),
                                             bytes([data[at] ^ 1]) + data[at + 1:at + 4]))
    seal(sidecar, data)


def later(sidecar):
    with open(sidecar, "rb") as file:
        data = bytearray(file.read())
    table, count = struct.unpack_from("<QQ", data, 72)
    for entry in range(table, table + 48 * count, 48):
        name, _, begin, size = struct.unpack_from("<16sQQQ", data, entry)
        for block in range(begin, begin + size, 56) if name.startswith(b"entries") else ():
            last_time, = struct.unpack_from("<Q", data, block + 24)
            struct.pack_into("<Q", data, block + 24, last_time + 1)
    seal(sidecar, data)


def seal(sidecar, data):
    """Writes the sidecar with its sums made right."""
    table, count = struct.unpack_from("<QQ", data, 72)
    for entry in range(table, table + 48 * count, 48):
        begin, size = struct.unpack_from("<QQ", data, entry + 24)
        struct.pack_into("<I", data, entry + 40, zlib.crc32(data[begin:begin + size]))
    struct.pack_into("<I", data, 68, zlib.crc32(data[table:]))
    struct.pack_into("<I", data, 92, zlib.crc32(data[:92]))
    with open(sidecar, "wb") as file:
        file.write(data)


def pack(directory, path, method):
    with zipfile.ZipFile(path, "w", int(method)) as file:
        for folder, _, names in os.walk(directory):
            for name in names:
                whole = os.path.join(folder, name)
                file.write(whole, os.path.relpath(whole, directory))


COMMANDS = {"reblock": reblock, "spans": spans, "cuts": cuts, "exports": exports, "stops": stops,
            "forge": forge, "later": later, "zip": pack}
COMMANDS[sys.argv[1]](*sys.argv[2:])
