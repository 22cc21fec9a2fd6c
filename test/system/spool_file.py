"""The events of a spool as formats/ARCHIVE.md tells them, for tests that look into one or damage
it.

A spool is in plain form when its blocks are as their records were in memory (which the format
allows), so that a record can be found and changed."""
import struct

SEGMENTS_AT = 4096 + 2 * 65536
BLOCK = 0x4b434c42
CALL = ((2, False), (2, False), (8, True), (8, True))
FORMS = {  # the bytes of each field, and whether it is a time
    1: CALL, 2: CALL, 3: CALL, 4: CALL, 5: CALL, 8: CALL, 9: CALL,
    64: "4448", 65: "4448", 66: "44488", 67: "48", 68: "48", 69: "44488", 70: "48", 71: "48",
    72: "44488", 73: "48", 74: "444888", 75: "4", 76: "4", 77: "48", 78: "48", 79: "48",
    80: "4", 81: "4", **{each: "444888" for each in range(82, 96)}, 96: "444", 97: "444",
    98: "48", 99: "48888", 100: "488888",
    104: "4", 105: "4448", 106: "444", 107: "4", 108: "4", 112: "4", 113: "4", 114: "4", 115: "48",
    116: "48",
}


class Unpacking:
    def __init__(self, packed):
        self.packed = packed
        self.at = 0
        self.time = 0
        self.fields = {}
        self.values = {}

    def take(self, size):
        piece = self.packed[self.at:self.at + size]
        self.at += size
        return piece

    def numbers(self, count):
        lengths = [half for byte in self.take((count + 1) // 2) for half in (byte & 15, byte >> 4)]
        for length in lengths[:count]:
            told = int.from_bytes(self.take(length), "little")
            yield -(told + 1 >> 1) if told & 1 else told >> 1

    def fields_of(self, kind):
        form = [each if isinstance(each, tuple) else (int(each), False) for each in FORMS[kind]]
        made = b""
        for index, ((size, is_time), apart) in enumerate(zip(form, self.numbers(len(form)))):
            predicted = self.time if is_time else self.fields.get((kind, index), 0)
            value = predicted + apart & 2**(8 * size) - 1
            self.fields[kind, index] = value
            self.time = value if is_time else self.time
            made += value.to_bytes(size, "little")
        return made

    def values_of(self, head):
        metric, count = struct.unpack_from("<I", head, 4)[0], head[11]
        made = b""
        for index, apart in enumerate(self.numbers(count)):
            place = (8 * metric + index) % 256
            value = self.values.get(place, 0) + apart & 2**64 - 1
            self.values[place] = value
            made += value.to_bytes(8, "little")
        return made

    def records(self):
        made = b""
        while self.at < len(self.packed):
            kind = self.take(1)[0]
            if kind >= 128:
                size = struct.unpack_from("<H", self.packed, self.at + 2)[0] * 8
                made += self.take(size)
                continue
            inside = self.fields_of(kind)
            if kind in (96, 97):
                inside += self.values_of(inside)
            made += struct.pack("<BBH", 2, kind, (len(inside) + 4) // 8) + inside
        return made


def plain(data):
    """A spool that is no ring in plain form; what is not sound, or a ring, is left as it is."""
    if len(data) < SEGMENTS_AT + 32 or struct.unpack_from("<I", data, 8)[0] not in (2, 3) \
            or struct.unpack_from("<Q", data, 80)[0]:
        return data
    written = struct.unpack_from("<Q", data, 88)[0]
    made, at = bytearray(data[:SEGMENTS_AT + 32]), SEGMENTS_AT + 32
    while at + 16 <= written:
        magic, sequence, size, records = struct.unpack_from("<4I", data, at)
        if magic != BLOCK:
            return data
        inside = bytes(data[at + 16:at + 16 + size])
        if size != records:
            inside = Unpacking(inside).records()
        if len(inside) != records:
            raise ValueError("block at %d: %d bytes, not %d" % (at, len(inside), records))
        made += struct.pack("<4I", magic, sequence, records, records) + inside
        at += 16 + size
    struct.pack_into("<Q", made, 88, len(made))
    return made


def windows(data):
    """(begin, end) of the records of each window of a spool in plain form, oldest first."""
    at = SEGMENTS_AT + 32
    written = struct.unpack_from("<Q", data, 88)[0] if len(data) >= 96 else 0
    while at + 16 <= min(written, len(data)):
        magic, _, size, _ = struct.unpack_from("<4I", data, at)
        if magic != BLOCK or at + 16 + size > len(data):
            break
        yield at + 16, at + 16 + size
        at += 16 + size
    for begin in (4096, 4096 + 65536):
        if len(data) >= begin + 65536 and struct.unpack_from("<I", data, begin)[0] == 0x574f4448:
            yield begin + 32, begin + 65536


def records(data):
    """(begin, end) of each record in them."""
    for begin, end in windows(data):
        at = begin
        while at + 8 <= end and data[at]:
            words = struct.unpack_from("<H", data, at + 2)[0]
            if words == 0 or at + 8 * words > end:
                break
            yield at, at + 8 * words
            at += 8 * words


def open_call(data):
    """Where the record is of the call that a spool in plain form ends in; None: it ends in none."""
    last = None
    for begin, _ in records(data):
        if data[begin + 1] < 64:
            last = begin
    return last if last is not None and data[last] == 1 else None


def now(data):
    """What the call waits for that a spool of version 3 in plain form ends in, by the words of its
    table in ARCHIVE.md; None: it ends in none, or that is not told."""
    last = open_call(data)
    if last is None:
        return None
    names = "enter", "call", "what", "communicator", "peer", "tag", "bytes", "source", \
        "source_tag", "window", "count"
    told = dict(zip(names, struct.unpack_from("<QHHIiiQiiII", data, 1024)))
    told["requests"] = struct.unpack_from("<8Q", data, 1072)[:told["count"]]
    call, _, enter = struct.unpack_from("<HHQ", data, last + 4)
    return told if (told["call"], told["enter"]) == (call, enter) else None
