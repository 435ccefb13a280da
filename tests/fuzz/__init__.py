"""Damaged files of every format: each must be refused with the one error of its format, or be used to its end.

A module for each format makes valid files, damages them and uses what comes of it. The tests try some;
`python -m tests.fuzz` tries more. What was once found stays in corpus/, which the tests try first.
"""
