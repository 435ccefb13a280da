"""The phases that all map games have: which actions are legal, and what an action does. Others are in rule modules."""
