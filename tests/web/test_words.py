"""The words of the page: each in all three languages."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from parure.bots.evaluator import feature_names
from parure.bots.greedy import OF_COURSE
from parure.games.registry import rules

WORDS = Path(__file__).parents[2] / "web" / "src" / "words"
ENTRY = re.compile(r'^  "?([\w.+-]+)"?: (".*"),$', re.MULTILINE)


def entries(language: str) -> dict[str, str]:
    return dict(ENTRY.findall((WORDS / f"{language}.ts").read_text(encoding="utf-8")))


@pytest.mark.page
def test_every_word_is_used() -> None:
    files = [*WORDS.parent.rglob("*.svelte"), *WORDS.parent.rglob("*.ts")]
    source = "\n".join(
        file.read_text(encoding="utf-8") for file in files if file.parent.name != "words"
    )
    source += (WORDS / "index.ts").read_text(encoding="utf-8")
    families = set(re.findall(r"`(\w+)\.\$\{", source))  # such as `why.${code}`
    single = [word for word in entries("en") if word.partition(".")[0] not in families]
    assert [
        word for word in single if not re.search(rf"[\"'`]{re.escape(word)}[\"'`]", source)
    ] == []


@pytest.mark.page
@pytest.mark.parametrize("game", ["splendor", "duel+counterfeiters"])
def test_there_are_words_for_whatever_a_hint_may_bring(game: str) -> None:
    """The names are made into keys as by `gainsInWords`."""
    names = set(feature_names(rules(game))) - set(OF_COURSE)
    plain = {re.sub(r" past \d+$", "", name) for name in names if not re.match(r"C\d\d", name)}
    assert plain
    assert [name for name in plain if f"gain.{name.replace(' ', '-')}" not in entries("en")] == []


def gaps(text: str) -> set[str]:
    return set(re.findall(r"\{(\w+)\}", text))


@pytest.mark.page
@pytest.mark.parametrize("language", ["fr", "es"])
def test_all_words_in_all_languages(language: str) -> None:
    english, other = entries("en"), entries(language)
    assert len(english) > 250
    assert other.keys() == english.keys()
    for word, text in english.items():
        assert gaps(other[word]) == gaps(text), word
        assert other[word] != '""'


@pytest.mark.page
@pytest.mark.parametrize("language", ["fr", "es"])
def test_the_rules_have_the_same_parts(language: str) -> None:
    def shape(name: str) -> list[int]:
        text = (WORDS / f"rules.{name}.ts").read_text(encoding="utf-8")
        return [part.count('",\n') + part.count('"]') for part in text.split("title:")[1:]]

    assert shape(language) == shape("en")
