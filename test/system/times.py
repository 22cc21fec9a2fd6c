"""times.py ANCHOR LOG: holds the times of MPI_Comm_rank in an archive, which python3-otf2 reads,
against what the program has noted before and behind each call (times.c). Prints by how many ns the
farthest lies outside of that, and how far the archive says that its times may be off."""
import json
import os
import sys

import otf2
from otf2.events import Enter, Leave


def noted(log, rank):
    """The spans of both threads."""
    with open(f"{log}.{rank}", encoding="utf-8") as lines:
        spans = [tuple(map(int, line.split())) for line in lines]
    return [spans[:len(spans) // 2], spans[len(spans) // 2:]]


def recorded(anchor):
    """The (enter, leave) of each location, by its rank."""
    calls = {}
    with otf2.reader.open(anchor) as trace:
        for location, event in trace.events:
            if isinstance(event, Enter) and event.region.name == "MPI_Comm_rank":
                calls.setdefault(location, []).append([event.time])
            elif isinstance(event, Leave) and event.region.name == "MPI_Comm_rank":
                calls[location][-1].append(event.time)
        return {(int(location.group.name.split()[-1]), location.name): spans
                for location, spans in calls.items()}


def main():
    """All ranks and threads."""
    worst = 0
    calls = recorded(sys.argv[1])
    for (rank, _), spans in calls.items():
        # The main thread calls it once more, to name its log.
        mine = min(noted(sys.argv[2], rank), key=lambda log: sum(
            abs(before - enter) for (before, _), (enter, _) in zip(log, spans)))
        if len(spans) - len(mine) not in (0, 1):
            sys.exit(f"rank {rank}: {len(spans)} calls for {len(mine)}")
        for (before, behind), (enter, leave) in zip(mine, spans):
            worst = max(worst, before - enter, leave - behind)
    metadata = os.path.join(os.path.dirname(sys.argv[1]), "mpiwatch.json")
    with open(metadata, encoding="utf-8") as text:
        said = [thread for rank in json.load(text)["ranks"] for thread in rank["threads"]]
    print(len(calls), worst, max(thread["clock_error_ns"] for thread in said),
          "+".join(sorted({thread["clock"] for thread in said})))


main()
