"""The `provemate` command: the only place that prints.

Exit codes: 0 done (and valid), 1 a wrong answer or certificate, 2 bad input or usage, 3 a limit was reached
before the question was decided. 70 and 130 stand for a bug of ours and for Ctrl-C.
"""

from __future__ import annotations

import errno
import io
import os
import sys
from typing import NoReturn

DONE, WRONG, USAGE, UNDECIDED, BUG, CANCELLED = 0, 1, 2, 3, 70, 130


def main() -> NoReturn:
    """Run the command line and leave with its exit code; whatever happens, no traceback is shown."""
    sys.exit(run(sys.argv[1:]))


def run(arguments: list[str]) -> int:
    """Run one command and return its exit code; errors become one line on standard error."""
    import typer

    from compare.cli.app import app
    from problems import InputError

    _open_closed_streams()
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # for a terminal that cannot show all of Unicode
    try:
        # Not `app(...)`: that takes a reader that went away and Ctrl-C into its own hands, with other exit codes.
        with typer.main.get_command(app).make_context("provemate", arguments or ["--help"]) as context:
            code = context.command.invoke(context)
        sys.stdout.flush()
        return code if isinstance(code, int) else DONE
    except typer.Exit as leave:
        return int(leave.exit_code)
    except InputError as error:
        return _complain(str(error), USAGE)
    except typer.TyperException as error:  # usage errors: unknown option, missing argument, wrong type
        return _complain(" ".join(error.format_message().split()) + "; see --help", USAGE)
    except (KeyboardInterrupt, typer.Abort):
        return _complain("cancelled", CANCELLED)
    except BrokenPipeError:
        # The reader went away (`| head`): nothing is left to say.
        _discard_output()
        return DONE
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        if error.errno in _NO_ROOM:
            _discard_output()
            return _complain(f"expected room to write, got {reason}", USAGE)
        if error.errno in _NO_RESOURCES:
            return _complain(f"the system has no room for another process or file: {reason}", UNDECIDED)
        return _complain(f"internal error, please report it: {type(error).__name__}: {error}", BUG)
    except MemoryError:
        return _complain("out of memory", UNDECIDED)
    except Exception as error:
        return _complain(f"internal error, please report it: {type(error).__name__}: {error}", BUG)


_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EIO)
_NO_RESOURCES = (errno.EAGAIN, errno.ENOMEM, errno.EMFILE, errno.ENFILE)


def _open_closed_streams() -> None:
    """Stand in for standard streams that the caller has closed (`>&-`): Python leaves None in their place."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode))  # noqa: SIM115 (open until the process ends)


def _discard_output() -> None:
    """Point standard output to nowhere: what it still holds must not make Python complain at its exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _complain(line: str, code: int) -> int:
    sys.stderr.write(f"provemate: {line}\n")
    return code
