"""The report's plots as SVG text: readable in light and dark, on paper, and without colour.

Every function takes plain data and returns one `<svg>` element. Ink (axes, labels) is drawn in a marker colour
that becomes `currentColor`, so that the page's text colour applies. Series differ by colour (Okabe & Ito's
palette, safe for colour-blind readers), by line style and by marker.
"""

from __future__ import annotations

import io
import math
import re
import warnings
from collections.abc import Mapping, Sequence

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from compare.running_time import ExpectedTime
from compare.statistics import Interval, RunLengthDistribution

_INK = "#012345"
_PALETTE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#8C6BB1", "#7F7F7F")
_DASHES = ("-", "--", "-.", ":")
_MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
_SIZE = (7.2, 4.2)
_LONGEST_LABEL = 60
_HALF = ExpectedTime(0.5, 0.5, 0.5, False)


def run_length_figure(curves: Mapping[str, RunLengthDistribution], unit: str, longest: float) -> str:
    """Plot P(success within work x) for each label, with its band; curves run on flat to `longest`, log x."""
    figure, axes = _axes(f"{unit} (log scale)", "share of runs that succeeded")
    least = min((float(c.work[c.work > 0].min()) for c in curves.values() if np.any(c.work > 0)), default=1.0)
    for place, curve in enumerate(curves.values()):
        work = np.concatenate([[least / 2], np.maximum(curve.work, least / 2), [max(longest, least)]])
        last = curve.probability[-1] if len(curve.probability) else 0.0
        heights = np.concatenate([[0.0], curve.probability, [last]])
        axes.step(
            work, heights, where="post", label=_key(place), color=_colour(place), linestyle=_dash(place), lw=1.8
        )
        if len(curve.work):
            low = np.concatenate([[0.0], curve.low, curve.low[-1:]])
            high = np.concatenate([[0.0], curve.high, curve.high[-1:]])
            axes.fill_between(work, low, high, step="post", color=_colour(place), alpha=0.15, lw=0)
    axes.set_xscale("log")
    axes.set_ylim(-0.02, 1.02)
    return _svg(figure, axes, list(curves))


def success_figure(points: Mapping[str, Sequence[tuple[float, Interval]]], size_name: str) -> str:
    """Plot success rates with their intervals by size, a series a label."""
    figure, axes = _axes(size_name, "success rate (95 % interval)")
    for place, series in enumerate(points.values()):
        sizes = [size for size, _ in series]
        rates = [rate.estimate for _, rate in series]
        below = [max(0.0, rate.estimate - rate.low) for _, rate in series]
        above = [max(0.0, rate.high - rate.estimate) for _, rate in series]
        _errorbars(axes, place, sizes, rates, (below, above))
    axes.set_ylim(-0.02, 1.02)
    return _svg(figure, axes, list(points))


def cactus_figure(times: Mapping[str, Sequence[float]], instances: Mapping[str, int]) -> str:
    """Plot how many runs each label solved within how many seconds each; unsolved runs end the curve lower."""
    figure, axes = _axes("runs solved", "seconds per run (log scale)")
    named: list[str] = []
    for place, (label, seconds) in enumerate(times.items()):
        ordered = sorted(max(second, 1e-3) for second in seconds)
        named.append(f"{label} ({len(ordered)} of {instances[label]})")
        axes.plot(
            range(1, len(ordered) + 1), ordered, label=_key(place), color=_colour(place), marker=_marker(place),
            ms=4, linestyle=_dash(place),
        )  # fmt: skip
    axes.set_yscale("log")
    return _svg(figure, axes, named)


def scaling_figure(points: Mapping[str, Sequence[tuple[float, ExpectedTime]]], size_name: str, unit: str) -> str:
    """Plot expected work by size on log-log axes; lower bounds are drawn as arrows, not as values."""
    figure, axes = _axes(f"{size_name} (log scale)", f"expected {unit} (log scale)")
    for place, series in enumerate(points.values()):
        # Work of 0 has no place on a logarithmic axis: half a unit stands for it.
        series = [(size, time if time.estimate > 0 else _HALF) for size, time in series]
        known = [(size, time) for size, time in series if not time.is_lower_bound]
        sizes = [size for size, _ in known]
        values = [time.estimate for _, time in known]
        below = [max(0.0, time.estimate - time.low) for _, time in known]
        above = [0.0 if math.isinf(time.high) else max(0.0, time.high - time.estimate) for _, time in known]
        _errorbars(axes, place, sizes, values, (below, above))
        for size, time in series:
            if time.is_lower_bound:
                axes.plot(
                    [size], [time.low or 0.5], marker=r"$\uparrow$", ms=12, color=_colour(place), linestyle=""
                )
    axes.set_xscale("log")
    axes.set_yscale("log")
    return _svg(figure, axes, list(points))


def gap_figure(gaps: Mapping[str, Sequence[int]], runs: Mapping[str, int]) -> str:
    """Plot, for each label, the share of its runs that ended at each gap; runs without an answer stand apart."""
    values = sorted({gap for series in gaps.values() for gap in series})
    columns = [str(gap) for gap in values] + ["none"]
    figure, axes = _axes("gap to the optimum (none: no valid answer)", "share of runs")
    width = 0.8 / max(len(gaps), 1)
    for place, (label, series) in enumerate(gaps.items()):
        shares = [series.count(gap) if isinstance(series, list) else list(series).count(gap) for gap in values]
        shares.append(runs[label] - len(series))
        offsets = np.arange(len(columns)) + (place - (len(gaps) - 1) / 2) * width
        heights = [share / runs[label] for share in shares]
        axes.bar(
            offsets, heights, width, label=_key(place), color=_colour(place), edgecolor=_INK, linewidth=0.4,
            hatch=("", "//", "..", "xx")[place % 4],
        )  # fmt: skip
    axes.set_xticks(range(len(columns)), columns)
    axes.set_ylim(0, 1.02)
    return _svg(figure, axes, list(gaps))


def _errorbars(
    axes: Axes,
    place: int,
    x: Sequence[float],
    y: Sequence[float],
    errors: tuple[Sequence[float], Sequence[float]],
) -> None:
    axes.errorbar(
        x, y, yerr=errors, label=_key(place), color=_colour(place), marker=_marker(place), ms=5, capsize=3,
        linestyle=_dash(place), lw=1.4,
    )  # fmt: skip


def _axes(x_label: str, y_label: str) -> tuple[Figure, Axes]:
    figure = Figure(figsize=_SIZE, layout="constrained")
    axes = figure.add_subplot()
    axes.set_xlabel(x_label, color=_INK, parse_math=False)
    axes.set_ylabel(y_label, color=_INK, parse_math=False)
    axes.tick_params(colors=_INK, which="both")
    axes.grid(True, color=_INK, alpha=0.15, lw=0.6)
    axes.patch.set_alpha(0)
    figure.patch.set_alpha(0)
    for spine in axes.spines.values():
        spine.set_color(_INK)
    return figure, axes


def _key(place: int) -> str:
    """Return a series' name for Matplotlib, which leaves out some labels and takes others for formulas."""
    return f"series {place}"


def _name_series(axes: Axes, labels: Sequence[str]) -> None:
    """Draw the legend with the labels as they are, whatever characters they have."""
    handles = {key: handle for handle, key in zip(*axes.get_legend_handles_labels(), strict=True)}
    keys = [_key(place) for place in range(len(labels))]
    legend = axes.legend(
        [handles[key] for key in keys], keys, labelcolor=_INK, framealpha=0, fontsize="small", loc="best"
    )
    for text, label in zip(legend.get_texts(), labels, strict=True):
        text.set_parse_math(False)
        line = " ".join(label.split())
        text.set_text(line if len(line) <= _LONGEST_LABEL else line[: _LONGEST_LABEL - 1] + "…")


def _svg(figure: Figure, axes: Axes, labels: Sequence[str]) -> str:
    if labels:
        _name_series(axes, labels)
    stream = io.StringIO()
    with mpl.rc_context({"svg.fonttype": "none", "svg.hashsalt": "provemate"}), warnings.catch_warnings():
        # Text stays text in the picture: the reader's fonts have what Matplotlib's own lack.
        warnings.filterwarnings("ignore", message=r"Glyph .* missing from (current )?font")
        figure.savefig(stream, format="svg", metadata={"Date": None, "Creator": None})
    text = stream.getvalue()
    text = text[text.index("<svg") :].replace(_INK, "currentColor")
    text = re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.DOTALL)
    # A fixed size in points would not shrink on a phone; the viewBox keeps the proportions.
    head, rest = text.split(">", 1)
    return re.sub(r' (width|height)="[^"]*"', "", head) + ">" + rest


def namespaced(svg: str, prefix: str) -> str:
    """Return the SVG with every id prefixed, so that several pictures can share one page."""
    svg = re.sub(r'\bid="([^"]+)"', rf'id="{prefix}-\1"', svg)
    return re.sub(r'(url\(#|href="#)', rf"\g<1>{prefix}-", svg)


def _colour(place: int) -> str:
    return _PALETTE[place % len(_PALETTE)]


def _dash(place: int) -> str:
    return _DASHES[place // len(_PALETTE) % len(_DASHES)] if place >= len(_PALETTE) else _DASHES[place % 4]


def _marker(place: int) -> str:
    return _MARKERS[place % len(_MARKERS)]
