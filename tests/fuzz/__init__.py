"""Damaged files of every format: each must be refused with the one error of its format, or be used to its end.

A module for each format has three functions: `valid` makes files that must be accepted, a folder as an archive of its
files; `inputs` damages them; `use` uses a file as far as it goes, and returns whether it was accepted or refused: all
else is raised. The tests try some; `python -m tests.fuzz` tries more. What was once found stays in corpus/, which the
tests try first.
"""
