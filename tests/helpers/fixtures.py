"""The types of pytest's fixtures, by short names."""

import pytest

Capture = pytest.CaptureFixture[str]
Patch = pytest.MonkeyPatch
