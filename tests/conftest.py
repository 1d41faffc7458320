"""How the tests search: the same examples in every run, so that a red run means a change.

``HYPOTHESIS_PROFILE=explore python -m pytest`` looks for examples that nobody has seen yet.
"""

from __future__ import annotations

import os

# A worker of pytest to a core: more threads of a library in each only take turns, and spin while they wait.
# It is set before NumPy and OpenCV are imported, and passed on to the programs that tests start.
for library in ("OPENBLAS", "OMP"):
    os.environ.setdefault(f"{library}_NUM_THREADS", "1")
os.environ.setdefault("OPENCV_FOR_THREADS_NUM", "1")

from hypothesis import settings  # noqa: E402  it may import NumPy

# No deadlines: how long an example takes says more about the machine than about us.
settings.register_profile("steady", derandomize=True, deadline=None)
settings.register_profile("explore", deadline=None, max_examples=400, print_blob=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "steady"))
