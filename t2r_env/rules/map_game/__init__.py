"""The rules that all map games share (C1-C20) and, as modules of their own, those that only some of them have."""
