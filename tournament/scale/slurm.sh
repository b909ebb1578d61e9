#!/usr/bin/env bash
# A part of a tournament as one job of an array:
#   sbatch --array=1-100 slurm.sh
# (PARTS=20 ROUNDS=500 sbatch --array=1-20 slurm.sh for other numbers)
# and when all are finished, on any machine that sees the folder:
#   referee merge journals/part-*.journal --games-out games.ogn --json results.json
# A job that was stopped or timed out is submitted again as it is: it goes on where it was.
#SBATCH --job-name=referee
#SBATCH --cpus-per-task=2
#SBATCH --time=04:00:00
#SBATCH --signal=B:TERM@60
#SBATCH --requeue
#SBATCH --output=part-%a.log
set -euo pipefail
PARTS=${PARTS:-100} # as many as the array has; the same when a few of its jobs are submitted again
ROUNDS=${ROUNDS:-5000}
mkdir -p journals
# `exec`: the signal before the end of the time reaches the referee itself, which then leaves no engine behind.
exec referee \
    --engine cmd=./new name=new --engine cmd=./old name=old \
    --each tc=10+0.1 --variant oware --rounds "$ROUNDS" --random-plies 6 --seed 1 --concurrency 2 \
    --shard "$SLURM_ARRAY_TASK_ID/$PARTS" \
    --journal "journals/part-$SLURM_ARRAY_TASK_ID.journal" --resume
