"""Long runs, each a command: play and checks that would take too long for the tests.

Their figures are in docs/reliability.md. What can be shown in seconds is in the tests beside the code concerned.
"""
