"""From what an outside program has printed to its row: what counts as its answer, and when it was successful.

The last answer counts. What arrives after the time limit, or is said to have taken more evaluations than the
budget, is kept where it is better, but it makes no success.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from compare.study.jobs import Batch
from compare.study.judging import Judgement, Used, described, judge, row_of_failure
from compare.study.plan import Program
from compare.study.printed import Part, Printed
from compare.study.reading import Said, longest_answer, other_board, read_text, refused_unread
from compare.study.rows import RunEnding, RunRow
from problems import Improvement

_MOST_TEXT = 1 << 20
_MOST_TEXT_A_SQUARE = 256
_MOST_TEXT_OF_ALL = 1 << 22
_MOST_LAST_PARTS = 40
_BYTES_OF_A_DRAWN_SQUARE = 16
_COST_OF_NO_ANSWER = 6


@dataclass(frozen=True, slots=True)
class Ended:
    """How a program ended: why it was ended from here (None: by itself), its exit code, and its last error."""

    ending: RunEnding | None
    reason: str
    exit_code: int
    last_error: str


@dataclass(frozen=True, slots=True)
class _Heard:
    """A part of the output, what it says, and the judgement on it (None: it is no answer)."""

    part: Part
    said: Said
    judged: Judgement | None


def row_of_program(batch: Batch, run: int, seed: int, printed: Printed, ended: Ended, used: Used) -> RunRow:
    """Return the row of a program's run, whatever ended it; `used` is what it used."""
    if ended.ending is RunEnding.OUTPUT_LIMIT:
        return row_of_failure(batch, run, seed, RunEnding.OUTPUT_LIMIT, ended.reason, used)
    return _Hearing(batch, printed, ended).row(run, seed, used)


class _Hearing:
    """One run's output being judged."""

    def __init__(self, batch: Batch, printed: Printed, ended: Ended) -> None:
        assert isinstance(batch.entry.player, Program)
        self.batch = batch
        self.printed = printed
        self.ended = ended
        self.coordinates = batch.entry.player.coordinates
        squares = batch.task.problem.board.rows * batch.task.problem.board.cols
        most = min(_MOST_TEXT + _MOST_TEXT_A_SQUARE * squares, _MOST_TEXT_OF_ALL)
        self.parts = printed.parts(most, longest_answer(batch.task.problem))
        self._same: tuple[bytes, _Heard] | None = None
        self._no_answers: dict[bytes, Said] = {}
        # The last parts are there whatever the others take.
        self._most_read = most + _MOST_LAST_PARTS * _BYTES_OF_A_DRAWN_SQUARE * squares
        self._patience = self._most_read

    def row(self, run: int, seed: int, used: Used) -> RunRow:
        """Return the row: the last answer is kept, or the best where a limit cut the program short."""
        last, faulty = self._last()
        counted = self._last_counted(last)
        ending, reason = self._ending(last, faulty)
        cut_short = ending in (RunEnding.TIME, RunEnding.EVALUATIONS)
        kept = _better(counted, last) if cut_short else last
        said = kept.said if kept is not None else Said()
        row = row_of_failure(batch=self.batch, run=run, seed=seed, ending=ending, reason=reason, used=used,
                             best=said.answer, found=said.found)  # fmt: skip
        succeeds = cut_short or (ending is RunEnding.FINISHED and counted is last)
        success = counted if succeeds and _meets(counted) else None
        trace, first = self._course(success)
        final = last.said if last is not None else said
        return replace(
            row,
            trace=trace,
            solved=success is not None,
            effort=final.effort,
            effort_name=final.effort_name,
            solved_seconds=None if first is None else first.part.seconds,
            solved_effort=None if first is None else first.said.effort,
        )

    def _last(self) -> tuple[_Heard | None, Said]:
        """Return the last answer or statement that there is none, and what is wrong where there is neither."""
        complete = self.ended.ending is None
        # The parts come first: several lists of squares would also read as one long one with duplicates.
        parts = self.parts[-1:] if complete else self.parts[::-1]
        faulty, nothing = Said(), None
        self._patience = self._most_read
        for part in [*parts, *self._wholes(complete)]:
            heard = self._heard(part)
            if heard.said.answer is not None or (heard.said.none and complete):
                return heard, Said()
            nothing = nothing or (heard if heard.said.none else None)
            board = heard.said.other_board or (self._other_board(part) if complete else "")
            faulty = Said(fault=faulty.fault or heard.said.fault, other_board=faulty.other_board or board)
        return nothing, faulty

    def _wholes(self, complete: bool) -> Iterator[Part]:
        """Yield everything as one answer: of a program that was ended, what came after the limit, then all."""
        late = [part for part in self.parts if not part.in_time]
        found = [self.printed.whole()]
        if not complete and late and (start := late[0].start):
            found = [self.printed.after_the_limit(start), self.printed.until_the_limit()]
        yield from (part for part in found if part is not None)

    def _last_counted(self, last: _Heard | None) -> _Heard | None:
        """Return the last answer that came within the limits, None if none did."""
        if last is not None and last.judged is not None and self._counts(last):
            return last
        if not self.parts or not self.parts[-1].in_time:
            # It went on what came too late.
            self._patience = self._most_read
        for part in reversed(self.parts):
            if not part.in_time:
                # A right answer is one even if something follows on its heels after the limit.
                begun = self.printed.cut_at_the_limit(part)
                heard = None if begun is None else self._heard(begun)
                if heard is not None and self._counts(heard) and heard.judged and not heard.judged.violations:
                    return heard
                continue
            heard = self._heard(part)
            if heard.judged is not None and self._counts(heard):
                return heard
        whole = self.printed.until_the_limit()
        heard = None if whole is None else self._heard(whole)
        return heard if heard is not None and heard.judged is not None and self._counts(heard) else None

    def _course(self, success: _Heard | None) -> tuple[tuple[Improvement, ...], _Heard | None]:
        """Return the improvements within the limits, and the first answer that met the goal if the run did."""
        trace: list[Improvement] = []
        first: _Heard | None = None
        self._patience = self._most_read
        for part in self.parts:
            heard = self._heard(part) if part.in_time else None
            if heard is None or not self._counts(heard) or heard.judged is None or heard.judged.violations:
                continue
            value = heard.judged.objective
            if value is not None and (not trace or value < trace[-1].value):
                work = len(trace) + 1 if heard.said.effort is None else heard.said.effort
                trace.append(Improvement(work, value, part.seconds))
            first = first or (heard if _meets(heard) else None)
        return tuple(trace), None if success is None else first or success

    def _heard(self, part: Part) -> _Heard:
        """Return what a part says; of parts that are the same one after another, the first is read."""
        text = self.printed.bytes_of(part)
        if self._same is not None and self._same[0] == text:
            return replace(self._same[1], part=part)
        said = self._said(text)
        judged = None if said.answer is None else judge(self.batch, said.answer, said.found)
        heard = _Heard(part, said, judged)
        self._same = text, heard
        return heard

    def _said(self, text: bytes) -> Said:
        """Read a text: that costs patience, more where it is no answer; without any left nothing new is read."""
        problem = self.batch.task.problem
        known = refused_unread(text, problem) or self._no_answers.get(text)
        if known is not None or self._patience <= 0:
            return known or Said()
        said = read_text(text, problem, self.coordinates)
        if said.answer is not None or said.none:
            self._patience -= len(text)
        else:
            self._patience -= _COST_OF_NO_ANSWER * len(text)
            self._no_answers[text] = said
        return said

    def _other_board(self, part: Part) -> str:
        return other_board(self.printed.bytes_of(part), self.batch.task.problem, self.coordinates)

    def _counts(self, heard: _Heard) -> bool:
        return heard.part.in_time and not self._is_over_evaluations(heard.said)

    def _is_over_evaluations(self, said: Said) -> bool:
        allowed = self.batch.entry.budget.evaluations
        return allowed is not None and said.evaluations is not None and said.evaluations > allowed

    def _ending(self, last: _Heard | None, faulty: Said) -> tuple[RunEnding, str]:
        if self.ended.ending is not None:
            return self.ended.ending, self.ended.reason
        if self.ended.exit_code:
            return RunEnding.CRASHED, self.ended.reason + self.ended.last_error
        if faulty.other_board:
            board = self.batch.task.problem.board
            return RunEnding.WRONG_ANSWER, f"it answers for {faulty.other_board}, not {board}"
        if last is None:
            return (
                (RunEnding.UNREADABLE, faulty.fault)
                if faulty.fault
                else (RunEnding.NO_ANSWER, "it printed nothing")
            )
        if last.judged is not None and last.judged.violations:
            return RunEnding.WRONG_ANSWER, described(last.judged.violations)
        if self._is_over_evaluations(last.said):
            allowed = self.batch.entry.budget.evaluations
            return RunEnding.EVALUATIONS, f"{last.said.evaluations} by its own count, {allowed} allowed"
        return RunEnding.FINISHED, ""


def _meets(heard: _Heard | None) -> bool:
    return heard is not None and heard.judged is not None and heard.judged.meets_goal


def _better(counted: _Heard | None, last: _Heard | None) -> _Heard | None:
    """Return the last answer, unless the one within the limits is better or as good."""
    if counted is None or counted.judged is None or last is None or last.judged is None:
        return counted or last
    if last.judged.violations or counted.judged.violations:
        return last if counted.judged.violations else counted
    objectives = counted.judged.objective, last.judged.objective
    return last if None not in objectives and objectives[1] < objectives[0] else counted  # type: ignore[operator]
