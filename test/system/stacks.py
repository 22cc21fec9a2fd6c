"""stacks.py ARCHIVE TRUTH RANKS [N]: whether the archive (a directory) has for each call that
TRUTH.0 and so on tell of (stacks.c) the calling contexts that backtrace() found, the N innermost.
Where code is not gone through (signals, other stacks) there may be fewer: they have to say so."""
import collections
import json
import os
import sys

import otf2

archive, truth, ranks = sys.argv[1], sys.argv[2], int(sys.argv[3])
most = int(sys.argv[4]) if len(sys.argv) > 4 else 16
CUT_WAYS = {"signal", "context"}

info = json.load(open(os.path.join(archive, "mpiwatch.json")))
addresses = {each["context"]: {int(one["address"], 16) for one in each["addresses"]}
             for each in info["contexts"]}
told = collections.Counter()
with otf2.reader.open(os.path.join(archive, "traces.otf2")) as trace:
    contexts = {}
    for number, context in enumerate(trace.definitions.calling_contexts):
        if context.region.paradigm == otf2.Paradigm.MPI:
            assert context.region not in contexts, "two contexts of one region"
            contexts[context.region] = context
    numbers = {id(each): number
               for number, each in enumerate(trace.definitions.calling_contexts)}
    for location, event in trace.events:
        if isinstance(event, otf2.events.Enter) and event.region.name == "MPI_Comm_size":
            told[location.group.name, event.region] += 1
stacks = collections.defaultdict(list)  # by rank and line: how often, the addresses, whether cut
for (rank, region), count in told.items():
    assert region in contexts, "no context of %s" % region
    chain, context, cut = [], contexts[region].parent, False
    assert context.region.name != "[cut]"
    if context.source_code_location:
        assert context.source_code_location.line_number == region.begin_line_number
    while context:
        if context.region.name == "[cut]":
            assert context.parent is None
            cut = True
        else:
            assert context.region.paradigm == otf2.Paradigm.COMPILER
            chain.append(addresses[numbers[id(context)]])
        context = context.parent
    stacks[int(rank.split()[-1]), region.begin_line_number].append([count, chain[1:], cut])

wrong = 0
for rank in range(ranks):
    for line in open("%s.%d" % (truth, rank)):
        way, call, number, *chain = line.split()
        chain = [int(each, 16) for each in chain]
        for stack in stacks[rank, int(number)]:
            count, frames, cut = stack
            fits = all(one in each for one, each in zip(chain, frames))
            if count > 0 and fits and len(frames) <= len(chain) and (
                    len(frames) == len(chain) and not cut or
                    cut and (way in CUT_WAYS or len(frames) == most - 1 < len(chain))):
                stack[0] -= 1
                break
        else:
            wrong += 1
            print("rank", rank, line.strip(), "\n  is none of",
                  [(count, [sorted(map(hex, each)) for each in frames], cut)
                   for count, frames, cut in stacks[rank, int(number)]])
    for (of, number), each in stacks.items():
        left = sum(count for count, _, _ in each)
        if of == rank and left:
            wrong += 1
            print("rank", rank, "line", number, "has", left, "calls too many")
print(wrong, "wrong")
sys.exit(wrong > 0)
