"""Playing in the browser: `t2r play --browser`.

`table` is a game with its people and agents, saved after each action and locked; `tables` keeps them in a folder.
`decision` is what a seat has to decide, `reasons` says why something can't be done, and `messages` makes what a page is
sent, all out of what its seat knows alone. `server` answers requests, `guard` checks who asks, `stream` sends events;
`pages` holds the pages.
"""
