"""Reasons in words: English, French and Spanish."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from parure.analysis.reasons import Reason
from parure.errors import NotationError

LANGUAGES = ("en", "fr", "es")

GAINS = ("wins", "points", "crowns", "bonus", "effect", "tile", "privilege", "extra-turn")
TOKEN_VERBS = ("take", "privilege", "collect")
LETTER_VERBS = ("steal", "discard", "color", "gold-for")


@dataclass(frozen=True, slots=True)
class _Words:
    """The texts of a language."""

    tokens: Mapping[str, tuple[str, str]]  # singular and plural, by letter
    colors: Mapping[str, str]  # of a bonus, as an adjective
    ordinals: tuple[str, ...]  # of a bonus: the first, the second, …
    verbs: Mapping[str, str]  # with `{}` for what the decision names
    effects: Mapping[str, str]  # of Counterfeiter cards, with `{}` for the color
    and_: str
    colon: str
    semicolon: str
    bonus: Callable[[str, str], str]  # the ordinal and the color
    bonuses: str  # several of a color at once
    texts: Mapping[str, str]  # by code of a reason
    plurals: Mapping[str, tuple[str, str]]
    others: tuple[str, str]  # the only other player, and the player of a seat
    contractions: Mapping[str, str] = field(default_factory=dict)


_EN = _Words(
    tokens={
        "w": ("white", "white"),
        "u": ("blue", "blue"),
        "g": ("green", "green"),
        "r": ("red", "red"),
        "k": ("black", "black"),
        "p": ("pearl", "pearls"),
        "v": ("glassware", "glassware"),
        "y": ("gold", "gold"),
    },
    colors={"w": "white", "u": "blue", "g": "green", "r": "red", "k": "black"},
    ordinals=("a first", "a second", "a third", "a fourth", "a fifth", "a sixth", "a seventh"),
    verbs={
        "take": "takes {}",
        "privilege": "uses a privilege for {}",
        "gold": "takes a gold",
        "collect": "takes {} by ability",
        "replenish": "replenishes the board",
        "pass": "passes",
        "claim": "claims the game",
        "buy": "buys {}",
        "reserve": "reserves {}",
        "reserve deck": "reserves from deck {}",
        "gold-for": "lays gold instead of {}",
        "pay": "pays for {}",
        "color": "makes it {}",
        "steal": "steals 1 {}",
        "royal": "receives {}",
        "noble": "is visited by {}",
        "discard": "returns 1 {}",
        "discount": "uses the discount of {}",
        "use": "uses {}",
        "deck": "looks at deck {}",
        "keep": "keeps {}",
        "bottom": "puts {} under the deck",
        "counterfeiter": "takes {}",
        "counterfeiter deck": "takes the top Counterfeiter card",
        "draw": "draws {} from the bag",
        "done": "goes on",
    },
    effects={
        "discount-color": "glassware then saves {} tokens",
        "discount-three": "glassware then saves 3 tokens of a color",
        "discount-pearl": "glassware then replaces a pearl",
        "discount-any": "glassware then saves tokens of any color",
        "bribe-royal": "glassware can then bring a royal",
        "again": "a privilege and glassware can then bring another turn",
        "steal": "a privilege and glassware can then take a token from the opponent",
        "glass-uncounted": "glassware no longer counts toward the limit",
        "privilege-two": "the first privilege of a turn then brings 2 tokens",
        "reserve-five": "up to 5 cards can then be reserved, 2 at a time",
        "token-plus": "the token ability then brings more",
        "peek-three": "glassware can then show the top cards of a deck",
    },
    and_="and",
    colon=": ",
    semicolon="; ",
    bonus=lambda ordinal, color: f"{ordinal} {color} bonus",
    bonuses="{count} {color} bonuses",
    texts={
        "then": "then {action}",
        "wins": "wins the game",
        "tile": "{card}",
        "privilege": "a privilege",
        "extra-turn": "another turn",
        "affordable": "{card} can then be bought",
        "effect": "{effect}",
        "denies": "takes {card} away from {other}",
        "gives-privilege": "gives {other} a privilege",
        "reply": "expected next: {other} {action}",
    },
    plurals={
        "points": ("{count} point", "{count} points"),
        "crowns": ("{count} crown", "{count} crowns"),
        "points-left": ("{count} point short of the goal", "{count} points short of the goal"),
        "crowns-left": ("{count} crown short of the goal", "{count} crowns short of the goal"),
        "nearer": ("{card} is then {count} token away", "{card} is then {count} tokens away"),
        "tile-nearer": ("{card} is then {count} bonus away", "{card} is then {count} bonuses away"),
        "returns": ("{count} token goes back", "{count} tokens go back"),
        "leaves": ("leaves {other} {card} ({worth})", "leaves {other} {card} ({worth})"),
    },
    others=("the opponent", "seat {}"),
)
_FR = _Words(
    tokens={
        "w": ("blanc", "blancs"),
        "u": ("bleu", "bleus"),
        "g": ("vert", "verts"),
        "r": ("rouge", "rouges"),
        "k": ("noir", "noirs"),
        "p": ("Perle", "Perles"),
        "v": ("Verroterie", "Verroteries"),
        "y": ("Or", "Or"),
    },
    colors={"w": "blanc", "u": "bleu", "g": "vert", "r": "rouge", "k": "noir"},
    ordinals=(
        "un premier",
        "un deuxième",
        "un troisième",
        "un quatrième",
        "un cinquième",
        "un sixième",
        "un septième",
    ),
    verbs={
        "take": "prend {}",
        "privilege": "utilise un Privilège pour {}",
        "gold": "prend un Or",
        "collect": "prend {} par capacité",
        "replenish": "remplit le plateau",
        "pass": "passe",
        "claim": "réclame la victoire",
        "buy": "achète {}",
        "reserve": "réserve {}",
        "reserve deck": "réserve dans la pioche {}",
        "gold-for": "met de l’Or au lieu d’un jeton {}",
        "pay": "paie {}",
        "color": "lui donne la couleur {}",
        "steal": "vole 1 {}",
        "royal": "reçoit {}",
        "noble": "reçoit la visite de {}",
        "discard": "rend 1 {}",
        "discount": "utilise la remise de {}",
        "use": "utilise {}",
        "deck": "regarde la pioche {}",
        "keep": "garde {}",
        "bottom": "met {} sous la pioche",
        "counterfeiter": "prend {}",
        "counterfeiter deck": "prend la première carte Faussaire de la pioche",
        "draw": "pioche {} dans le sac",
        "done": "continue",
    },
    effects={
        "discount-color": "la Verroterie économise alors des jetons {}s",
        "discount-three": "la Verroterie économise alors 3 jetons d’une couleur",
        "discount-pearl": "la Verroterie remplace alors une Perle",
        "discount-any": "la Verroterie économise alors des jetons de toute couleur",
        "bribe-royal": "la Verroterie peut alors apporter une carte Royale",
        "again": "un Privilège et de la Verroterie peuvent alors donner un nouveau tour",
        "steal": "un Privilège et de la Verroterie peuvent alors prendre un jeton à l’adversaire",
        "glass-uncounted": "la Verroterie ne compte plus dans la limite",
        "privilege-two": "le premier Privilège d’un tour donne alors 2 jetons",
        "reserve-five": "jusqu’à 5 cartes peuvent alors être réservées, 2 à la fois",
        "token-plus": "la capacité du jeton donne alors davantage",
        "peek-three": "la Verroterie peut alors montrer le dessus d’une pioche",
    },
    and_="et",
    colon=" : ",
    semicolon=" ; ",
    bonus=lambda ordinal, color: f"{ordinal} bonus {color}",
    bonuses="{count} bonus {color}s",
    texts={
        "then": "puis {action}",
        "wins": "gagne la partie",
        "tile": "{card}",
        "privilege": "un Privilège",
        "extra-turn": "un nouveau tour",
        "affordable": "{card} peut alors être achetée",
        "effect": "{effect}",
        "denies": "enlève {card} à {other}",
        "gives-privilege": "donne un Privilège à {other}",
        "reply": "suite attendue : {other} {action}",
    },
    plurals={
        "points": ("{count} point", "{count} points"),
        "crowns": ("{count} couronne", "{count} couronnes"),
        "points-left": ("à {count} point du but", "à {count} points du but"),
        "crowns-left": ("à {count} couronne du but", "à {count} couronnes du but"),
        "nearer": ("{card} est alors à {count} jeton", "{card} est alors à {count} jetons"),
        "tile-nearer": ("{card} est alors à {count} bonus", "{card} est alors à {count} bonus"),
        "returns": ("{count} jeton est rendu", "{count} jetons sont rendus"),
        "leaves": ("laisse {card} ({worth}) à {other}", "laisse {card} ({worth}) à {other}"),
    },
    others=("l’adversaire", "la place {}"),
)
_ES = _Words(
    tokens={
        "w": ("blanco", "blancos"),
        "u": ("azul", "azules"),
        "g": ("verde", "verdes"),
        "r": ("rojo", "rojos"),
        "k": ("negro", "negros"),
        "p": ("Perla", "Perlas"),
        "v": ("Cristal", "Cristales"),
        "y": ("Oro", "Oros"),
    },
    colors={"w": "blanca", "u": "azul", "g": "verde", "r": "roja", "k": "negra"},
    ordinals=(
        "una primera",
        "una segunda",
        "una tercera",
        "una cuarta",
        "una quinta",
        "una sexta",
        "una séptima",
    ),
    verbs={
        "take": "toma {}",
        "privilege": "usa un Privilegio para {}",
        "gold": "toma un Oro",
        "collect": "toma {} por capacidad",
        "replenish": "repone el tablero",
        "pass": "pasa",
        "claim": "reclama la partida",
        "buy": "compra {}",
        "reserve": "reserva {}",
        "reserve deck": "reserva del mazo {}",
        "gold-for": "pone Oro en lugar de {}",
        "pay": "paga {}",
        "color": "le da el color {}",
        "steal": "roba 1 {}",
        "royal": "recibe {}",
        "noble": "recibe la visita de {}",
        "discard": "devuelve 1 {}",
        "discount": "usa el descuento de {}",
        "use": "usa {}",
        "deck": "mira el mazo {}",
        "keep": "se queda con {}",
        "bottom": "pone {} debajo del mazo",
        "counterfeiter": "toma {}",
        "counterfeiter deck": "toma la primera carta de Falsificador del mazo",
        "draw": "saca {} de la bolsa",
        "done": "sigue",
    },
    effects={
        "discount-color": "el Cristal ahorra entonces fichas de color {}",
        "discount-three": "el Cristal ahorra entonces 3 fichas de un color",
        "discount-pearl": "el Cristal sustituye entonces una Perla",
        "discount-any": "el Cristal ahorra entonces fichas de cualquier color",
        "bribe-royal": "el Cristal puede traer entonces una carta de la Realeza",
        "again": "un Privilegio y Cristal pueden dar entonces otro turno",
        "steal": "un Privilegio y Cristal pueden quitar entonces una ficha al rival",
        "glass-uncounted": "el Cristal ya no cuenta para el límite",
        "privilege-two": "el primer Privilegio de un turno da entonces 2 fichas",
        "reserve-five": "se pueden reservar entonces hasta 5 cartas, de 2 en 2",
        "token-plus": "la capacidad de ficha da entonces más",
        "peek-three": "el Cristal puede mostrar entonces la parte superior de un mazo",
    },
    and_="y",
    colon=": ",
    semicolon="; ",
    bonus=lambda ordinal, color: f"{ordinal} bonificación {color}",
    bonuses="{count} bonificaciones de color {color}",
    texts={
        "then": "luego {action}",
        "wins": "gana la partida",
        "tile": "{card}",
        "privilege": "un Privilegio",
        "extra-turn": "otro turno",
        "affordable": "{card} se puede comprar entonces",
        "effect": "{effect}",
        "denies": "quita {card} a {other}",
        "gives-privilege": "da un Privilegio a {other}",
        "reply": "se espera después: {other} {action}",
    },
    plurals={
        "points": ("{count} punto", "{count} puntos"),
        "crowns": ("{count} Corona", "{count} Coronas"),
        "points-left": ("a {count} punto de la meta", "a {count} puntos de la meta"),
        "crowns-left": ("a {count} Corona de la meta", "a {count} Coronas de la meta"),
        "nearer": (
            "{card} queda entonces a {count} ficha",
            "{card} queda entonces a {count} fichas",
        ),
        "tile-nearer": (
            "{card} queda entonces a {count} bonificación",
            "{card} queda entonces a {count} bonificaciones",
        ),
        "returns": ("devuelve {count} ficha", "devuelve {count} fichas"),
        "leaves": ("deja {card} ({worth}) a {other}", "deja {card} ({worth}) a {other}"),
    },
    others=("el rival", "el asiento {}"),
    contractions={" a el ": " al "},
)
_WORDS = {"en": _EN, "fr": _FR, "es": _ES}


def check_language(language: str) -> None:
    """Raise NotationError unless there are words in a language."""
    if language not in _WORDS:
        names = ", ".join(LANGUAGES)
        raise NotationError(f"there are no words in {str(language)[:40]!r}, only in {names}")


def in_words(
    reasons: Sequence[Reason], language: str = "en", seats: int = 2, names: Sequence[str] = ()
) -> str:
    """Return reasons as one sentence without a full stop.

    With more than two seats other players are called by `names`, without those "seat 2".

    >>> bonus = Reason(code="bonus", color="g", count=1, total=2)
    >>> reasons = [Reason(code="do", decision="buy J2-05"), Reason(code="points", count=2), bonus]
    >>> in_words(reasons)
    'buys J2-05: 2 points and a second green bonus'
    >>> in_words(reasons, "fr")
    'achète J2-05 : 2 points et un deuxième bonus vert'
    >>> in_words(reasons, "es")
    'compra J2-05: 2 puntos y una segunda bonificación verde'
    """
    check_language(language)
    words = _WORDS[language]
    actions = [reason for reason in reasons if reason.code in ("do", "then")]
    gains = [_text(reason, words, seats, names) for reason in reasons if reason.code in GAINS]
    others = [
        _text(reason, words, seats, names)
        for reason in reasons
        if reason.code not in GAINS and reason.code not in ("do", "then")
    ]
    text = ", ".join(_text(reason, words, seats, names) for reason in actions)
    if gains:
        text += words.colon + _enumerate(gains, words.and_)
    text = words.semicolon.join([text, *others])
    for apart, together in words.contractions.items():
        text = text.replace(apart, together)
    return text


def in_all_languages(reasons: Sequence[Reason], seats: int) -> dict[str, str]:
    """Return reasons in words by language; a client replaces `{2}` by the name of seat 2."""
    names = [f"{{{seat}}}" for seat in range(seats)]
    return {language: in_words(reasons, language, seats, names) for language in LANGUAGES}


def _enumerate(texts: Sequence[str], and_: str) -> str:
    if len(texts) < 2:
        return "".join(texts)
    return f"{', '.join(texts[:-1])} {and_} {texts[-1]}"


def _text(reason: Reason, words: _Words, seats: int, names: Sequence[str]) -> str:
    if reason.code == "do":
        return _action(reason, words)
    if reason.code == "bonus":
        color = words.colors[reason.color]
        if reason.count > 1 or reason.total > len(words.ordinals):
            return words.bonuses.format(count=reason.count, color=color)
        return words.bonus(words.ordinals[reason.total - 1], color)
    template = words.texts.get(reason.code)
    if template is None:
        singular, plural = words.plurals[reason.code]
        template = singular if reason.count == 1 else plural
    other, one_of_several = words.others
    if seats > 2 and reason.seat is not None:
        other = names[reason.seat] if names else one_of_several.format(reason.seat)
    return template.format(
        action=_action(reason, words),
        card=reason.card,
        count=reason.count,
        other=other,
        worth=_worth(reason, words),
        effect=words.effects.get(reason.effect, reason.effect).format(
            words.colors.get(reason.color, "")
        ),
    )


def _worth(reason: Reason, words: _Words) -> str:
    """Return the points and crowns of a card."""
    parts = []
    for code, count in (("points", reason.count), ("crowns", reason.total)):
        if count:
            parts.append(words.plurals[code][count != 1].format(count=count))
    return ", ".join(parts)


def _action(reason: Reason, words: _Words) -> str:
    """Return what a decision does: a verb in the third person and its object."""
    verb, _, argument = reason.decision.partition(" ")
    if verb == "reserve" and argument.startswith("deck"):
        verb, argument = "reserve deck", argument.removeprefix("deck")
    elif verb == "counterfeiter" and argument == "deck":
        verb = "counterfeiter deck"
    elif verb in TOKEN_VERBS:
        argument = _tokens(reason.tokens, words, argument)
    elif verb in LETTER_VERBS:
        argument = words.tokens[argument][0]
    elif verb == "pay":
        argument = reason.card
    return words.verbs.get(verb, verb + " {}").format(argument).rstrip()


def _tokens(tokens: Mapping[str, int], words: _Words, otherwise: str) -> str:
    parts = [f"{count} {words.tokens[letter][count != 1]}" for letter, count in tokens.items()]
    return ", ".join(parts) or otherwise
