"""Ratings on the scale of a release: an agent plays against the release's own agents, whose ratings are fixed.

    t2r rate my_module:MyAgent --variant usa

`ladder` holds the reference agents and their table (`ladders.json`, which `python -m benchmarks.ladder` makes),
`estimate` computes a rating and its interval, `rating` plays until that is narrow enough, `terminal` shows it.
`result` writes and reads a rating with its games, and `verify` plays them again.
"""
