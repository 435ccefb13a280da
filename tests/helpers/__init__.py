"""Positions, referees, environments and programs that tests share."""
