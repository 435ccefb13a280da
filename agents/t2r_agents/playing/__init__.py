"""The agents, one module or package each, and what they share: plans, policies, features, values of positions."""
