"""Errors of engines."""


class EngineError(Exception):
    """The engine refused a command (the message is its own), or printed an invalid line."""


class EngineTerminated(EngineError):
    """The engine's process has ended, or was told to quit."""


class EngineTimeout(EngineError):
    """The engine did not answer in time."""
