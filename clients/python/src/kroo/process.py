"""Engines as processes."""

import os
import queue
import shlex
import shutil
import subprocess
import sys
import sysconfig
from typing import IO, List, Optional, Sequence, Union

Command = Union[str, "os.PathLike[str]", Sequence[str]]


def installed() -> str:
    """The executable installed with this package, or else the one in `PATH`. Raises FileNotFoundError."""
    name = "kroo.exe" if sys.platform == "win32" else "kroo"
    schemes = [sysconfig.get_path("scripts"), sysconfig.get_path("scripts", f"{os.name}_user"), os.path.dirname(sys.executable)]
    for folder in schemes:
        path = os.path.join(folder, name)
        if os.access(path, os.X_OK):
            return path
    found = shutil.which("kroo")
    if found is None:
        raise FileNotFoundError("no executable `kroo` is installed with this Python or in PATH: name one, as in Engine(path)")
    return found


def words_of(command: Command) -> List[str]:
    if isinstance(command, os.PathLike):
        return [os.fspath(command)]
    if isinstance(command, str):
        return [command] if os.path.exists(command) else shlex.split(command)
    return [os.fspath(word) for word in command]


def read_lines(output: "IO[str]", lines: "queue.Queue[Optional[str]]") -> None:
    try:
        with output:
            for line in output:
                lines.put(line.strip())
    except ValueError:
        pass  # The pipe was closed.
    lines.put(None)


def end_process(process: "subprocess.Popen[str]") -> None:
    """Ends an unreferenced process."""
    if process.poll() is None:
        process.kill()
        process.wait()
    if process.stdin is not None:
        try:
            process.stdin.close()
        except OSError:
            pass  # What was not sent is lost with the engine.
