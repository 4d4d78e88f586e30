"""The page has a message for everything that Python may send it; web/tests checks the rest."""

from __future__ import annotations

from pathlib import Path

import pytest

from parure.analysis import LANGUAGES

FOLDER = Path(__file__).parents[2] / "web" / "src" / "i18n"


@pytest.mark.page
def test_hints_are_in_every_language_of_the_page() -> None:
    pages = {file.stem for file in FOLDER.glob("??.ts")}
    assert pages == set(LANGUAGES)
