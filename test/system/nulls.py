"""nulls.py ANALYZE ARCHIVE...: what every command says of these archives as JSON fits its schema,
in which a value that may be null has a reason. Says how many nulls there were."""
import json
import re
import subprocess
import sys

import jsonschema

COMMANDS = ["report", "info", "info --sizes", "calls", "functions", "ranks", "messages", "comms",
            "imbalance", "pop", "critical-path", "waits", "counters", "counters --series",
            "watermarks", "timeline", "timeline --comms", "validate", "dump", "compare",
            "check --max=pop.transfer_efficiency=2 --min=pop.runtime_ns=1"]
analyze, archives = sys.argv[1], sys.argv[2:]


def run(*words):
    return subprocess.run([analyze, "-q", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True)


def nullable(schema, path=""):
    """Where null may be, and the description there."""
    kind = schema.get("type")
    if isinstance(kind, list) and "null" in kind:
        yield path, schema.get("description", "")
    for name in ("items", "additionalProperties"):
        if isinstance(schema.get(name), dict):
            yield from nullable(schema[name], path + "[]")
    for index, each in enumerate(schema.get("prefixItems", [])):
        yield from nullable(each, "%s[%d]" % (path, index))
    for key, each in schema.get("properties", {}).items():
        yield from nullable(each, path + "." + key)


def count(value):
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else []
    return (value is None) + sum(count(each) for each in inner)


def number_shape(found):
    """A number by what a schema can tell: its sign, and whether it is whole."""
    return found[1] + ("0.5" if "." in found[0] else "1")


nulls = places = 0
for command in COMMANDS:
    name = command.split()[0]
    every = json.loads(run("schema", name).stdout)
    for schema in every["anyOf"]:
        for path, description in nullable(schema):
            places += 1
            if "null: " not in description:
                sys.exit("%s: %s may be null, and nobody says why" % (name, path))
    validators = [jsonschema.Draft202012Validator(schema) for schema in every["anyOf"]]
    for archive in archives:
        done = run(*command.split(), "--json", archive, *[archive] * (name == "compare"))
        known = {}
        for line in done.stdout.splitlines() if name == "dump" else [done.stdout]:
            # Events that differ by digits of numbers fit alike: loops have a million.
            shape = re.sub(r"([:,\[] ?-?)[0-9.]*[0-9]", number_shape, line)
            if shape in known or not line.strip():
                nulls += known.get(shape, 0) # or nothing could be said
                continue
            said = json.loads(line)
            validator = next(each for each in validators
                             if each.schema["properties"].get("schema", {}).get("const") ==
                             said.get("schema"))
            for error in validator.iter_errors(said):
                sys.exit("%s of %s: %s: %s" % (command, archive, error.json_path, error.message))
            known[shape] = count(said)
            nulls += known[shape]
print("%d nulls, all with one of %d reasons" % (nulls, places))
