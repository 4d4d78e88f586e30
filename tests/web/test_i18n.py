"""The texts of the page, in all three languages."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from parure.bots.evaluator import feature_names
from parure.bots.greedy import OF_COURSE
from parure.games.registry import rules

I18N = Path(__file__).parents[2] / "web" / "src" / "i18n"
ENTRY = re.compile(r'^  "?([\w.+-]+)"?:\s+((?:".*"(?: \+\n\s+)?)+),$', re.MULTILINE)


def entries(language: str) -> dict[str, str]:
    return dict(ENTRY.findall((I18N / f"{language}.ts").read_text(encoding="utf-8")))


@pytest.mark.page
def test_every_message_is_used() -> None:
    files = [*I18N.parent.rglob("*.svelte"), *I18N.parent.rglob("*.ts")]
    source = "\n".join(
        file.read_text(encoding="utf-8") for file in files if file.parent.name != "i18n"
    )
    source += (I18N / "index.ts").read_text(encoding="utf-8")
    families = set(re.findall(r"`(\w+)\.\$\{", source))  # such as `why.${code}`
    single = [word for word in entries("en") if word.partition(".")[0] not in families]
    assert [
        word for word in single if not re.search(rf"[\"'`]{re.escape(word)}[\"'`]", source)
    ] == []


@pytest.mark.page
@pytest.mark.parametrize("game", ["splendor", "duel+counterfeiters"])
def test_every_feature_of_a_hint_has_a_message(game: str) -> None:
    """`formatGains` turns the names into keys the same way."""
    names = set(feature_names(rules(game))) - set(OF_COURSE)
    plain = {re.sub(r" past \d+$", "", name) for name in names if not re.match(r"C\d\d", name)}
    assert plain
    assert [name for name in plain if f"gain.{name.replace(' ', '-')}" not in entries("en")] == []


def placeholders(text: str) -> set[str]:
    return set(re.findall(r"\{(\w+)\}", text))


@pytest.mark.page
@pytest.mark.parametrize("language", ["fr", "es"])
def test_all_languages_have_the_same_messages_and_placeholders(language: str) -> None:
    english, other = entries("en"), entries(language)
    assert len(english) > 250
    assert other.keys() == english.keys()
    for word, text in english.items():
        assert placeholders(other[word]) == placeholders(text), word
        assert other[word] != '""'


@pytest.mark.page
@pytest.mark.parametrize("language", ["fr", "es"])
def test_the_rules_have_the_same_sections_in_all_languages(language: str) -> None:
    def shape(name: str) -> list[int]:
        text = (I18N / f"rules.{name}.ts").read_text(encoding="utf-8")
        return [part.count('",\n') + part.count('"]') for part in text.split("title:")[1:]]

    assert shape(language) == shape("en")
