"""A push service of a browser vendor (RFC 8030) that also holds the keys of its subscribers."""

from __future__ import annotations

import json
import re
import secrets
import uuid
from dataclasses import dataclass, field

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

import base64url
from service import Answer, Clock, Entry, Refusal, Request, Service
from webtoken import WebToken

URGENCIES = {"very-low", "low", "normal", "high"}


class Unreadable(Exception):
    """A message that its receiver would discard."""


@dataclass(frozen=True)
class Receiver:
    """A browser that has subscribed: it can read what is sent to it (RFC 8291)."""

    id: str = field(default_factory=lambda: base64url.encode(secrets.token_bytes(32)))
    """The last segment of its endpoint."""
    key: ec.EllipticCurvePrivateKey = field(
        default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))
    secret: bytes = field(default_factory=lambda: secrets.token_bytes(16))

    @property
    def point(self) -> bytes:
        """The public key as `PushSubscription.getKey("p256dh")` gives it."""
        return self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)

    def subscription(self, origin: str) -> dict[str, str]:
        """Its address at a service, and the keys that a sender needs."""
        return {
            "endpoint": f"{origin}/push/{self.id}", "p256dh": base64url.encode(self.point),
            "auth": base64url.encode(self.secret),
        }

    def decrypt(self, message: bytes) -> bytes:
        """Decrypts a message of one record (RFC 8188; RFC 8291, section 3.4)."""
        if len(message) < 21:
            raise Unreadable("the header is incomplete")
        salt, size = message[:16], int.from_bytes(message[16:20], "big")
        end = 21 + message[20]
        sender, record = message[21:end], message[end:]
        if not record:
            raise Unreadable("there is no record")
        if size < 18:
            raise Unreadable("the record size is below 18")
        if len(record) > size:
            raise Unreadable("there is a second record")
        try:
            point = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), sender)
        except ValueError:
            raise Unreadable("the sender's key is not a point on P-256") from None
        secret = derive(
            self.key.exchange(ec.ECDH(), point), self.secret,
            b"WebPush: info\0" + self.point + sender, 32)
        key = derive(secret, salt, b"Content-Encoding: aes128gcm\0", 16)
        nonce = derive(secret, salt, b"Content-Encoding: nonce\0", 12)
        try:
            plain = AESGCM(key).decrypt(nonce, record, None)
        except InvalidTag:
            raise Unreadable("it was not encrypted for this receiver") from None
        # The last record ends with a two and any number of zeros (RFC 8188, section 2).
        plain = plain.rstrip(b"\0")
        if not plain.endswith(b"\2"):
            raise Unreadable("the padding is wrong")
        return plain[:-1]


def derive(secret: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    return HKDF(hashes.SHA256(), length, salt, info).derive(secret)


class WebPush(Service):
    name = "webpush"

    def __init__(self, clock: Clock, count: int) -> None:
        super().__init__(clock)
        self.receivers = [Receiver() for _ in range(count)]
        self._by_id = {receiver.id: receiver for receiver in self.receivers}
        self._owners: dict[str, str] = {}
        """The key that each subscription is used with: it belongs to one sender."""

    def describe(self, request: Request) -> Entry:
        proof = Proof.parse(request.header("authorization"))
        entry = Entry(
            token=request.last_segment, collapse_id=request.header("topic"),
            web_token=proof.token if proof else None)
        receiver = self._by_id.get(request.last_segment)
        if receiver and request.body:
            # The service itself sees no more than bytes.
            try:
                entry.payload = json_or_text(receiver.decrypt(request.body))
            except Unreadable as error:
                entry.complaint = str(error)
        return entry

    def answer(self, request: Request, entry: Entry) -> Answer:
        self._check(request)
        self._check_sender(request)
        place = f"{request.origin}/message/{uuid.uuid4()}"
        return Answer(201, [("location", place), ("ttl", request.header("ttl") or "0")])

    def _check(self, request: Request) -> None:
        """Raises the refusal of a request that breaks RFC 8030 or RFC 8188."""
        if not request.path.startswith("/push/") or request.last_segment not in self._by_id:
            raise refusal(404, "no such subscription")
        if request.method != "POST":
            raise refusal(405, "only POST sends a message")
        if not re.fullmatch("[0-9]+", request.header("ttl") or ""):
            raise refusal(400, "TTL is missing or not a number of seconds")
        if not re.fullmatch("[A-Za-z0-9_-]{1,32}", request.header("topic") or "none"):
            raise refusal(400, "Topic is not up to 32 characters of base64url")
        if request.header("urgency") not in (*URGENCIES, None):
            raise refusal(400, "Urgency is unknown")
        if len(request.body) > 4096:
            raise refusal(413, "the message is longer than 4096 bytes")
        if request.body and request.header("content-encoding") != "aes128gcm":
            raise refusal(415, "Content-Encoding is not aes128gcm")

    def _check_sender(self, request: Request) -> None:
        """Raises the refusal of a sender that has not proved who it is (RFC 8292)."""
        field = request.header("authorization")
        if field is None:
            raise refusal(401, "VAPID is required")
        proof = Proof.parse(field)
        if not proof:
            raise refusal(403, "Authorization is not vapid t=, k=")
        if defect := proof.defect(request.origin, self.clock()):
            raise refusal(403, defect)
        if self._owners.setdefault(request.last_segment, proof.key) != proof.key:
            raise refusal(403, "the key is not the one of the subscription")


@dataclass(frozen=True)
class Proof:
    """The proof of a sender's identity, `vapid t=TOKEN, k=KEY` (RFC 8292, section 3)."""

    token: WebToken
    key: str
    """The public key in base64url."""
    public: ec.EllipticCurvePublicKey

    @classmethod
    def parse(cls, text: str | None) -> Proof | None:
        """The proof of a field's value; None if it is none."""
        scheme, _, rest = (text or "").partition(" ")
        pairs = [part.strip().partition("=")[::2] for part in rest.split(",")]
        parameters = dict(pairs)
        if scheme.lower() != "vapid" or len(parameters) != len(pairs):
            return None
        try:
            point = base64url.decode(parameters["k"])
            public = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), point)
            return cls(WebToken(parameters["t"]), parameters["k"], public)
        except (KeyError, ValueError):
            return None

    def defect(self, origin: str, now: float) -> str | None:
        """The reason why the proof is worth nothing; None if it holds."""
        if not self.token.is_signed_by(self.public):
            return "the signature is wrong"
        if self.token.claims.get("aud") != origin:
            return "aud is not the origin"
        end = self.token.time("exp")
        if end is None:
            return "exp is missing"
        if end <= now:
            return "the token has expired"
        if end > now + 86_400:
            return "exp is more than 24 hours ahead"
        subject = str(self.token.claims.get("sub"))
        if not subject.startswith(("mailto:", "https://")):
            return "sub is neither a mailto: nor an https: address"
        if "localhost" in subject:
            return "sub names no real owner"
        return None


def refusal(status: int, words: str) -> Refusal:
    """A refusal in the form of Mozilla's service."""
    return Refusal(words, Answer.json({"code": status, "message": words}, status))


def json_or_text(data: bytes) -> object:
    try:
        return json.loads(data)
    except ValueError:
        return data.decode(errors="replace")
