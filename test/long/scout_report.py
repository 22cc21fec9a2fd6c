"""scout_report.py REPORT [EXPECTED]: the waits of a report of scout's (scout.cubex of Cube 4, not
compressed) as JSON: {pattern as mpiwatch calls it: {call: [ns of each rank]}}, without those of 0;
or held against EXPECTED, what score_p_waits.py prints. It reads reports of programs of MPI calls
alone, with one thread a rank: each call path is a call."""
import json
import struct
import sys
import tarfile
import xml.etree.ElementTree

NAMES = {"mpi_latesender": "late_sender", "mpi_lswo_same": "wrong_order_same_source",
         "mpi_lswo_different": "wrong_order_different_source",
         "mpi_latereceiver": "late_receiver", "mpi_earlyreduce": "early_reduce",
         "mpi_earlyscan": "early_scan", "mpi_latebroadcast": "late_broadcast",
         "mpi_wait_nxn": "wait_at_nxn", "mpi_nxn_completion": "nxn_completion",
         "mpi_barrier_wait": "wait_at_barrier", "mpi_barrier_completion": "barrier_completion",
         "mpi_init_completion": "init_completion", "mpi_finalize_wait": "wait_at_finalize"}


def rows_of(report, metric, width):
    """Pairs of call path and values, of width locations."""
    index = report.extractfile(metric + ".index").read()
    data = report.extractfile(metric + ".data").read()
    assert index[:11] == b"CUBEX.INDEX" and index[17:18] == b"\1", index[:18] # sparse
    count, = struct.unpack_from("<I", index, 18)
    paths = struct.unpack_from("<%dI" % count, index, 22)
    assert data[:10] == b"CUBEX.DATA", data[:10]
    values = struct.unpack("<%dd" % (len(data[10:]) // 8), data[10:])
    return [(path, values[i * width:(i + 1) * width]) for i, path in enumerate(paths)]


def waits_of(path):
    report = tarfile.open(path)
    members = report.getnames()
    anchor = xml.etree.ElementTree.parse(report.extractfile("anchor.xml")).getroot()
    regions = {region.get("id"): region.find("name").text for region in anchor.iter("region")}
    calls = {int(node.get("id")): regions[node.get("calleeId")] for node in anchor.iter("cnode")}
    width = len(list(anchor.iter("location")))
    waits = {}
    for metric in anchor.iter("metric"):
        name = NAMES.get(metric.find("uniq_name").text)
        if name and metric.get("id") + ".index" in members:
            for node, values in rows_of(report, metric.get("id"), width):
                ns = [round(value * 1e9) for value in values]
                if any(ns):
                    waits.setdefault(name, {})[calls[node]] = ns
    return waits


def differences(waits, expected):
    sums = {}
    for pattern, call, rank, _, ns, who in expected:
        if who != "mpiwatch":
            sums.setdefault(pattern, {}).setdefault(call, [0, 0, 0])[rank] += ns
    for pattern in sorted(set(sums) | set(waits)):
        if waits.get(pattern) != sums.get(pattern):
            yield "%s: scout says %s, by hand it is %s" % (pattern, waits.get(pattern),
                                                           sums.get(pattern))


if __name__ == "__main__":
    found = waits_of(sys.argv[1])
    if len(sys.argv) == 2:
        print(json.dumps(found, indent=1))
    else:
        wrong = list(differences(found, json.load(open(sys.argv[2]))))
        print("\n".join(wrong))
        sys.exit(bool(wrong))
