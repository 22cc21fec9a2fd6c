"""Reads what mpiwatch-analyze export writes: exported.py perfetto|chrome FILE.

Prints, as JSON, what is in a trace, found by a decoder of its own (protobuf.dev, "Encoding") with
the numbers of Perfetto's .proto files, or by Python's json.
"""
import collections
import json
import struct
import sys


def number(data, at):
    value = shift = 0
    while True:
        value |= (data[at] & 0x7f) << shift
        shift += 7
        at += 1
        if data[at - 1] < 0x80:
            return value, at


def fields(data):
    """(field, value) of a message; messages and text are bytes."""
    at = 0
    while at < len(data):
        tag, at = number(data, at)
        if tag & 7 == 0:
            value, at = number(data, at)
        elif tag & 7 == 1:
            value, at = data[at:at + 8], at + 8
        elif tag & 7 == 2:
            length, at = number(data, at)
            value, at = data[at:at + length], at + length
            assert len(value) == length, "a message is cut"
        else:
            raise AssertionError("wire type %d" % (tag & 7))
        yield tag >> 3, value


def message(data):
    found = collections.defaultdict(list)
    for field, value in fields(data):
        found[field].append(value)
    return found


class Summary:
    """Checks that slices nest, and counts."""

    def __init__(self):
        self.open = collections.defaultdict(list)
        self.slices = collections.Counter()
        self.times = []
        self.time_in = collections.Counter()
        self.sent, self.received = {}, {}
        self.counters = collections.defaultdict(list)
        self.markers = []
        self.places = collections.Counter()
        self.began = []
        self.arguments = collections.Counter()
        self.waits = []
        self.flow_arguments = collections.Counter()

    def begin(self, track, name, time):
        self.open[track].append((name, time))
        self.slices[name] += 1
        self.times.append(time)

    def place(self, track, file, line, function):
        """Of the slice that was begun last: where its call is made."""
        self.places[json.dumps([self.open[track][-1][0], file, line, function])] += 1

    def end(self, track, time):
        name, since = self.open[track].pop()
        assert time >= since
        self.time_in[name] += time - since
        self.times.append(time)
        return name, since

    def argue(self, name, arguments):
        """What a slice that ends says of itself."""
        if arguments:
            self.arguments[json.dumps([name, dict(sorted(arguments.items()))])] += 1

    def result(self):
        assert not any(self.open.values()), "a slice is never ended"
        assert set(self.sent) == set(self.received), "a flow has one end"
        return {"slices": self.slices, "time_ns": self.time_in, "first_ns": min(self.times),
                "last_ns": max(self.times), "flows": len(self.sent),
                "flow_pairs": sorted({(self.sent[i][0], self.received[i][0]) for i in self.sent}),
                "flows_back_in_time": sum(self.received[i][1] < self.sent[i][1]
                                          for i in self.sent),
                "counters": self.counters, "markers": sorted(self.markers),
                "places": sorted([*json.loads(key), count] for key, count in self.places.items()),
                "began_ns": sorted(self.began),
                "arguments": [[*json.loads(key), self.arguments[key]]
                              for key in sorted(self.arguments)],
                "waits": sorted(self.waits, key=str), "flow_arguments": self.flow_arguments}


def annotations(event):
    """name: value of the arguments of an event."""
    found = {}
    for each in map(message, event[4]):
        found[each[10][0].decode("utf-8")] = each[3][0] if each[3] else \
            each[6][0].decode("utf-8") if each[6] else each[4][0]
    return found


def read_perfetto(data):
    summary, names, categories, tracks, sources = Summary(), {}, {}, {}, {}
    for field, packet in fields(data):
        assert field == 1, "a trace is of packets"
        packet = message(packet)
        if 60 in packet:
            track = message(packet[60][0])
            uuid = track[1][0]
            assert uuid not in tracks and uuid != 0, "a track is described twice"
            tracks[uuid] = track
            for parent in track[5]:
                assert parent in tracks, "a track comes before the one it lies in"
            continue
        assert packet[10] == [1], "a packet is of no sequence"
        if 12 in packet:
            assert packet[13][0] & 1, "names without a new beginning of the sequence"
            interned = message(packet[12][0])
            for into, number_of in ((categories, 1), (names, 2)):
                for entry in map(message, interned[number_of]):
                    into[entry[1][0]] = entry[2][0].decode("utf-8")
            for entry in map(message, interned[4]):
                file, function = ((entry[field] or [b""])[0].decode("utf-8") for field in (2, 3))
                sources[entry[1][0]] = file or None, (entry[4] or [None])[0], function or None
            continue
        event, time = message(packet[11][0]), packet[8][0]
        uuid, kind = event[11][0], event[9][0]
        track = above = tracks[uuid]
        while above[5]:
            above = tracks[above[5][0]]
        rank = message(above[3][0])[1][0] - 1
        if track[2] == [b"waiting"]:
            if kind == 1:
                assert event[22] == [b"wait"] and message(tracks[track[5][0]][4][0])
                summary.open[uuid].append((event[23][0].decode("utf-8"), time,
                                           annotations(event)))
            else:
                assert kind == 2
                name, since, arguments = summary.open[uuid].pop()
                summary.waits.append((rank, since, time, name, arguments))
            continue
        for ends, into in ((47, summary.sent), (48, summary.received)):
            for flow in event[ends]:
                assert kind == (1 if ends == 47 else 2), "a flow is on no slice"
                into[struct.unpack("<Q", flow)[0]] = (rank, time)
        if kind == 1:
            assert event[3][0] in categories
            summary.begin(uuid, names[event[10][0]], time)
            if event[34]:
                summary.place(uuid, *sources[event[34][0]])
            summary.began += [value - (1 << 64) for each in event[4]
                              for value in message(each)[4]]
        elif kind == 2:
            summary.argue(summary.end(uuid, time)[0], annotations(event))
        elif kind == 3:
            if event[22] == [b"marker"]:
                summary.markers.append((time, rank, event[23][0].decode("utf-8")))
        else:
            assert kind == 4 and track[8], "a counter's value is not on a counter's track"
            name = track[2][0].decode("utf-8")
            summary.counters[name].append(event[30][0] if event[30] else None)
    result = summary.result()
    result["processes"] = sorted(message(track[3][0])[6][0].decode("utf-8")
                                 for track in tracks.values() if track[3])
    return result


def read_chrome(data):
    summary, processes = Summary(), {}
    for event in json.loads(data)["traceEvents"]:
        key, time = (event["pid"], event["tid"]), round(event["ts"] * 1000)
        if event["ph"] == "B":
            summary.begin(key, event["name"], time)
            args = event.get("args", {})
            if set(args) & {"file", "line", "function"}:
                summary.place(key, args.get("file"), args.get("line"), args.get("function"))
            summary.began += [value for name, value in event.get("args", {}).items()
                              if name == "began_ns"]
        elif event["ph"] == "E":
            summary.argue(summary.end(key, time)[0],
                          {name.replace("_", " "): value
                           for name, value in event.get("args", {}).items()})
        elif event["ph"] in "sf":
            if event["ph"] == "s":
                summary.flow_arguments[event["args"]["communicator"]] += 1
            (summary.sent if event["ph"] == "s" else summary.received)[event["id"]] = \
                (event["pid"], time)
        elif event["ph"] == "C":
            summary.counters[event["name"]].append(event["args"]["value"])
        elif event["ph"] == "i" and event.get("cat") == "marker":
            summary.markers.append((time, event["pid"], event["name"]))
        elif event["name"] == "process_name":
            processes[event["pid"]] = event["args"]["name"]
    result = summary.result()
    result["processes"] = sorted(processes.values())
    return result


kind, path = sys.argv[1:3]
content = open(path, "rb").read()
print(json.dumps(read_perfetto(content) if kind == "perfetto" else read_chrome(content)))
