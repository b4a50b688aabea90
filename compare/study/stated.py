"""What a plan states about a problem, held against what is known about it without a search."""

from __future__ import annotations

from dataclasses import replace

from compare.study.plan import Task
from problems import KnightCover


def reason_against_optimum(task: Task) -> str | None:
    """Return why the task's optimum cannot be the one that the plan states, None if nobody knows at once.

    What is asked is what takes no search: a square that no knight attacks, a kept certificate, a published value.
    """
    if task.optimum is None or not isinstance(task.problem, KnightCover):
        return None
    question = replace(task.problem, at_most=None)
    if unreachable := question.unreachable():
        return f"optimum: there is no answer, no knight attacks {question.board.name(unreachable[0])}"
    from compare import published
    from exact.proof import kept

    certificate, known = kept.minimum(question), published.minimum(question)
    if certificate is not None and certificate.value != task.optimum:
        return _text(task, certificate.value, certificate.source)
    if known is not None and known.minimum != task.optimum:
        return _text(task, known.minimum, f"{known.source}, published")
    return None


def _text(task: Task, value: int, source: str) -> str:
    return f"optimum: {task.name} has the minimum {value} ({source}), got {task.optimum}; leave it out"
