"""Engines as processes, which end with this one."""

import io
import os
import queue
import shlex
import shutil
import signal
import subprocess
import sys
import sysconfig
from typing import IO, Any, Dict, List, Optional, Sequence, Tuple, Union, cast

Command = Union[str, "os.PathLike[str]", Sequence[str]]

LONGEST_LINE = 1 << 20
"""Bytes of a line; longer ones are skipped."""

_GUARD = 'read -r _ || kill -s KILL -- "-$0"'
"""A shell that waits for a line, and kills a process group if its input ends without one."""


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


class EngineProcess:
    """A child process in a session of its own, so that Ctrl-C in the terminal does not reach it.

    A guard kills it if this process is killed.
    """

    def __init__(self, words: Sequence[str]) -> None:
        self.process = subprocess.Popen(
            words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0, **_detached(),
        )
        self._guard = _guard_of(self.process.pid)

    @property
    def pid(self) -> int:
        return self.process.pid

    def write(self, line: str) -> None:
        """Sends a line. Raises OSError or ValueError if the engine cannot be reached."""
        assert self.process.stdin is not None
        rest = memoryview(f"{line}\n".encode("utf-8", "replace"))
        while rest:
            rest = rest[self.process.stdin.write(rest):]

    def kill(self) -> None:
        """Kills the process and those that it has started. It may have ended."""
        if self.process.poll() is None:
            try:
                if sys.platform == "win32":
                    self.process.kill()
                else:
                    os.killpg(self.process.pid, signal.SIGKILL)
            except OSError:
                self.process.kill()

    def end(self) -> int:
        """Waits a moment for the end, or kills the process. Returns its status."""
        try:
            status = self.process.wait(1)
        except subprocess.TimeoutExpired:
            self.kill()
            status = self.process.wait()
        if self._guard is not None:
            guard, self._guard = self._guard, None
            # Any line releases it.
            _close(guard.stdin, b"\n")
            guard.wait()
        _close(self.process.stdin)
        return status


def read_lines(output: "IO[bytes]", inbox: "queue.SimpleQueue[Tuple[str, Any]]") -> None:
    """Puts each line into a queue as `("line", text)`, and `("end", None)` last."""
    try:
        with io.BufferedReader(cast(io.RawIOBase, output)) as buffered:
            skipping = False
            while line := buffered.readline(LONGEST_LINE):
                is_whole = line.endswith(b"\n")
                if is_whole and not skipping:
                    inbox.put(("line", line.decode("utf-8", "replace").strip()))
                skipping = not is_whole
    except (OSError, ValueError):
        pass  # The pipe was closed.
    inbox.put(("end", None))


def _detached() -> Dict[str, Any]:
    if sys.platform == "win32":
        return {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
    return {"start_new_session": True}


def _guard_of(pid: int) -> "Optional[subprocess.Popen[bytes]]":
    if os.name != "posix":
        return None
    try:
        return subprocess.Popen(
            ["/bin/sh", "-c", _GUARD, str(pid)], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, bufsize=0, start_new_session=True,
        )
    except OSError:
        return None  # Without a shell the engine ends at the end of its input.


def _close(pipe: "Optional[IO[bytes]]", last: bytes = b"") -> None:
    if pipe is not None:
        try:
            if last:
                pipe.write(last)
            pipe.close()
        except (OSError, ValueError):
            pass  # It has ended.
