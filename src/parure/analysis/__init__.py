"""What a position is worth, which decisions are best and why, and reviews of played games."""

from parure.analysis.analyse import Analysis, Choice, analyse
from parure.analysis.evaluate import evaluate
from parure.analysis.reasons import Reason
from parure.analysis.review import review
from parure.analysis.review_types import Review, SeatReview, TurnReview
from parure.analysis.wording import LANGUAGES, in_all_languages, in_words

__all__ = [
    "LANGUAGES",
    "Analysis",
    "Choice",
    "Reason",
    "Review",
    "SeatReview",
    "TurnReview",
    "analyse",
    "evaluate",
    "in_all_languages",
    "in_words",
    "review",
]
