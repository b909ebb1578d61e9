"""Engines as processes, which end with this one."""

import os
import shlex
import shutil
import signal
import subprocess
import sys
import sysconfig
from typing import IO, Any, Dict, Iterator, List, Optional, Sequence, Union
from weakref import WeakSet

Command = Union[str, "os.PathLike[str]", Sequence[Union[str, "os.PathLike[str]"]]]

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
    """The words of a command. Raises TypeError or ValueError for anything else."""
    known: object = command
    if isinstance(command, str):
        words = [command] if os.path.exists(command) else shlex.split(command)
    elif isinstance(command, os.PathLike):
        words = [os.fspath(command)]
    elif isinstance(command, Sequence) and all(isinstance(word, (str, os.PathLike)) for word in command):
        words = [os.fspath(word) for word in command]
    else:
        raise TypeError(f"`command` is a path, a line of a shell, or a list of a path and flags, not {known!r}")
    if not words or not words[0]:
        raise ValueError(f"`command` names no program: it is a path, a line of a shell, or a list of a path and flags, not {known!r}")
    return words


class EngineProcess:
    """A child process in its own session, which Ctrl-C in the terminal does not reach.

    A guard kills it if this process is killed.
    """

    def __init__(self, words: Sequence[str]) -> None:
        self.process = subprocess.Popen(
            words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0, **_detached(),
        )
        self._guard = _guard_of(self.process.pid)
        _PROCESSES.add(self)

    @property
    def pid(self) -> int:
        return self.process.pid

    def is_running(self) -> bool:
        return self.process.poll() is None

    def lines(self) -> Iterator[str]:
        """The lines that it prints, until its output is closed."""
        assert self.process.stdout is not None
        line, skipping = b"", False
        try:
            with self.process.stdout as output:
                while more := output.read(1 << 16):
                    *whole, line = (line + more).split(b"\n")
                    for text in whole:
                        if not skipping and len(text) < LONGEST_LINE:
                            yield text.decode("utf-8", "replace").strip()
                        skipping = False
                    if len(line) >= LONGEST_LINE:
                        line, skipping = b"", True
        except (OSError, ValueError):
            pass  # The pipe was closed.

    def write(self, line: str) -> bool:
        """Sends a line; returns whether the engine could be reached."""
        assert self.process.stdin is not None
        rest = memoryview(f"{line}\n".encode("utf-8", "replace"))
        try:
            while rest:
                rest = rest[self.process.stdin.write(rest):]
        except (OSError, ValueError):
            return False
        return True

    def kill(self) -> None:
        """Kills the process and those that it has started. It may have ended."""
        if self.is_running():
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

    def forget(self) -> None:
        """In a forked child: closes the pipes, which would keep the engine alive after the parent."""
        nowhere = os.open(os.devnull, os.O_RDWR)
        for process in (self.process, self._guard):
            for pipe in (process.stdin, process.stdout) if process is not None else ():
                # The numbers stay in use: an object that has one may close it later.
                if pipe is not None and not pipe.closed:
                    os.dup2(nowhere, pipe.fileno(), inheritable=False)
        os.close(nowhere)


_PROCESSES: "WeakSet[EngineProcess]" = WeakSet()


def _forget_all() -> None:
    for process in tuple(_PROCESSES):
        process.forget()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_all)


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
