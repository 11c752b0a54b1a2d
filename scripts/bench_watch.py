"""The part `watch` of scripts/bench: latency, a burst, idle cost, and the polling that it replaces.

Each measurement has an embedded server of its own, whose log of stored events is what counts; all but
the burst and the million run at the same time, for BENCH_SECONDS (300). Requests per hour and
CPU seconds are extrapolated from that.
"""

import concurrent.futures
import datetime
import http.client
import json
import math
import os
import signal
import statistics
import subprocess
import tempfile
import threading
import time
import urllib.parse

SECONDS = int(os.environ.get("BENCH_SECONDS", "300"))
# What is stored in the first seconds may be there before a watch begins; what is stored in the last
# ones may still be on its way.
MARGIN = 15
BURST = 10_000
MILLION = 1_000_000

# What users have today: a loop that asks for what is newer than the newest event it has seen.
POLLING = """
since=$(date -u +%FT%TZ)
while :; do
  echo >>"$BENCH_FOLDER/polls"
  curl -sS -H @"$BENCH_FOLDER/header" \
    "$1/api/v1/events?start_time=$since&sort_order=asc&limit=500" |
    jq -r --arg since "$since" \
      '.events[] | select(.timestamp > $since) | .timestamp + " " + .id' >"$BENCH_FOLDER/new"
  cut -d' ' -f2 "$BENCH_FOLDER/new"
  last=$(tail -n 1 "$BENCH_FOLDER/new" | cut -d' ' -f1)
  since=${last:-$since}
  sleep 10
done
"""


class Lines:
    """A running program that prints ids of events, and the time at which each one came."""

    def __init__(self, command):
        self.times = {}
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        self.reader = threading.Thread(target=self.read)
        self.reader.start()

    def read(self):
        for line in self.process.stdout:
            self.times.setdefault(line.strip(), time.time())

    def processor_seconds(self):
        with open(f"/proc/{self.process.pid}/stat") as stat:
            fields = stat.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def end(self):
        """Ends the program; gives its CPU seconds, children included, and its peak memory in MB."""
        # What wait4(2) gives includes the peak of this program, from before the exec.
        with open(f"/proc/{self.process.pid}/status") as status:
            peak = next((int(line.split()[1]) for line in status if line.startswith("VmHWM:")), None)
        if peak is None:
            raise SystemExit("bench: a watch has ended early")
        os.kill(self.process.pid, signal.SIGTERM)
        _, status, usage = os.wait4(self.process.pid, 0)
        self.process.returncode = os.waitstatus_to_exitcode(status)
        self.reader.join()
        return usage.ru_utime + usage.ru_stime, peak * 1024 / 1e6


def watch(*arguments):
    return Lines(["argus", "events", "watch", "--format", "csv", "--no-header", "--fields", "id",
                  *arguments])


def file(name):
    return os.path.join(os.environ["BENCH_FOLDER"], name)


def stored():
    """What the server stored: id, time of storing, and whether that was late."""
    with open(file("stored")) as log:
        rows = [json.loads(line) for line in log]
    return [(row["id"], moment(row["stored_at"]),
             moment(row["stored_at"]) - moment(row["captured_at"]) > 1) for row in rows]


def moment(text):
    return datetime.datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp()


def count(name):
    try:
        with open(file(name)) as lines:
            return sum(1 for _ in lines)
    except FileNotFoundError:
        return 0


def server():
    return json.loads(subprocess.check_output(["argus", "whoami", "--json"]))["url"]


def token():
    return subprocess.check_output(["argus", "token"], text=True).strip()


def post(number):
    """Stores so many events, by one connection."""
    connection = http.client.HTTPConnection(urllib.parse.urlsplit(server()).netloc)
    headers = {"Authorization": f"Bearer {token()}", "Content-Type": "application/json"}
    for _ in range(number):
        body = json.dumps({
            "camera_id": "bench", "description": "A parcel is left at the door.", "confidence": 90,
            "objects_detected": ["package"],
            "timestamp": datetime.datetime.now(datetime.timezone.utc).isoformat()})
        connection.request("POST", "/api/v1/events", body, headers)
        answer = connection.getresponse()
        answer.read()
        if answer.status != 201:
            raise SystemExit(f"bench: an event was refused with status {answer.status}")
    connection.close()


def latencies(lines, begin, end):
    """Seconds from storing to the line, sorted; an event without a line is infinitely late."""
    return sorted(lines.times.get(id, math.inf) - at for id, at, _ in stored() if begin <= at <= end)


def percentile(values, percent):
    return values[math.ceil(len(values) * percent / 100) - 1]


def announced(table):
    begin, lines = time.time() + MARGIN, watch()
    time.sleep(SECONDS)
    lines.end()
    found = latencies(lines, begin, time.time() - MARGIN)
    what = f"watch: stored to printed, {len(found)} announced events"
    table.add(what + ", median", "-", statistics.median(found) * 1000, 25, "ms")
    table.add(what + ", p99", "-", percentile(found, 99) * 1000, 150, "ms")


def unannounced(table):
    begin, lines = time.time() + MARGIN, watch()
    time.sleep(SECONDS)
    lines.end()
    found = latencies(lines, begin, time.time() - MARGIN)
    table.add(f"watch: stored to printed, {len(found)} unannounced events, longest", "-", found[-1], 11, "s")


def polling(table):
    with open(file("header"), "w") as header:
        header.write(f"Authorization: Bearer {token()}\n")
    url = server()
    begin, other = time.time() + MARGIN, count("requests")
    ours = watch("--state", "bench", "--since", "30h")
    theirs = Lines(["bash", "-c", POLLING, "bash", url])
    time.sleep(SECONDS)
    end = time.time() - MARGIN
    polls = count("polls")
    requests = count("requests") - other - polls
    (our_seconds, _), (their_seconds, _) = ours.end(), theirs.end()
    wanted = [(id, is_late) for id, at, is_late in stored() if begin <= at <= end]
    # What was stored later than quick passes look back for is found hourly, and at each start.
    printed = set(ours.times) | set(subprocess.check_output(
        ["argus", "events", "watch", "--state", "bench", "--format", "csv", "--no-header",
         "--fields", "id", "--for", "10s"], text=True).split())
    late = sum(is_late for _, is_late in wanted)
    what, rival, hour = f"of {len(wanted)} events, {late} stored late: missed", "curl | jq every 10 s", 3600 / SECONDS
    table.add(f"watch: {what}", "-", sum(id not in printed for id, _ in wanted), 0, "")
    table.add(f"{rival}: {what}", "-", sum(id not in theirs.times for id, _ in wanted), None, "")
    table.add("watch: requests an hour, an event every 2 s", "-", requests * hour, None, "")
    table.add(f"{rival}: requests an hour", "-", polls * hour, None, "")
    table.add("watch: CPU an hour, an event every 2 s", "-", our_seconds * hour, None, "s")
    table.add(f"{rival}: CPU an hour", "-", their_seconds * hour, None, "s")
    seen = [delay for delay in latencies(theirs, begin, end) if delay < math.inf]
    if seen:
        table.add(f"{rival}: stored to printed, median", "-", statistics.median(seen), None, "s")


def idle(table, what, bound):
    """Measures an idle watch; requests an hour follow from the times between them."""
    lines = watch()
    time.sleep(5)
    if what == "hinted":
        post(25)
    time.sleep(MARGIN)
    start, before, seen, times = time.time(), lines.processor_seconds(), count("requests"), []
    while time.time() < start + SECONDS:
        time.sleep(0.25)
        now = count("requests")
        times += [time.time()] * (now - seen)
        seen = now
    used = lines.processor_seconds() - before
    _, memory = lines.end()
    # And the hourly pass.
    hourly = 1 + (len(times) - 1) / (times[-1] - times[0]) * 3600 if len(times) > 1 else math.inf
    table.add(f"watch, idle, {what}: CPU in 10 minutes", "-", used * 600 / SECONDS, 0.3, "s")
    table.add(f"watch, idle, {what}: peak memory", "-", memory, 36, "MB")
    table.add(f"watch, idle, {what}: requests an hour", "-", hourly, bound, "")


def burst(table):
    """Stores events while the watch is stopped, and takes the time from its waking to the last line."""
    lines = watch()
    time.sleep(3)
    lines.process.send_signal(signal.SIGSTOP)
    post(BURST)
    start = time.time()
    lines.process.send_signal(signal.SIGCONT)
    while len(lines.times) < BURST and time.time() < start + 120:
        time.sleep(0.05)
    lines.end()
    elapsed = max(lines.times.values()) - start if len(lines.times) >= BURST else math.inf

    def listing():
        begun = time.time()
        subprocess.run(["argus", "events", "list", "--all", "--format", "csv", "--fields", "id"],
                       check=True, stdout=subprocess.DEVNULL)
        return time.time() - begun
    listing()
    table.add(f"watch: a burst of {BURST:,}", "events list --all",
              elapsed / statistics.median(listing() for _ in range(5)), 2.5)


def million(table):
    lines = watch("--since", "15d")
    while len(lines.times) < MILLION and lines.reader.is_alive():
        time.sleep(0.1)
    _, memory = lines.end()
    table.add(f"watch: peak memory, {MILLION:,} events", "-", memory, 36, "MB")


INNER = {
    "watch-announced": announced, "watch-unannounced": unannounced, "watch-polling": polling,
    "watch-hinted": lambda table: idle(table, "hinted", 75),
    "watch-idle": lambda table: idle(table, "without hints", 400),
    "watch-burst": burst, "watch-million": million,
}


def measure(demo):
    """Runs all measurements; `demo` runs one of them on an embedded server and gives its rows."""
    arrivals = ["--events", "240", "--rate", "30"]
    together = {
        "watch-announced": arrivals,
        "watch-unannounced": [*arrivals, "--unannounced", "100"],
        "watch-polling": ["--events", "0", "--rate", "30", "--late", "30", "--unannounced", "50"],
        "watch-hinted": ["--events", "240"],
        "watch-idle": ["--events", "240", "--api", "documented"],
    }
    with concurrent.futures.ThreadPoolExecutor() as pool:
        parts = [pool.submit(on_server, demo, part, options) for part, options in together.items()]
        rows = [row for part in parts for row in part.result()]
    # The kernel gives two processors to four programs, now so and now so.
    bursts = [on_server(demo, "watch-burst", ["--events", "0"])[0] for _ in range(5)]
    rows.append(sorted(bursts, key=lambda row: row[2])[2])
    return rows + on_server(demo, "watch-million", ["--events", str(MILLION)])


def on_server(demo, part, options):
    with tempfile.TemporaryDirectory() as folder:
        logs = ["--event-log", f"{folder}/stored", "--log", f"{folder}/requests"]
        return demo([*options, *logs], part, folder=folder)
