"""The part `push` of scripts/bench: one notification.

The simulated push services of the embedded server write down what they receive; that counts.
"""

import json
import os
import subprocess
import tempfile

# Debian's Python has the PyJWT that `make setup` installs.
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
    argus = f"argus push send --apns-token {token} --bundle-id {os.environ['APNS_BUNDLE_ID']} " \
            "--title Door --body 'A person at the front door' --quiet " \
            f"--cacert {folder}/certificate.pem"
    run(argus)
    sent = received()[-1]
    bearer = subprocess.check_output(["/usr/bin/python3", "-c", SIGN], text=True).strip()
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
    table.add("push send to a phone, provider token in hand", "curl --http2 of the same bytes",
              quotient, 1.5)


INNER = {"push-one": one}


def measure(demo):
    """Runs the measurement on an embedded server with push services, and gives its rows."""
    with tempfile.TemporaryDirectory() as folder:
        return demo(
            ["--providers", folder + "/push", "--provider-log", folder + "/received"], "push-one",
            folder=folder)
