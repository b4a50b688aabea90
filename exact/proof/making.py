"""What the makers of certificates share: the time that is left, how a search can fail, who wrote it."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from exact.child import Job, run_jobs
from exact.proof import encoder
from exact.proof.archive import Certificate
from exact.proof.claims import Claim, ClaimKind, ProofKind, dump, squares_json
from exact.proof.encoder import Clause
from problems import Answer, Ending, Limits, Problem

AUTO, WEIGHTS, SAT, COUNTING = "auto", "weights", "sat", "counting"
ENGINES = (AUTO, WEIGHTS, SAT, COUNTING)


class NotProved(RuntimeError):
    """No certificate was made: a limit was reached (see `ending`), or the engine has no proof of this."""

    def __init__(self, reason: str, ending: Ending = Ending.FINISHED) -> None:
        super().__init__(reason)
        self.ending = ending


class Budget:
    """The limits of a call that makes several searches one after the other."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._began = time.monotonic()

    def left(self) -> Limits:
        """Return the limits for the next search; `NotProved` if the time is up."""
        if self._limits.seconds is None:
            return self._limits
        seconds = self._limits.seconds - (time.monotonic() - self._began)
        if seconds <= 0:
            raise NotProved("the time limit was reached before there was a proof", Ending.TIME)
        return Limits(seconds=seconds, memory=self._limits.memory)

    def run(self, jobs: Sequence[Job]) -> list[Any]:
        """Return the values of the jobs; `NotProved` if one of them does not finish."""
        outcomes = run_jobs(jobs, limits=self.left())
        for outcome in outcomes:
            if outcome.ending is Ending.CRASHED:
                raise RuntimeError(f"a search for a proof failed: {outcome.error}")
            if outcome.ending is not Ending.FINISHED:
                raise NotProved(f"a limit was reached before there was a proof ({outcome.ending})", outcome.ending)
        return [outcome.value for outcome in outcomes]


def written_by() -> str:
    """Return the name and version of this program."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return f"provemate {version('provemate')}"
    except PackageNotFoundError:
        return "provemate"


def certificate(problem: Problem, claim: Claim, proof: ProofKind, files: dict[str, bytes]) -> Certificate:
    """Return a certificate written by this program."""
    return Certificate(problem, claim, proof, files, written_by())


def existence(problem: Problem, answer: Answer) -> Certificate:
    """Return the certificate that an answer is."""
    return certificate(problem, Claim(ClaimKind.EXISTS), ProofKind.WITNESS, answer_file(answer))


def answer_file(answer: Answer) -> dict[str, bytes]:
    """Return the file with the enclosed answer."""
    return {"answer.json": dump(squares_json(answer))}


def refutation_job(clauses: Sequence[Clause]) -> Job:
    """Return the job that refutes the clauses; its value is the proof, or None if they hold together."""
    return Job("exact.proof.refuting:refute", (tuple(clauses),))


def models_job(clauses: Sequence[Clause], variables: int, most: int) -> Job:
    """Return the job that lists the models, as sets of the first variables; see `exact.proof.refuting.models`."""
    return Job("exact.proof.refuting:models", (tuple(clauses), variables, most))


def formula_files(
    name: str, clauses: Sequence[Clause], variables: Sequence[str], proof: bytes
) -> dict[str, bytes]:
    """Return the files of a refuted formula."""
    return {f"{name}.cnf": encoder.dimacs(clauses, variables), f"{name}.drat": proof}
