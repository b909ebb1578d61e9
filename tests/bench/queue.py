#!/usr/bin/env python3
"""What a queue costs: games a second through a broker on this machine, beside one process with the same number of games at once.

    cargo build --release --features tournament/queue --bin kroo --bin referee
    cargo build --release -p tournament --features queue --example instant
    tests/bench/queue.py [target/release]

Counted are the games between the first and the last that the coordinator, or the one process, tells: what starting takes is
left out. Each kind is played three times, in turns with the other, and the median counts. Wants redis-server.
"""

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


def kinds():
    instant, kroo = BINARIES / "examples" / "instant", BINARIES / "kroo"
    yield "nodes=1", instant, ["nodes=1"], 400
    yield "10 ms a move", kroo, ["st=0.01", "timemargin=5000"], 16


def rate(command):
    """Games a second between the first and the last."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    times = [time.monotonic() for line in process.stdout if line.startswith("Finished game ")]
    assert process.wait() == 0, command
    return (len(times) - 1) / (times[-1] - times[0])


def asked(port):
    """Commands that the broker has been sent, and the bytes that it has read and written."""
    with socket.create_connection(("127.0.0.1", port)) as connection:
        connection.sendall(b"INFO stats\r\nQUIT\r\n")
        text = b"".join(iter(lambda: connection.recv(65536), b"")).decode()
    value = dict(line.split(":") for line in text.split("\r\n") if line.count(":") == 1)
    return (
        int(value["total_commands_processed"]),
        int(value["total_net_input_bytes"]) + int(value["total_net_output_bytes"]),
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
            measure(port, folder)
        finally:
            broker.terminate()
            broker.wait()


def measure(port, folder):
    print(f"{'':<14}{'at once':>8}{'one process':>13}{'queue':>9}{'share':>8}{'commands a game':>17}{'bytes a game':>14}")
    for name, engine, words, rounds in kinds():
        for count in (1, 2, 4):
            games = rounds * count
            match = [REFEREE, "--engine", f"cmd={engine}", "name=a", "--engine", f"cmd={engine}", "name=b"]
            match += ["--each", *words, "--rounds", str(games), "--random-plies", "4"]
            alone, queued, commands, volume = [], [], [], []
            for run in range(RUNS):
                journal = ["--journal", f"{folder}/{name[0]}-{count}-{run}"]
                alone.append(rate([*match, *journal, "--concurrency", str(count)]))
                url = f"redis://127.0.0.1:{port}#{count}-{run}"
                before = asked(port)
                worker = [REFEREE, "worker", url]
                quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
                workers = [subprocess.Popen(worker, **quiet) for _ in range(count)]
                journal[1] += "-queue"
                queued.append(rate([*match, *journal, "--queue", url]))
                assert all(worker.wait() == 0 for worker in workers)
                commands.append((asked(port)[0] - before[0]) / (2 * games))
                volume.append((asked(port)[1] - before[1]) / (2 * games))
            one, many = statistics.median(alone), statistics.median(queued)
            print(
                f"{name:<14}{count:>8}{one:>11.1f}/s{many:>7.1f}/s{100 * many / one:>7.0f}%"
                f"{statistics.median(commands):>17.1f}{statistics.median(volume):>14.0f}",
                flush=True,
            )


if __name__ == "__main__":
    main()
