"""Processes that tests start."""

import ctypes
import signal


def die_with_parent() -> None:
    """For `preexec_fn`: a killed test leaves no server behind that would take cores from the next."""
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG
