#!/usr/bin/python3
"""Makes archives of random events, for those who read them in two ways.

    random_events.py LAYOUT BASE SEED COUNT DIRECTORY

COUNT archives DIRECTORY/0, 1, …, each that of BASE, an archive as make_archive makes it, but for
the events and definitions of location 0. These are of all kinds that LAYOUT (event_records.def)
has, and of unknown ones: numbers of all sizes, undefined ones, attributes of all types, fields
that are to come, blocks of both byte orders, tables that translate numbers, and offsets of the
clock. In those of odd numbers some bytes are wrong then, and tables may make two attributes of an
event one.
"""
import os
import random
import re
import shutil
import struct
import sys

UNDEFINED = 255
TYPES = 26  # of attributes, and some that there are not


class Writer:
    """The bytes of one location's events."""

    def __init__(self, rows, big, chunk_bytes):
        self.rows, self.big, self.chunk_bytes = rows, big, chunk_bytes
        self.time = random.randrange(2000)

    def full(self, value, size):
        return value.to_bytes(size, "big" if self.big else "little")

    def number(self, width, value=None):
        """One of up to width bytes, which may be more than it needs."""
        if value is None:
            if random.random() < 0.1:
                return bytes([UNDEFINED])
            size = random.choice((0, 1, 1, 1, 2, width))
            return bytes([size]) + random.randbytes(size)
        size = max((value.bit_length() + 7) // 8, random.choice((0, 0, 0, width)))
        return bytes([size]) + self.full(value, size)

    def field(self, letter):
        if letter == "b":
            return random.randbytes(1)
        if letter == "t":
            return self.full(self.time + random.randrange(1000), 8)
        if letter == "N":
            return self.number(8)
        if letter == "V":
            count = random.choice((0, 1, 2, 255))
            return bytes([count]) + b"".join(
                bytes([random.randrange(TYPES)]) + self.number(8) for _ in range(count))
        if letter == "S":
            count = random.choice((0, 1, 300))
            return self.number(4, count) + b"".join(self.number(4) for _ in range(count))
        return self.number(4)

    def record(self, kind, payload):
        if len(payload) < 255 and random.random() < 0.9:
            return bytes([kind, len(payload)]) + payload
        return bytes([kind, 255]) + self.full(len(payload), 8) + payload

    def attribute(self, number):
        kind = random.randrange(TYPES + 4)
        small = {1: 1, 2: 2, 5: 1, 6: 2, 9: 4, 10: 8}
        value = random.randbytes(small[kind]) if kind in small else self.number(
            8 if kind in (0, 4, 8, 13) or kind > 25 else 4)
        return self.number(4, number) + bytes([kind]) + value

    def event(self):
        data = b""
        if random.random() < 0.6:
            self.time += random.choice((0, 1, 100, 1 << 20))
            data += b"\5" + self.full(self.time, 8)
        for lists in range(random.choice((0, 0, 0, 1, 1, 2))):
            count = random.choice((0, 1, 3, 9))
            data += self.record(6, self.number(4, count) + b"".join(
                self.attribute(20 * lists + i) for i in range(count)))
        kind = random.choice(list(self.rows) + [9, 89, 200])
        form, fields = self.rows.get(kind, ("LENGTH", random.choice(("", "N"))))
        payload = b"".join(self.field(letter) for letter in fields)
        if form == "ALONE":
            return data + bytes([kind]) + payload
        return data + self.record(kind, payload + random.choice((b"", b"", random.randbytes(3))))

    def file(self, events):
        """Of blocks that end early, as a file's last one always does."""
        blocks, block, length = [], [], 0
        for _ in range(events):
            data = self.event()
            if length + len(data) + 19 > self.chunk_bytes or random.random() < 1 / events:
                blocks.append(block)
                block, length = [], 0
            block.append(data)
            length += len(data)
        blocks.append(block)
        head = bytes([3, 0x23 if self.big else 0x42]) + self.full(1, 8) + self.full(events, 8)
        return b"".join((head + b"".join(block) + b"\0").ljust(self.chunk_bytes, b"\0")
                        for block in blocks[:-1]) + head + b"".join(blocks[-1]) + b"\2"


ATTRIBUTES = 1  # OTF2_MAPPING_ATTRIBUTE
NUMBERS = 300  # that tables translate; events have attributes of smaller ones only


def definitions(chunk_bytes, sound):
    """Tables and offsets, in several chunks at times; the locations' own of little-endian hosts, as
    most are. Sound ones keep attributes apart."""
    writer = Writer({}, False, 0)
    records = []
    for kind in random.sample(range(15), random.choice((0, 0, 3, 15))):
        ids = sorted(random.sample(range(NUMBERS), random.randrange(1, 200)))
        sparse = random.random() < 0.5
        others = [None] * len(ids)
        if sound and kind == ATTRIBUTES:
            others = random.sample(range(NUMBERS, 1 << 20), len(ids))
        table = b"".join((writer.number(8, each) if sparse else b"") + writer.number(4, other)
                         for each, other in zip(ids, others))
        records.append(writer.record(5, bytes([kind]) + writer.number(8, len(ids)) +
                                     bytes([sparse]) + table))
    time = random.randrange(1000)
    for _ in range(random.choice((0, 0, 1, 2, 7))):
        offset = random.choice((0, 5, -5, 1 << 40, -(1 << 33), random.randrange(-10**6, 10**6)))
        records.append(writer.record(6, struct.pack("<Q", time) +
                                     writer.number(8, offset & 2**64 - 1) +
                                     struct.pack("<d", 0)))
        time += random.choice((1, 3, 1000, 10**7, 1 << 45))
    head = b"\3\x42" + bytes(16)
    cut = random.randrange(len(records) + 1) if random.random() < 0.3 else 0
    first = (head + b"".join(records[:cut]) + b"\0").ljust(chunk_bytes, b"\0") if cut else b""
    return first + head + b"".join(records[cut:]) + b"\2"


def damaged(data):
    data = bytearray(data)
    for _ in range(random.randrange(1, 4)):
        at = random.randrange(len(data))
        size = random.choice((1, 1, 2, 8))
        data[at:at + size] = random.choice((
            b"\xff" * size, bytes(size), random.randbytes(size), b"", bytes([data[at] ^ 1])))
    return bytes(data)


def main(layout, base, seed, count, directory):
    random.seed(int(seed))
    with open(layout) as file:
        rows = {int(number): (form, fields) for number, form, fields in re.findall(
            r'^MWA_RECORD\((\d+), \w+, \w+, (\w+), "(\w*)"\)$', file.read(), re.M)}
    assert len(rows) == 79, len(rows)
    with open(os.path.join(base, "traces.otf2"), "rb") as file:
        chunk_bytes, definition_bytes = struct.unpack_from("<QQ", file.read(), 12)
    for i in range(int(count)):
        place = os.path.join(directory, str(i))
        shutil.copytree(base, place)
        writer = Writer(rows, random.random() < 0.3, chunk_bytes)
        events = writer.file(random.choice((1, 20, 400)))
        own = definitions(definition_bytes, i % 2 == 0)
        if i % 8 == 7:
            own = damaged(own)
        elif i % 2 == 1:
            events = damaged(events)
        for name, data in ("0.evt", events), ("0.def", own):
            with open(os.path.join(place, "traces", name), "wb") as file:
                file.write(data)


main(*sys.argv[1:])
