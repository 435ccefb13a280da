"""Confinement: a process is kept from the others of its user, as far as the kernel can. Linux only, without any rights.

A process that is not dumpable can't be read nor changed by others of the same user, but for root. In a domain of
Landlock it can't read, change or signal any process outside of that domain; this holds for root, too.
"""

import ctypes
import os
import sys

_PR_SET_DUMPABLE, _PR_SET_NO_NEW_PRIVS = 4, 38
_LANDLOCK_CREATE_RULESET, _LANDLOCK_RESTRICT_SELF = 444, 446  # system calls without a function in the C library
_LANDLOCK_SCOPE_SIGNAL = 2


def prctl(option: int, value: int) -> None:
    """Set an attribute of this process, on Linux."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


def hide_memory() -> None:
    """Let no other process of the user read or change this one, nor those that are forked from it."""
    prctl(_PR_SET_DUMPABLE, 0)


def enter_domain() -> bool:
    """Confine this process, and those that it starts, to a domain of their own; return whether the kernel can.

    A domain within another one is closed to its siblings, and open to the outer one. Signals are confined from Linux
    6.12 on; an older kernel, or one without Landlock, changes nothing.
    """
    if sys.platform != "linux":
        return False
    call = ctypes.CDLL(None).syscall
    attributes = (ctypes.c_uint64 * 3)(0, 0, _LANDLOCK_SCOPE_SIGNAL)  # access to files, to the network; scopes
    ruleset = call(_LANDLOCK_CREATE_RULESET, attributes, ctypes.sizeof(attributes), 0)
    if ruleset < 0:
        return False
    prctl(_PR_SET_NO_NEW_PRIVS, 1)  # needed by whoever is not root
    is_confined: bool = call(_LANDLOCK_RESTRICT_SELF, ruleset, 0) == 0
    os.close(ruleset)
    return is_confined
