"""The part `archive` of scripts/bench: syncs and searches of an archive, without pictures."""

import json
import os
import sqlite3
import subprocess
import tempfile
import urllib.parse

WORDS = "person jacket"


def syncs(table, run, ratio, peak):
    """Against a list of the same events, and searches against curl and the server's own."""
    folder = os.environ["BENCH_FOLDER"]
    kept = f"{folder}/kept"
    sync = "argus archive sync --no-pictures --quiet --archive"
    prepare = f"rm -rf {folder}/new; argus archive init --quiet {folder}/new"
    first = f"{sync} {folder}/new"
    # Hours in which nothing happened, so that later syncs find nothing new.
    subprocess.run(["argus", "events", "delete", "--since", "3h", "--yes", "--quiet"], check=True)
    everything = f"argus events list --all --raw --format ndjson > {folder}/list"
    table.add("archive sync, the first", "events list --all --raw > file",
              ratio(first, everything, 10, prepare), 1.8)
    table.add("archive sync, the first: peak memory", "-", peak(f"{prepare}; {first}"), 64, "MB")
    run(f"mv {folder}/new {kept}")
    table.add("archive sync --full, nothing new", "events list --all --raw > file",
              ratio(f"{sync} {kept} --full", everything, 10), 1.5)
    search(table, ratio, kept)
    table.add("archive sync, nothing new in 2 h", "events list -n 50",
              ratio(f"{sync} {kept}", "argus events list -n 50", 50), 2)
    check(kept)


def search(table, ratio, kept):
    found = f"argus archive search {WORDS} --archive {kept}"
    if not subprocess.check_output(found.split() + ["--format", "csv", "--no-header"]):
        raise SystemExit("bench: the search finds nothing")
    table.add("archive search of two words", "curl --version",
              ratio(found, "curl --version", 100), 3)
    server = json.loads(subprocess.check_output(["argus", "whoami", "--json"]))["url"]
    with tempfile.NamedTemporaryFile("w", suffix=".header") as header:
        token = subprocess.check_output(["argus", "token"], text=True).strip()
        header.write(f"Authorization: Bearer {token}\n")
        header.flush()
        query = urllib.parse.urlencode({"search_query": WORDS, "limit": 20})
        asked = f"curl -sS --fail -H @{header.name} '{server}/api/v1/events?{query}'"
        # The bound of a tenth is that of a real server's search, in the index of its database. The embedded
        # server searches in memory: no program that has to start takes a tenth of that.
        table.add("archive search of two words", "curl of the embedded server's search",
                  ratio(found, asked, 20), None)
        table.add("curl --version", "curl of the embedded server's search",
                  ratio("curl --version", asked, 20), None)


def check(kept):
    """What was fast is worth nothing if it is not all there."""
    base = sqlite3.connect(f"{kept}/archive.db")
    count, = base.execute("SELECT count(*) FROM event WHERE deleted_at IS NULL").fetchone()
    base.close()
    listed = subprocess.check_output(
        ["argus", "events", "list", "--all", "--format", "csv", "--no-header", "--fields", "id"])
    if count != len(listed.split()):
        raise SystemExit(f"bench: {count} of {len(listed.split())} events are in the archive")


INNER = {"archive-syncs": syncs}


def measure(demo, events):
    """Runs the measurement on an embedded server with so many events, and gives its rows."""
    with tempfile.TemporaryDirectory() as folder:
        return demo(["--events", str(events)], "archive-syncs", folder=folder)
