"""Runs a program and lets one of its system calls fail, by the kernel's user notifications of seccomp.

strace counts the calls of each thread by itself, so that the N-th call of a program with threads, and that
call alone, cannot be named to it. Here one counter serves all threads, and what a call is for is known before
it fails. As root: argus forbids other processes of its user to look at it.
"""

import contextlib
import ctypes
import errno
import fcntl
import os
import platform
import re
import resource
import select
import signal
import struct
import time

# The numbers on x86-64, and on arm64, whose kernel has no calls of the older kind.
NUMBERS = {
    "x86_64": {
        "open": 2, "openat": 257, "socket": 41, "write": 1, "pwrite64": 18, "writev": 20, "sendto": 44,
        "sendmsg": 46, "fsync": 74, "fdatasync": 75, "rename": 82, "renameat": 264, "renameat2": 316,
        "connect": 42, "read": 0, "pread64": 17, "readv": 19, "recvfrom": 45, "recvmsg": 47, "seccomp": 317,
        "pidfd_getfd": 438},
    "aarch64": {
        "openat": 56, "socket": 198, "write": 64, "pwrite64": 68, "writev": 66, "sendto": 206, "sendmsg": 211,
        "fsync": 82, "fdatasync": 83, "renameat": 38, "renameat2": 276, "connect": 203, "read": 63,
        "pread64": 67, "readv": 65, "recvfrom": 207, "recvmsg": 212, "seccomp": 277, "pidfd_getfd": 438},
}
ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
# What is counted together, and how each can fail: at files, at sockets. A disk that is full stays so: the `+` lets
# all later calls fail with the first one.
KINDS = {
    "open": (("open", "openat", "socket"), ("EMFILE", "EACCES", "ENOSPC", "ENOSPC+", "EINTR"),
             ("EMFILE",)),
    "write": (("write", "pwrite64", "writev", "sendto", "sendmsg"), ("ENOSPC", "ENOSPC+", "EIO", "EINTR"),
              ("ECONNRESET", "EINTR")),
    "fsync": (("fsync", "fdatasync"), ("ENOSPC", "ENOSPC+", "EIO", "EINTR"), ()),
    "rename": (("rename", "renameat", "renameat2"), ("ENOSPC", "ENOSPC+", "EIO", "EACCES"), ()),
    "connect": (("connect",), (), ("ENETUNREACH", "EACCES", "EINTR")),
    "read": (("read", "pread64", "readv", "recvfrom", "recvmsg"), ("EIO", "EINTR"), ("ECONNRESET", "EINTR")),
}
PATHS = {"open": 0, "openat": 1, "rename": 1, "renameat": 3, "renameat2": 3}
# Shared libraries are found or the program does not start, and what only wakes threads cannot fail. Where the
# monitor of libdispatch cannot open the state of a thread, it ends the program: argus keeps descriptors for it.
EXEMPT = re.compile(r"\.so(\.[0-9.]+)?$|/ld\.so\.cache$|^anon_inode:|^/proc/[0-9]+/stat$")

# SECCOMP_IOCTL_NOTIF_RECV and _SEND, SECCOMP_USER_NOTIF_FLAG_CONTINUE.
RECEIVE, SEND, CONTINUE = 0xC0502100, 0xC0182101, 1
libc = ctypes.CDLL(None, use_errno=True)


class Call:
    """One system call that was seen: its name, what it was for, and whether that is a socket."""

    def __init__(self, name, place, is_socket, creates=False):
        self.name, self.place, self.is_socket, self.creates = name, place, is_socket, creates

    def __str__(self):
        return f"{self.name} {self.place}"

    def errors(self):
        """The errors that such a call can meet: no disk is too full to open a file that is there."""
        kind = next(row for row in KINDS.values() if self.name in row[0])
        full = self.creates or not self.name.startswith("open")
        return [error for error in kind[2 if self.is_socket else 1] if full or error[:6] != "ENOSPC"]


class Ran:
    """A run: its status (negative for a signal, None for a time-out), stderr, and the calls that were seen."""

    def __init__(self, status, stdout, stderr, calls, failed):
        self.status, self.stdout, self.stderr, self.calls, self.failed = status, stdout, stderr, calls, failed


def program(calls):
    """The filter: calls of those names are reported, all others pass."""
    numbers = NUMBERS[platform.machine()]
    known = [numbers[name] for name in calls if name in numbers]
    # BPF: load the architecture, then the number of the call; SECCOMP_RET_ALLOW or SECCOMP_RET_USER_NOTIF.
    allow, notify = (0x06, 0, 0, 0x7FFF0000), (0x06, 0, 0, 0x7FC00000)
    rows = [(0x20, 0, 0, 4), (0x15, 1, 0, ARCHITECTURES[platform.machine()]), allow, (0x20, 0, 0, 0)]
    rows += [(0x15, len(known) - index, 0, number) for index, number in enumerate(known)]
    rows += [allow, notify]
    return b"".join(struct.pack("HBBI", *row) for row in rows), len(rows)


def start(command, calls, processor, **places):
    """Starts a program that has stopped itself with the filter on; gives its id and the kernel's reports."""
    code, count = program(calls)
    buffer = ctypes.create_string_buffer(code)
    filter = ctypes.create_string_buffer(struct.pack("HxxxxxxP", count, ctypes.addressof(buffer)))
    number = NUMBERS[platform.machine()]
    listener = os.open("/dev/null", os.O_RDONLY | os.O_CLOEXEC)
    child = os.fork()
    if child == 0:
        with contextlib.suppress(BaseException):
            os.setpgid(0, 0)
            os.chdir(places["folder"])
            os.dup2(places["stdin"], 0)
            os.dup2(places["stdout"], 1)
            os.dup2(places["stderr"], 2)
            os.sched_setaffinity(0, {processor})
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            # The parent knows the number of the descriptor: it keeps that place free here.
            os.close(listener)
            # PR_SET_NO_NEW_PRIVS, SECCOMP_SET_MODE_FILTER and SECCOMP_FILTER_FLAG_NEW_LISTENER.
            libc.prctl(38, 1, 0, 0, 0)
            made = libc.syscall(number["seccomp"], 1, 8, filter)
            if made == listener:
                os.kill(os.getpid(), signal.SIGSTOP)
                os.execve(command[0], command, places["environment"])
        os._exit(99)
    os.close(listener)
    _, status = os.waitpid(child, os.WUNTRACED)
    if not os.WIFSTOPPED(status):
        raise OSError("the kernel gives no notifications of seccomp")
    process = os.pidfd_open(child)
    reports = libc.syscall(number["pidfd_getfd"], process, listener, 0)
    if reports < 0:
        raise OSError(ctypes.get_errno(), "pidfd_getfd")
    os.kill(child, signal.SIGCONT)
    return child, process, reports


def text(process, address):
    """A string in the memory of a process."""
    with open(f"/proc/{process}/mem", "rb", buffering=0) as memory:
        memory.seek(address)
        # What follows in the page is enough for any path of a test.
        found = memory.read(min(4096 - address % 4096, 512))
    return found.split(b"\0")[0].decode(errors="replace")


def seen(name, process, arguments):
    """What a call is for; None if it is none of those that may fail."""
    if name in PATHS:
        with contextlib.suppress(OSError):
            place = text(process, arguments[PATHS[name]])
            flags = arguments[PATHS[name] + 1]
            return None if EXEMPT.search(place) else Call(name, place, False, bool(flags & os.O_CREAT))
        return Call(name, "?", False)
    if name == "socket":
        return Call(name, f"of family {arguments[0]}", True)
    try:
        place = os.readlink(f"/proc/{process}/fd/{arguments[0]}")
    except OSError:
        return None
    return None if EXEMPT.search(place) else Call(name, place, place.startswith("socket:"))


def run(command, kind, number, error, processor=0, limit=60, **places):
    """Runs a program and fails the call of that number (0: each) of its own process; None fails none.

    PLACES are folder, environment and stdin, stdout and stderr as descriptors.
    """
    names = {code: name for name, code in NUMBERS[platform.machine()].items() if name in KINDS[kind][0]}
    child, process, reports = start(command, KINDS[kind][0], processor, **places)
    calls, failed, threads = [], [], {child: True}
    watched = select.poll()
    watched.register(reports, select.POLLIN)
    watched.register(process, select.POLLIN)
    end, hung = time.monotonic() + limit, False
    try:
        while True:
            ready = dict(watched.poll(max(0, (end - time.monotonic()) * 1000)))
            if not ready:
                hung = True
                break
            if ready.get(reports, 0) & select.POLLIN:
                report = bytearray(80)
                try:
                    fcntl.ioctl(reports, RECEIVE, report)
                except OSError:
                    continue
                identity, thread, _, code, _, _, *arguments = struct.unpack("QIIiIQ6Q", report)
                if thread not in threads:
                    threads[thread] = os.path.exists(f"/proc/{child}/task/{thread}")
                answer = struct.pack("QqiI", identity, 0, 0, CONTINUE)
                call = seen(names[code], child, arguments) if threads[thread] else None
                if call:
                    calls.append(call)
                    hit = error and number in (0, len(calls))
                    if error and error.endswith("+"):
                        hit = number <= len(calls) and error in call.errors()
                    if hit:
                        failed.append(call)
                        answer = struct.pack("QqiI", identity, 0, -getattr(errno, error.rstrip("+")), 0)
                # A signal may have ended the call meanwhile.
                with contextlib.suppress(OSError):
                    fcntl.ioctl(reports, SEND, answer)
            elif process in ready:
                break
            elif ready.get(reports, 0):
                watched.unregister(reports)
    finally:
        if hung:
            os.killpg(child, signal.SIGKILL)
        os.close(reports)
        _, status = os.waitpid(child, 0)
        os.close(process)
        # Hooks that it left behind end with it.
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child, signal.SIGKILL)
    return Ran(None if hung else os.waitstatus_to_exitcode(status), None, None, calls, failed)
