"""Facts about the machine a run went on: what a reader needs to judge its times."""

from __future__ import annotations

import functools
import os
import platform
import sys
from dataclasses import asdict, dataclass
from importlib import metadata
from typing import Any

_PACKAGES = ("provemate", "numba", "numpy", "ortools", "python-sat", "scipy")


@dataclass(frozen=True, slots=True)
class Machine:
    """A machine: names, versions, cores this process may use, MiB of memory, load average when first seen."""

    host: str
    system: str
    processor: str
    cores: int
    memory_mib: int
    python: str
    versions: dict[str, str]
    load: float | None

    def as_dict(self) -> dict[str, Any]:
        """Return the facts as JSON data."""
        return asdict(self)


@functools.lru_cache(maxsize=1)
def this_machine() -> Machine:
    """Return the facts about the machine this process runs on, gathered once."""
    import psutil

    return Machine(
        host=platform.node() or "unnamed",
        system=f"{platform.system()} {platform.release()}",
        processor=_processor(),
        cores=len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1,
        memory_mib=psutil.virtual_memory().total // 2**20,
        python=f"{platform.python_implementation()} {platform.python_version()}",
        versions={name: version for name in _PACKAGES if (version := _version(name))},
        load=load_average(),
    )


def load_average() -> float | None:
    """Return the load average over the last minute, None where there is none."""
    return round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else None


def _version(package: str) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def _processor() -> str:
    if sys.platform == "linux":
        with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as lines:
            for line in lines:
                if line.startswith("model name"):
                    return line.split(":", 1)[1].strip()
    return platform.processor() or platform.machine()
