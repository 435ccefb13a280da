"""Playing in the browser: `t2r play --browser`.

`table` is a game with its people and agents, saved after each action; `tables` keeps them in a folder; `messages` makes
what a page is sent, out of what its seats know alone; `reasons` says why something can't be done; `server` is the HTTP
server with its checks, and `pages` holds the pages.
"""
