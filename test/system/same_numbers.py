"""Compares what mpiwatch-analyze says of one archive: COMMAND.json, COMMAND.txt, page.html, and
tables/. Numbers in JSON, tables and the page's attributes have to be equal; what people see has
to be them, rounded. Ends with how many of each were compared."""
import csv
import html.parser
import json
import os
import re
import sys

import jsonschema

archive, commands = sys.argv[1], sys.argv[2:]
said = {command: json.load(open(command + ".json")) for command in commands}
report = said["report"]
compared = {"schemas": 0, "csv": 0, "page": 0, "screen": 0, "report": 0}
UNITS = {"": 1, "ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9, "B": 1, "kB": 1e3, "MB": 1e6, "GB": 1e9,
         "k": 1e3, "M": 1e6, "G": 1e9}


def expect(right, *words):
    if not right:
        sys.exit("%s: %s" % (archive, " ".join(str(word) for word in words)))


def at(root, path):
    for step in path:
        root = root[int(step)] if isinstance(root, list) else root[step]
    return root


def shown(text):
    """155000 of "155 k", 0.5 of "50.0%"."""
    number, _, unit = text.strip().partition(" ")
    return float(number[:-1]) / 100 if number.endswith("%") else float(number) * UNITS[unit]


def expect_shown(text, wanted, *words):
    least = 0.0051 if re.fullmatch(r"\d+\.\d\d", text.strip()) else 0.0006  # ratios have two digits
    expect(abs(shown(text) - wanted) <= 0.006 * abs(wanted) + least, *words, text, "is not", wanted)


# --- schemas, and the report's parts, which are what the commands say -----------------------------
lives = json.load(open("comm_timeline.json"))
jsonschema.Draft202012Validator(json.load(open("schema.timeline.json"))).validate(lives)
for command in commands:
    jsonschema.Draft202012Validator(json.load(open("schema.%s.json" % command))).validate(
        said[command])
    compared["schemas"] += 1
for command in "compare", "check", "validate", "dump":
    validator = jsonschema.Draft202012Validator(json.load(open("schema.%s.json" % command)))
    for line in open("dump.json") if command == "dump" else [open(command + ".json").read()]:
        validator.validate(json.loads(line))
        expect(set(json.loads(line)) <= set(validator.schema["anyOf"][0]["properties"]), command,
               "says more than its schema:", line)
        compared["schemas"] += 1
jsonschema.Draft202012Validator(json.load(open("schemas.json"))).validate(report)
for command in commands:
    key = command.replace("-", "_")
    if key in report:
        part = dict(said[command])
        if command == "waits":  # the command does without delays of what was not selected
            part["delays"] = report[key]["delays"]
        expect(part == report[key], "the report's", key, "is not what", command, "says")
        compared["report"] += 1

# --- tables ---------------------------------------------------------------------------------------
LISTS = {"calls": ("calls", "calls"), "ranks": ("ranks", "ranks"),
         "hosts": ("ranks", "hosts"), "clusters": ("ranks", "clusters"),
         "messages": ("messages", "pairs"), "sizes": ("messages", "sizes"),
         "host_pairs": ("messages", "host_pairs"),
         "comms": ("comms", "communicators"), "comm_findings": ("comms", "findings"),
         "imbalance": ("imbalance", "rows"), "critical_path": ("critical_path", "rows"),
         "patterns": ("waits", "patterns"), "delays": ("waits", "delays", "worst"),
         "counters": ("counters", "pvars"), "watermarks": ("watermarks", "watermarks"),
         "across_ranks": ("watermarks", "across_ranks"), "markers": ("markers",)}


def flat(row):
    for key, value in row.items():
        if isinstance(value, dict):
            for inner, each in value.items():
                yield key + "_" + inner, each
        elif not (isinstance(value, list) and value and isinstance(value[0], dict)):
            yield key, value


def as_field(value):
    if isinstance(value, list):
        return " ".join(as_field(each) for each in value)
    return {None: "", True: "true", False: "false"}.get(value, value) if not isinstance(
        value, (int, float)) or isinstance(value, bool) else value


def same_field(field, value):
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return abs(float(field) - value) <= 1e-8 * abs(value)
    if isinstance(value, list):
        fields = field.split(" ") if field else []
        return len(fields) == len(value) and all(map(same_field, fields, value))
    return field.lstrip("'") == re.sub(r"[\x00-\x1f\x7f]", " ", str(as_field(value))).lstrip("'")


for name, path in LISTS.items():
    rows = at(report, path)
    with open("tables/%s.csv" % name, newline="", encoding="utf-8", errors="replace") as table:
        fields = list(csv.DictReader(table))
    expect(len(fields) == len(rows), name, "has", len(fields), "lines of", len(rows))
    for row, line in zip(rows, fields):
        for key, value in flat(row):
            if key not in line:
                expect(isinstance(value, list), name, "has no", key)  # an empty list of rows
                continue
            if isinstance(value, str) and (set(value) - set(map(chr, range(32, 127)))):
                continue  # names that are shown with other characters
            expect(same_field(line[key], value), name, key, line[key], "is not", value)
            compared["csv"] += 1

runs = json.load(open("compare.json"))["runs"]
with open("compare.csv", newline="", encoding="utf-8", errors="replace") as table:
    for row, line in zip(runs, csv.DictReader(table), strict=True):
        expect(all(isinstance(value, str) or same_field(line[key], value)
                   for key, value in row.items()), "compare", line, "is not", row)


# --- the page -------------------------------------------------------------------------------------
class Page(html.parser.HTMLParser):
    """Numbers with what they say they are of: by themselves, or by table, row and column."""

    def __init__(self):
        super().__init__()
        self.table, self.keys, self.row, self.column = None, [], None, -1
        self.value, self.text, self.path = None, "", None

    def handle_starttag(self, tag, attributes):
        of = dict(attributes)
        if tag == "table":
            self.table, self.keys = of.get("data-of"), []
        elif tag == "th":
            self.keys.append(of.get("data-key"))
        elif tag == "tr":
            self.row, self.column = of.get("data-row"), -1
        elif tag == "td":
            self.column += 1
        elif tag == "data":
            self.value, self.text, self.path = of["value"], "", of.get("data-of")
            if not self.path and self.table and self.row and self.keys[self.column]:
                self.path = ".".join((self.table, self.row, self.keys[self.column]))

    def handle_data(self, data):
        self.text += data

    def handle_endtag(self, tag):
        if tag == "table":
            self.table = None
        if tag == "data" and self.path:
            wanted = at(report, self.path.split("."))
            expect(float(self.value) == wanted, "the page's", self.path, self.value, "is not",
                   wanted)
            expect_shown(self.text, wanted, "the page's", self.path)
            compared["page"] += 1
        if tag == "data":
            self.value = None


Page().feed(open("page.html", encoding="utf-8", errors="replace").read())

# --- the screen: columns whose titles end where their numbers do ----------------------------------
COLUMNS = {"calls": (("calls", "calls"), "name", {"count": "count", "time": "time_ns",
                                                  "min": "min_ns", "max": "max_ns",
                                                  "sent": "bytes_sent",
                                                  "received": "bytes_received"}),
           "ranks": (("ranks", "ranks"), "rank", {"mpi": "mpi_ns", "useful": "useful_ns",
                                                  "calls": "calls", "sent": "bytes_sent",
                                                  "received": "bytes_received"}),
           "imbalance": (("imbalance", "rows"), "name", {"ranks": "ranks", "min": "min_ns",
                                                         "average": "average_ns",
                                                         "max": "max_ns", "LB": "load_balance",
                                                         "COV": "cov",
                                                         "overload": "overload_ns"}),
           "critical-path": (("critical_path", "rows"), "name", {"on path": "path_ns",
                                                                 "average": "average_ns",
                                                                 "imbalance": "imbalance_ns"})}

for command, (path, name, columns) in COLUMNS.items():
    lines = open(command + ".txt", encoding="utf-8", errors="replace").read().split("\n")
    first = list(columns)[0]
    heads = [i for i, line in enumerate(lines) if re.search(r"\b%s\b" % first, line)
             and all(title in line for title in columns)]
    if not heads:
        continue
    head = lines[heads[0]]
    ends = sorted((match.end(), match[0]) for match in re.finditer(r"\S+(?: \S+)*", head))
    for line, row in zip(lines[heads[0] + 1:], at(report, path)):
        if "…" in line or not line.isascii() or not line.strip() or line.startswith("and "):
            break
        for title, key in columns.items():
            end = re.search(r"(?<!\S)%s(?!\S)" % re.escape(title), head).end()
            text = re.search(r"(?:\S+ )?\S+$", line[:end])
            number = re.search(r"-?[\d.]+(?: (?:ns|us|ms|s|[kMG]?B|[kMG]))?$", line[:end])
            if row[key] is None:
                continue
            expect(number, command, title, "has no number in", line)
            expect_shown(number[0], row[key], command, title, "of", row[name])
            compared["screen"] += 1

# --- the length of the run, by whoever tells it ---------------------------------------------------
for command, pattern in ("report", r"^mpiwatch .* run (\S+ \S+)$"), ("pop", r" run (\S+ \S+),"):
    told = re.search(pattern, open(command + ".txt", encoding="utf-8", errors="replace").read(),
                     re.M)
    if told or report["pop"]["runtime_ns"]:
        expect(told, command, "does not tell how long the run is")
        expect_shown(told[1], report["pop"]["runtime_ns"], command, "has a run of")
        compared["screen"] += 1
expect(runs[0]["runtime_ns"] == report["pop"]["runtime_ns"], "compare has another run")

expect(all(compared[part] for part in ("schemas", "csv", "page", "report")), compared)
expect(compared["screen"] or not report["calls"]["calls"], "nothing was read on the screen")
print(archive, compared)
