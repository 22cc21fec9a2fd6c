"""hostile.py ANALYZE MAKE_ARCHIVE MAKE_HOSTILE TRUNCATIONS FLIPS MUTATIONS: hands mpiwatch-analyze
damaged and hostile archives, all commands each, or some, in the current directory.

What is built to be wrong must end with exit status 3 and one sentence on the standard error that
names the file and, but where there is no file to speak of, an offset. Random damage (TRUNCATIONS
of a ZIP file, FLIPS of single bits in it, MUTATIONS of its members behind correct CRCs) must end
with 0, 3 or 4; cut short, and for validate also with a bit flipped in a member's data, with 3.
Never with a signal, a sanitizer's complaint, after 60 seconds or with more than 1 GiB."""
import concurrent.futures
import os
import random
import re
import shutil
import struct
import subprocess
import sys
import zipfile
import zlib

sys.dont_write_bytecode = True
import ended  # noqa: E402, beside this file
import otf2_bytes as otf2  # noqa: E402
from commands import ARCHIVES, commands as commands_of  # noqa: E402

ANALYZE, MAKE_ARCHIVE, MAKE_HOSTILE = sys.argv[1:4]
TRUNCATIONS, FLIPS, MUTATIONS = (int(word) for word in sys.argv[4:7])
LINES = {}
for each in commands_of(ANALYZE):
    LINES[" ".join(each[:2]) if each[0] in LINES else each[0]] = each
UNREAD = "info without --full"  # of events and local definitions it says nothing
LINES[UNREAD] = ["info"]
COMMANDS = list(LINES)
SENTENCE = re.compile(r"mpiwatch-analyze: [^\n]*: offset \d+: [^\n]+\n\Z")
PLACELESS = re.compile(r"mpiwatch-analyze: [^\n]+\n\Z")
BLOCK = 262144
wrong = 0
turn = 0
codes = {}


def run(command, path):
    return ended.run([ANALYZE, *LINES[command], "--max-memory=1G",
                      *[path] * ARCHIVES.get(command, 1)])


def judge(how, command, allowed, pattern, outcome):
    global wrong
    code, output, words = outcome
    codes[code] = codes.get(code, 0) + 1
    allowed = (0, *allowed) if command == UNREAD else allowed
    fine = code in allowed and "Sanitizer" not in words and "runtime error" not in words
    if code == 3:
        fine = fine and pattern.match(words)
        fine = fine and (command in ("validate", "dump") or not output)
    if not fine:
        wrong += 1
        print("%s: %s: exit %s: %s" % (how, command, code, words[:600]), flush=True)


def some_commands():
    """Report, validate and a third of the others, by turns."""
    global turn
    turn += 1
    return [each for i, each in enumerate(COMMANDS)
            if each in ("report", "validate") or (i + turn) % 3 == 0]


def check(how, path, allowed=(3,), pattern=SENTENCE, commands=None, validate=None):
    """All commands on path, but for some where little is asked for, as in make check; validate:
    what that one may exit with, if not allowed."""
    chosen = commands or (COMMANDS if MUTATIONS >= 12 else some_commands())
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for command, outcome in zip(chosen, pool.map(lambda each: run(each, path), chosen)):
            ours = validate if validate and command == "validate" else allowed
            judge(how, command, ours, pattern, outcome)


# --- an archive like ours, from formats/ARCHIVE.md --------------------------------------

def members_of(directory):
    found = {}
    for folder, _, files in os.walk(directory):
        for name in files:
            path = os.path.join(folder, name)
            with open(path, "rb") as file:
                found[os.path.relpath(path, directory)] = file.read()
    return found


JSON = b"""{"schema": "mpiwatch-archive/1", "complete": true, "ended": "finalized",
"recorder": "mpiwatch test", "arguments": "program", "ranks_expected": 3, "settings": {},
"ranks": [{"rank": 0, "recorded": true, "ended": true, "lost": {}, "pid": 1},
{"rank": 1, "recorded": true, "ended": true, "lost": {}}, {"rank": 2, "lost": {}}],
"samples": {"rate_hz": 100, "ranks": [
{"rank": 1, "outside": 30, "inside": 5, "lost": 1, "refused": ""}],
"spots": [{"function": "f", "file": "/f.c", "line": 3}], "rows": [[1, null, 0, 30]]}}"""


def data_offset(packed, info):
    name, extra = struct.unpack_from("<HH", packed, info.header_offset + 26)
    return info.header_offset + 30 + name + extra


def pack(path, members, index=True):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    if not index:
        return
    with open(path, "rb") as file:
        packed = file.read()
    with zipfile.ZipFile(path, "a", zipfile.ZIP_DEFLATED) as archive:
        entries = b""
        for info in archive.infolist():
            assert info.file_size <= BLOCK
            entries += struct.pack("<IIQQQQ", len(info.filename), info.CRC, info.file_size,
                                   info.compress_size, data_offset(packed, info), 1)
            entries += info.filename.encode() + struct.pack("<Q", 0)
        head = b"MWBLOCKS" + struct.pack("<IIQQ", 1, 0, BLOCK, len(archive.infolist()))
        archive.writestr("mpiwatch.idx", head + entries)


def patched(source, path, offset, data):
    shutil.copy(source, path)
    with open(path, "r+b") as file:
        file.seek(offset)
        file.write(data)


# --- built to be wrong ------------------------------------------------------------------

def central(path, name):
    """Where the directory's entry of a member is."""
    with open(path, "rb") as file:
        packed = file.read()
    at = packed.rfind(b"PK\5\6")
    at = struct.unpack_from("<I", packed, at + 16)[0]
    while packed[at + 46:at + 46 + len(name)] != name:
        at += 46 + sum(struct.unpack_from("<HHH", packed, at + 28))
    return at


def hostile_files(members):
    open("empty.otf2.zip", "w").close()
    with open("text.zip", "w") as file:
        file.write("this is a text\n" * 1000)
    with open("traces.otf2", "w") as file:
        file.write("this is no anchor\n")
    for each in ("empty.otf2.zip", "text.zip", "traces.otf2"):
        check(each, each)
    os.mkdir("bare")
    pack("noanchor.zip", {"x": b"1"}, False)
    for each in ("bare", "noanchor.zip", "absent"):
        check(each, each, pattern=PLACELESS)


def hostile_names(members):
    for number, name in enumerate(("../traces.evt", "/etc/traces.evt", "a/../../b", "a/./b",
                                   "a//b", "a\\..\\b", "..")):
        path = "name%d.zip" % number
        pack(path, {**members, "x" * len(name): b"1"}, False)
        with open(path, "rb") as file:
            packed = file.read()
        with open(path, "wb") as file:
            file.write(packed.replace(b"x" * len(name), name.encode()))
        check("a member called " + name, path)


def hostile_directories(members):
    pack("sound.zip", members)
    check("sound", "sound.zip", allowed=(0,))
    at = central("sound.zip", b"traces.def")
    other = central("sound.zip", b"traces.otf2")
    with open("sound.zip", "rb") as file:
        packed = file.read()
    patched("sound.zip", "overlap.zip", at + 42, packed[other + 42:other + 46])
    patched("sound.zip", "far.zip", at + 42, struct.pack("<I", 0x7fffffff))
    patched("sound.zip", "longer.zip", at + 24, struct.pack("<I", 100000))
    patched("sound.zip", "shorter.zip", at + 24, struct.pack("<I", 30))
    patched("sound.zip", "huge.zip", at + 24, struct.pack("<I", 0xfffffffe))
    patched("sound.zip", "compressed.zip", at + 20, struct.pack("<I", 0x7fffffff))
    patched("sound.zip", "encrypted.zip", at + 8, b"\1\0")
    patched("sound.zip", "method.zip", at + 10, b"\x0c\0")
    patched("sound.zip", "extra.zip", at + 30, b"\xff\xff")
    patched("sound.zip", "count.zip", packed.rfind(b"PK\5\6") + 10, b"\xff\xfe")
    patched("sound.zip", "crc.zip", at + 16, b"\0\1\2\3")
    for each in ("overlap", "far", "longer", "shorter", "huge", "compressed", "encrypted",
                 "method", "extra", "count", "crc"):
        check(each, each + ".zip")


def hostile_members(members):
    for name in ("traces.otf2", "traces.def", "traces/0.def", "traces/0.evt", "mpiwatch.json"):
        pack("bomb.zip", {**members, name: bytes(200 << 20)}, False)
        # mpiwatch.json is read in one way, which takes seconds with the sanitizers.
        check(name + " of 200 MiB of zeros", "bomb.zip",
              commands=some_commands() if name == "mpiwatch.json" else None)
        pack("nothing.zip", {**members, name: b""}, False)
        check(name + " of no bytes", "nothing.zip")
    for text in (b"[" * 100000, b"{", b"[" + b"[]," * 1000000 + b"1]",
                 b"[]", b'{"schema": 1}', b'{"schema": "other/9"}',
                 b'{"schema": "mpiwatch-archive/1", "ranks": [{"rank": 1e999}]}', b"\xff\xfe"):
        pack("json.zip", {**members, "mpiwatch.json": text}, False)
        check("mpiwatch.json: " + repr(text[:40]), "json.zip",
              commands=some_commands() if len(text) > 1000000 else None)
    without = {name: data for name, data in members.items() if name != "traces/1.evt"}
    pack("without.zip", without, False)
    check("without traces/1.evt", "without.zip")


def hostile_index(members):
    """What only validate reads."""
    with zipfile.ZipFile("sound.zip") as archive:
        index = archive.read("mpiwatch.idx")
    for offset in list(range(0, 12)) + list(range(16, len(index))):
        damaged = index[:offset] + bytes([index[offset] ^ 0xff]) + index[offset + 1:]
        if offset % 9 and MUTATIONS < 100:
            continue
        shutil.copy("plain.zip", "index.zip")
        with zipfile.ZipFile("index.zip", "a", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("mpiwatch.idx", damaged)
        check("byte %d of mpiwatch.idx" % offset, "index.zip", pattern=PLACELESS,
              commands=["validate"])


def hostile_contents():
    """libotf2 writes them without a word. What changes no number is found by validate alone."""
    for name in subprocess.run([MAKE_HOSTILE], stdout=subprocess.PIPE, text=True,
                               check=True).stdout.split():
        subprocess.run([MAKE_HOSTILE, name, "lie-" + name], check=True)
        every = name in ("string", "group", "parent", "twice", "member", "world", "million",
                         "region", "comm", "peer", "sources", "window",
                         "target")
        check("lie about " + name, "lie-" + name,
              allowed=(3,) if every else (0,) if name == "none" else (0, 3, 4),
              # Events that a definition promises and are not there are missing, as reports say.
              validate=(0,) if name == "none" else (4,) if name == "count" else (3,))
    subprocess.run([MAKE_HOSTILE, "none", "samples"], check=True)
    with open("samples/mpiwatch.json", "wb") as file:
        file.write(b'{"schema": "mpiwatch-archive/1", "samples": {"rate_hz": 100}}')
    check("samples without ranks", "samples", allowed=(0, 4), pattern=PLACELESS,
          validate=(3,))
    subprocess.run([MAKE_ARCHIVE, "backwards", "backwards"], check=True)
    check("times that go backwards", "backwards", validate=(3,), commands=COMMANDS)


def hostile_sizes(members):
    """Numbers in records that libotf2 takes on trust, in front of a whole chunk's end."""
    number, record = otf2.number, otf2.record
    definitions = next(name for name in members if name.endswith("0.def"))
    events = definitions.replace(".def", ".evt")
    table = (lambda count, mode, data:
             record(otf2.MAPPING_TABLE, b"\1" + number(count) + bytes([mode]) + data))
    huge = number(2**32 - 2)
    anchor = members["traces.otf2"]
    unordered = b"".join(number(2**24 - i) + b"\0" for i in range(600000))
    attributes = b"".join(number(i) + b"\1\0" for i in range(50000))
    contexts = b"".join(record(otf2.CALLING_CONTEXT, number(400000 - i) + bytes(3))
                        for i in range(400000))
    for how, name, data in (
            ("table of 2^63 numbers", definitions, table(2**63, 1, number(1) * 4)),
            ("table of 2^61 numbers", definitions, table(2**61, 0, number(1) * 4)),
            ("table of 2^34 numbers", definitions, table(2**34, 0, number(1) * 4)),
            ("table of pairs, one short", definitions, table(2, 1, number(1) * 3)),
            ("table in no order", definitions, table(600000, 1, unordered)),
            ("table in a record of no bytes", definitions, record(otf2.MAPPING_TABLE, b"")),
            ("clock's offset of one byte", definitions, record(otf2.CLOCK_OFFSET, b"\0")),
            ("local group", definitions, record(otf2.GROUP, bytes(3) + huge + number(1))),
            ("group", "traces.def", record(otf2.GROUP, bytes(3) + huge + number(1))),
            ("group, sizes undefined", "traces.def", record(otf2.GROUP, bytes(3) + b"\xff")),
            ("metric class", "traces.def", record(otf2.METRIC_CLASS, b"\0\xff\0\0")),
            ("topology", "traces.def", record(otf2.CART_TOPOLOGY, bytes(3) + b"\xff")),
            ("I/O paradigm", "traces.def", record(otf2.IO_PARADIGM, bytes(5) + b"\xff\0\1")),
            ("text without an end", "traces.def", record(otf2.STRING, number(2**31) + b"text")),
            ("record of 2^64 - 2 bytes", "traces.def", record(otf2.STRING, b"\0a\0", -2)),
            ("unknown record of 2^63 bytes", "traces.def", record(200, b"", 2**63)),
            ("contexts in no order", "traces.def", contexts),
            ("arguments of a program", events,
             record(otf2.PROGRAM_BEGIN, b"\0" + huge + number(1))),
            ("values of a metric", events, record(otf2.METRIC, b"\0\xff\0")),
            ("attributes", events, record(otf2.ATTRIBUTE_LIST, huge + bytes(4))),
            ("50,000 attributes of one event", events,
             record(otf2.ATTRIBUTE_LIST, number(50000) + attributes) + b"\x0c\0"),
            ("number of 9 bytes", events, bytes([otf2.ENTER, 9]) + bytes(9)),
            ("record as long as the chunk", events, record(201, bytes(100), 262144))):
        pack("size.zip", {**members, name: otf2.behind(members[name], data),
                          "traces.otf2": anchor[:20] + struct.pack("<Q", 1 << 24) + anchor[28:]},
             False)
        check("%s: %s" % (name, how), "size.zip",
              commands=COMMANDS if MUTATIONS >= 100 else ["report", "validate"])
    pack("size.zip", {**members, "traces.otf2": anchor[:28] + b"\3" + anchor[29:]}, False)
    check("an anchor of files that are nowhere", "size.zip")
    pack("size.zip", {**members, "traces.otf2": anchor[:29] + b"\xff" + anchor[30:]}, False)
    check("an anchor of an unknown compression, which libotf2 leaves open", "size.zip")


# --- random -----------------------------------------------------------------------------

def truncate(source):
    size = os.path.getsize(source)
    for i in range(TRUNCATIONS):
        shutil.copy(source, "cut.zip")
        os.truncate("cut.zip", size * i // TRUNCATIONS)
        check("cut to %d of %d bytes" % (size * i // TRUNCATIONS, size), "cut.zip")


def says_other(source, damaged):
    """Whether a member differs: there are bits between blocks of deflate that say nothing."""
    try:
        with zipfile.ZipFile(source) as one, zipfile.ZipFile(damaged) as other:
            return any(one.read(name) != other.read(name) for name in one.namelist())
    except (zipfile.BadZipFile, zlib.error, EOFError, KeyError, NotImplementedError):
        return True


def flip(source):
    with open(source, "rb") as file:
        packed = file.read()
    with zipfile.ZipFile(source) as archive:
        inside = [range(data_offset(packed, info), data_offset(packed, info) + info.compress_size)
                  for info in archive.infolist()]
    for _ in range(FLIPS):
        at, bit = random.randrange(len(packed)), random.randrange(8)
        patched(source, "flipped.zip", at, bytes([packed[at] ^ 1 << bit]))
        data = any(at in each for each in inside) and says_other(source, "flipped.zip")
        check("bit %d of byte %d flipped" % (bit, at), "flipped.zip", allowed=(0, 3, 4),
              pattern=PLACELESS, validate=(3,) if data else (0, 3, 4))


def mutate(members, mutations):
    """Members that are wrong behind a correct CRC, so that libotf2 and jansson get to see them."""
    names = [name for name, data in members.items() if data]
    for number in range(mutations):
        name = names[number % len(names)]
        data = bytearray(members[name])
        for _ in range(random.randrange(1, 5)):
            at = random.randrange(len(data))
            size = random.choice((1, 1, 2, 4, 8))
            data[at:at + size] = random.choice((
                b"\xff" * size, bytes(size), random.randbytes(size), b"", bytes([data[at] ^ 1])))
            data = data or bytearray(b"\0")
        pack("mutated.zip", {**members, name: bytes(data)}, False)
        check("%s, mutation %d" % (name, number), "mutated.zip", allowed=(0, 3, 4),
              pattern=PLACELESS)


random.seed(20261120)
subprocess.run([MAKE_ARCHIVE, "comms", "comms"], check=True)
contents = {**members_of("comms"), "mpiwatch.json": JSON}
pack("plain.zip", contents, False)
hostile_files(contents)
hostile_names(contents)
hostile_directories(contents)
hostile_members(contents)
hostile_index(contents)
hostile_contents()
hostile_sizes(contents)
truncate("sound.zip")
flip("sound.zip")
subprocess.run([MAKE_ARCHIVE, "waits_neighbors", "neighbors"], check=True)
mutate(contents, MUTATIONS - MUTATIONS // 3)
mutate(members_of("neighbors"), MUTATIONS // 3)
print("commands:", " ".join(COMMANDS))
print("exit statuses:", codes, "wrong:", wrong)
sys.exit(wrong != 0)
