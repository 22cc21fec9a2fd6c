# What the job, its cores and its MPI were set to is in the archive: as the batch system and the
# user set it in the environment, without what looks like a secret; the cores that each rank may
# run on, as taskset says; the commit of the program's checkout.
. "$TOP_SRCDIR/test/system/lib.sh"
need taskset

cat >check.py <<'PYTHON'
import json
import os

about = json.load(open("about.json"))
assert about["job"] == {"SLURM_JOB_ID": "77", "PBS_O_HOST": "<a&b>"}, about["job"]
assert about["mpi_environment"]["UCX_TLS"] == "tcp,self", about["mpi_environment"]
assert not [name for name in about["mpi_environment"]
            if "TOKEN" in name or "precondition_transports" in name], about["mpi_environment"]
assert "hush" not in open("about.json").read()
assert about["circumstances"] == {"git_commit": "0123456789abcdef0123456789abcdef01234567"}
shown = json.load(open("info.json"))["circumstances"]
assert shown == dict(about["ranks"][0]["circumstances"], **about["circumstances"],
                     **about["job"], **about["mpi_environment"]), shown
for rank in about["ranks"]:
    assert rank["circumstances"]["cores"] == str(os.sysconf("SC_NPROCESSORS_ONLN")), rank
    assert rank["threads"][0]["circumstances"] == {"affinity": "0"}, rank
PYTHON

mkdir -p checkout/.git
echo 0123456789abcdef0123456789abcdef01234567 >checkout/.git/HEAD
for mpi in $(mpis); do
    cp "$TOP_BUILDDIR/examples/halo-$mpi" checkout/halo
    SLURM_JOB_ID=77 SLURM_JWT=hush PBS_O_HOST='<a&b>' UCX_TLS=tcp,self UCX_A_TOKEN=hush \
        run_mpi "$mpi" 2 taskset -c 0 "$record" -q --force -o run.otf2.zip checkout/halo 10
    unzip -p run.otf2.zip mpiwatch.json >about.json
    "$analyze" info --json run.otf2.zip >info.json
    "$python" check.py || fail "$mpi"
done
