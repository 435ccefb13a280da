"""Networks of values: positions of games, learning from them, calibration."""
