"""The folder with all that a sender needs to know of the services."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

from apns import BUNDLE_ID
from oauth import PROJECT, ServiceAccount
from service import compact_json
from simulator import Simulator


def write_certificate(folder: Path) -> Path:
    """Makes a certificate of the loopback addresses, and returns the file that has its key, too."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "push simulator")])
    today = datetime.now(UTC)
    addresses = [x509.DNSName("localhost"), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]
    certificate = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(today - timedelta(days=1)).not_valid_after(today + timedelta(days=365))
        .add_extension(x509.SubjectAlternativeName(addresses), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256()))
    text = certificate.public_bytes(Encoding.PEM).decode()
    (folder / "certificate.pem").write_text(text)
    both = folder / "server.pem"
    both.write_text(pem(key) + text)
    return both


def write(simulator: Simulator, folder: Path) -> dict[str, str]:
    """Writes keys, accounts and receivers, and returns the variables that lead argus to them."""
    apns = simulator.apns
    for key in (apns.key, apns.foreign_key):
        (folder / f"AuthKey_{key.id}.p8").write_text(pem(key.private))
    for account in simulator.oauth.accounts:
        name = "service-account" if account.project == PROJECT else account.project
        file = account_file(account, simulator.oauth_listener.origin)
        write_lines(folder / f"{name}.json", [file])
    write_lines(folder / "tokens.ndjson", receivers(simulator))
    for name, listener in (
            ("subscriptions", simulator.web_push_listener),
            ("plain-subscriptions", simulator.plain_web_push_listener)):
        write_lines(folder / f"{name}.ndjson", subscriptions(simulator, listener.origin))
    variables = {
        "APNS_KEY_FILE": str(folder / f"AuthKey_{apns.key.id}.p8"), "APNS_KEY_ID": apns.key.id,
        "APNS_TEAM_ID": apns.key.team, "APNS_BUNDLE_ID": BUNDLE_ID,
        "APNS_USE_SANDBOX": "true" if apns.environment == "sandbox" else "false",
        "GOOGLE_APPLICATION_CREDENTIALS": str(folder / "service-account.json"),
        "FCM_PROJECT_ID": PROJECT,
        "ARGUS_APNS_URL": simulator.apns_listener.origin,
        "ARGUS_FCM_URL": simulator.fcm_listener.origin,
    }
    lines = (f"{name}={value}\n" for name, value in variables.items())
    (folder / "environment").write_text("".join(lines))
    return variables


def receivers(simulator: Simulator) -> list[dict[str, Any]]:
    """Records for `notify receivers import`: Apple's, Google's and the browsers'."""
    apns = simulator.apns
    origin = simulator.plain_web_push_listener.origin
    addresses: dict[tuple[str, str], list[dict[str, str]]] = {
        ("apns", "ios"): [
            {"token": token, "token_type": apns.environment, "bundle_id": BUNDLE_ID}
            for token in apns.tokens],
        ("fcm", "android"): [{"token": token} for token in simulator.fcm.tokens],
        ("webpush", "web"): [
            receiver.subscription(origin) for receiver in simulator.web_push.receivers],
    }
    return [
        {
            "device_id": f"{service}-{number}", "device_name": f"{service} {number}",
            "platform": platform, "service": service, **address,
        }
        for (service, platform), own in addresses.items()
        for number, address in enumerate(own, 1)]


def subscriptions(simulator: Simulator, origin: str) -> Iterable[dict[str, Any]]:
    """The browsers' subscriptions as they print them."""
    for receiver in simulator.web_push.receivers:
        address = receiver.subscription(origin)
        yield {
            "endpoint": address.pop("endpoint"), "expirationTime": None, "keys": address,
        }


def account_file(account: ServiceAccount, origin: str) -> dict[str, str]:
    """The file as Google's console hands it out."""
    return {
        "type": "service_account", "project_id": account.project,
        "private_key_id": account.key_id, "private_key": pem(account.key),
        "client_email": account.email, "client_id": "100000000000000000001",
        "auth_uri": "https://accounts.google.com/o/oauth2/auth", "token_uri": f"{origin}/token",
        "auth_provider_x509_cert_url": "https://www.googleapis.com/oauth2/v1/certs",
        "universe_domain": "googleapis.com",
    }


def pem(key: ec.EllipticCurvePrivateKey | rsa.RSAPrivateKey) -> str:
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()


def write_lines(path: Path, records: Iterable[object]) -> None:
    path.write_text("".join(compact_json(record) + "\n" for record in records))
