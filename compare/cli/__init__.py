"""The `provemate` command: the only place that prints.

Exit codes: 0 done (and valid), 1 a wrong answer or certificate, 2 bad input or usage, 3 a limit was reached
before the question was decided. 70 and 130 stand for a bug of ours and for Ctrl-C.
"""

from __future__ import annotations

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

    try:
        code = app(arguments, standalone_mode=False, prog_name="provemate")
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
        # The reader went away (`| head`): nothing is left to say, and flushing at exit must not complain.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DONE
    except MemoryError:
        return _complain("out of memory", UNDECIDED)
    except Exception as error:
        return _complain(f"internal error, please report it: {type(error).__name__}: {error}", BUG)


def _complain(line: str, code: int) -> int:
    sys.stderr.write(f"provemate: {line}\n")
    return code
