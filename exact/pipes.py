"""What processes of ours share: pickled messages on pipes, each with its length, and dying with one's parent."""

from __future__ import annotations

import pickle
import signal
import struct
import sys
from collections.abc import Iterator
from typing import Any, BinaryIO

_LENGTH = struct.Struct("!Q")
_PR_SET_PDEATHSIG = 1


def framed(content: Any) -> bytes:
    """Return the content as bytes with its length in front."""
    data = pickle.dumps(content, protocol=pickle.HIGHEST_PROTOCOL)
    return _LENGTH.pack(len(data)) + data


def read_frame(stream: BinaryIO) -> Any:
    """Return the next message of a stream; raises `EOFError` at its end."""
    header = stream.read(_LENGTH.size)
    if len(header) < _LENGTH.size:
        raise EOFError
    return pickle.loads(stream.read(_LENGTH.unpack(header)[0]))


def take_frames(pending: bytearray) -> Iterator[Any]:
    """Yield and remove the complete messages at the front of `pending`."""
    while len(pending) >= _LENGTH.size:
        (length,) = _LENGTH.unpack_from(pending)
        end = _LENGTH.size + length
        if len(pending) < end:
            return
        content = bytes(pending[_LENGTH.size : end])
        del pending[:end]
        yield pickle.loads(content)


def die_with_parent() -> None:
    """Have the kernel kill this process when its parent dies, where the system can (Linux)."""
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
