"""The page in a real headless Chromium: no request, no overflow on a phone, dark, print."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from test_report import PLAN, data_of, plan_with, rows_of

from compare.report.page import render
from compare.report.summary import summarise

BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")

if BROWSER is None and os.environ.get("PROVEMATE_REQUIRE_BROWSER"):
    raise RuntimeError("PROVEMATE_REQUIRE_BROWSER is set, but there is no Chromium: install it")

pytestmark = [
    pytest.mark.skipif(BROWSER is None, reason="no Chromium here: install Debian's package chromium"),
    pytest.mark.xdist_group("browser"),
]


PATIENCE = 180_000
"""Milliseconds for the browser to start or to load a page: nothing here is about speed, and machines are busy."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=BROWSER,
            timeout=PATIENCE,
            args=[
                "--no-sandbox",
                "--disable-gpu",
                "--disable-background-networking",
                "--disable-component-update",
            ],
        )
        yield chromium
        chromium.close()


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> str:
    long = "python3 /home/somebody/a/very/long/path/to/a/" + "program" * 12 + ".py"
    plan = plan_with(text=PLAN.replace('"mine"', f'"{long}"').replace("Knights & <tags>", "Knights" * 30))
    page = render(summarise(data_of(plan, rows_of(plan, {long: 100.0, "theirs": 400.0}))))
    path: Path = tmp_path_factory.mktemp("report") / "report.html"
    path.write_text(page, encoding="utf-8")
    return path.as_uri()


@pytest.mark.parametrize(("width", "scheme"), [(360, "light"), (390, "dark"), (1280, "dark")])
def test_the_page_fits_loads_nothing_and_logs_no_error(
    browser: Any, address: str, width: int, scheme: str
) -> None:
    context = browser.new_context(viewport={"width": width, "height": 800}, color_scheme=scheme)
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    requests: list[str] = []
    errors: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(address)
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), "it scrolls sideways"
    assert page.locator("figure svg").count() >= 8
    widths = page.evaluate("[...document.querySelectorAll('figure')].map(s => s.getBoundingClientRect().width)")
    assert all(100 < found <= width for found in widths)
    scales = page.evaluate(
        "[...document.querySelectorAll('.plot svg')].map("
        "s => s.getBoundingClientRect().width / s.viewBox.baseVal.width)"
    )
    assert all(scale >= 0.9 for scale in scales), "the plots' labels, 10 units high, are too small to read"
    ink, paper = page.evaluate(
        "[getComputedStyle(document.body).color, getComputedStyle(document.body).backgroundColor]"
    )
    assert (_lightness(ink) > _lightness(paper)) == (scheme == "dark")
    assert requests == [address]
    assert errors == []
    context.close()


def test_print_is_black_on_white_and_shows_the_words(browser: Any, address: str) -> None:
    page = browser.new_page()
    page.set_default_timeout(PATIENCE)
    page.goto(address)
    page.emulate_media(media="print", color_scheme="dark")
    ink, paper = page.evaluate(
        "[getComputedStyle(document.body).color, getComputedStyle(document.body).backgroundColor]"
    )
    assert _lightness(ink) < 60 < 200 < _lightness(paper)
    assert len(page.pdf()) > 10_000
    page.close()


def _lightness(colour: str) -> float:
    channels = [float(part) for part in colour[colour.index("(") + 1 : -1].split(",")[:3]]
    return sum(channels) / 3
