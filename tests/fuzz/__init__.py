"""Damaged files of every format: each must be refused with the one error of its format, or be used to its end.

For each format there are valid files, damages of them, and a use of what comes of it: `searching.TARGETS`. The tests
try some; `python -m tests.fuzz` tries more. What was once found stays in corpus/, which the tests try first.
"""
