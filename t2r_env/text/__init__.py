"""A game in text: its rules, what a seat knows, and actions in a small grammar (docs/text.md)."""

from t2r_env.text.actions import LegalAction, action_text, legal_actions, parse_action
from t2r_env.text.changes import changes_text
from t2r_env.text.environment import TextEnvironment
from t2r_env.text.game import TextGame
from t2r_env.text.game_rules import GRAMMAR, rules_text
from t2r_env.text.tools import GameTools
from t2r_env.text.view import view_text

__all__ = [
    "GRAMMAR",
    "GameTools",
    "LegalAction",
    "TextEnvironment",
    "TextGame",
    "action_text",
    "changes_text",
    "legal_actions",
    "parse_action",
    "rules_text",
    "view_text",
]
