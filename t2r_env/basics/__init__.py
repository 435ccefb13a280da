"""The ground under everything else: checks, files, texts, sizes. Nothing here knows the rest of the library."""
