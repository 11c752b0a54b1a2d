"""Firebase Cloud Messaging, HTTP v1 (Firebase, "projects.messages")."""

from __future__ import annotations

import hashlib
import re
import secrets
from dataclasses import dataclass
from typing import Any

import base64url
from oauth import PROJECT, OAuth
from service import Answer, Clock, Entry, Refusal, Request, Service, member


@dataclass(frozen=True)
class Error:
    """A row of the tables "FCM Error Codes" and "ErrorCode"."""

    status: int
    code: str
    """Google's code for all its services (google.rpc.Code)."""
    message: str


# By the names of FCM's own codes where it has one.
ERRORS = {
    "INVALID_ARGUMENT": Error(
        400, "INVALID_ARGUMENT", "The registration token is not a valid FCM registration token"),
    "BAD_REQUEST": Error(400, "INVALID_ARGUMENT", "Request contains an invalid argument."),
    "UNREGISTERED": Error(404, "NOT_FOUND", "Requested entity was not found."),
    "SENDER_ID_MISMATCH": Error(403, "PERMISSION_DENIED", "SenderId mismatch"),
    "QUOTA_EXCEEDED": Error(
        429, "RESOURCE_EXHAUSTED", "Quota exceeded for quota metric 'Send requests'."),
    "THIRD_PARTY_AUTH_ERROR": Error(
        401, "UNAUTHENTICATED", "Auth error from APNS or Web Push Service"),
    "UNAVAILABLE": Error(503, "UNAVAILABLE", "The service is currently unavailable."),
    "INTERNAL": Error(500, "INTERNAL", "Internal error encountered."),
    "UNAUTHENTICATED": Error(
        401, "UNAUTHENTICATED",
        "Request had invalid authentication credentials. Expected OAuth 2 access token, login "
        "cookie or other valid authentication credential."),
    "PERMISSION_DENIED": Error(
        403, "PERMISSION_DENIED",
        "Permission 'cloudmessaging.messages.create' denied on resource "
        "'//cloudresourcemanager.googleapis.com/projects/' (or it may not exist)."),
}

# The members of each object of a request; others are refused.
MEMBERS = {
    "": {"message", "validateOnly"},
    "message": {
        "name", "data", "notification", "android", "webpush", "apns", "fcmOptions", "token",
        "topic", "condition",
    },
    "message.notification": {"title", "body", "image"},
    "message.android": {
        "collapseKey", "priority", "ttl", "restrictedPackageName", "data", "notification",
        "fcmOptions", "directBootOk",
    },
    "message.android.notification": {
        "title", "body", "icon", "color", "sound", "tag", "clickAction", "bodyLocKey",
        "bodyLocArgs", "titleLocKey", "titleLocArgs", "channelId", "ticker", "sticky",
        "eventTime", "localOnly", "notificationPriority", "defaultSound",
        "defaultVibrateTimings", "defaultLightSettings", "vibrateTimings", "visibility",
        "notificationCount", "lightSettings", "image",
    },
    "message.apns": {"headers", "payload", "fcmOptions", "liveActivityToken"},
}


class FCM(Service):
    name = "fcm"
    reasons = ERRORS

    def __init__(self, clock: Clock, oauth: OAuth, count: int) -> None:
        """Knows `count` registration tokens, the same ones at each start."""
        super().__init__(clock)
        self._oauth = oauth
        self.tokens = [registration_token(number) for number in range(count)]
        self._known = set(self.tokens)

    def describe(self, request: Request) -> Entry:
        payload = request.json_object()
        message = member(payload, "message")
        android = member(message, "android")
        key = member(android, "collapse_key") or member(android, "collapseKey")
        return Entry(token=text(member(message, "token")), collapse_id=text(key), payload=payload)

    def answer(self, request: Request, entry: Entry) -> Answer:
        path = re.fullmatch(r"/v1/projects/([^/]*)/messages:send", request.path)
        if request.method != "POST" or not path:
            raise refusal("UNREGISTERED")
        owner = self._oauth.project(request.bearer)
        if not owner:
            raise refusal("UNAUTHENTICATED")
        if path[1] != owner:
            raise refusal("PERMISSION_DENIED")
        if not (request.header("content-type") or "").startswith("application/json"):
            raise bad_request("", "Invalid content type")
        check_message(entry.payload)
        if entry.token not in self._known:
            raise refusal("INVALID_ARGUMENT")
        if owner != PROJECT:
            raise refusal("SENDER_ID_MISMATCH")
        number = f"0:{int(self.clock() * 1e6)}%{secrets.token_hex(8)}"
        return Answer.json(
            {"name": f"projects/{PROJECT}/messages/{number}"},
            content_type="application/json; charset=UTF-8")

    def refusal(self, request: Request, reason: str, age: float) -> Refusal:
        return refusal(reason)


def registration_token(number: int) -> str:
    digest = hashlib.sha256(f"fcm {number}".encode()).digest()
    return f"{base64url.encode(digest[:16])}:APA91b{base64url.encode(digest * 3)}"


def refusal(reason: str, message: str | None = None, field: str = "message") -> Refusal:
    """An error; a bad request names the field, and what is wrong with it."""
    error = ERRORS[reason]
    message = message or error.message
    detail: dict[str, Any]
    if reason == "BAD_REQUEST":
        detail = {
            "@type": "type.googleapis.com/google.rpc.BadRequest",
            "fieldViolations": [{"field": field, "description": message}],
        }
    elif reason in ("UNAUTHENTICATED", "PERMISSION_DENIED"):
        detail = {
            "@type": "type.googleapis.com/google.rpc.ErrorInfo",
            "reason": "ACCESS_TOKEN_TYPE_UNSUPPORTED" if reason == "UNAUTHENTICATED"
            else "IAM_PERMISSION_DENIED",
            "domain": "googleapis.com",
        }
    else:
        detail = {
            "@type": "type.googleapis.com/google.firebase.fcm.v1.FcmError", "errorCode": reason,
        }
    body = {
        "code": error.status, "message": message, "status": error.code, "details": [detail],
    }
    headers = [("retry-after", "1")] if reason == "QUOTA_EXCEEDED" else []
    return Refusal(reason, Answer.json(
        {"error": body}, error.status, "application/json; charset=UTF-8", headers))


def bad_request(field: str, message: str = "Invalid value") -> Refusal:
    return refusal("BAD_REQUEST", message, field)


def check_message(payload: dict[str, Any] | None) -> None:
    """Raises the refusal of a request that breaks the rules of a message."""
    message = member(payload, "message")
    if message is None:
        raise bad_request("", "Invalid JSON payload received.")
    check_members(payload, "")
    if not text(member(message, "token")):
        raise bad_request(
            "message", "Exactly one of 'token', 'topic' or 'condition' is required")
    android = member(message, "android")
    check_texts(member(message, "data"), "message.data")
    check_texts(member(android, "data"), "message.android.data")
    check_texts(member(member(message, "apns"), "headers"), "message.apns.headers")
    priority, ttl = member(android, "priority"), member(android, "ttl")
    if priority is not None and str(priority).upper() not in ("NORMAL", "HIGH"):
        raise bad_request("message.android.priority")
    if ttl is not None:
        seconds = re.fullmatch(r"([0-9]+)(\.[0-9]{1,9})?s", str(ttl))
        if not seconds or int(seconds[1]) > 2_419_200:
            raise bad_request("message.android.ttl", "Invalid time to live value for android")


def check_members(value: Any, path: str) -> None:
    """Raises the refusal of an object, or one in it, with a member that is not known."""
    known = MEMBERS.get(path)
    if known is None:
        return
    if not isinstance(value, dict):
        raise bad_request(path)
    for name, inner in value.items():
        camel = re.sub("_(.)", lambda match: match[1].upper(), name)
        if camel not in known:
            place = f" at '{path}'" if path else ""
            raise bad_request(
                path,
                f'Invalid JSON payload received. Unknown name "{name}"{place}: Cannot find field.')
        check_members(inner, f"{path}.{camel}" if path else camel)


def check_texts(data: Any, path: str) -> None:
    """Raises the refusal of a map with a value that is no text, a reserved key, or too much."""
    if data is None:
        return
    if not isinstance(data, dict):
        raise bad_request(path)
    for index, (name, value) in enumerate(data.items()):
        if not isinstance(value, str):
            place = f"{path}[{index}].value"
            raise bad_request(place, f"Invalid value at '{place}' (TYPE_STRING)")
        is_reserved = name in ("from", "message_type") or name.startswith(("google.", "gcm."))
        if is_reserved and not path.endswith("headers"):
            raise bad_request(path, f"Invalid data payload key: {name}")
    if sum(len(name.encode()) + len(value.encode()) for name, value in data.items()) > 4096:
        raise bad_request("message.data", "Android message is too big")


def text(value: Any) -> str | None:
    return value if isinstance(value, str) else None
