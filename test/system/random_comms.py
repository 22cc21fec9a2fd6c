#!/usr/bin/python3
"""Holds the identities in an archive of random_comms against the tokens that MPI dealt out.

    random_comms.py ANCHOR LEAST

ANCHOR: traces.otf2 of the unpacked archive, mpiwatch.json beside it. LEAST: so many
communicators there must be. otf2-print reads the events. Prints how many communicators
there were, by the call that made them.
"""
import collections
import json
import os
import re
import subprocess
import sys

CREATED = re.compile(r'COMM_(CREATE|DESTROY) +(\d+) .*Communicator: ".*" <(\d+)>')
MESSAGE = re.compile(r'MPI_I?(SEND|RECV) +(\d+) .*Communicator: ".*" <(\d+)>, Tag: (\d+)')


def check(condition, *what):
    if not condition:
        print("random_comms:", *what, file=sys.stderr)
        sys.exit(1)


def read_events(anchor):
    """By communicator: tags on it, ranks of its messages, of its creations and its ends."""
    tags, users = collections.defaultdict(set), collections.defaultdict(set)
    made, ended = collections.Counter(), collections.Counter()
    text = subprocess.run(["otf2-print", anchor], check=True, capture_output=True, text=True)
    for line in text.stdout.splitlines():
        life, message = CREATED.match(line), MESSAGE.match(line)
        if life:
            rank, comm = int(life[2]) & 0xffffffff, int(life[3])
            (made if life[1] == "CREATE" else ended)[comm, rank] += 1
        elif message:
            rank, comm = int(message[2]) & 0xffffffff, int(message[3])
            check(made[comm, rank] == 1, "rank", rank, "uses", comm, "before it is made:", line)
            tags[comm].add(int(message[4]))
            users[comm].add(rank)
    check(max(made.values()) == 1 and max(ended.values()) == 1, "made or freed twice")
    return tags, users, made, ended


def main():
    anchor, least = sys.argv[1], int(sys.argv[2])
    with open(os.path.join(os.path.dirname(anchor), "mpiwatch.json"), encoding="utf-8") as file:
        comms = json.load(file)["communicators"]
    tags, users, made, ended = read_events(anchor)
    of_tag = {}
    for comm in comms:
        number, name = comm["id"], comm["name"]
        if comm.get("predefined"):
            continue
        check(not comm.get("foreign") and not comm.get("contradicted"),
              "foreign or contradicted:", name)
        members = {rank for made_one, rank in made if made_one == number}
        # Of an end that is no event, mpiwatch.json has the time.
        told = {rank for group in comm.get("groups", ())
                for rank, time in zip(group["members"], group["freed_ns"]) if time is not None}
        check(len(tags[number]) == 1, name, "is several communicators, of tokens", tags[number])
        tag, = tags[number]
        check(tag not in of_tag, name, "and", of_tag.get(tag), "are one, of token", tag)
        of_tag[tag] = name
        check(users[number] == members, name, "has members", members, "but", users[number])
        check(all(made[number, rank] == 1 for rank in members), name, "is not made by all")
        check(all(ended[number, rank] == 1 or rank in told for rank in members),
              name, "is not freed by all")
    check(set(tags) == set(range(2, len(comms))), "messages on communicators that are not there")
    check(len({comm["uid"] for comm in comms}) == len(comms), "a uid twice")
    check(len(of_tag) >= least, "only", len(of_tag), "communicators")
    calls = collections.Counter(comm["created_by"] for comm in comms if comm["created_by"])
    print(len(of_tag), *(f"{call}={count}" for call, count in sorted(calls.items())))


main()
