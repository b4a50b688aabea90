"""Statistics against closed forms, simulated data with known truth, and the rules that keep them honest."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from compare.restarts import advise, check, restart_cost
from compare.statistics import (
    Sample,
    compare_all,
    compare_pair,
    expected_running_time,
    holm,
    mean,
    par2,
    proportion,
    run_length_distribution,
    scaling,
    success_rate,
)

samples = st.lists(st.tuples(st.integers(0, 1000), st.booleans()), min_size=1, max_size=40).map(
    lambda rows: Sample.of([effort for effort, _ in rows], [solved for _, solved in rows])
)


def test_a_curve_with_half_of_the_runs_timed_out_levels_off_at_one_half() -> None:
    sample = Sample.of([1, 2, 3, 4, 100, 100, 100, 100], [True] * 4 + [False] * 4)
    curve = run_length_distribution(sample)
    assert curve.probability[-1] == pytest.approx(0.5)
    assert curve.at(1e9) == pytest.approx(0.5)
    assert curve.at(2) == pytest.approx(0.25)
    assert curve.at(0.5) == 0
    assert curve.quantile(0.5) == 4
    assert curve.quantile(0.51) is None


def test_censored_early_runs_are_not_counted_as_failures_forever() -> None:
    # Two runs; one is cut off at 1, the other succeeds at 2: Kaplan-Meier gives all its weight to the second.
    curve = run_length_distribution(Sample.of([1, 2], [False, True]))
    assert curve.at(2) == pytest.approx(1.0)


@settings(deadline=None)
@given(samples)
def test_every_started_run_is_in_the_denominator(sample: Sample) -> None:
    rate = success_rate(sample)
    assert rate.estimate == sample.successes / sample.runs
    assert 0 <= rate.low <= rate.estimate <= rate.high <= 1
    curve = run_length_distribution(sample)
    assert np.all(np.diff(curve.probability) > 0)
    if sample.successes:
        assert np.all(curve.low <= curve.probability + 1e-9)
        assert np.all(curve.probability <= curve.high + 1e-9)
    time = expected_running_time(sample, seed=1, resamples=200)
    if sample.successes:
        assert time.estimate == pytest.approx(sample.effort.sum() / sample.successes)
    assert time.is_lower_bound == (sample.successes < min(5, sample.runs))
    assert math.isinf(time.high) or not time.is_lower_bound


def test_wilson_against_published_values() -> None:
    # Newcombe (1998), table I, method 3: 81/263, 15/148, 0/20, 1/29.
    for successes, runs, low, high in ((81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611)):
        interval = proportion(successes, runs)
        assert interval.low == pytest.approx(low, abs=5e-5)
        assert interval.high == pytest.approx(high, abs=5e-5)


def test_expected_running_time_covers_the_truth_at_the_stated_rate() -> None:
    # Geometric runs with p = 0.01 under a budget of 60: 45 % succeed, the expected work to a success is 100.
    # 300 repetitions of 200 runs, fixed seed. At a true coverage of 92 % (percentile bootstrap of a ratio,
    # a little under its nominal 95 %) fewer than 264 of 300 has a probability below 1 in 100.
    generator = np.random.default_rng(20261130)
    covered = 0
    for repetition in range(300):
        times = generator.geometric(0.01, size=200)
        sample = Sample.of(np.minimum(times, 60), times <= 60)
        interval = expected_running_time(sample, seed=repetition, resamples=400)
        covered += interval.low <= 100 <= interval.high
    assert 264 <= covered <= 299


def test_without_any_success_the_expected_time_is_only_bounded_from_below() -> None:
    time = expected_running_time(Sample.of([50, 50], [False, False]), seed=0)
    assert time.estimate == 100
    assert time.is_lower_bound
    assert math.isinf(time.high)


def test_par2_counts_unsolved_runs_twice() -> None:
    assert par2([1.0, 10.0], [True, False], 10.0) == pytest.approx(10.5)
    with pytest.raises(ValueError, match="at least one run"):
        par2([], [], 10.0)


def test_superiority_by_hand_and_its_symmetry() -> None:
    fast, slow = Sample.of([1, 2, 3], [True] * 3), Sample.of([3, 4, 9], [True, True, False])
    # 9 pairs: one tie (3 against 3), eight wins of the first.
    assert compare_pair("fast", fast, "slow", slow).superiority == pytest.approx(8.5 / 9)
    assert compare_pair("slow", slow, "fast", fast).superiority == pytest.approx(0.5 / 9)


def test_a_failed_run_loses_to_a_slow_success_and_ties_with_a_failed_one() -> None:
    failed, slow = Sample.of([5], [False]), Sample.of([500], [True])
    assert compare_pair("slow", slow, "failed", failed).superiority == 1.0
    assert compare_pair("a", failed, "b", failed).superiority == 0.5
    assert compare_pair("a", failed, "b", failed).p_value == 1.0


def test_log_rank_tells_a_real_difference_from_none() -> None:
    generator = np.random.default_rng(5)
    draws = {name: generator.geometric(p, 200) for name, p in (("a", 0.02), ("b", 0.02), ("c", 0.01))}
    table = {
        (c.first, c.second): c
        for c in compare_all({name: Sample.of(times, [True] * 200) for name, times in draws.items()})
    }
    assert table["a", "c"].p_value < 1e-6
    assert table["a", "c"].superiority > 0.6
    assert table["a", "b"].p_value > 0.01
    for comparison in table.values():
        assert comparison.adjusted is not None
        assert comparison.adjusted >= comparison.p_value


def test_holm_by_hand() -> None:
    assert holm([0.01, 0.04, 0.03]) == pytest.approx((0.03, 0.06, 0.06))
    assert holm([0.6, 0.9]) == (1.0, 1.0)
    assert holm([]) == ()


@given(st.lists(st.floats(0, 1), max_size=12))
def test_holm_is_monotone_and_never_below_the_raw_value(values: list[float]) -> None:
    adjusted = holm(values)
    assert all(raw <= new <= 1 for raw, new in zip(values, adjusted, strict=True))
    order = sorted(range(len(values)), key=lambda i: values[i])
    assert all(adjusted[a] <= adjusted[b] for a, b in pairwise(order))


def test_scaling_finds_the_law_that_made_the_points() -> None:
    sizes = [4, 6, 8, 10, 12]
    power, exponential = scaling(sizes, [3 * n**2.5 for n in sizes])[0], scaling(sizes, [2.0**n for n in sizes])[0]
    assert (power.model, round(power.rate, 6)) == ("power", 2.5)
    assert (exponential.model, round(exponential.rate, 6)) == ("exponential", 2.0)
    assert scaling([4, 4, 6], [1.0, 2.0, 3.0]) == ()
    assert scaling([4, 5, 6], [7.0, 7.0, 7.0]) == ()


def test_mean_interval_and_the_single_value() -> None:
    interval = mean([1.0, 2.0, 3.0])
    assert (interval.low, interval.estimate, interval.high) == pytest.approx((-0.484138, 2.0, 4.484138))
    assert math.isinf(mean([1.0]).high)
    assert mean([2.0, 2.0]).high == 2.0


def test_no_restart_is_advised_for_a_memoryless_distribution() -> None:
    generator = np.random.default_rng(11)
    advice = advise(Sample.of(generator.exponential(500, 2000), [True] * 2000))
    assert advice is not None
    assert advice.cutoff is None
    assert advice.predicted == pytest.approx(500, rel=0.1)


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
    assert advice.predicted < advice.without / 3
    outcome = check(advice, rerun, seed=3)
    assert outcome.measured.estimate == pytest.approx(advice.predicted, rel=0.15)
    assert outcome.agrees == (outcome.measured.low <= advice.predicted <= outcome.measured.high)


def test_restart_cost_of_an_exponential_is_its_mean_at_every_cutoff() -> None:
    from scipy import stats

    for cutoff in (1.0, 50.0, 400.0):
        assert restart_cost(stats.expon(scale=100), cutoff) == pytest.approx(100, rel=1e-4)


def test_too_few_successes_get_no_advice() -> None:
    assert advise(Sample.of([1.0] * 10, [True] * 10)) is None


@pytest.mark.parametrize(
    ("effort", "solved"), [([], []), ([1.0], [True, False]), ([-1.0], [True]), ([math.nan], [True])]
)
def test_impossible_samples_are_refused(effort: list[float], solved: list[bool]) -> None:
    with pytest.raises(ValueError, match="expected"):
        Sample.of(effort, solved)
