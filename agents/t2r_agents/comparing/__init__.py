"""Comparisons of agents: tournaments, ratings, evaluations, reviews of games, and exports of them."""
