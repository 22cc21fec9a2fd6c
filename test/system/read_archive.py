#!/usr/bin/python3
"""Reads an archive by the words of formats/ARCHIVE.md, without any code of mpiwatch's.

    read_archive.py [--no-events] ARCHIVE

Checks the container (headers, order of members, block index, or the checksums of a
directory), what mpiwatch.json says of itself, and that its numbers are those of the
events, which python3-otf2 reads. Prints a line of JSON: members, ranks, locations,
events, calls, communicators, complete. Exit: 0 all is as described, 1 it is not.

python3-otf2 3.0.2 can't read a definition of an inter-communicator: where
mpiwatch.json tells of one, events are not read, and "events" is null.
"""
import argparse
import collections
import json
import os
import struct
import subprocess
import sys
import tempfile
import zipfile
import zlib

BLOCK = 262144
GLOBALS = ["traces.def", "traces.otf2", "mpiwatch.json", "mpiwatch.idx"]


def check(condition, *what):
    if not condition:
        print("read_archive:", *what, file=sys.stderr)
        sys.exit(1)


def check_members(names):
    """Events, definitions, in pairs; the global ones at the end, in their order."""
    check(names[-4:] == GLOBALS, "the archive does not end with", GLOBALS)
    kinds = collections.defaultdict(set)
    for name in names[:-4]:
        folder, _, file = name.partition("/")
        location, _, suffix = file.partition(".")
        check(folder == "traces" and location.isdigit(), "an unknown member", name)
        kinds[suffix].add(int(location))
    check(set(kinds) == {"evt", "def"} and kinds["evt"] == kinds["def"],
          "events and definitions are not of the same locations")


def check_headers(archive, data):
    at = 0
    for info in archive.infolist():
        name = info.filename.encode()
        check(info.header_offset == at, info.filename, "does not begin where the last one ends")
        local = struct.unpack_from("<IHHHHHIIIHH", data, at)
        check(local == (0x04034b50, 45, 0x800, 8, 0, 0x21, info.CRC, 2**32 - 1, 2**32 - 1,
                        len(name), 20), info.filename, "has another local header:", local)
        check(data[at + 30:at + 30 + len(name)] == name, "another name in a local header")
        extra = struct.unpack_from("<HHQQ", data, at + 30 + len(name))
        check(extra == (1, 16, info.file_size, info.compress_size), "another ZIP64 field")
        at += 50 + len(name) + info.compress_size
    check(struct.unpack_from("<I", data, at)[0] == 0x02014b50, "no directory after the members")


def check_index(archive, data):
    """Every block inflates on its own to its part of the member."""
    index = archive.read("mpiwatch.idx")
    check(struct.unpack_from("<8sIIQ", index) == (b"MWBLOCKS", 1, 0, BLOCK), "another index")
    at, infos = 32, archive.infolist()[:-1]
    check(struct.unpack_from("<Q", index, 24)[0] == len(infos), "members are not in the index")
    for info in infos:
        length, crc, size, packed, start, blocks = struct.unpack_from("<IIQQQQ", index, at)
        name = index[at + 40:at + 40 + length].decode()
        offsets = struct.unpack_from(f"<{blocks}Q", index, at + 40 + length)
        at += 40 + length + 8 * blocks
        check((name, crc, size, packed) == (info.filename, info.CRC, info.file_size,
                                            info.compress_size), "another entry for", name)
        check(start == info.header_offset + 50 + length, name, "begins elsewhere")
        check(blocks == max(1, -(-size // BLOCK)), name, "has another number of blocks")
        content = archive.read(info)
        for number, offset in enumerate(offsets):
            want = content[number * BLOCK:(number + 1) * BLOCK]
            got = zlib.decompressobj(-15).decompress(data[start + offset:start + packed],
                                                     len(want) or 1)
            check(got == want, name, "block", number, "does not inflate on its own")
    check(at == len(index), "the index goes on")


def read_zip(path, directory):
    subprocess.run(["unzip", "-tqq", path], check=True)
    with open(path, "rb") as file:
        data = file.read()
    with zipfile.ZipFile(path) as archive:
        names = archive.namelist()
        check_members(names)
        check_headers(archive, data)
        check_index(archive, data)
        archive.extractall(directory)
    return names


def read_sums(directory):
    names = []
    with open(os.path.join(directory, "mpiwatch.sums")) as sums:
        for line in sums:
            crc, size, name = line.rstrip("\n").split(" ", 2)
            with open(os.path.join(directory, name), "rb") as file:
                content = file.read()
            check(len(content) == int(size) and zlib.crc32(content) == int(crc, 16),
                  name, "has another checksum")
            names.append(name)
    there = {os.path.relpath(os.path.join(folder, file), directory)
             for folder, _, files in os.walk(directory) for file in files}
    check(there == set(names) | {"mpiwatch.sums"}, "files without a checksum")
    check({name for name in names if "/" not in name} == set(GLOBALS[:3]), "other global files")
    check_members([name for name in names if "/" in name] + GLOBALS)
    return names


def check_communicators(about):
    names = collections.Counter()
    for number, comm in enumerate(about["communicators"]):
        check(comm["id"] == number, "communicators are not in order")
        check(not comm.get("contradicted"), "processes contradict each other about", comm["name"])
        check(comm["parent"] is None or comm["parent"] < number, "a child before its parent")
        groups = comm.get("groups")
        check(groups is None or
              len(groups) == (0 if number == 1 else 2 if comm["inter"] else 1),
              "another number of groups in", comm["name"])
        for group in groups or ():
            check(len(group["members"]) == group["size"], "another size of", comm["name"])
            known = [member for member in group["members"] if member is not None]
            check(len(known) == len(set(known)), "a member twice in", comm["name"])
        names[comm.get("default_name", comm["name"])] += 1
    check(max(names.values()) == 1, "a default name twice")
    check([comm["default_name"] for comm in about["communicators"][:2]]
          == ["MPI_COMM_WORLD", "MPI_COMM_SELF"], "no world, or no self")


def check_about(about):
    check(about["schema"] == "mpiwatch-archive/1", "another schema:", about["schema"])
    ranks = about["ranks"]
    check([rank["rank"] for rank in ranks] == list(range(about["ranks_expected"])),
          "not every rank is there once")
    check(about["complete"] in (False, all(rank["recorded"] and rank["ended"] for rank in ranks)),
          "complete, but not all ranks are")
    for rank in ranks:
        for sum_of in ("calls", "events"):
            check(rank[sum_of] == sum(thread[sum_of] for thread in rank["threads"]),
                  "rank", rank["rank"], "does not add up")
    check_communicators(about)


def check_events(directory, about):
    """The events of python3-otf2 against what mpiwatch.json says of each thread."""
    import otf2

    threads = {thread["thread"] << 32 | rank["rank"]: thread
               for rank in about["ranks"] for thread in rank["threads"]}
    events, calls = collections.Counter(), collections.Counter()
    first, last = {}, {}
    with otf2.reader.open(os.path.join(directory, "traces.otf2")) as trace:
        locations = {location: location._ref for location in trace.definitions.locations}
        check(set(locations.values()) == set(threads), "other locations than threads")
        for location, event in trace.events:
            number = locations[location]
            events[number] += 1
            first.setdefault(number, event.time)
            check(event.time >= last.get(number, 0), "times run backwards")
            last[number] = event.time
            if isinstance(event, otf2.events.Enter):
                repeat = [value for attribute, value in (event.attributes or {}).items()
                          if attribute.name == "mpiwatch.repeat"]
                calls[number] += repeat[0] if repeat else 1
    for number, thread in threads.items():
        check((events[number], calls[number]) == (thread["events"], thread["calls"]),
              "location", number, "has other counts than mpiwatch.json says")
        # The corrections of libotf2 and ours may round in different ways.
        for ours, theirs in ((thread["first_ns"], first), (thread["last_ns"], last)):
            check(ours is None or abs(ours - theirs[number]) <= 2, "location", number,
                  "has other times than mpiwatch.json says")
    return sum(events.values())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--no-events", action="store_true")
    parser.add_argument("archive")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        directory = arguments.archive
        if os.path.isdir(directory):
            names = read_sums(directory)
        else:
            directory = scratch
            names = read_zip(arguments.archive, scratch)
        with open(os.path.join(directory, "mpiwatch.json"), encoding="utf-8") as file:
            about = json.load(file)
        check_about(about)
        inter = any(comm.get("inter") for comm in about["communicators"])
        skip = inter or arguments.no_events
        events = None if skip else check_events(directory, about)
    print(json.dumps({"members": len(names), "ranks": len(about["ranks"]),
                      "locations": sum(len(rank["threads"]) for rank in about["ranks"]),
                      "events": events,
                      "calls": sum(rank["calls"] for rank in about["ranks"]),
                      "communicators": len(about["communicators"]),
                      "complete": about["complete"]}))


main()
