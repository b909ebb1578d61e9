#!/usr/bin/env bash
# A match through a queue on a Slurm cluster: this job is the coordinator, and submits an array of workers that begin with it.
#   sbatch --export=ALL,QUEUE=rediss://test@broker#test,WORKERS=50 slurm-queue.sh
# When its time runs out it puts itself back into the line, and goes on from its journal; the workers wait for it.
# KROO_QUEUE_PASSWORD_FILE names the file with the broker's password, which all nodes can read.
#SBATCH --job-name=referee
#SBATCH --cpus-per-task=1
#SBATCH --time=04:00:00
#SBATCH --signal=B:TERM@120
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output=coordinator.log
set -euo pipefail
: "${QUEUE:?the URL of the queue}"
WORKERS=${WORKERS:-10} CORES=${CORES:-4} ROUNDS=${ROUNDS:-5000}

if [ "${1:-}" = worker ]; then
    # `exec`: the signal before the end of the time reaches the worker itself, which gives its games back.
    # WORKER_OPTIONS has further options, such as --allow-file.
    # shellcheck disable=SC2086
    exec referee worker "$QUEUE" --concurrency "$CORES" --wait 3600 ${WORKER_OPTIONS:-}
fi

# Started again, it has its workers already, unless their time has run out, too.
array=$(cat workers.job 2>/dev/null || true)
if [ -z "$array" ] || [ -z "$(squeue --noheader --jobs "$array" 2>/dev/null)" ]; then
    sbatch --parsable --array="1-$WORKERS" --dependency="after:$SLURM_JOB_ID" --job-name=referee-worker \
        --cpus-per-task="$CORES" --time=04:00:00 --signal=B:TERM@60 --requeue --output=worker-%a.log \
        "${SCRIPT:-$0}" worker >workers.job
fi
status=0
referee \
    --engine cmd=./new name=new --engine cmd=./old name=old \
    --each nodes=20000 --variant oware --rounds "$ROUNDS" --random-plies 6 --seed 1 \
    --journal match.journal --resume --games-out games.ogn --queue "$QUEUE" &
coordinator=$!
trap 'kill -TERM $coordinator' TERM
while :; do
    wait $coordinator && status=0 || status=$?
    kill -0 $coordinator 2>/dev/null || break
done
# 143: SIGTERM stopped it before it had finished.
[ $status -ne 143 ] || scontrol requeue "$SLURM_JOB_ID"
exit $status
