"""The part that knows Numba and records, but no rule: compiling, record types, bits, layouts, random numbers."""
