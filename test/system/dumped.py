"""Prints what `dump` would say as text for its JSON lines on stdin."""
import json
import sys

HEAD = ("time_ns", "timestamp", "rank", "event")


def value(given):
    if given is None:
        return "-"
    if isinstance(given, bool):
        return "yes" if given else "no"
    if isinstance(given, float):
        return "%.17g" % given
    if isinstance(given, list):
        texts = [value(one) for one in given]
        return (" < " if given and isinstance(given[0], str) else ",").join(texts)
    if isinstance(given, dict):
        return ",".join(f"{key}:{value(one)}" for key, one in given.items())
    return str(given)


for line in sys.stdin:
    event = json.loads(line)
    said = "".join(f" {key}={value(one)}" for key, one in event.items() if key not in HEAD)
    print(f"{event['time_ns']:15} {value(event['rank']):>5} {event['event']:<19}{said}")
