"""The sizes of the compiled core's records, and so the limits of what a variant may hold.

Core, variants and rules stand above it.
"""

MAX_SEATS = 6
MAX_RACKS = 3
"""The most racks, each of two players or more."""
MAX_CITIES = 64
MAX_ROUTES = 128
MAX_PARALLEL_ROUTES = 3
MAX_LENGTH = 15
MAX_TRAINS = 64
"""The most trains of each team: its routes, if each has one space, are one word of bits."""
MAX_TRAIN_CARDS = 127
"""In all, locomotives included."""
MAX_TICKETS = 72
"""In one ticket deck."""
MAX_OFFER = 6
MAX_TOURS = 9
"""Tickets for which a grand tour's table has points."""
MAX_TUNNEL = 8
"""Cards that a tunnel turns up."""
MAX_TECHNOLOGIES = 16
MAX_TECHNOLOGY_PRICE = 9
"""In locomotives."""
MAX_DESTINATIONS = 6
"""The most countries that a ticket leads to."""
MAX_EXCHANGE = 9
MAX_EXCHANGES = 4
"""The most exchanges of different kinds on one map."""
MAX_STATIONS = 3
"""The most stations of each player."""
MAX_STATION_PRICE = 9
MAX_COMPANIES = 16
MAX_SHARES = 64
"""The most shares of all companies together: a set of them is one word of bits."""
MAX_HOLDERS = MAX_SEATS + 1
"""Holders of a company's shares, the neutral player included."""
MAX_BONUS_CARDS = 16
MAX_SHARE_POINTS = 100
MAX_STATION_POINTS = 100
MAX_MOUNTAIN_POINTS = 100
MAX_ROUTE_POINTS = 100
MAX_TICKET_POINTS = 100
MAX_BONUS_POINTS = 100
MAX_TURN_LIMIT = 30_000
