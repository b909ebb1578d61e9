"""What goes wrong with an engine."""


class EngineError(Exception):
    """The engine refused something, in its own words, or said what cannot be understood."""


class EngineTerminated(EngineError):
    """The engine's process has ended."""


class EngineTimeout(EngineError):
    """The engine did not answer in time."""


def seconds(time: "float | None") -> str:
    """A time in an error message."""
    return f"{time or 0:.3g}"
