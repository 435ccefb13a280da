"""The warning that an illegal action has ended a game."""

from gymnasium.logger import warn


def warn_of_illegal_action(action: int, seat: int) -> None:
    """Log a warning, as Gymnasium does. Each environment does so once: its infos tell of every such action."""
    warn(
        f"the action {action} of player_{seat} was not legal, and so it ended the game with a reward of -1: legal are"
        " those whose action_mask is 1. This warning comes once; info['illegal_action'] always tells. To get an error"
        ' instead, create the environment with illegal_action="raise"'
    )
