"""How the tests search: the same examples in every run, so that a red run means a change.

``HYPOTHESIS_PROFILE=explore python -m pytest`` looks for examples that nobody has seen yet.
"""

from __future__ import annotations

import os

from hypothesis import settings

# No deadlines: how long an example takes says more about the machine than about us.
settings.register_profile("steady", derandomize=True, deadline=None)
settings.register_profile("explore", deadline=None, max_examples=400, print_blob=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "steady"))
