"""A review on the terminal."""

from collections.abc import Sequence

from t2r_agents.comparing.review.review import MISTAKE, Review
from t2r_agents.comparing.review.summary import Moment, Summary
from t2r_agents.comparing.review.tables import rows_of
from t2r_agents.comparing.tournament.columns import console, text_table
from t2r_env.basics.plain import plain
from t2r_env.render.page_review import Part


def print_review(review: Review, summary: Summary, *, decisions: bool = False) -> None:
    """Print the summary of a review, and with `decisions` before it a table of them."""
    if decisions:
        _print_decisions(review, summary)
    first = review.choices[0].agent
    rows = [
        [name, *(_with_error(part, seat) for part in summary.parts), str(summary.mistakes[seat])]
        for seat, name in enumerate(summary.names)
    ]
    title = f"what made the chances to win, in points of 100; decisions against {plain(first)}"
    console().print(text_table(title, ["player", *(part.name for part in summary.parts), "mistakes"], rows))
    judged = f"by {review.rollouts} play-outs each" if review.rollouts else "by the values"
    least = f"{100 * MISTAKE:.0f} points and more than the interval, {judged}"
    _print_moments(f"The costliest decisions ({least}):", summary.costliest, f"None cost {least}.")
    _print_moments("What came by chance and changed the acting seat's chance most:", summary.luckiest, "Nothing.")


def _print_moments(title: str, moments: Sequence[Moment], none: str) -> None:
    print(f"\n{title if moments else none}")
    for it in moments:
        error = f" ±{100 * it.error:.1f}" if it.error else ""
        print(f"  turn {it.turn:>3}, {_points(it.change)}{error}  {it.text}")


def _with_error(part: Part, seat: int) -> str:
    error = "" if part.errors is None else f" ±{100 * part.errors[seat]:.1f}"
    return f"{_points(part.values[seat])}{error}"


def _print_decisions(review: Review, summary: Summary) -> None:
    """Print a line for each decision, with the chance of the acting seat and its parts."""
    headings = ["", "turn", "before", "decision", "luck", "rest", "after", "played", "would have played"]
    rows = []
    for row in rows_of(review):
        seat = row["seat"]
        better = [f"{it['agent']}: {it['text']}" for it in row["agents"] if it["action"] != row["action"]]
        numbers = [_points(row[name][seat]) for name in ("before", "decision", "luck", "rest", "after")]
        rows.append(
            [f"{row['position']} {summary.names[seat]}", str(row["turn"]), *numbers, row["text"], "; ".join(better)]
        )
    console().print(text_table("decisions, with the acting seat's chance to win in points of 100", headings, rows))


def _points(chance: float) -> str:
    """Return a chance in points of 100, with a real minus."""
    return f"{100 * chance:.1f}".replace("-", "−")
