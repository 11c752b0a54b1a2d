"""Asks the push services of PushSimulator with curl, PyJWT and cryptography, and compares the answers.

usage: push_services.py FOLDER (apns | fcm | webpush | requests KIND...)

`FOLDER` is that of the simulator. Prints each case and, where the answer is another than
the one expected, a line that begins with WRONG; its status is 1 then.
"""

import base64
import json
import os
import subprocess
import sys
import time
import uuid

import jwt
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

FOLDER = sys.argv[1]
wrong = 0


def read(name):
    with open(os.path.join(FOLDER, name)) as file:
        return file.read()


def lines(name):
    return [json.loads(line) for line in read(name).splitlines()]


SETTINGS = dict(line.split("=", 1) for line in read("environment").splitlines())
TOKENS = lines("tokens.ndjson")


def of(service):
    return [record for record in TOKENS if record["service"] == service]


def b64(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def raw(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def ask(url, headers=(), body=b"", *options, http="--http2"):
    """Posts with curl; gives the status, the answer's fields and its body."""
    command = ["curl", http, "-sS", "-i", "-X", "POST", "--cacert", f"{FOLDER}/certificate.pem",
               "-H", "Expect:", "-H", "Content-Type:", "--max-time", "20", "--data-binary", "@-", *options]
    for field in headers:
        command += ["-H", field]
    run = subprocess.run([*command, url], input=body, capture_output=True)
    # CURLE_SEND_ERROR if the reset comes while curl still sends its settings of HTTP/2, else
    # CURLE_RECV_ERROR.
    if run.returncode in (55, 56):
        return "reset", {}, b""
    if run.returncode != 0:
        return f"curl {run.returncode}", {}, b""
    head, _, content = run.stdout.partition(b"\r\n\r\n")
    first, *fields = head.decode().split("\r\n")
    return int(first.split()[1]), {
        name.lower(): value for name, _, value in (field.partition(": ") for field in fields)}, content


def expect(case, given, wanted):
    global wrong
    print(f"{case}: {given}")
    if given != wanted:
        wrong += 1
        print(f"WRONG {case}: {given}, expected {wanted}")


def changed(fields, change):
    """The fields with some replaced (None: left out); a list gives several."""
    fields = {**fields, **change}
    return [f"{name}: {value}" for name, values in fields.items() if values is not None
            for value in (values if isinstance(values, list) else [values])]


# Apple

def provider_token(key="DEMOKEY001", kid=None, team=None, age=0, algorithm="ES256"):
    team = team or {"DEMOKEY001": "DEMOTEAM01", "FOREIGNKEY": "FOREIGNTEA"}[key]
    secret = read(f"AuthKey_{key}.p8") if algorithm == "ES256" else "secret"
    return jwt.encode({"iss": team, "iat": int(time.time()) - age}, secret, algorithm=algorithm,
                      headers={"kid": kid or key})


ALERT = json.dumps({"aps": {"alert": {"title": "a"}}, "event_id": "e1"}).encode()


def push(token, change=(), body=ALERT, path=None, *options):
    fields = {
        "authorization": f"bearer {provider_token()}", "apns-topic": SETTINGS["APNS_BUNDLE_ID"],
        "apns-push-type": "alert", "apns-priority": "10", "apns-collapse-id": "e1",
        "apns-expiration": str(int(time.time()) + 86400)}
    path = f"/3/device/{token}" if path is None else path
    status, answer, content = ask(
        SETTINGS["ARGUS_APNS_URL"] + path, changed(fields, dict(change)), body, *options)
    if content.startswith(b"<"):
        return status, answer.get("content-type")
    reason = json.loads(content)["reason"] if content else None
    if isinstance(status, int) and "apns-id" not in answer:
        expect("apns-id", None, "an id")
    return status, reason


def apns():
    good = of("apns")[0]["token"]
    own = str(uuid.uuid4())
    expect("good", push(good), (200, None))
    expect("upper case", push(good.upper()), (200, None))
    expect("own id", push(good, {"apns-id": own}), (200, None))
    expect("silent", push(good, {"apns-push-type": "background", "apns-priority": "5"}), (200, None))
    expect("longest", push(good, body=padded(4096)), (200, None))
    foreign = provider_token("FOREIGNKEY")
    for reason, status, change in [
            ("MissingProviderToken", 403, {"authorization": None}),
            ("InvalidProviderToken", 403, {"authorization": "bearer nonsense"}),
            ("InvalidProviderToken", 403, {"authorization": f"bearer {provider_token(kid='OTHERKEY01')}"}),
            ("InvalidProviderToken", 403, {"authorization": f"bearer {provider_token(kid='FOREIGNKEY')}"}),
            ("InvalidProviderToken", 403, {"authorization": f"bearer {provider_token(team='OTHERTEAM1')}"}),
            ("InvalidProviderToken", 403, {"authorization": f"bearer {provider_token(algorithm='HS256')}"}),
            ("ExpiredProviderToken", 403, {"authorization": f"bearer {provider_token(age=3700)}"}),
            ("ExpiredProviderToken", 403, {"authorization": f"bearer {provider_token(age=-4200)}"}),
            ("BadMessageId", 400, {"apns-id": "1"}),
            ("MissingTopic", 400, {"apns-topic": None}),
            ("BadTopic", 400, {"apns-topic": "com.example/argus"}),
            ("DeviceTokenNotForTopic", 400, {"apns-topic": "com.example.other"}),
            ("TopicDisallowed", 400, {"apns-topic": "org.example.other"}),
            ("InvalidPushType", 400, {"apns-push-type": "loud"}),
            ("InvalidPushType", 400, {"apns-push-type": None}),
            ("BadExpirationDate", 400, {"apns-expiration": "tomorrow"}),
            ("BadPriority", 400, {"apns-priority": "7"}),
            ("BadPriority", 400, {"apns-push-type": "background"}),
            ("BadCollapseId", 400, {"apns-collapse-id": "x" * 65}),
            ("DuplicateHeaders", 400, {"apns-priority": ["10", "10"]})]:
        expect(f"{reason} {change}"[:60], push(good, change), (status, reason))
    # Known to Apple, but not the owner of the app.
    expect("foreign key", push(good, {"authorization": f"bearer {foreign}"}), (400, "TopicDisallowed"))
    expect("PayloadEmpty", push(good, body=b""), (400, "PayloadEmpty"))
    expect("no aps", push(good, body=b"{}"), (400, "PayloadEmpty"))
    expect("PayloadTooLarge", push(good, body=padded(4097)), (413, "PayloadTooLarge"))
    expect("BadDeviceToken", push("ab" * 32), (400, "BadDeviceToken"))
    expect("other environment", push(of("apns")[0]["token"][::-1]), (400, "BadDeviceToken"))
    expect("MissingDeviceToken", push("", path="/3/device/"), (400, "MissingDeviceToken"))
    expect("BadPath", push("", path="/4/device/" + good), (404, "BadPath"))
    expect("MethodNotAllowed", push(good, (), b"", None, "-X", "PUT"), (405, "MethodNotAllowed"))
    expect("HTTP/1.1", ask(SETTINGS["ARGUS_APNS_URL"] + "/3/device/" + good, http="--http1.1")[0],
           "curl 52")


def padded(count):
    body = json.dumps({"aps": {"alert": ""}}).encode()
    return body[:-3] + b"x" * (count - len(body)) + body[-3:]


# Google

def assertion(account="service-account", change=(), algorithm="RS256"):
    file = json.loads(read(f"{account}.json"))
    now = int(time.time())
    claims = {"iss": file["client_email"], "aud": file["token_uri"], "iat": now, "exp": now + 3600,
              "scope": "https://www.googleapis.com/auth/firebase.messaging", **dict(change)}
    secret = file["private_key"] if algorithm == "RS256" else "secret"
    return file["token_uri"], jwt.encode(
        claims, secret, algorithm=algorithm, headers={"kid": file["private_key_id"]})


def access(account="service-account", change=(), algorithm="RS256",
           grant="urn:ietf:params:oauth:grant-type:jwt-bearer", http="--http2"):
    url, token = assertion(account, change, algorithm)
    form = f"grant_type={grant.replace(':', '%3A')}&assertion={token}".encode()
    status, _, content = ask(
        url, ["Content-Type: application/x-www-form-urlencoded"], form, http=http)
    answer = json.loads(content)
    if status == 200:
        expect("token type", (answer["token_type"], answer["expires_in"] > 3000), ("Bearer", True))
        return answer["access_token"]
    return status, answer["error"]


def message(token, change=(), project=None, bearer=None, http="--http2", body=None):
    project = project or SETTINGS["FCM_PROJECT_ID"]
    value = {"message": {"token": token, "data": {"event_id": "e1"},
                         "android": {"priority": "high", "ttl": "86400s", "collapse_key": "e1"},
                         **dict(change)}}
    fields = ["Content-Type: application/json"]
    if bearer:
        fields.append(f"Authorization: Bearer {bearer}")
    status, _, content = ask(
        f"{SETTINGS['ARGUS_FCM_URL']}/v1/projects/{project}/messages:send", fields,
        body if body is not None else json.dumps(value).encode(), http=http)
    answer = json.loads(content)
    if status == 200:
        return status, answer["name"].split("/")[:3]
    error = answer["error"]
    details = [(detail["@type"].split(".")[-1], detail.get("errorCode")) for detail in error["details"]]
    return status, error["status"], details


def fcm():
    good = of("fcm")[0]["token"]
    now = int(time.time())
    for case, arguments, wanted in [
            ("scope", {"change": {"scope": "email"}}, (400, "invalid_scope")),
            ("audience", {"change": {"aud": "https://oauth2.googleapis.com/token"}}, (400, "invalid_grant")),
            ("account", {"change": {"iss": "nobody@example.com"}}, (400, "invalid_grant")),
            ("old", {"change": {"iat": now - 7200, "exp": now - 3600}}, (400, "invalid_grant")),
            ("early", {"change": {"iat": now + 4200, "exp": now + 7800}}, (400, "invalid_grant")),
            ("long", {"change": {"exp": now + 7200}}, (400, "invalid_grant")),
            ("HS256", {"algorithm": "HS256"}, (400, "invalid_grant")),
            ("grant", {"grant": "password"}, (400, "unsupported_grant_type"))]:
        expect(f"oauth {case}", access(**arguments), wanted)
    foreign = json.loads(read("another-project.json"))["client_email"]
    expect("oauth foreign signature", access(change={"iss": foreign}), (400, "invalid_grant"))
    bearer = access()
    sent = (200, ["projects", SETTINGS["FCM_PROJECT_ID"], "messages"])
    expect("good", message(good, bearer=bearer), sent)
    expect("good, HTTP/1.1", message(good, bearer=access(http="--http1.1"), http="--http1.1"), sent)
    invalid = (400, "INVALID_ARGUMENT", [("FcmError", "INVALID_ARGUMENT")])
    bad = (400, "INVALID_ARGUMENT", [("BadRequest", None)])
    unknown = (401, "UNAUTHENTICATED", [("ErrorInfo", None)])
    expect("no token", message(good), unknown)
    expect("wrong token", message(good, bearer="ya29.x"), unknown)
    expect("other project", message(good, bearer=bearer, project="another-project"),
           (403, "PERMISSION_DENIED", [("ErrorInfo", None)]))
    expect("other sender",
           message(good, bearer=access("another-project"), project="another-project"),
           (403, "PERMISSION_DENIED", [("FcmError", "SENDER_ID_MISMATCH")]))
    expect("not issued", message("abc:APA91bxxx", bearer=bearer), invalid)
    for case, change in [
            ("number", {"data": {"a": 1}}), ("reserved", {"data": {"from": "x"}}),
            ("reserved prefix", {"data": {"google.x": "x"}}), ("unknown member", {"datum": {}}),
            ("unknown in android", {"android": {"colour": "red"}}),
            ("ttl", {"android": {"ttl": "86400"}}), ("priority", {"android": {"priority": "5"}}),
            ("size", {"data": {"a": "x" * 4096}}), ("no token", {"token": ""})]:
        expect(f"bad: {case}", message(good, change, bearer=bearer), bad)
    expect("largest", message(good, {"data": {"a": "x" * 4095}}, bearer=bearer), sent)
    expect("no JSON", message(good, bearer=bearer, body=b"<html>"), bad)


# Browsers

def vapid(origin, key, change=()):
    claims = {"aud": origin, "exp": int(time.time()) + 3600, "sub": "mailto:owner@example.com",
              **dict(change)}
    claims = {name: value for name, value in claims.items() if value is not None}
    return f"vapid t={jwt.encode(claims, key, algorithm='ES256')}, k={public(key)}"


def public(key):
    return b64(key.public_key().public_bytes(
        serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint))


def encrypted(text, keys):
    """RFC 8291 with one record."""
    own = ec.generate_private_key(ec.SECP256R1())
    receiver = raw(keys["p256dh"])
    point = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), receiver)
    salt, sender = os.urandom(16), raw(public(own))

    def derive(secret, salt, info, length):
        return HKDF(hashes.SHA256(), length, salt, info).derive(secret)

    secret = derive(own.exchange(ec.ECDH(), point), raw(keys["auth"]),
                    b"WebPush: info\0" + receiver + sender, 32)
    key = derive(secret, salt, b"Content-Encoding: aes128gcm\0", 16)
    nonce = derive(secret, salt, b"Content-Encoding: nonce\0", 12)
    sealed = AESGCM(key).encrypt(nonce, text + b"\2", None)
    return salt + (4096).to_bytes(4, "big") + bytes([65]) + sender + sealed


def webpush():
    key, stranger = (ec.generate_private_key(ec.SECP256R1()) for _ in range(2))
    https, plain = lines("subscriptions.ndjson"), lines("plain-subscriptions.ndjson")
    text = json.dumps({"title": "a", "data": {"event_id": "e1"}}).encode()

    def notify(subscription, change=(), claims=(), by=key, body=None, http="--http2"):
        origin = "/".join(subscription["endpoint"].split("/")[:3])
        fields = {
            "Authorization": vapid(origin, by, claims), "TTL": "60", "Urgency": "high",
            "Topic": "x" * 32, "Content-Encoding": "aes128gcm",
            "Content-Type": "application/octet-stream"}
        status, answer, _ = ask(
            subscription["endpoint"], changed(fields, dict(change)),
            encrypted(text, subscription["keys"]) if body is None else body, http=http)
        return status, "location" in answer

    expect("good", notify(https[0]), (201, True))
    expect("good, HTTP/1.1", notify(https[1], http="--http1.1"), (201, True))
    expect("good, plain", notify(plain[0], http="--http1.1"), (201, True))
    expect("longest", notify(https[0], body=encrypted(b"x" * 3993, https[0]["keys"])), (201, True))
    unknown = {**https[0], "endpoint": https[0]["endpoint"][:-4] + "AAAA"}
    expect("unknown", notify(unknown), (404, False))
    expect("another's key", notify(https[0], by=stranger), (403, False))
    expect("no VAPID", notify(https[0], {"Authorization": None}), (401, False))
    now = int(time.time())
    for case, claims in [
            ("audience", {"aud": "https://example.com"}), ("expired", {"exp": now - 1}),
            ("long", {"exp": now + 90000}), ("no exp", {"exp": None}), ("no subject", {"sub": None}),
            ("subject", {"sub": "owner"}), ("localhost", {"sub": "mailto:root@localhost"})]:
        expect(f"vapid {case}", notify(https[0], claims=claims), (403, False))
    for case, change, status in [
            ("no TTL", {"TTL": None}, 400), ("TTL", {"TTL": "long"}, 400),
            ("Topic", {"Topic": "x" * 33}, 400), ("Topic letters", {"Topic": "a b"}, 400),
            ("Urgency", {"Urgency": "urgent"}, 400), ("encoding", {"Content-Encoding": "aesgcm"}, 415)]:
        expect(case, notify(https[0], change), (status, False))
    expect("too long", notify(https[0], body=b"x" * 4097), (413, False))
    # The service cannot know, but its log does.
    expect("for another", notify(https[0], body=encrypted(text, https[1]["keys"])), (201, True))


def requests(kinds):
    """Sends one request for each kind and prints what became of it."""
    bearer = None
    for kind in kinds:
        if kind == "apns":
            print(*push(of("apns")[0]["token"]))
        elif kind == "oauth":
            bearer = access()
            print(bearer if isinstance(bearer, tuple) else "a token")
        elif kind == "fcm":
            print(*message(of("fcm")[0]["token"], bearer=bearer))


if sys.argv[2] == "requests":
    requests(sys.argv[3:])
else:
    {"apns": apns, "fcm": fcm, "webpush": webpush}[sys.argv[2]]()
sys.exit(1 if wrong else 0)
