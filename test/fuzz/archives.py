"""archives.py SERVE ANALYZE MAKE_ARCHIVE SEED RUNS [ARCHIVE.zip...]: changes archives behind their
checksums and lets SERVE (test/fuzz/serve.c), which has the sanitizers, run commands of
mpiwatch-analyze on each. RUNS: so many changed archives, or 600s for so many seconds; FIRST+RUNS
goes on from one of them. Beside those of MAKE_ARCHIVE, archives that are given are changed.

What is changed is known by its structure, OTF2's records and their numbers, mpiwatch.json's values
and the fields of mpiwatch.idx, or is a few bytes anywhere. A command may end with 0, 3 or 4, not
with a signal, a sanitizer's complaint, more memory than MEMORY_MAX or after more CPU time than
serve.c allows. What does not is kept in the current directory, and said with what replays it."""
import json
import os
import random
import re
import shutil
import struct
import subprocess
import sys
import time
import zipfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "system"))
import otf2_bytes as otf2  # noqa: E402
from commands import ARCHIVES, commands as commands_of  # noqa: E402

MADE = ("comms", "threads", "clocks", "nested", "open", "comm_lives", "inter_comm", "names",
        "waits_neighbors", "waits_alltoallv", "onesided_posts", "onesided_locks", "delay_chain",
        "waits_cancelled", "region")
MEMORY_MAX = 1500 << 10  # KiB, with the sanitizer's own
BLOCK = 262144
NUMBERS = (0, 1, 2, 3, 7, 127, 255, 256, 65535, 2**31 - 1, 2**31, 2**32 - 2, 2**32 - 1, 2**32,
           2**61, 2**63 - 1, 2**63, 2**64 - 2, 2**64 - 1)
JSON = {"schema": "mpiwatch-archive/1", "complete": True, "ended": "finalized", "recorder": "r",
        "arguments": "a", "ranks_expected": 3, "settings": {},
        "ranks": [{"rank": rank, "recorded": True, "ended": True, "lost": {}, "pid": 1}
                  for rank in range(3)],
        "samples": {"rate_hz": 100,
                    "ranks": [{"rank": rank, "outside": 30, "inside": 5, "lost": 1, "refused": ""}
                              for rank in range(2)],
                    "spots": [{"function": "f", "file": "/f.c", "line": 3},
                              {"function": "m+0x12", "file": "", "line": 0}],
                    "rows": [[0, None, 0, 20], [0, None, 1, 10], [1, None, 0, 30]],
                    "others": {
                        "ranks": [{"rank": rank, "threads": 2, "refused": 1, "there_ns": 10**9,
                                   "outside": 9, "inside": 3, "lost": 1} for rank in range(2)],
                        "rows": [[0, None, 0, 5], [1, None, 1, 9]]}}}


def read_zip(path):
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def read_directory(root):
    found = {}
    for folder, _, files in os.walk(root):
        for name in sorted(files):
            path = os.path.join(folder, name)
            with open(path, "rb") as file:
                found[os.path.relpath(path, root)] = file.read()
    return found


def seeds_of(make_archive, given):
    for name in MADE:
        subprocess.run([make_archive, name, "made"], check=True)
        yield name, {**read_directory("made"), "mpiwatch.json": json.dumps(JSON).encode()}
        shutil.rmtree("made")
    for path in given:
        yield path, read_zip(path)


def chunk_bytes(members, name):
    at = 12 if name.endswith(".evt") else 20
    return struct.unpack_from("<Q", members["traces.otf2"], at)[0]


class Change:
    """A seed on the way to an input."""

    def __init__(self, members, others, chance):
        self.members = dict(members)
        self.others = others
        self.chance = chance
        self.index = "mpiwatch.idx" in members and chance.random() < 0.2

    def pick_name(self):
        endings = self.chance.choices(("/def", ".def", ".evt", "json", "otf2", "idx"),
                                      (20, 25, 35, 12, 5, 3))[0]
        names = [name for name in self.members
                 if (name.startswith("traces/") and name.endswith(".def") if endings == "/def"
                     else name == "traces.def" if endings == ".def" else name.endswith(endings))]
        return self.chance.choice(names or sorted(self.members))

    def number(self):
        kind = self.chance.random()
        if kind < 0.1:
            return b"\xff"
        value = self.chance.choice(NUMBERS) if kind < 0.7 else self.chance.randrange(300)
        size = self.chance.randrange(9) if self.chance.random() < 0.1 else None
        return otf2.number(value) if size is None else \
            bytes([size]) + (value & 2**(8 * size) - 1).to_bytes(size, "little")

    def payload(self, data):
        """Another value in the place of something that looks like a number, or of bytes."""
        data = bytearray(data)
        for _ in range(self.chance.randrange(1, 3)):
            at = self.chance.randrange(len(data) + 1)
            starts, place = [], 0
            while place < len(data) and data[place] <= 8:
                starts.append(place)
                place += 1 + data[place]
            if starts and self.chance.random() < 0.6:
                at = self.chance.choice(starts)
                data[at:at + 1 + data[at]] = self.number()
            elif self.chance.random() < 0.5:
                data[at:at + 1] = bytes([self.chance.choice((0, 1, 2, 255, data[at:at + 1][0]
                                                             if data[at:at + 1] else 9))])
            else:
                data[at:at + self.chance.randrange(3)] = self.number()
        return bytes(data)

    def hostile(self, events):
        count = self.chance.choice(NUMBERS)
        few = b"".join(self.number() for _ in range(self.chance.randrange(6)))
        if events:
            return self.chance.choice((
                otf2.record(otf2.METRIC, self.number() + bytes([count % 256]) + few),
                otf2.record(otf2.PROGRAM_BEGIN, self.number() + otf2.number(count) + few),
                otf2.record(otf2.ATTRIBUTE_LIST, otf2.number(count) + few),
                bytes([otf2.TIMESTAMP]) + struct.pack("<Q", count),
                bytes([otf2.ENTER]) + self.number()))
        return self.chance.choice((
            otf2.record(otf2.MAPPING_TABLE, bytes([self.chance.randrange(16)]) +
                        otf2.number(count) + bytes([self.chance.randrange(3)]) + few),
            otf2.record(otf2.CLOCK_OFFSET, struct.pack("<Q", count) + few + bytes(8)),
            otf2.record(otf2.GROUP, self.number() + self.number() + bytes([count % 9]) +
                        otf2.number(count) + few + bytes(3)),
            otf2.record(otf2.METRIC_CLASS, self.number() + bytes([count % 256]) + few + bytes(2)),
            otf2.record(otf2.STRING, self.number() + few + b"\0"),
            otf2.record(otf2.CALLING_CONTEXT, few)))

    def elsewhere(self, name):
        """A record of a file of the same kind."""
        members = self.others[self.chance.randrange(len(self.others))]
        names = [each for each in members if each[-4:] == name[-4:]]
        each = self.chance.choice(names) if names else name
        data = (members if names else self.members)[each]
        found = list(otf2.records(data, each.endswith(".evt"), chunk_bytes(members, each)))
        if not found:
            return b""
        begin, _, end = self.chance.choice(found)
        return data[begin:end]

    def records(self, name):
        data = self.members[name]
        events = name.endswith(".evt")
        found = list(otf2.records(data, events, chunk_bytes(self.members, name)))
        if not found:
            self.members[name] = otf2.behind(data, self.hostile(events), events)
            return
        begin, head, end = self.chance.choice(found)
        kind = self.chance.randrange(10)
        if kind < 4 and head > begin:
            type_at = begin + (9 if events and data[begin] == otf2.TIMESTAMP else 0)
            new = data[begin:type_at]
            if events and data[type_at] in otf2.SINGLE:
                new += data[type_at:type_at + 1] + self.number()
            else:
                new += otf2.record(data[type_at], self.payload(data[head:end]))
        elif kind == 4:
            new = b""
        elif kind == 5:
            new = data[begin:end] * self.chance.choice((2, 2, 3, 50))
        elif kind == 6:
            new = data[begin:end] + self.elsewhere(name)
        elif kind == 7:
            new = data[begin:end] + self.hostile(events)
        elif kind == 8:
            new = bytearray(data[begin:end])
            new[self.chance.randrange(min(len(new), 11))] = self.chance.choice(
                (0, 2, 5, 6, 255, self.chance.randrange(256)))
        else:
            other = self.chance.choice(found)
            new = data[other[0]:other[2]]
        self.members[name] = data[:begin] + bytes(new) + data[end:]

    def dumb(self, name):
        data = bytearray(self.members[name] or b"\0")
        for _ in range(self.chance.randrange(1, 5)):
            at, size = self.chance.randrange(len(data)), self.chance.choice((1, 1, 2, 4, 8))
            data[at:at + size] = self.chance.choice((
                b"\xff" * size, bytes(size), self.chance.randbytes(size), b"",
                bytes([data[at] ^ 1 << self.chance.randrange(8)])))
            data = data or bytearray(b"\0")
        self.members[name] = bytes(data)

    def value(self, old):
        return self.chance.choice((
            None, True, -1, 0.5, 1e308, self.chance.choice(NUMBERS[:-3]), -2**63, "", "text",
            "\x1b[31m\u0000\uffff", "x" * 5000, [], {}, [old] * 3, {"rank": old}, [[]] * 100, old))

    def json(self, name):
        try:
            document = json.loads(self.members[name])
        except ValueError:
            return self.dumb(name)
        places, todo = [], [document]
        while todo:
            each = todo.pop()
            keys = list(each) if isinstance(each, dict) else range(len(each))
            places += [(each, key) for key in keys]
            todo += [each[key] for key in keys if isinstance(each[key], (dict, list))]
        for _ in range(self.chance.randrange(1, 4)):
            if not places:
                break
            each, key = self.chance.choice(places)
            if isinstance(each, dict) and self.chance.random() < 0.1:
                each.pop(key, None)
            elif isinstance(each, dict) and key in each or \
                    isinstance(each, list) and key < len(each):
                each[key] = self.value(each[key])
        self.members[name] = json.dumps(document).encode()

    def fields(self, name):
        """A number of 4 or 8 bytes."""
        data = bytearray(self.members[name])
        if len(data) < 16:
            return self.dumb(name)
        at = self.chance.randrange(len(data) // 4 - 2) * 4
        form = self.chance.choice("IQ")
        value = self.chance.choice(NUMBERS) & (2**32 - 1 if form == "I" else 2**64 - 1)
        struct.pack_into("<" + form, data, at, value)
        self.members[name] = bytes(data)

    def once(self):
        name = self.pick_name()
        way = {"json": self.json, ".def": self.records, ".evt": self.records}.get(
            name[-4:], self.fields)
        (self.dumb if self.chance.random() < 0.15 else way)(name)


def pack(path, members, index):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for name, data in members.items():
            if index or name != "mpiwatch.idx":
                archive.writestr(name, data)


class Server:
    def __init__(self, program):
        environment = dict(os.environ, ASAN_OPTIONS="detect_leaks=0:allocator_may_return_null=1:"
                           "quarantine_size_mb=8:max_allocation_size_mb=2048",
                           UBSAN_OPTIONS="print_stacktrace=1")
        self.process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        text=True, env=environment)

    def run(self, commands, allowed=(0, 3, 4)):
        """What is wrong with these commands, or None."""
        line = "\t;\t".join("\t".join(command) for command in commands)
        self.process.stdin.write("stderr.txt\t" + line + "\n")
        self.process.stdin.flush()
        status, memory, *codes = (int(word) for word in self.process.stdout.readline().split())
        with open("stderr.txt", errors="replace") as file:
            words = file.read()
        if status:
            command = commands[min(len(codes), len(commands) - 1)]
            return "%s: ended with %#x: %s" % (command, status, words[:3000])
        for command, code in zip(commands, codes):
            if code not in allowed:
                return "%s: exit %d: %s" % (command, code, words[:3000])
        if "Sanitizer" in words or "runtime error" in words:
            return words[:3000]
        if memory > MEMORY_MAX:
            return "%d KiB of memory" % memory
        return None


def main():
    serve, analyze, make_archive, seed, runs, *given = sys.argv[1:]
    given = [os.path.abspath(path) for path in given]
    server = Server(serve)
    lines = commands_of(analyze) + [
        ["report", "--json"], ["calls", "--csv"], ["comms", "--json"], ["validate", "--json"],
        ["export", "--chrome=/dev/null"], ["export", "--otf2=smaller", "--ranks=0"],
        ["counters", "--series"], ["timeline", "--json"]]
    seeds = list(seeds_of(make_archive, given))
    for name, members in seeds:  # what is refused at once would find nothing
        pack("input.zip", members, False)
        finding = server.run([["report", "input.zip"]], (0, 4))
        if finding:
            sys.exit("%s: %s" % (name, finding))
    first, _, count = runs.rpartition("+")
    first = int(first or 0)
    until = time.time() + int(count[:-1]) if count.endswith("s") else None
    last = 2**63 if until else first + int(count)
    number, wrong, ran = first, 0, 0
    while number < last and (not until or time.time() < until):
        chance = random.Random("%s:%d" % (seed, number))
        name, members = chance.choice(seeds)
        change = Change(members, [each for _, each in seeds], chance)
        for _ in range(chance.choice((1, 1, 1, 2, 3, 6))):
            change.once()
        pack("input.zip", change.members, change.index)
        chosen = chance.sample(lines, 5) + [["validate"]]
        shutil.rmtree("smaller", ignore_errors=True)
        finding = server.run([[*line, "--max-memory=1G",
                               *["input.zip"] * ARCHIVES.get(line[0], 1)] for line in chosen])
        ran += len(chosen)
        if finding:
            wrong += 1
            kept = "finding-%s-%d.zip" % (re.sub(r"\W", "", seed), number)
            shutil.copy("input.zip", kept)
            print("%s (of %s; replay with %s %d+1): %s" % (kept, name, seed, number, finding),
                  flush=True)
        number += 1
    print("archives.py: seed %s: %d archives, %d commands, %d wrong"
          % (seed, number - first, ran, wrong), flush=True)
    sys.exit(wrong != 0)


main()
