"""The command line as a process: exit code, standard output, standard error."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Ran:
    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


def provemate(*arguments: object, text: str | bytes = "") -> Ran:
    """Run `provemate` in a process of its own; no traceback may ever show, whatever is asked."""
    data = text.encode() if isinstance(text, str) else text
    command = [sys.executable, "-m", "compare.cli", *map(str, arguments)]
    done = subprocess.run(command, input=data, capture_output=True, timeout=300, check=False)
    ran = Ran(done.returncode, done.stdout.decode(), done.stderr.decode())
    assert "Traceback" not in ran.out + ran.err
    assert ran.code != 70, ran.err
    return ran
