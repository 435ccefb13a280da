"""What plays: one module for each agent, and the tournament. Run from the checkout, never installed."""
