"""What messengers show of a link to this server: Open Graph tags in the head of the page.

A link to a match shows who invites to which game. The key of a seat is in the fragment of the link,
which never reaches the server, so a preview cannot contain it. Nothing of the game itself is shown.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from html import escape

from parure.games.registry import GameName
from parure.server.keys import MATCH_ID
from parure.server.log_entries import Joined, Setup
from parure.server.registry import MatchRegistry
from parure.server.store import StoredMatch

logger = logging.getLogger("parure.server")

IMAGE = "/icons/preview.png"
IMAGE_SIZE = (1200, 630)
LOOKUP_TIMEOUT = 1.0  # seconds; a slow database must not delay the page
TABLE_PATH = re.compile(f"table/({MATCH_ID})")
TAGS = re.compile(r"<!-- preview -->.*?<!-- /preview -->", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Invitation:
    """Who created a match of which game, and whether other people play."""

    game: GameName
    inviter: str  # may be empty
    has_guests: bool


Lookup = Callable[[str], Awaitable[Invitation | None]]

GAMES = {
    "en": {
        "splendor": "Splendor",
        "duel": "Splendor Duel",
        "duel+counterfeiters": "Duel with The Counterfeiters",
    },
    "fr": {
        "splendor": "Splendor",
        "duel": "Splendor Duel",
        "duel+counterfeiters": "Duel avec Les Faussaires",
    },
    "es": {
        "splendor": "Splendor",
        "duel": "Splendor Duel",
        "duel+counterfeiters": "Duel con Los Falsificadores",
    },
}
TEXTS = {
    "en": {
        "site": "Splendor, Splendor Duel and The Counterfeiters, at a table of your own",
        "invites": "{name} invites you to {game}",
        "invited": "You are invited to {game}",
        "plays": "{name} plays {game}",
        "somebody plays": "A game of {game}",
        "join": "Open the link to join. No account needed; the rules take one minute.",
        "watch": "Open the link to watch.",
    },
    "fr": {
        "site": "Splendor, Splendor Duel et Les Faussaires, à votre table",
        "invites": "{name} vous invite à jouer à {game}",
        "invited": "Vous êtes invité à jouer à {game}",
        "plays": "{name} joue à {game}",
        "somebody plays": "Une partie de {game}",
        "join": "Ouvrez le lien pour jouer. Sans compte, et les règles prennent une minute.",
        "watch": "Ouvrez le lien pour regarder.",
    },
    "es": {
        "site": "Splendor, Splendor Duel y Los Falsificadores, en tu propia mesa",
        "invites": "{name} te invita a jugar a {game}",
        "invited": "Te invitan a jugar a {game}",
        "plays": "{name} juega a {game}",
        "somebody plays": "Una partida de {game}",
        "join": "Abre el enlace para jugar. Sin cuenta, y las reglas llevan un minuto.",
        "watch": "Abre el enlace para mirar.",
    },
}


def preferred_language(accepted: str) -> str:
    """Return the first language of a header `Accept-Language` that the texts exist in.

    >>> preferred_language("de-DE, fr;q=0.8, en"), preferred_language("")
    ('fr', 'en')
    """
    for part in accepted.split(","):
        language = part.strip()[:2].lower()
        if language in TEXTS:
            return language
    return "en"


def with_preview(
    page: str, url: str, path: str, invitation: Invitation | None, language: str
) -> str:
    """Return the page with the tags for a path of the site.

    Args:
        page: The built page, with the comments between which the tags are.
        url: The address that links start with.
        path: The path of the request, without its leading slash.
        invitation: Of the match at that path, if there is one.
        language: One of those of `TEXTS`.
    """
    title, description = _texts(invitation, language)
    properties = {
        "og:type": "website",
        "og:site_name": "Parure",
        "og:title": title,
        "og:description": description,
        "og:url": f"{url}/{path}",
        "og:image": f"{url}{IMAGE}",
        "og:image:width": str(IMAGE_SIZE[0]),
        "og:image:height": str(IMAGE_SIZE[1]),
        "og:locale": {"en": "en_GB", "fr": "fr_FR", "es": "es_ES"}[language],
    }
    tags = [
        f'<meta property="{name}" content="{escape(content)}" />'
        for name, content in properties.items()
    ]
    tags.append('<meta name="twitter:card" content="summary_large_image" />')
    return TAGS.sub(lambda _: "\n    ".join(tags), page, count=1)


def _texts(invitation: Invitation | None, language: str) -> tuple[str, str]:
    """Return title and description."""
    texts = TEXTS[language]
    if invitation is None:
        return "Parure", texts["site"]
    if invitation.has_guests:
        title, description = "invites" if invitation.inviter else "invited", texts["join"]
    else:
        title, description = "plays" if invitation.inviter else "somebody plays", texts["watch"]
    game = GAMES[language][invitation.game]
    return texts[title].format(name=invitation.inviter, game=game), description


def invitation_lookup(registry: MatchRegistry) -> Lookup:
    """Return a function that finds the invitation to the match at a path, if there is one."""

    async def lookup(path: str) -> Invitation | None:
        found = TABLE_PATH.fullmatch(path)
        if found is None:
            return None
        if (session := registry.sessions.get(found[1])) is not None:
            setup = session.match.setup
            return _invitation(setup, session.match.occupants[setup.creator or 0].name)
        try:
            async with asyncio.timeout(LOOKUP_TIMEOUT):
                stored = await registry.store.load(found[1])
        except Exception:  # of the database or of decoding: the page opens without a preview
            logger.info("no preview of a match", exc_info=True)
            return None
        return _invitation(stored.setup, _creator_name(stored)) if stored else None

    return lookup


def _creator_name(stored: StoredMatch) -> str:
    """Return the name under which the creator joined last, or created the match."""
    seat = stored.setup.creator or 0
    joined = (entry for entry in reversed(stored.entries) if isinstance(entry, Joined))
    names = (entry.name for entry in joined if entry.seat == seat)
    return next(names, stored.setup.players[seat].name)


def _invitation(setup: Setup, inviter: str) -> Invitation:
    people = [player for player in setup.players if player.bot is None]
    return Invitation(game=setup.game, inviter=inviter, has_guests=len(people) > 1)
