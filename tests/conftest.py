"""What holds for all tests."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

pytest_plugins = ["tests.services.postgres", "tests.services.redis"]

# A test says what is so, never how fast: on a busy machine everything takes long. What lands is
# judged by the same examples every time; a developer's run looks for new ones.
settings.register_profile(
    "ezo", deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True
)
settings.register_profile("ci", settings.get_profile("ezo"), derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "ezo")
