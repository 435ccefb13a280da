"""Playing in the browser: `t2r play --browser`.

`table` is a game with its people and agents, saved after each action and locked; `tables` keeps them in a folder.
`messages` makes what a page is sent, out of what its seat knows alone, and `reasons` says why something can't be done.
`server` answers requests, `guard` checks who asks, `stream` sends events; `pages` holds the pages.
"""
