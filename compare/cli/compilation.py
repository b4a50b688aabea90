"""How long kernels took to compile: the first run on a machine pays for it, and says so."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

_WORTH_A_WORD = 0.05


@dataclass(slots=True)
class Compilation:
    """The wall-clock seconds that numba spent compiling inside `measured_compilation`."""

    seconds: float = 0.0

    def lines(self) -> Iterator[str]:
        """Yield a line about the compilation if there was one worth a word."""
        if self.seconds > _WORTH_A_WORD:
            yield f"  first use on this machine: {self.seconds:.1f} s went into compiling kernels, now cached"


@contextmanager
def measured_compilation() -> Iterator[Compilation]:
    """Measure what numba compiles inside; kernels that come from its cache cost nothing and count nothing."""
    from numba.core import event

    compilation = Compilation()
    recorder = event.RecordingListener()  # type: ignore[no-untyped-call]
    with event.install_listener("numba:compile", recorder):
        yield compilation
    depth, began = 0, 0.0
    for moment, found in recorder.buffer:  # compilations nest: only the outermost count
        if found.is_start:
            began = moment if depth == 0 else began
            depth += 1
        elif found.is_end:
            depth -= 1
            compilation.seconds += moment - began if depth == 0 else 0.0
