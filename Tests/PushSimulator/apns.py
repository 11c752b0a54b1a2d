"""Apple Push Notification service (Apple, "Sending notification requests to APNs")."""

from __future__ import annotations

import hashlib
import re
import uuid
from collections import defaultdict
from dataclasses import dataclass, field
from http import HTTPStatus

from cryptography.hazmat.primitives.asymmetric import ec

from service import Answer, Clock, Entry, Refusal, Request, Service, member
from webtoken import WebToken

BUNDLE_ID = "com.example.argus"

# "Handling notification responses from APNs", tables 1 and 2.
REASONS = {
    "BadCollapseId": 400, "BadDeviceToken": 400, "BadExpirationDate": 400, "BadMessageId": 400,
    "BadPriority": 400, "BadTopic": 400, "DeviceTokenNotForTopic": 400, "DuplicateHeaders": 400,
    "IdleTimeout": 400, "InvalidPushType": 400, "MissingDeviceToken": 400, "MissingTopic": 400,
    "PayloadEmpty": 400, "TopicDisallowed": 400,
    "BadCertificate": 403, "BadCertificateEnvironment": 403, "BadEnvironmentKeyIdInToken": 403,
    "ExpiredProviderToken": 403, "Forbidden": 403, "InvalidProviderToken": 403,
    "MissingProviderToken": 403, "UnrelatedKeyIdInToken": 403,
    "BadPath": 404,
    "MethodNotAllowed": 405,
    "ExpiredToken": 410, "Unregistered": 410,
    "PayloadTooLarge": 413,
    "TooManyProviderTokenUpdates": 429, "TooManyRequests": 429,
    "InternalServerError": 500,
    "ServiceUnavailable": 503, "Shutdown": 503,
}

PUSH_TYPES = {
    "alert", "background", "location", "voip", "complication", "fileprovider", "mdm",
    "liveactivity", "pushtotalk", "controls", "widgets",
}


@dataclass(frozen=True)
class Key:
    """A key of a developer's account, with which it signs provider tokens."""

    id: str
    team: str
    private: ec.EllipticCurvePrivateKey = field(
        default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))


@dataclass
class Session:
    """What a connection has proved about its client."""

    key: Key | None = None
    """The key of the first provider token; another one is not accepted."""
    tokens: set[str] = field(default_factory=set)
    """The provider tokens that were accepted, by their ids."""
    newest: float = 0
    """When the last of them came."""


class APNs(Service):
    name = "apns"
    reasons = REASONS
    protocols = ("h2",)

    def __init__(self, clock: Clock, environment: str, count: int) -> None:
        """Knows `count` device tokens of an environment, the same ones at each start."""
        super().__init__(clock)
        self.environment = environment
        self.key = Key("DEMOKEY001", "DEMOTEAM01")
        """The key of the team whose app it is."""
        self.foreign_key = Key("FOREIGNKEY", "FOREIGNTEA")
        self.tokens = [
            hashlib.sha256(f"{environment} {number}".encode()).hexdigest()
            for number in range(count)]
        self._known = set(self.tokens)
        self._sessions: defaultdict[int, Session] = defaultdict(Session)

    def streams(self, connection: int) -> int:
        """One, and many after the first request with a valid provider token."""
        return 1000 if self._sessions[connection].tokens else 1

    def describe(self, request: Request) -> Entry:
        return Entry(
            token=request.last_segment, collapse_id=request.header("apns-collapse-id"),
            web_token=WebToken.parse(request.bearer), payload=request.json_object())

    def answer(self, request: Request, entry: Entry) -> Answer:
        check_route(request)
        key = self._check_sender(request, entry.web_token)
        if not request.last_segment:
            raise refusal(request, "MissingDeviceToken")
        self._check_headers(request, key)
        check_payload(request, entry)
        if request.last_segment.lower() not in self._known:
            raise refusal(request, "BadDeviceToken")
        return Answer(headers=[("apns-id", apns_id(request))])

    def refusal(self, request: Request, reason: str, age: float) -> Refusal:
        if REASONS[reason] != HTTPStatus.GONE:
            return refusal(request, reason)
        return refusal(request, reason, timestamp=int((self.clock() - age) * 1000))

    def _check_sender(self, request: Request, token: WebToken | None) -> Key:
        """Verifies who sends, and gives the key that has signed the provider token.

        A token lives for an hour, and another may take its place after 20 minutes.
        """
        if request.header("authorization") is None:
            raise refusal(request, "MissingProviderToken")
        key = self._key(token)
        issued = token.time("iat") if token else None
        if not token or not key or issued is None or token.claims.get("iss") != key.team \
                or not token.is_signed_by(key.private.public_key()):
            raise refusal(request, "InvalidProviderToken")
        now = self.clock()
        if abs(now - issued) > 3600:
            raise refusal(request, "ExpiredProviderToken")
        session = self._sessions[request.connection]
        if session.key and session.key.team != key.team:
            raise refusal(request, "InvalidProviderToken")
        if session.key and session.key.id != key.id:
            raise refusal(request, "UnrelatedKeyIdInToken")
        if token.id not in session.tokens:
            if session.tokens and now - session.newest < 20 * 60:
                raise refusal(request, "TooManyProviderTokenUpdates")
            session.tokens.add(token.id)
            session.newest = now
        session.key = key
        return key

    def _key(self, token: WebToken | None) -> Key | None:
        """The key that a token names."""
        name = token.header.get("kid") if token else None
        return next((key for key in (self.key, self.foreign_key) if key.id == name), None)

    def _check_headers(self, request: Request, key: Key) -> None:
        own_id = request.header("apns-id")
        if own_id is not None and not is_uuid(own_id):
            raise refusal(request, "BadMessageId")
        topic = request.header("apns-topic")
        if not topic:
            raise refusal(request, "MissingTopic")
        if not re.fullmatch(r"[0-9A-Za-z.-]+", topic):
            raise refusal(request, "BadTopic")
        # The apps of the team are those of com.example.
        if key is not self.key or not topic.startswith("com.example."):
            raise refusal(request, "TopicDisallowed")
        if topic != BUNDLE_ID:
            raise refusal(request, "DeviceTokenNotForTopic")
        kind = request.header("apns-push-type")
        if kind not in PUSH_TYPES:
            raise refusal(request, "InvalidPushType")
        if not re.fullmatch(r"[0-9]{1,19}", request.header("apns-expiration") or "0"):
            raise refusal(request, "BadExpirationDate")
        priorities = ("5", "1") if kind == "background" else ("10", "5", "1")
        if (request.header("apns-priority") or "10") not in priorities:
            raise refusal(request, "BadPriority")
        if len((request.header("apns-collapse-id") or "").encode()) > 64:
            raise refusal(request, "BadCollapseId")


def refusal(request: Request, reason: str, **members: object) -> Refusal:
    return Refusal(reason, Answer.json(
        {"reason": reason, **members}, REASONS[reason], content_type=None,
        headers=[("apns-id", apns_id(request))]))


def check_route(request: Request) -> None:
    if request.path == "/3/device":
        raise refusal(request, "MissingDeviceToken")
    if not re.fullmatch(r"/3/device/[^/]*", request.path):
        raise refusal(request, "BadPath")
    if request.method != "POST":
        raise refusal(request, "MethodNotAllowed")
    names = [
        name for name, _ in request.headers
        if name.startswith("apns-") or name == "authorization"]
    if len(names) > len(set(names)):
        raise refusal(request, "DuplicateHeaders")


def check_payload(request: Request, entry: Entry) -> None:
    if not request.body:
        raise refusal(request, "PayloadEmpty")
    if len(request.body) > 4096:
        raise refusal(request, "PayloadTooLarge")
    if not isinstance(member(entry.payload, "aps"), dict):
        raise refusal(request, "PayloadEmpty")


def apns_id(request: Request) -> str:
    """The request's own id, or a new one."""
    own = request.header("apns-id")
    return own if own and is_uuid(own) else str(uuid.uuid4()).upper()


def is_uuid(text: str) -> bool:
    return re.fullmatch(r"[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}", text) is not None
