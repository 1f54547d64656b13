"""Processes that tests start."""

import ctypes
import signal


def die_with_parent() -> None:
    """For `preexec_fn`: a test that is killed leaves no server behind, which would take the cores of the next."""
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG
