"""Google's service for access tokens (RFC 7523)."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from urllib.parse import parse_qs

from cryptography.hazmat.primitives.asymmetric import rsa

import base64url
from service import Answer, Clock, Entry, Refusal, Request, Service
from webtoken import WebToken

PROJECT = "argus-demo"
GRANT = "urn:ietf:params:oauth:grant-type:jwt-bearer"
SCOPE = "https://www.googleapis.com/auth/firebase.messaging"

# RFC 6749, section 5.2.
ERRORS = {
    "invalid_request": 400, "invalid_grant": 400, "invalid_scope": 400, "invalid_client": 401,
    "unauthorized_client": 401, "unsupported_grant_type": 400,
}


@dataclass(frozen=True)
class ServiceAccount:
    """An account with which the program of a project signs in."""

    project: str
    key: rsa.RSAPrivateKey = field(
        default_factory=lambda: rsa.generate_private_key(public_exponent=65537, key_size=2048))
    key_id: str = field(default_factory=lambda: secrets.token_hex(20))

    @property
    def email(self) -> str:
        return f"firebase-adminsdk-demo@{self.project}.iam.gserviceaccount.com"


class OAuth(Service):
    name = "oauth"
    reasons = ERRORS

    def __init__(self, clock: Clock) -> None:
        super().__init__(clock)
        self.accounts = [ServiceAccount(PROJECT), ServiceAccount("another-project")]
        self._grants: dict[str, tuple[str, float]] = {}
        """The project of each access token, and when the token ends."""

    def project(self, token: str | None) -> str | None:
        """The project of an access token; None if it is none, or has ended."""
        project, end = self._grants.get(token or "", (None, 0))
        return project if end > self.clock() else None

    def describe(self, request: Request) -> Entry:
        return Entry(web_token=WebToken.parse(form_value(request, "assertion")))

    def answer(self, request: Request, entry: Entry) -> Answer:
        kind = request.header("content-type") or ""
        if request.method != "POST" or not kind.startswith("application/x-www-form-urlencoded"):
            raise refusal("invalid_request", "Bad Request")
        if form_value(request, "grant_type") != GRANT:
            raise refusal("unsupported_grant_type", "Invalid grant_type")
        account = self._verify(entry.web_token, f"{request.origin}/token")
        token = "ya29.c." + base64url.encode(secrets.token_bytes(96))
        self._grants[token] = (account.project, self.clock() + 3599)
        return Answer.json(
            {"access_token": token, "expires_in": 3599, "token_type": "Bearer"},
            content_type="application/json; charset=utf-8")

    def refusal(self, request: Request, reason: str, age: float) -> Refusal:
        return refusal(reason, "Injected fault")

    def _verify(self, token: WebToken | None, audience: str) -> ServiceAccount:
        """Verifies an assertion, and gives the account that has signed it."""
        if not token:
            raise refusal("invalid_grant", "Bad Request")
        claims = token.claims
        account = next((each for each in self.accounts if each.email == claims.get("iss")), None)
        if not account:
            raise refusal("invalid_grant", "Invalid grant: account not found")
        if not token.is_signed_by(account.key.public_key()):
            raise refusal("invalid_grant", "Invalid JWT Signature.")
        if claims.get("aud") != audience:
            raise refusal("invalid_grant", "Invalid JWT: Failed audience check.")
        if SCOPE not in str(claims.get("scope")).split():
            raise refusal("invalid_scope", "Invalid OAuth scope or ID token audience provided.")
        now, issued, end = self.clock(), token.time("iat"), token.time("exp")
        # Five minutes of skew, as Google grants them.
        if issued is None or end is None or issued > now + 300 or end <= now - 300 \
                or end - issued > 3600:
            raise refusal(
                "invalid_grant",
                "Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable "
                "timeframe. Check your iat and exp values in the JWT claim.")
        return account


def refusal(reason: str, words: str) -> Refusal:
    return Refusal(reason, Answer.json(
        {"error": reason, "error_description": words}, ERRORS[reason],
        content_type="application/json; charset=utf-8"))


def form_value(request: Request, name: str) -> str | None:
    form = parse_qs(request.body.decode(errors="replace"))
    return form.get(name, [None])[-1]
