"""damage_spools.py RECOVER ANALYZE SEED RUNS SPOOLS...: damages copies of the spools of a run (each
of SPOOLS is a directory of theirs) and makes archives of them. RECOVER must end with 0 or 4, or
with a sentence: with 3 if nothing is left, with 2 if it looks like two runs. validate must not find
its archive corrupt, and otf2-print must read it without a word. RUNS: so many, 600s for so many
seconds, or FIRST+RUNS.

Damage is of bits, bytes, pages, ends of files and windows, and behind checksums of records and
definitions: their fields, their order, some of them twice or not at all."""
import os
import random
import shutil
import struct
import subprocess
import sys
import time
import zipfile
import zlib

sys.dont_write_bytecode = True  # the sources stay as they are

from spool_file import plain, records, windows

PAGE = 4096
NUMBERS = (0, 1, 2, 3, 5, 255, 65535, 499999, 2**28, 2**31 - 1, 2**31, 2**32 - 2, 2**32 - 1,
           2**53 + 1, 2**63 - 1, 2**63, 2**64 - 2, 2**64 - 1)


def definitions(data):
    """(begin, end) of each, with its length and checksum."""
    at = 40
    while at + 8 <= len(data):
        length = struct.unpack_from("<I", data, at)[0]
        if length == 0 or at + 8 + length > len(data):
            return
        yield at, at + 8 + length
        at += 8 + length


def framed(payload):
    return struct.pack("<II", len(payload), zlib.crc32(payload)) + payload


class Damage:
    def __init__(self, chance):
        self.chance = chance

    def bytes(self, data):
        for _ in range(self.chance.randrange(1, 6)):
            at = self.chance.randrange(len(data))
            if self.chance.random() < 0.5:
                data[at] ^= 1 << self.chance.randrange(8)
            else:
                size = self.chance.choice((1, 2, 4, 8))
                data[at:at + size] = self.chance.choice((bytes(size), b"\xff" * size))[
                    :len(data) - at]
        return data

    def end(self, data):
        return data[:self.chance.randrange(len(data))]

    def page(self, data):
        at = self.chance.randrange(len(data)) // PAGE * PAGE
        data[at:at + PAGE] = bytes(len(data[at:at + PAGE]))
        return data

    def field(self, data, begin, end):
        """A number between two places."""
        size = self.chance.choice((1, 2, 4, 4, 4, 8))
        at = begin + self.chance.randrange(max(1, (end - begin) // size)) * size
        if at + size <= end:
            value = self.chance.choice(NUMBERS + (self.chance.randrange(64),) * 6)
            data[at:at + size] = (value & 2**(8 * size) - 1).to_bytes(size, "little")

    def windows(self, data):
        found = list(windows(data))
        if len(found) < 2:
            return self.records(data)
        one, other = self.chance.sample(found, 2)
        size = min(one[1] - one[0], other[1] - other[0])
        kept = bytes(data[one[0]:one[0] + size])
        data[one[0]:one[0] + size] = data[other[0]:other[0] + size]
        if self.chance.random() < 0.5:
            data[other[0]:other[0] + size] = kept
        return data

    def records(self, data):
        found = list(records(data))
        if not found:
            return self.bytes(data)
        for _ in range(self.chance.randrange(1, 5)):
            begin, end = self.chance.choice(found)
            kind = self.chance.random()
            if kind < 0.6:
                self.field(data, begin + 4, end)
            elif kind < 0.7:
                data[begin + 1] = self.chance.choice((1, 2, 3, 4, 5, 8, 9, 64, 66, 67, 69, 72, 74,
                                                      75, 80, 82, 83, 86, 90, 94, 96, 112, 114))
            else:
                other = self.chance.choice([each for each in found
                                            if each[1] - each[0] == end - begin])
                data[begin:end] = data[other[0]:other[1]]
        return data

    def definitions(self, data):
        found = [bytes(data[begin + 8:end]) for begin, end in definitions(data)]
        if not found:
            return self.bytes(data)
        for _ in range(self.chance.randrange(1, 5)):
            at = self.chance.randrange(len(found))
            kind = self.chance.random()
            if kind < 0.5:
                changed = bytearray(found[at])
                self.field(changed, 1, len(changed))
                found[at] = bytes(changed)
            elif kind < 0.7 and len(found) > 1:
                del found[at]
            elif kind < 0.8:
                found.insert(self.chance.randrange(len(found)), found[at])
            else:
                other = self.chance.randrange(len(found))
                found[at], found[other] = found[other], found[at]
        return data[:40] + bytearray(b"".join(framed(each) for each in found))

    def file(self, path):
        with open(path, "rb") as file:
            data = bytearray(file.read())
        if not data:
            return
        inside = self.definitions if path.endswith("definitions") else self.records
        if path.endswith(".events") and self.chance.random() < 0.7:
            data = plain(data)
        way = self.chance.choice((self.bytes, self.end, self.page, self.windows) + (inside,) * 6)
        if path.endswith("definitions") and way == self.windows:
            way = inside
        with open(path, "wb") as file:
            file.write(way(data))


def quiet(command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120)
    return done.returncode, done.stdout.decode(errors="replace")


def judge(recover, analyze, spools):
    """How the recovery and the archive went: codes, and what is wrong or None."""
    code, words = quiet([recover, *spools, "-o", "back.otf2.zip", "--force"])
    if "Sanitizer" in words or "runtime error" in words or code not in (0, 2, 3, 4):
        return code, "recover: exit %d: %s" % (code, words[:2000])
    if code in (2, 3):
        return code, None if words.startswith("mpiwatch-recover: ") else "recover: " + words
    valid, words = quiet([analyze, "validate", "back.otf2.zip"])
    if valid not in (0, 4):
        return code, "validate: exit %d: %s" % (valid, words[:2000])
    shutil.rmtree("back", ignore_errors=True)
    with zipfile.ZipFile("back.otf2.zip") as archive:
        archive.extractall("back")
    printed = subprocess.run(["otf2-print", "back/traces.otf2"], stdout=subprocess.DEVNULL,
                             stderr=subprocess.PIPE, timeout=120)
    if printed.returncode or printed.stderr:
        return code, "otf2-print: " + printed.stderr.decode(errors="replace")[:2000]
    return code, None


def main():
    recover, analyze, seed, runs, *given = sys.argv[1:]
    first, _, count = runs.rpartition("+")
    number = first = int(first or 0)
    until = time.time() + int(count[:-1]) if count.endswith("s") else None
    last = 2**63 if until else first + int(count)
    codes, wrong = {}, 0
    while number < last and (not until or time.time() < until):
        chance = random.Random("%s:%d" % (seed, number))
        shutil.rmtree("spools-damaged", ignore_errors=True)
        source = chance.choice(given)
        shutil.copytree(source, "spools-damaged")
        files = sorted(os.path.join(folder, name) for folder, _, names
                       in os.walk("spools-damaged") for name in names)
        damage = Damage(chance)
        for _ in range(chance.choice((1, 1, 2, 4))):
            damage.file(chance.choice(files))
        spools = sorted(os.path.join("spools-damaged", name)
                        for name in os.listdir("spools-damaged"))
        if os.path.exists("back.otf2.zip"):
            os.unlink("back.otf2.zip")
        code, finding = judge(recover, analyze, spools)
        codes[code] = codes.get(code, 0) + 1
        if finding:
            wrong += 1
            print("%s, replay with %s %d+1: %s" % (source, seed, number, finding), flush=True)
        number += 1
    print("damage_spools.py: seed %s: %d spools; exit statuses of mpiwatch-recover: %s; %d wrong"
          % (seed, number - first, dict(sorted(codes.items())), wrong))
    sys.exit(wrong != 0 or 4 not in codes)


if __name__ == "__main__":
    main()
