"""The plan of a map game, made from a view: routes for tickets, and routes for points.

- The cheapest paths, over the seat's own routes and those still open, that complete its tickets, the nearest ticket
  first. A ticket for which the trains do not suffice is given up.
- With the trains left over, the routes that score the most points, mountains, attractions and shares included.

Three records take part (`records.py`), and functions take their arguments in this order:

1. what they read: `view`, `mask`, `rules`, and `parameters`, in which agents differ
2. what they write: `plan`, the result
3. `workspace`: scratch memory of the planning, of no meaning to those who only act on a plan
4. what the call is about, such as a route

A view is the state of a game as its acting seat sees it (C20); a search passes a determinized state instead.
"""
