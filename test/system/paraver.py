"""Reads a trace for Paraver by the description of its format: paraver.py FILE.prv

Prints, as JSON, what is in it. Checks what the description demands: the header, fields of
records, objects that the header and .row have, values that .pcf names, the order of time.
"""
import collections
import json
import re
import sys


def read_header(line):
    """Duration in ns, threads by task."""
    match = re.fullmatch(r"#Paraver \((\d\d)/(\d\d)/(\d{4}) at (\d\d):(\d\d)\):(\d+)_ns:0:1:"
                         r"(\d+)\((\d+:\d+(?:,\d+:\d+)*)\)", line)
    assert match, line
    threads = [int(part.split(":")[0]) for part in match[8].split(",")]
    assert len(threads) == int(match[7])
    return int(match[6]), threads


def read_labels(path):
    """Names of states, and of values by type of event."""
    states, values, types, section = {}, {}, [], None
    for line in open(path, encoding="utf-8"):
        line = line.rstrip("\n")
        if re.fullmatch("[A-Z_]+", line):
            section, types = line, [] if line == "EVENT_TYPE" else types
        elif not line:
            section = None
        elif section == "STATES":
            number, name = line.split(None, 1)
            states[int(number)] = name
        elif section == "EVENT_TYPE":
            _, number, name = line.split(None, 2)
            types.append(int(number))
            values[int(number)] = {}
        elif section == "VALUES":
            number, name = line.split(None, 1)
            for each in types:
                assert int(number) not in values[each], line
                values[each][int(number)] = name
    return states, values


def read_rows(path):
    rows, level = {}, None
    for line in open(path, encoding="utf-8").read().split("\n"):
        match = re.fullmatch(r"LEVEL (\w+) SIZE (\d+)", line)
        if match:
            level = rows[match[1]] = []
            size = int(match[2])
        elif line:
            level.append(line)
            assert len(level) <= size, line
    return rows


path = sys.argv[1]
states, values = read_labels(path[:-4] + ".pcf")
rows = read_rows(path[:-4] + ".row")
lines = open(path, encoding="utf-8").read().split("\n")
assert lines.pop() == ""
duration, threads = read_header(lines[0])
assert len(rows["TASK"]) == len(threads) and len(rows["THREAD"]) == sum(threads)


def thread_of(cpu, application, task, thread):
    assert cpu == 0 and application == 1 and 1 <= thread <= threads[task - 1], (task, thread)
    return task - 1, thread - 1


last, open_calls, entered = (0, 0), {}, collections.Counter()
state_until, state_time, call_time = {}, collections.Counter(), collections.Counter()
messages = []
for line in lines[1:]:
    kind, *fields = map(int, line.split(":"))
    where = thread_of(*fields[:4])
    assert (fields[4], kind) >= last, "not in the order of time: " + line
    last = fields[4], kind
    if kind == 1:
        begin, end, state = fields[4:]
        assert state_until.get(where, 0) <= begin < end <= duration, line
        state_until[where] = end
        state_time[states[state]] += end - begin
    elif kind == 2:
        time, pairs = fields[4], fields[5:]
        assert time <= duration and len(pairs) % 2 == 0 and pairs
        for number, value in zip(pairs[::2], pairs[1::2]):
            name = values[number][value]
            before = open_calls.pop((where, number), None)
            if before:
                call_time[before[0]] += time - before[1]
            if value:
                entered[name] += 1
                open_calls[where, number] = name, time
    else:
        assert kind == 3 and len(fields) == 14, line
        to = thread_of(*fields[6:10])
        sent, physical = fields[4:6]
        posted, received, size, tag = fields[10:]
        assert sent == physical and received <= duration
        messages.append((where[0], to[0], sent, posted, received, size, tag))
assert not open_calls, open_calls
print(json.dumps({"duration": duration, "threads": threads, "tasks": rows["TASK"],
                  "states": state_time, "entered": entered, "time": call_time,
                  "messages": messages}))
