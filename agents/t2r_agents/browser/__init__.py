"""Play in the browser: `t2r play --browser`.

`table` is a game with its people and agents, saved after each action and locked; `tables` keeps them in a folder.
`decision` is a seat's decision, `reasons` says why something can't be done, and `messages` makes the messages to a
page, all of them only from what its seat knows. `server` answers requests, `guard` checks who asks, `stream` sends
events; `pages` holds the pages.
"""
