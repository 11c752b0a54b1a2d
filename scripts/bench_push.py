"""The part `push` of scripts/bench: one notification, and an event for 1,000 phones.

The simulated push services of the tests write down what they receive; that counts.
"""

import contextlib
import json
import os
import statistics
import subprocess
import tempfile

PHONES = 1000
# What argus sends at a time to each service.
PARALLEL = 16
DELAY = 0.05

# Debian's Python has the libraries that `scripts/setup tests` installs.
PYTHON = "/usr/bin/python3"
SIMULATOR = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))),
                         "Tests", "PushSimulator")
SIGN = """
import jwt, os, time
key = open(os.environ["APNS_KEY_FILE"]).read()
claims = {"iss": os.environ["APNS_TEAM_ID"], "iat": int(time.time())}
print(jwt.encode(claims, key, "ES256", {"kid": os.environ["APNS_KEY_ID"]}))
"""


def received():
    """What the services have received so far."""
    with open(os.environ["BENCH_FOLDER"] + "/received") as log:
        return [json.loads(line) for line in log]


def phones():
    with open(os.environ["BENCH_FOLDER"] + "/push/tokens.ndjson") as file:
        records = [json.loads(line) for line in file]
    return [record for record in records if record["service"] == "apns"]


def one(table, run, ratio):
    """Against curl, which gets the header fields and the body that argus has just sent."""
    folder = os.environ["BENCH_FOLDER"] + "/push"
    token = phones()[0]["token"]
    argus = f"argus notify send --apns-token {token} --bundle-id {os.environ['APNS_BUNDLE_ID']} " \
            "--title Door --body 'A person at the front door' --quiet " \
            f"--cacert {folder}/certificate.pem"
    run(argus)
    sent = received()[-1]
    bearer = subprocess.check_output([PYTHON, "-c", SIGN], text=True).strip()
    with open(folder + "/header", "w") as file:
        file.write(f"authorization: bearer {bearer}\n")
        for name, value in sent["headers"].items():
            if name.startswith("apns-"):
                file.write(f"{name}: {value}\n")
    with open(folder + "/body", "w") as file:
        json.dump(sent["payload"], file, ensure_ascii=False, separators=(",", ":"))
    curl = f"curl --http2 -sS --fail --cacert {folder}/certificate.pem -H @{folder}/header " \
           f"--data-binary @{folder}/body {os.environ['ARGUS_APNS_URL']}/3/device/{token}"
    quotient = ratio(argus, curl, 100)
    if any(record["status"] != 200 for record in received()):
        raise SystemExit("bench: a notification was refused")
    table.add("notify send to a phone, provider token in hand", "curl --http2 of the same bytes",
              quotient, 1.5)


def dispatch(table, run, ratio):
    """Three events, each for all phones, by a service that takes 50 ms for each of them."""
    folder = os.environ["BENCH_FOLDER"] + "/push"
    with open(folder + "/phones.ndjson", "w") as file:
        file.writelines(json.dumps(record) + "\n" for record in phones())
    subprocess.run(
        ["argus", "notify", "receivers", "import", folder + "/phones.ndjson", "--quiet"], check=True,
        stdout=subprocess.DEVNULL)
    events = subprocess.check_output(
        ["argus", "events", "list", "-n", "3", "--fields", "id", "--format", "tsv", "--no-header"],
        text=True).split()
    times, connections, tokens = [], [], set()
    for event in events:
        before = len(received())
        times.append(run(
            f"argus notify run {event} --max-age 30d --quiet --cacert {folder}/certificate.pem"))
        new = received()[before:]
        reached = {record["token"] for record in new if record["status"] == 200}
        if len(reached) != PHONES or len(new) != PHONES:
            raise SystemExit(f"bench: {len(new)} notifications for {len(reached)} phones arrived")
        connections.append(len({record["connection"] for record in new}))
        tokens |= {record["jwt"]["id"] for record in new}
    ideal = PHONES / PARALLEL * DELAY
    table.add(f"notify run to {PHONES:,} phones, {PARALLEL} at once", "the ideal for a 50 ms delay",
              statistics.median(times) / ideal, 1.3)
    table.add("notify run: connections to APNs", "-", max(connections), 1, "")
    table.add("three runs of notify run: tokens of the key", "-", len(tokens), 1, "")


INNER = {"push-one": one, "push-dispatch": dispatch}


@contextlib.contextmanager
def services(folder, options):
    """Runs the push services while a part is measured."""
    command = [PYTHON, SIMULATOR, folder + "/push", "--log", folder + "/received", *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            while "Ctrl-C" not in (line := process.stdout.readline()):
                if not line:
                    raise SystemExit("bench: the push services did not start")
            yield
        finally:
            process.terminate()


def inner(part, table, run, ratio):
    """Measures a part where argus is signed in, with the variables that lead it to the services."""
    with open(os.environ["BENCH_FOLDER"] + "/push/environment") as file:
        os.environ.update(line.rstrip("\n").split("=", 1) for line in file)
    INNER[part](table, run, ratio)


def measure(demo):
    """Runs both on embedded servers beside push services, and gives their rows."""
    rows = []
    for part, options in [
            ("push-one", []),
            ("push-dispatch", ["--tokens", str(PHONES), "--fault", f"delay={int(DELAY * 1000)}ms"])]:
        with tempfile.TemporaryDirectory() as folder, services(folder, options):
            rows += demo(["--events", "240"], part, folder=folder)
    return rows
