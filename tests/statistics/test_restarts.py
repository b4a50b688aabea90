"""Restart advice: no false promise for memoryless runs, for runs that give up, or where restarts cost time."""

from __future__ import annotations

import numpy as np
import pytest

from compare.restarts import advise, check, restart_cost
from compare.running_time import expected_running_time
from compare.statistics import Sample


def test_no_restart_is_advised_for_a_memoryless_distribution() -> None:
    generator = np.random.default_rng(11)
    advice = advise(Sample.of(generator.exponential(500, 2000), [True] * 2000))
    assert advice is not None
    assert advice.cutoff is None
    assert advice.predicted is None
    assert advice.without.estimate == pytest.approx(500, rel=0.1)


def test_no_cutoff_lies_below_the_fastest_success() -> None:
    # Half of the runs succeed at once: a fitted heavy tail alone would restart within the first step.
    advice = advise(Sample.of([0.0] * 20 + [float(50 + step) for step in range(20)], [True] * 40))
    assert advice is not None
    assert advice.cutoff is None or advice.cutoff >= 1


def test_a_heavy_tail_gets_a_cutoff_and_the_prediction_holds() -> None:
    generator = np.random.default_rng(7)

    def rerun(cutoff: float) -> Sample:
        times = generator.lognormal(4.0, 2.5, 4000)
        return Sample.of(np.minimum(times, cutoff), times <= cutoff)

    advice = advise(rerun(20_000.0))
    assert advice is not None
    assert advice.family == "lognormal"
    assert advice.cutoff is not None
    assert advice.predicted is not None
    assert advice.predicted < advice.without.estimate / 3
    outcome = check(advice, rerun, seed=3)
    assert outcome.measured.estimate == pytest.approx(advice.predicted, rel=0.15)
    assert outcome.agrees == (outcome.measured.low <= advice.predicted <= outcome.measured.high)


def test_restart_cost_of_an_exponential_is_its_mean_at_every_cutoff() -> None:
    from scipy import stats

    for cutoff in (1.0, 50.0, 400.0):
        assert restart_cost(stats.expon(scale=100), cutoff) == pytest.approx(100, rel=1e-4)


def test_too_few_successes_get_no_advice() -> None:
    assert advise(Sample.of([1.0] * 10, [True] * 10)) is None


def gave_up(steps: np.ndarray, solved: np.ndarray) -> Sample:
    return Sample(steps.astype(np.float64), solved, ~solved)


def test_runs_that_give_up_restart_at_their_own_length() -> None:
    # Steepest ascent: every run ends after a few steps, one in seven with success. Cutting it off gains nothing,
    # and running on costs all the runs' steps for a success, not the few that a success takes.
    generator = np.random.default_rng(1)
    sample = gave_up(generator.integers(3, 8, 500), generator.random(500) < 0.14)
    advice = advise(sample)
    assert advice is not None
    assert (advice.family, advice.cutoff) == (None, None)
    assert advice.without == expected_running_time(sample, seed=0)
    assert advice.without.estimate > 25


def test_no_cutoff_is_promised_by_luck_alone() -> None:
    # Runs that end after a geometric time, with or without success: every cutoff costs the same. Half of the runs
    # choose one, the other half judge it; at 1 % false advice, more than 3 of 50 has a probability below 1 in 500.
    generator = np.random.default_rng(2)
    advised = 0
    for _ in range(50):
        advice = advise(gave_up(generator.geometric(0.01, 300), generator.random(300) < 0.3))
        advised += advice is not None and advice.cutoff is not None
    assert advised <= 3


def test_where_failures_run_long_a_cutoff_pays_unless_a_start_is_dear() -> None:
    generator = np.random.default_rng(3)
    solved = generator.random(300) < 0.3
    steps = np.where(solved, generator.geometric(0.1, 300), generator.geometric(0.002, 300))
    cheap, dear = advise(gave_up(steps, solved)), advise(gave_up(steps, solved), restart_work=5000)
    assert cheap is not None
    assert dear is not None
    assert cheap.cutoff is not None
    assert cheap.predicted is not None
    assert cheap.predicted < cheap.without.estimate / 3
    assert (dear.cutoff, dear.predicted, dear.restart_work) == (None, None, 5000)


def test_restarts_are_not_free() -> None:
    generator = np.random.default_rng(4)
    times = np.ceil(generator.lognormal(5, 3, 200))
    sample = Sample.of(np.minimum(times, 2000), times <= 2000)
    free, counted = advise(sample), advise(sample, restart_work=1000)
    assert free is not None
    assert counted is not None
    assert free.cutoff is not None
    assert counted.cutoff is not None
    assert free.cutoff < 10 < 200 < counted.cutoff


def test_without_restarts_costs_what_was_measured_stuck_runs_and_all() -> None:
    # One run in a hundred is stuck until its budget of 5,000,000: the fitted curve's own mean leaves that out.
    generator = np.random.default_rng(5)
    times = np.where(generator.random(1000) < 0.01, 5e6, np.ceil(generator.lognormal(6, 0.8, 1000)))
    sample = Sample.of(times, times < 5e6)
    advice = advise(sample)
    assert advice is not None
    assert advice.without == expected_running_time(sample, seed=0)
    assert advice.without.estimate > 10_000
    assert advice.distance is not None
    assert (advice.fits, advice.distance > 0.05) == (False, True)
    assert advice.cutoff is not None, "the runs themselves tell, where no distribution fits"
    assert advice.predicted is not None
    assert 300 < advice.predicted < 900


def test_a_fit_that_fails_is_not_used() -> None:
    # Two clusters, a thousand apart: none of the families has that shape.
    generator = np.random.default_rng(6)
    times = np.where(
        generator.random(400) < 0.5, generator.integers(10, 20, 400), generator.integers(9e3, 1e4, 400)
    )
    advice = advise(Sample.of(times, [True] * 400))
    assert advice is not None
    assert not advice.fits
    assert advice.cutoff is not None
    assert 10 <= advice.cutoff < 20
    assert advice.predicted == pytest.approx(15 * 2, rel=0.35)
