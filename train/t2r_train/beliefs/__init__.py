"""Networks of beliefs: learning them from positions, and how well they do."""
