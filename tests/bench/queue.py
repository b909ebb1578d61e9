#!/usr/bin/env python3
"""Queue overhead: games a second through a broker, and in one process with the same number of games at once.

    cargo build --release --features kroo-referee/queue --bin kroo --bin referee
    cargo build --release -p kroo-referee --features queue --example instant
    tests/bench/queue.py [target/release]

Counted are the games between the first and the last that the coordinator, or the one process, tells: what starting takes is
left out. Workers sandbox their engines, so the one process does too: a sandbox alone costs instant engines up to two thirds of
their games. Clocks are not scaled: workers that start together on one machine find each other slow. Each kind is played three times, in turns with the other, and the median counts. Wants redis-server.

Then it says what the broker and the coordinator do for a game (processor time of their own, whoever else is busy), and from that
how many games a second one of each carries, and what that means for up to 10,000 cores.
"""

import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

BINARIES = Path(sys.argv[1] if len(sys.argv) > 1 else "target/release").resolve()
REFEREE = BINARIES / "referee"
RUNS = 3
# Heartbeats of a worker.
SIGNS_A_SECOND = 1
CORES_OF_A_MACHINE = 32


def kinds():
    instant, kroo = BINARIES / "examples" / "instant", BINARIES / "kroo"
    yield "nodes=1", instant, ["nodes=1"], 400
    yield "10 ms a move", kroo, ["st=0.01", "timemargin=5000"], 8


def rate(command):
    """Games a second between the first and the last, and the processor time of the process in seconds."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    times = [time.monotonic() for line in process.stdout if line.startswith("Finished game ")]
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, command
    return (len(times) - 1) / (times[-1] - times[0]), used.ru_utime + used.ru_stime


def asked(port):
    """The broker's counts: commands, bytes read and written, and its processor time in seconds."""
    with socket.create_connection(("127.0.0.1", port)) as connection:
        connection.sendall(b"INFO\r\nQUIT\r\n")
        text = b"".join(iter(lambda: connection.recv(65536), b"")).decode()
    value = dict(line.split(":", 1) for line in text.split("\r\n") if ":" in line)
    return (
        int(value["total_commands_processed"]),
        int(value["total_net_input_bytes"]) + int(value["total_net_output_bytes"]),
        float(value["used_cpu_user"]) + float(value["used_cpu_sys"]),
    )


def main():
    with socket.socket() as free, tempfile.TemporaryDirectory() as folder:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
        free.close()
        options = ["--port", str(port), "--bind", "127.0.0.1", "--appendonly", "yes", "--save", "", "--dir", folder]
        broker = subprocess.Popen(["redis-server", *options], stdout=subprocess.DEVNULL)
        time.sleep(1)
        try:
            plan(*measure(port, folder))
        finally:
            broker.terminate()
            broker.wait()


def measure(port, folder):
    """Prints the figures, and returns the cost of a game of engines that answer at once: commands, bytes, and the processor time
    of the broker and of the coordinator in seconds."""
    print(
        f"{'':<14}{'at once':>8}{'one process':>13}{'queue':>9}{'share':>8}{'commands a game':>17}{'bytes a game':>14}"
        f"{'broker':>10}{'coordinator':>13}"
    )
    costs = None
    for name, engine, words, rounds in kinds():
        for count in (1, 2, 4):
            games = rounds * count
            match = [REFEREE, "--engine", f"cmd={engine}", "name=a", "--engine", f"cmd={engine}", "name=b"]
            match += ["--each", *words, "--rounds", str(games), "--random-plies", "4"]
            alone, queued, found = [], [], []
            for run in range(RUNS):
                journal = ["--journal", f"{folder}/{name[0]}-{count}-{run}"]
                alone.append(rate([*match, *journal, "--concurrency", str(count), "--sandbox"])[0])
                url = f"redis://127.0.0.1:{port}#{count}-{run}"
                before = asked(port)
                worker = [REFEREE, "worker", url]
                quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
                workers = [subprocess.Popen(worker, **quiet) for _ in range(count)]
                journal[1] += "-queue"
                through, used = rate([*match, *journal, "--queue", url, "--scale-clocks", "off"])
                queued.append(through)
                assert all(worker.wait() == 0 for worker in workers)
                found.append([*(after - then for after, then in zip(asked(port), before)), used])
            one, many = statistics.median(alone), statistics.median(queued)
            each = [statistics.median(values) / (2 * games) for values in zip(*found)]
            commands, volume, broker, coordinator = each
            print(
                f"{name:<14}{count:>8}{one:>11.1f}/s{many:>7.1f}/s{100 * many / one:>7.0f}%{commands:>17.1f}{volume:>14.0f}"
                f"{1000 * broker:>7.3f} ms{1000 * coordinator:>10.3f} ms",
                flush=True,
            )
            # With the many games of nodes=1, the coordinator's own bench is negligible.
            costs = costs if name != "nodes=1" else each
    return costs


def plan(commands, volume, broker, coordinator):
    print(f"\nOne broker: {1 / broker:.0f} games a second; one coordinator: {1 / coordinator:.0f}")
    print(f"{'a game takes':>14}{'cores':>8}{'games/s':>10}{'commands/s':>12}{'MB/s':>7}{'broker':>9}{'coordinator':>13}")
    for seconds, label in ((0.01, "10 ms"), (1, "1 s"), (60, "60 s")):
        for cores in (16, 100, 1_000, 10_000):
            games = cores / seconds
            signs = SIGNS_A_SECOND * max(1, cores / CORES_OF_A_MACHINE)
            of_broker, of_coordinator = games * broker, games * coordinator
            print(
                f"{label:>14}{cores:>8}{games:>10.0f}{games * commands + signs:>12.0f}{games * volume / 1e6:>7.1f}"
                f"{100 * of_broker:>8.1f}%{100 * of_coordinator:>12.1f}%"
            )


if __name__ == "__main__":
    main()
