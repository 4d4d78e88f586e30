"""A reviewed game in a few sentences, and the words of a review, in three languages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from parure.analysis.review_types import Review, SeatReview
from parure.analysis.wording import check_language

EVEN_ACCURACY = 0.5  # percent: a smaller difference is none
WORDS: Mapping[str, Mapping[str, str]] = {
    "en": {
        "review": "Review",
        "colon": ": ",
        "semicolon": "; ",
        "player": "Player",
        "accuracy": "Accuracy",
        "inaccuracies": "Inaccuracies",
        "mistakes": "Mistakes",
        "blunders": "Blunders",
        "luck": "Luck",
        "turn": "Turn",
        "played": "Played",
        "before": "Before",
        "after": "After",
        "loss": "Loss",
        "better": "Better",
        "chance": "Chance to win",
        "inaccuracy": "inaccuracy",
        "mistake": "mistake",
        "blunder": "blunder",
        "everything": "All turns",
        "moments": "Moments",
        "table": "The table before this decision",
        "seat": "seat {seat}",
        "played_better": "{name} played better (accuracy {high} to {low})",
        "played_equally": "All played equally well (accuracy {high})",
        "luckier": "{name} was luckier ({points} points)",
        "luck_even": "luck was even",
        "worst": "The most was lost in turn {turn}, by {name}: {loss} points",
        "units": "Chances, losses and luck are points in a hundred. Luck has a standard error "
        "of {error}.",
    },
    "fr": {
        "review": "Analyse de la partie",
        "colon": " : ",
        "semicolon": " ; ",
        "player": "Joueur",
        "accuracy": "Précision",
        "inaccuracies": "Imprécisions",
        "mistakes": "Erreurs",
        "blunders": "Gaffes",
        "luck": "Chance",
        "turn": "Tour",
        "played": "Joué",
        "before": "Avant",
        "after": "Après",
        "loss": "Perte",
        "better": "Mieux",
        "chance": "Probabilité de gagner",
        "inaccuracy": "imprécision",
        "mistake": "erreur",
        "blunder": "gaffe",
        "everything": "Tous les tours",
        "moments": "Moments",
        "table": "La table avant cette décision",
        "seat": "place {seat}",
        "played_better": "{name} a mieux joué (précision {high} contre {low})",
        "played_equally": "Tous ont joué aussi bien (précision {high})",
        "luckier": "{name} a eu plus de chance ({points} points)",
        "luck_even": "la chance a été égale",
        "worst": "La plus grande perte, au tour {turn}, est de {name} : {loss} points",
        "units": "Probabilités, pertes et chance sont en points sur cent. L’erreur type de la "
        "chance est de {error}.",
    },
    "es": {
        "review": "Análisis de la partida",
        "colon": ": ",
        "semicolon": "; ",
        "player": "Jugador",
        "accuracy": "Precisión",
        "inaccuracies": "Imprecisiones",
        "mistakes": "Errores",
        "blunders": "Errores graves",
        "luck": "Suerte",
        "turn": "Turno",
        "played": "Jugado",
        "before": "Antes",
        "after": "Después",
        "loss": "Pérdida",
        "better": "Mejor",
        "chance": "Probabilidad de ganar",
        "inaccuracy": "imprecisión",
        "mistake": "error",
        "blunder": "error grave",
        "everything": "Todos los turnos",
        "moments": "Momentos",
        "table": "La mesa antes de esta decisión",
        "seat": "asiento {seat}",
        "played_better": "{name} jugó mejor (precisión {high} contra {low})",
        "played_equally": "Todos jugaron igual de bien (precisión {high})",
        "luckier": "{name} tuvo más suerte ({points} puntos)",
        "luck_even": "la suerte fue igual",
        "worst": "La mayor pérdida, en el turno {turn}, es de {name}: {loss} puntos",
        "units": "Probabilidades, pérdidas y suerte son puntos sobre cien. El error estándar de "
        "la suerte es {error}.",
    },
}


def seat_names(review: Review, language: str = "en") -> list[str]:
    """Return a name for each seat; seats with the same name get a number."""
    names = [seat.name for seat in review.seats]
    words = WORDS[language]
    return [
        name if names.count(name) == 1 else f"{name} ({words['seat'].format(seat=seat)})"
        for seat, name in enumerate(names)
    ]


def story(review: Review, language: str = "en") -> str:
    """Return who played better, who was luckier, and where the most was lost."""
    check_language(language)
    words, names = WORDS[language], seat_names(review, language)
    parts = [part for part in (_skill(review, names, words), _luck(review, names, words)) if part]
    text = f"{words['semicolon'].join(parts)}." if parts else ""
    worst = max(review.turns, key=lambda turn: turn.loss, default=None)
    if worst is not None and worst.kind:
        sentence = words["worst"].format(
            turn=worst.turn, name=names[worst.seat], loss=f"{100 * worst.loss:.0f}"
        )
        text += f" {sentence}."
    return text.strip()


def _skill(review: Review, names: Sequence[str], words: Mapping[str, str]) -> str:
    rated = [
        (seat.accuracy, name)
        for seat, name in zip(review.seats, names, strict=True)
        if seat.accuracy is not None
    ]
    if len(rated) < 2:
        return ""
    high, name = max(rated)
    low = min(rated)[0]
    key = "played_better" if high - low >= EVEN_ACCURACY else "played_equally"
    return words[key].format(name=name, high=f"{high:.0f}", low=f"{low:.0f}")


def _luck(review: Review, names: Sequence[str], words: Mapping[str, str]) -> str:
    if not review.turns:
        return ""
    luckiest = max(range(len(names)), key=lambda seat: review.seats[seat].luck)
    seat: SeatReview = review.seats[luckiest]
    if seat.luck <= seat.luck_error:
        return words["luck_even"]
    return words["luckier"].format(name=names[luckiest], points=signed(seat.luck))


def signed(fraction: float) -> str:
    """Return a fraction in points of a hundred, with its sign.

    >>> signed(0.114), signed(-0.2), signed(0.0)
    ('+11', '−20', '0')
    """
    points = round(100 * fraction)
    return f"+{points}" if points > 0 else str(points).replace("-", "−")
