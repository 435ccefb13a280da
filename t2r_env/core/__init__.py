"""What knows Numba and records, and no rule: compiling, record types, bits, layouts, random numbers, the batch loop."""
