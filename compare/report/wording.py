"""Figures as text, and the verdict on an entry in a sentence."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from compare.running_time import ExpectedTime
from compare.statistics import Interval

if TYPE_CHECKING:
    from compare.report.summary import Line
    from compare.restarts import Advice


def sentence(line: Line) -> str:
    """Return the verdict on an entry and task in one sentence."""
    rate = f"{line.solved} of {line.runs} runs reached the target ({_percent(line.success)})"
    parts = [f"{line.entry} on {line.task}: {rate}"]
    parts += _proofs(line)
    if line.proved and (line.minimises or line.impossible):
        pass  # the time to the proof says more
    elif line.expected_effort is not None and line.unit is not None and not line.exact:
        parts.append(f"expected {line.unit} until success {expected(line.expected_effort)}")
    else:
        parts.append(f"expected seconds until success {expected(line.expected_seconds)}")
    wrong = dict(line.endings).get("wrong-answer", 0)
    if wrong:
        parts.append(f"{wrong} wrong answers")
    if line.gaps and max(line.gaps) > 0:
        parts.append(f"gap to the {line.optimum_wording} {min(line.gaps)} to {max(line.gaps)}")
    if line.restart is not None and line.restart.cutoff is not None and line.unit is not None:
        parts.append(_advice(line, line.restart, line.unit))
    return "; ".join(parts) + "."


def _proofs(line: Line) -> list[str]:
    """Return what an engine proved, in how many of its runs, and how fast: the median of all, not of survivors."""
    if not line.exact or not (line.minimises or line.impossible):
        return []
    parts = []
    if line.impossible:
        what = "that the target is impossible"
        parts.append(_proof(line, line.impossible, what))
    if proved := line.proved - line.impossible:
        parts.append(_proof(line, proved, f"{line.proved_value} optimal" if line.minimises else "it"))
    return parts or [f"0 of {line.runs} proved the optimum"]


def _proof(line: Line, runs: int, what: str) -> str:
    half = f" in {number(line.proof_seconds)} s (median)" if line.proof_seconds is not None else ""
    return f"{runs} of {line.runs} proved {what}{half}"


def _advice(line: Line, advice: Advice, unit: str) -> str:
    assert advice.cutoff is not None
    assert advice.predicted is not None
    text = f"restarting after {number(advice.cutoff)} {unit} is predicted to need {number(advice.predicted)}"
    if line.restart_check is not None:
        text += f" (fresh runs {'agree' if line.restart_check.agrees else 'do not agree'})"
    return text


def _percent(rate: Interval) -> str:
    return f"{rate.estimate:.1%}, 95 % interval {rate.low:.1%} to {rate.high:.1%}"


def expected(time: ExpectedTime) -> str:
    """Return an expected running time with its interval; lower bounds are written as such."""
    if time.is_lower_bound:
        return f"at least {number(time.low)}"
    return f"{number(time.estimate)} [{number(time.low)}, {number(time.high)}]"


def proof_words(line: Line) -> str:
    """Return the median seconds to the proof and how many runs have one; a dash for entries that prove nothing."""
    if not line.exact:
        return "–"
    return f"{number(line.proof_seconds)} ({line.proved} of {line.runs})"


def distribution_words(advice: Advice) -> str:
    """Return what an advice rests on: a fitted distribution with its distance, or the runs themselves."""
    if advice.family is None:
        return "none (runs end by themselves): the runs themselves"
    fit = f"{advice.family}, distance {number(advice.distance)}"
    return fit if advice.fits else f"none fits ({fit}): the runs themselves"


def number(value: float | None) -> str:
    """Return a figure to three significant digits, without an exponent; a dash for None."""
    if value is None:
        return "–"
    if math.isinf(value):
        return "∞"
    if value == 0 or abs(value) >= 1000:
        return f"{value:,.0f}"
    digits = max(0, 2 - math.floor(math.log10(abs(value))))
    text = f"{value:.{digits}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
