"""The bytes of OTF2's files, for tests that make wrong ones: records, chunks and the sizes in them.
Little-endian, as libotf2 writes them here."""
import struct

END_OF_CHUNK, END_OF_FILE, CHUNK_HEADER, TIMESTAMP, ATTRIBUTE_LIST = 0, 2, 3, 5, 6
CLOCK_PROPERTIES, MAPPING_TABLE, CLOCK_OFFSET, STRING, GROUP, METRIC_CLASS = 5, 5, 6, 10, 18, 20
IO_PARADIGM, CART_TOPOLOGY, CALLING_CONTEXT = 8, 31, 34
ENTER, METRIC, PROGRAM_BEGIN = 12, 31, 83
HEADER_BYTES = 18
# Events of one number, which have no length.
SINGLE = {12, 13, 16, 17, 20, 21, 24, 28, 29, 30}


def number(value, count=None):
    """A number as records have it: how many bytes, and those; count: more than are needed."""
    data = value.to_bytes(8, "little").rstrip(b"\0")
    return bytes([len(data) if count is None else count]) + data


def record(kind, payload, length=None):
    """A record with a length, its own unless another one is given."""
    length = len(payload) if length is None else length
    if 0 <= length < 255:
        return bytes([kind, length]) + payload
    return bytes([kind, 255]) + struct.pack("<Q", length & 2**64 - 1) + payload


def chunk(*records, first=1, last=1, end=END_OF_FILE):
    return b"\3\x42" + struct.pack("<QQ", first, last) + b"".join(records) + bytes([end])


def records(data, events, chunk_bytes):
    """Where a member's records begin, and how many bytes of a record come before its payload, up
    to the first that is not there as a whole: (begin, head, end) of each."""
    at = 0
    while at + HEADER_BYTES < len(data):
        at, end = at + HEADER_BYTES, at + chunk_bytes
        while at < min(end, len(data)) - 1:
            begin = at
            if data[at] in (END_OF_CHUNK, END_OF_FILE):
                break
            if events and data[at] == TIMESTAMP:
                at += 9
                if at >= len(data) - 1 or data[at] in (END_OF_CHUNK, END_OF_FILE):
                    break
            if events and data[at] in SINGLE:
                size = 0 if data[at + 1] == 255 else data[at + 1]
                head = at + 1
                at += 2 + size
            else:
                size, head = data[at + 1], at + 2
                if size == 255:
                    if at + 10 > len(data):
                        return
                    size, head = struct.unpack_from("<Q", data, at + 2)[0], at + 10
                at = head + size
            if at > len(data):
                return
            yield begin, head, at
        if at >= len(data) or data[at] != END_OF_CHUNK:
            return
        at = end


def behind(data, added, events=False, chunk_bytes=1 << 24):
    """The member with these bytes behind its records, in front of its end."""
    end = HEADER_BYTES
    for _, _, end in records(data, events, chunk_bytes):
        pass
    return data[:end] + added + data[end:]
