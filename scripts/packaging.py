"""What all packages share: version, date, the installed tree, archives with the same bytes each time."""

import contextlib
import datetime
import hashlib
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BINARIES = os.environ.get("ARGUS_BINARIES") or os.path.join(ROOT, ".build", "release")
OUTPUT = os.environ.get("ARGUS_PACKAGES") or os.path.join(ROOT, "build", "packages")
PROGRAMS = ["argus", "argus-demo"]
# What the signature of a release is for: one that was made for something else is none.
NAMESPACE = "argus-release"
# The C library of Debian 12; older ones do not understand packed relocations (see the Makefile).
OLDEST_LIBC = (2, 36)


def fail(text):
    sys.exit(f"{os.path.basename(sys.argv[0])}: {text}")


def output(*command, **options):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, **options).stdout


def git(*arguments):
    """The output of git; nothing outside a repository, as in a source archive."""
    if not os.path.exists(os.path.join(ROOT, ".git")):
        return ""
    # A folder that another user owns is a repository all the same.
    return output("git", "-c", f"safe.directory={ROOT}", "-C", ROOT, *arguments).strip()


def released():
    """Version, date and maintainer of a source archive, which has no history: see scripts/dist."""
    try:
        with open(os.path.join(ROOT, ".release")) as file:
            version, epoch, maintainer = file.read().strip().split(" ", 2)
            return version, int(epoch), maintainer
    except FileNotFoundError:
        return None


def maintainer():
    return os.environ.get("ARGUS_MAINTAINER") or (
        released()[2] if released() else "The argus authors <argus@packages.invalid>")


def epoch():
    """Seconds since 1970 that all files of a package carry: SOURCE_DATE_EPOCH, or the commit's date."""
    if os.environ.get("SOURCE_DATE_EPOCH"):
        return int(os.environ["SOURCE_DATE_EPOCH"])
    return released()[1] if released() else int(git("log", "-1", "--format=%ct"))


def date(format):
    return datetime.datetime.fromtimestamp(epoch(), datetime.timezone.utc).strftime(format)


def version():
    """The version of Tool.swift; between releases with the date of the commit, in Debian's order.

    Before the tag of that version it is `0.1.0~git20261122.220809`, after it `0.1.0+git…`.
    """
    if os.environ.get("ARGUS_PACKAGE_VERSION"):
        return os.environ["ARGUS_PACKAGE_VERSION"]
    if released():
        return released()[0]
    with open(os.path.join(ROOT, "Sources", "argus", "Tool.swift")) as file:
        plain = re.search(r'static let version = "([0-9.]+)"', file.read()).group(1)
    if f"v{plain}" in git("tag", "--points-at", "HEAD").split():
        changed = git("status", "--porcelain", "--", ".", ":!docs/releases")
        if changed:
            fail(f"the tag v{plain} does not have these changes; commit them, or put them away:\n{changed}")
        return plain
    sign = "+" if git("tag", "--list", f"v{plain}") else "~"
    return plain + sign + date("git%Y%m%d.%H%M%S")


def check_binaries():
    """Fails if the binaries are missing, have a path of libraries, or need more than the oldest C library.

    Returns the version of the C library that they need.
    """
    needed = (2, 34)
    for program in PROGRAMS:
        path = os.path.join(BINARIES, program)
        if not os.access(path, os.X_OK):
            fail(f"no {path}: run 'make build'")
        symbols = output("objdump", "-p", "-T", path)
        versions = {tuple(map(int, found.split(".")))
                    for found in re.findall(r"GLIBC_(2\.[0-9]+)", symbols)}
        if "GLIBC_ABI_DT_RELR" in symbols:
            versions.add((2, 36))
        needed = max(needed, *versions)
        if re.search(r"^ +(RPATH|RUNPATH) ", symbols, re.M):
            fail(f"{path} has a path of libraries of its own")
    if needed > OLDEST_LIBC:
        fail("the binaries need GNU libc {}.{}; the oldest supported is {}.{}".format(
            *needed, *OLDEST_LIBC))
    return "{}.{}".format(*needed)


def install(folder, prefix):
    """Runs `make install-files`, which builds nothing."""
    subprocess.run(
        ["make", "-s", "-C", ROOT, "install-files", f"DESTDIR={folder}", f"PREFIX={prefix}",
         "BINARIES=" + " ".join(os.path.join(BINARIES, program) for program in PROGRAMS)],
        check=True, stdout=sys.stderr)


def settle(folder):
    """Gives every file the modes and the time that it has in all packages."""
    for parent, folders, files in os.walk(folder, topdown=False):
        for name in files + folders:
            path = os.path.join(parent, name)
            if os.path.islink(path):
                fail(f"a link in a package: {path}")
            executable = os.path.isdir(path) or os.stat(path).st_mode & 0o100
            os.chmod(path, 0o755 if executable else 0o644)
            os.utime(path, (epoch(), epoch()))
    os.chmod(folder, 0o755)
    os.utime(folder, (epoch(), epoch()))


def compress(path):
    """gzip without the name and time of the file, as Debian's policy wants for manuals."""
    with open(path, "rb") as source, open(path + ".gz", "wb") as target:
        subprocess.run(["gzip", "-9n"], stdin=source, stdout=target, check=True)
    os.remove(path)


def archive(folder, path):
    """Writes FOLDER with its name as a .tar.xz: sorted, owned by root, one time, one thread."""
    settle(folder)
    tar = subprocess.Popen(
        ["tar", "--create", "--sort=name", "--format=gnu", "--owner=root:0", "--group=root:0",
         "--numeric-owner", f"--mtime=@{epoch()}", "-C", os.path.dirname(folder),
         os.path.basename(folder)], stdout=subprocess.PIPE, env={**os.environ, "LC_ALL": "C"})
    with open(path, "wb") as target:
        subprocess.run(["xz", "-6", "-T1"], stdin=tar.stdout, stdout=target, check=True)
    tar.stdout.close()
    if tar.wait() != 0:
        fail(f"tar could not write {path}")


def digest(path, kind="sha256"):
    with open(path, "rb") as file:
        return hashlib.file_digest(file, kind).hexdigest() if hasattr(hashlib, "file_digest") \
            else hashlib.new(kind, file.read()).hexdigest()


def write_sums():
    """Writes SHA256SUMS of all packages of this version in the output folder; other sums lose their signature."""
    path = os.path.join(OUTPUT, "SHA256SUMS")
    ours = tuple(f"{start}{version()}{end}" for start, end in [
        ("argus_", "-1_"), ("argus-demo_", "-1_"), ("argus-", "-linux-"), ("argus-", "-source."), ("argus-", ".spdx")])
    names = sorted(name for name in os.listdir(OUTPUT) if name.startswith(ours))
    text = "".join(f"{digest(os.path.join(OUTPUT, name))}  {name}\n" for name in names)
    with contextlib.suppress(FileNotFoundError), open(path) as sums:
        if sums.read() == text:
            return
    with contextlib.suppress(FileNotFoundError):
        os.remove(path + ".sig")
    with open(path, "w") as sums:
        sums.write(text)


def sign():
    """Signs SHA256SUMS with the key that ARGUS_SIGNING_KEY names: a private one, or a public one of the agent."""
    path, key = os.path.join(OUTPUT, "SHA256SUMS"), os.environ.get("ARGUS_SIGNING_KEY")
    if not key:
        if not os.path.exists(path + ".sig"):
            print("SHA256SUMS is not signed: ARGUS_SIGNING_KEY names no key")
        return
    # ssh-keygen(1) would ask before it replaces a signature.
    with contextlib.suppress(FileNotFoundError):
        os.remove(path + ".sig")
    if subprocess.run(["ssh-keygen", "-q", "-Y", "sign", "-n", NAMESPACE, "-f", os.path.expanduser(key),
                       path]).returncode != 0:
        fail(f"SHA256SUMS is not signed: ssh-keygen failed with {key}")
    print(f"SHA256SUMS is signed with {key}")


def report(path):
    print(f"{os.path.getsize(path) / 1e6:6.2f} MB  {os.path.relpath(path)}")
