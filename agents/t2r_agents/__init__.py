"""What plays: the agents, one module or package each, and the tournament."""
