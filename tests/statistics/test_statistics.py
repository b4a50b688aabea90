"""Statistics against closed forms, simulated data with known truth, and the rules that keep them honest."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from compare.running_time import expected_running_time
from compare.statistics import (
    Sample,
    compare_all,
    compare_pair,
    holm,
    mean,
    proportion,
    run_length_distribution,
    scaling,
    success_rate,
)

samples = st.lists(st.tuples(st.integers(0, 1000), st.sampled_from("sco")), min_size=1, max_size=40).map(
    lambda rows: Sample.of(*zip(*((effort, end == "s", end == "o") for effort, end in rows), strict=True))
)
"""Runs that are solved, censored, or over without success."""


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


def test_runs_that_gave_up_never_count_as_ones_that_might_still_succeed() -> None:
    # 69 of 500 succeed, every run ends by itself, nearly all after as many steps (steepest ascent on 8 queens).
    effort, solved = [float(3 + run % 4) for run in range(500)], [run < 69 for run in range(500)]
    curve = run_length_distribution(Sample.of(effort, solved, [not done for done in solved]))
    assert curve.probability[-1] == pytest.approx(69 / 500)
    assert curve.quantile(0.5) is None
    assert np.all(curve.low <= curve.probability)
    assert np.all(curve.probability <= curve.high)
    assert curve.high[-1] < 0.2


def test_over_and_censored_differ_only_after_the_run() -> None:
    over = run_length_distribution(Sample.of([1, 2], [False, True], [True, False]))
    censored = run_length_distribution(Sample.of([1, 2], [False, True]))
    assert (over.at(2), censored.at(2)) == (pytest.approx(0.5), pytest.approx(1.0))


def test_log_rank_sees_a_method_that_gives_up() -> None:
    # Of the same few steps a run, 14 % against 98 %: the runs that gave up stay at risk in the comparison.
    effort = [float(3 + run % 4) for run in range(100)]
    weak = Sample.of(effort, [run % 7 == 0 for run in range(100)], [run % 7 != 0 for run in range(100)])
    strong = Sample.of([20 + value for value in effort], [run > 1 for run in range(100)])
    comparison = compare_pair("weak", weak, "strong", strong)
    assert comparison.p_value < 1e-6
    assert comparison.superiority < 0.2
    assert compare_pair("strong", strong, "weak", weak).p_value == pytest.approx(comparison.p_value)


@settings(deadline=None)
@given(samples)
def test_every_started_run_is_in_the_denominator(sample: Sample) -> None:
    rate = success_rate(sample)
    assert rate.estimate == sample.successes / sample.runs
    assert 0 <= rate.low <= rate.estimate <= rate.high <= 1
    curve = run_length_distribution(sample)
    assert np.all(np.diff(curve.probability) > 0)
    if sample.successes:
        assert curve.probability[-1] <= 1 - sample.over.mean() + 1e-9
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


@pytest.mark.parametrize(
    ("effort", "solved", "over"),
    [
        ([], [], []),
        ([1.0], [True, False], []),
        ([-1.0], [True], []),
        ([math.nan], [True], []),
        ([1.0], [True], [True]),
        ([1.0], [True], [False, False]),
    ],
)
def test_impossible_samples_are_refused(effort: list[float], solved: list[bool], over: list[bool]) -> None:
    with pytest.raises(ValueError, match="expected"):
        Sample.of(effort, solved, over)
