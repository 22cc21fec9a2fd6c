"""damage.py ANALYZE ARCHIVE TRUNCATIONS FLIPS: damages a copy of ARCHIVE, a file or a directory,
in that many ways (of each file), and lets ANALYZE report on it. It must exit 0, 3 or 4 within
60 seconds, with a sentence on the standard error if 3, and without a complaint of a
sanitizer."""
import os
import random
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True
import ended  # noqa: E402, beside this file

ANALYZE, ARCHIVE, TRUNCATIONS, FLIPS = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
COPY = "damaged-copy"
wrong = 0
codes = {}


def fresh():
    if os.path.isdir(COPY):
        shutil.rmtree(COPY)
    if os.path.isdir(ARCHIVE):
        shutil.copytree(ARCHIVE, COPY)
    else:
        shutil.copy(ARCHIVE, COPY)


def check(how):
    global wrong
    code, _, words = ended.run([ANALYZE, "report", COPY], subprocess.DEVNULL)
    codes[code] = codes.get(code, 0) + 1
    if code not in (0, 3, 4) or (code == 3 and not words.startswith("mpiwatch-analyze: ")) \
            or "Sanitizer" in words or "runtime error" in words:
        print("%s: %s: exit %s: %s" % (ARCHIVE, how, code, words[:1000]))
        wrong += 1


def damage(name):
    path = os.path.join(COPY, name) if name else COPY
    fresh()
    size = os.path.getsize(path)
    for i in range(TRUNCATIONS):
        fresh()
        os.truncate(path, size * i // TRUNCATIONS)
        check("%s cut to %d of %d bytes" % (name, size * i // TRUNCATIONS, size))
    for _ in range(FLIPS if size else 0):
        fresh()
        with open(path, "r+b") as file:
            offset, bit = random.randrange(size), random.randrange(8)
            file.seek(offset)
            byte = file.read(1)[0]
            file.seek(offset)
            file.write(bytes([byte ^ 1 << bit]))
        check("%s with bit %d of byte %d flipped" % (name, bit, offset))


random.seed(20261120)
if os.path.isdir(ARCHIVE):
    for folder, _, files in sorted(os.walk(ARCHIVE)):
        for each in sorted(files):
            damage(os.path.relpath(os.path.join(folder, each), ARCHIVE))
else:
    damage("")
print(ARCHIVE, codes)
sys.exit(wrong != 0)
