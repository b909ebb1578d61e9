#!/usr/bin/env bash
# A build of endgames as one job on many machines, a process a machine with a thread a core:
#   sbatch --nodes=16 --cpus-per-task=32 --export=ALL,VARIANT=awari,SEEDS=36,OUT=/shared/endgames slurm-endgame.sh
# OUT is a folder that all machines see. Five minutes before its time is over the job writes a checkpoint and puts itself back into
# the line; it goes on from there, also when it is submitted again by hand with another number of machines.
#SBATCH --job-name=kroo-endgame
#SBATCH --nodes=1
#SBATCH --ntasks-per-node=1
#SBATCH --time=24:00:00
#SBATCH --signal=B:USR1@300
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output=kroo-endgame.log
set -euo pipefail
VARIANT=${VARIANT:-awari}
SEEDS=${SEEDS:-24}
OUT=${OUT:-endgames}

# `mpirun` hands SIGUSR1 on and ends nothing by itself. A second after SIGTERM it kills, and a checkpoint takes longer.
mpirun -np "$SLURM_NTASKS" --bind-to none \
    kroo-endgame-mpi build --variant "$VARIANT" --seeds "$SEEDS" --out "$OUT" --threads "${SLURM_CPUS_PER_TASK:-1}" &
job=$!
stopped=
trap 'stopped=yes; kill -USR1 "$job" || true' USR1 TERM

# A signal ends `wait`, and the job goes on until its checkpoint is written.
status=0
wait "$job" || status=$?
while kill -0 "$job" 2>/dev/null; do
    status=0
    wait "$job" || status=$?
done
if [ -n "$stopped" ] && [ "$status" != 0 ]; then
    scontrol requeue "$SLURM_JOB_ID"
fi
exit "$status"
