"""The usual faces of the games: PettingZoo's, Gymnasium's."""
